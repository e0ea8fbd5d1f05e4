"""What the doctor says about reading pictures and recordings: what is missing, and whether anyone waits for it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.core.inspection import Check
from kebab.ocr import probe
from kebab.speech import decoding
from stand_ins.model_server import MODEL, StandInServer

if TYPE_CHECKING:
    from app_bench import Desk


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without tesseract and without faster-whisper."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(decoding, "find_spec", lambda _name: None)


def checks(desk: "Desk") -> dict[str, Check]:
    return {check.name: check for check in desk.app().doctor().checks}


def test_what_nobody_asked_for_may_be_missing_and_is_told_with_the_package(desk: "Desk") -> None:
    found = checks(desk)
    assert found["ocr_engine"].ok
    assert found["ocr_engine"].detail == "text in images needs the program tesseract"
    assert "apt install tesseract-ocr tesseract-ocr-kor" in str(found["ocr_engine"].hint)
    assert found["speech"] == Check(
        "speech", ok=True, detail="speech in recordings needs the package faster-whisper", hint=decoding.INSTALL
    )
    assert "captioner" not in found


def test_an_engine_that_scanned_pages_wait_for_has_to_be_there(desk: "Desk") -> None:
    desk.flags["ingest.pdf.ocr.enabled"] = True
    assert not checks(desk)["ocr_engine"].ok
    desk.flags["ingest.image.ocr.engine"] = "none"
    found = checks(desk)["ocr_engine"]
    assert (found.ok, found.hint) == (False, "kebab config set ingest.image.ocr.engine tesseract")


def test_no_engine_at_all_is_a_choice(desk: "Desk") -> None:
    desk.flags |= {"ingest.image.ocr.engine": "none", "ingest.speech.provider": "none"}
    found = checks(desk)
    assert (found["ocr_engine"].ok, found["ocr_engine"].detail) == (True, "none: text in images is not read")
    assert (found["speech"].ok, found["speech"].detail) == (True, "none: recordings are not read")


def test_an_engine_that_is_there_is_named(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "describe", lambda settings: f"{settings.engine} 9 reads")
    assert checks(desk)["ocr_engine"] == Check("ocr_engine", ok=True, detail="tesseract 9 reads")


def test_a_vision_model_that_was_chosen_has_to_answer(desk: "Desk") -> None:
    with StandInServer() as server:
        for section in ("ocr", "caption"):
            desk.flags |= {f"ingest.image.{section}.endpoint": server.url, f"ingest.image.{section}.model": MODEL}
        desk.flags |= {"ingest.image.ocr.engine": "ollama-vision", "ingest.image.caption.provider": "ollama"}
        found = checks(desk)
        assert (
            found["ocr_engine"].detail == found["captioner"].detail == f"Ollama 0.99.1 at {server.url}; it has {MODEL}"
        )
        desk.flags |= {f"ingest.image.{section}.model": "another" for section in ("ocr", "caption")}
        found = checks(desk)
        assert not found["ocr_engine"].ok
        assert not found["captioner"].ok
        assert "another" in str(found["captioner"].hint)


def test_speech_is_ready_once_the_package_and_the_model_are_there(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "find_spec", lambda _name: object())
    found = checks(desk)["speech"]
    assert (found.ok, found.detail) == (True, "the speech model faster-whisper-small is not on this machine")
    assert "kebab models pull faster-whisper-small" in str(found.hint)
    folder = desk.config.storage.model_dir / "faster-whisper-small"
    folder.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (folder / name).touch()
    found = checks(desk)["speech"]
    assert found == Check("speech", ok=True, detail="faster-whisper/faster-whisper-small writes down recordings")
