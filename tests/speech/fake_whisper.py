"""A package called faster_whisper that hears what a test tells it to, and a folder like one of its models."""

import io
import sys
import wave
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from kebab.core.reading_settings import SPEECH_FILES
from kebab.speech.sound import RATE


def heard(start: float, end: float, text: str, sure: float = -0.1, silent: float = 0.0) -> SimpleNamespace:
    return SimpleNamespace(start=start, end=end, text=text, avg_logprob=sure, no_speech_prob=silent)


class FakePackage:
    """`says` holds what each stretch of sound is heard as; an exception among the words is raised there."""

    def __init__(self, says: Sequence[Sequence[Any]]) -> None:
        self.says = list(says)
        self.made: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "FakePackage":
        package = ModuleType("faster_whisper")
        package.__spec__ = SimpleNamespace(name="faster_whisper")  # type: ignore[assignment]
        package.WhisperModel = self._make  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "faster_whisper", package)
        return self

    def _make(self, path: str, **options: Any) -> "FakePackage":
        self.made.append({"path": path, **options})
        return self

    def transcribe(self, audio: Any, **options: Any) -> tuple[Iterator[Any], Any]:
        self.asked.append({"samples": len(audio), "peak": float(abs(audio).max()), "type": str(audio.dtype), **options})
        return self._hear(self.says.pop(0)), SimpleNamespace(language="ko")

    def _hear(self, words: Sequence[Any]) -> Iterator[Any]:
        for each in words:
            if isinstance(each, Exception):
                raise each
            yield each


def model_folder(parent: Path, name: str = "faster-whisper-tiny") -> Path:
    folder = parent / name
    folder.mkdir()
    for names in SPEECH_FILES:
        (folder / names[-1]).write_text("{}", encoding="utf-8")
    return folder


def wav(samples: bytes, rate: int = RATE) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples)
    return out.getvalue()
