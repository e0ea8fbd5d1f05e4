"""The transcriber `faster-whisper`: a Whisper model in a local folder, in int8 on the processor. Opens no connection.

A long recording is read in stretches that end where it is quiet, so that memory does not grow with it.
"""

import math
import threading
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kebab.core.errors import IoFailure, MissingExtra, ModelInvalid
from kebab.core.ids import content_hash
from kebab.core.reading import Identity, Segment, Transcript
from kebab.core.reading_settings import SpeechSettings
from kebab.remote.failures import one_line
from kebab.speech.decoding import INSTALL, decode, require_extra
from kebab.speech.folder import folder_of
from kebab.speech.sound import RATE
from kebab.speech.stretches import floating, stretches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kebab.speech.stretches import Sound

_RULES = "1"
# Above this likelihood that nobody speaks, words are more often invented than heard.
_NO_SPEECH = 0.8


class Heard(Protocol):
    """The part of faster-whisper's segments that is used; times are seconds."""

    start: float
    end: float
    text: str
    avg_logprob: float
    no_speech_prob: float


class Info(Protocol):
    language: str


class Model(Protocol):
    """The part of faster-whisper's model that is used."""

    def transcribe(
        self, audio: "NDArray[np.float32]", *, language: str | None, vad_filter: bool
    ) -> tuple[Iterable[Heard], Info]: ...


class WhisperTranscriber:
    """The model is loaded by the first recording and stays. One recording at a time."""

    def __init__(self, settings: SpeechSettings, models: Path) -> None:
        self._settings = settings
        self._models = models
        self._lock = threading.Lock()
        self._loaded: Model | None = None

    @property
    def identity(self) -> Identity:
        """The model by its size and description too, since a folder may be filled anew under the same name."""
        require_extra("faster_whisper")
        folder = folder_of(self._settings.model, self._models)
        try:
            size = (folder / "model.bin").stat().st_size
            version = content_hash((folder / "config.json").read_bytes())[:8]
        except OSError as error:
            raise IoFailure(f"cannot read the speech model in {folder}: {error.strerror}") from error
        languages = (self._settings.language,) if self._settings.language else ()
        return Identity(f"faster-whisper/{folder.name}", f"{version}-{size}", languages, _RULES)

    def transcribe(self, recording: bytes) -> Transcript:
        with self._lock:
            self._loaded = self._loaded or self._load()
        import numpy as np

        samples = np.frombuffer(decode(recording), dtype="<i2")
        parts = iter(stretches(samples))
        first = next(parts, None)
        if first is None:
            return Transcript(self._settings.language or None, iter(()))
        start, sound = first
        heard, language = self._hear(sound, self._settings.language or None)
        return Transcript(language, self._segments(heard, start, parts, language))

    def _segments(
        self, heard: Iterable[Heard], start: int, rest: "Iterator[tuple[int, Sound]]", language: str | None
    ) -> Iterator[Segment]:
        """What is said in the first stretch, then in the others, in the language of the first."""
        yield from _told(heard, start)
        for begin, sound in rest:
            again, _ = self._hear(sound, language)
            yield from _told(again, begin)

    def _hear(self, sound: "Sound", language: str | None) -> tuple[Iterator[Heard], str | None]:
        assert self._loaded is not None
        try:
            # Without the filter a model invents words for silence.
            heard, info = self._loaded.transcribe(floating(sound), language=language, vad_filter=True)
        except Exception as error:
            raise _failed(error) from error
        return _reported(iter(heard)), info.language

    def _load(self) -> Model:
        require_extra("faster_whisper")
        folder = folder_of(self._settings.model, self._models)
        try:
            package = import_module("faster_whisper")
        except ImportError as error:
            message = f"the package faster-whisper cannot be loaded: {one_line(str(error))}"
            raise MissingExtra(message, hint=INSTALL, extra="speech", package="faster_whisper") from error
        try:
            model: Model = package.WhisperModel(
                str(folder),
                device="cpu",
                compute_type="int8",
                cpu_threads=self._settings.threads,
                local_files_only=True,
            )
            return model
        except Exception as error:
            hint = f"remove {folder} and pull the model again, or put good files there"
            message = f"{folder} is not a speech model that can be loaded: {one_line(str(error))}"
            raise ModelInvalid(message, hint=hint, path=str(folder)) from error


def _told(heard: Iterable[Heard], start: int) -> Iterator[Segment]:
    """Times from the beginning of the recording; `start` is the sample at which the stretch begins."""
    offset = round(start * 1000 / RATE)
    for each in heard:
        words = " ".join(each.text.split())
        if not words or each.no_speech_prob > _NO_SPEECH:
            continue
        begin = offset + max(0, round(each.start * 1000))
        end = max(begin, offset + round(each.end * 1000))
        yield Segment(begin, end, words, None, round(min(1.0, math.exp(each.avg_logprob)), 3))


def _reported(heard: Iterator[Heard]) -> Iterator[Heard]:
    """Words are heard as they are asked for, and so is what goes wrong."""
    while True:
        try:
            each = next(heard)
        except StopIteration:
            return
        except Exception as error:
            raise _failed(error) from error
        yield each


def _failed(error: Exception) -> ModelInvalid:
    return ModelInvalid(f"the speech model failed: {type(error).__name__}: {one_line(str(error))}")
