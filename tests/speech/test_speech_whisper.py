"""The transcriber faster-whisper: what it asks its package for, what it makes of the words, and what it misses."""

from pathlib import Path

import pytest
from fake_whisper import FakePackage, heard, model_folder

from kebab.core.errors import MissingExtra, ModelInvalid, ModelNotPulled
from kebab.core.reading import Segment
from kebab.core.reading_settings import SpeechSettings
from kebab.speech import TRANSCRIBERS
from kebab.speech.folder import missing
from kebab.speech.sound import RATE
from kebab.speech.whisper import WhisperTranscriber

SETTINGS = SpeechSettings(model="faster-whisper-tiny", threads=2)
SECOND = (b"\x00\x40" * RATE)[: 2 * RATE]


@pytest.fixture
def sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording is its samples: decoding has tests of its own."""
    monkeypatch.setattr("kebab.speech.whisper.decode", lambda recording: recording)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    model_folder(tmp_path)
    return tmp_path


def test_words_become_segments(sound: None, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [heard(0.0, 1.25, " 현미밥은\n짓는다."), heard(1.3, 2.0, " "), heard(2.0, 2.5, "um", silent=0.9)]
    package = FakePackage([[*words, heard(2.5, 2.4, "끝", sure=0.5)]]).install(monkeypatch)
    language, segments = TRANSCRIBERS["faster-whisper"](SETTINGS, models).transcribe(SECOND)
    assert language == "ko"
    assert list(segments) == [Segment(0, 1250, "현미밥은 짓는다.", None, 0.905), Segment(2500, 2500, "끝", None, 1.0)]
    assert package.made == [
        {
            "path": str(models / "faster-whisper-tiny"),
            "device": "cpu",
            "compute_type": "int8",
            "cpu_threads": 2,
            "local_files_only": True,
        }
    ]
    (asked,) = package.asked
    assert asked == {"samples": RATE, "peak": 0.5, "type": "float32", "language": None, "vad_filter": True}


def test_the_model_is_loaded_once_and_by_the_first_recording(
    sound: None, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = FakePackage([[], []]).install(monkeypatch)
    transcriber = WhisperTranscriber(SETTINGS._replace(language="en"), models)
    assert package.made == []
    for _ in range(2):
        assert list(transcriber.transcribe(SECOND).segments) == []
    assert len(package.made) == 1
    assert [asked["language"] for asked in package.asked] == ["en", "en"]
    assert list(transcriber.transcribe(b"").segments) == []


def test_a_long_recording_is_heard_in_stretches_in_one_language(
    sound: None, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kebab.speech.stretches.LONGEST_S", 4)
    monkeypatch.setattr("kebab.speech.stretches._SEARCHED_S", 2)
    package = FakePackage([[heard(0, 1, "one")], [heard(0, 1, "two")], [heard(0, 1, "three")]]).install(monkeypatch)
    samples = bytearray(SECOND * 9)
    for quiet in (3, 6):
        samples[2 * RATE * quiet : 2 * RATE * quiet + RATE] = bytes(RATE)
    segments = list(WhisperTranscriber(SETTINGS, models).transcribe(bytes(samples)).segments)
    assert [segment.text for segment in segments] == ["one", "two", "three"]
    assert [segment.start_ms for segment in segments] == [0, 3100, 6200]
    assert [asked["language"] for asked in package.asked] == [None, "ko", "ko"]
    assert sum(asked["samples"] for asked in package.asked) == 9 * RATE


def test_what_fails_while_it_listens_is_one_line(sound: None, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FakePackage([[heard(0, 1, "one"), RuntimeError("out of\nmemory")]]).install(monkeypatch)
    segments = WhisperTranscriber(SETTINGS, models).transcribe(SECOND).segments
    assert next(segments).text == "one"
    with pytest.raises(ModelInvalid, match=r"^the speech model failed: RuntimeError: out of memory$"):
        next(segments)


def test_a_model_that_cannot_be_loaded_is_told(sound: None, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = FakePackage([]).install(monkeypatch)

    def fail(path: str, **options: object) -> FakePackage:
        raise RuntimeError("Unsupported model binary version")

    package._make = fail  # type: ignore[method-assign]
    package.install(monkeypatch)
    with pytest.raises(ModelInvalid, match="is not a speech model that can be loaded: Unsupported"):
        WhisperTranscriber(SETTINGS, models).transcribe(SECOND)


def test_a_missing_package_comes_with_the_command_that_gets_it(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.speech.decoding.find_spec", lambda name: None)
    for ask in (lambda each: each.identity, lambda each: each.transcribe(SECOND)):
        with pytest.raises(MissingExtra, match="needs the package faster-whisper") as raised:
            ask(WhisperTranscriber(SETTINGS, models))
        assert raised.value.hint == "pip install 'kebab[speech]'"


@pytest.mark.parametrize("lost", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
def test_a_model_that_lacks_a_file_is_not_pulled(lost: str, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = FakePackage([]).install(monkeypatch)
    folder = models / "faster-whisper-tiny"
    (folder / lost).unlink()
    with pytest.raises(ModelNotPulled, match=rf"^no {lost.removesuffix('.txt')}.*in ") as raised:
        WhisperTranscriber(SETTINGS, models).transcribe(SECOND)
    assert "kebab models pull faster-whisper-tiny" in str(raised.value.hint)
    assert package.made == []


def test_a_model_by_path_or_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FakePackage([]).install(monkeypatch)
    folder = model_folder(tmp_path, "mine")
    by_path = WhisperTranscriber(SpeechSettings(model=str(folder)), tmp_path / "none").identity
    assert by_path == WhisperTranscriber(SpeechSettings(model="mine"), tmp_path).identity
    (folder / "config.json").write_text('{"other": 1}')
    assert WhisperTranscriber(SpeechSettings(model="mine"), tmp_path).identity != by_path
    with pytest.raises(ModelNotPulled, match=r"^the speech model another is not on this machine$"):
        _ = WhisperTranscriber(SpeechSettings(model="another"), tmp_path).identity
    assert missing(folder) is None
