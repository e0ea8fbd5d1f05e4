"""What every transcriber owes: segments in order, with times that go forward, the same each time.

The real model is heard only where KEBAB_TEST_WHISPER_MODEL names its folder and espeak-ng can speak.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kebab.core.reading import Segment, Transcriber
from kebab.core.reading_settings import SpeechSettings
from kebab.speech.whisper import WhisperTranscriber
from stand_ins.readers import ScriptedTranscriber

SENTENCE = "Brown rice cooks for forty minutes."
MODEL = os.environ.get("KEBAB_TEST_WHISPER_MODEL", "")
NO_MODEL = pytest.mark.skipif(
    not MODEL or shutil.which("espeak-ng") is None, reason="KEBAB_TEST_WHISPER_MODEL names no model, or nobody speaks"
)


@pytest.fixture(scope="module", params=["scripted", pytest.param("faster-whisper", marks=NO_MODEL)])
def transcriber(request: pytest.FixtureRequest) -> Transcriber:
    if request.param == "scripted":
        return ScriptedTranscriber([Segment(0, 900, "Brown rice cooks"), Segment(900, 2000, "for forty minutes.")])
    return WhisperTranscriber(SpeechSettings(model=MODEL), Path())


@pytest.fixture(scope="module")
def recording(transcriber: Transcriber, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    if isinstance(transcriber, ScriptedTranscriber):
        return b"sound"
    place = tmp_path_factory.mktemp("speech") / "rice.wav"
    subprocess.run(["espeak-ng", "-v", "en-us", "-s", "140", "-w", str(place), SENTENCE], check=True)
    return place.read_bytes()


def test_what_is_said_is_heard(transcriber: Transcriber, recording: bytes) -> None:
    words = " ".join(segment.text for segment in transcriber.transcribe(recording).segments).lower()
    assert "rice" in words
    assert "minutes" in words


def test_segments_follow_each_other(transcriber: Transcriber, recording: bytes) -> None:
    segments = list(transcriber.transcribe(recording).segments)
    assert segments
    for segment in segments:
        assert 0 <= segment.start_ms <= segment.end_ms
        assert segment.text == " ".join(segment.text.split()) != ""
    assert [segment.start_ms for segment in segments] == sorted(segment.start_ms for segment in segments)


def test_the_same_recording_is_heard_the_same(transcriber: Transcriber, recording: bytes) -> None:
    first, again = (list(transcriber.transcribe(recording).segments) for _ in range(2))
    assert first == again
    assert transcriber.identity == transcriber.identity
