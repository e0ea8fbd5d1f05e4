"""A desk for every test: a home folder, a workspace in it, and an index that is not there yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_bench import Desk
from reading_bench import LINES, SPOKEN, at_hand
from word_embedder import WordModel

from kebab.app import assemble
from kebab.ocr import OCR_ENGINES
from kebab.speech import TRANSCRIBERS
from stand_ins.readers import ScriptedOcr, ScriptedTranscriber


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "kb"
    root.mkdir()
    desk = Desk(tmp_path, root)
    with desk.open:
        yield desk


@pytest.fixture
def model(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> WordModel:
    """The desk is configured for a model, and this is it."""
    told = WordModel()
    monkeypatch.setattr(assemble, "embedder_for", told)
    desk.flags |= {"models.embedding.provider": "builtin", "models.embedding.dimensions": 32}
    return told


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> ScriptedOcr:
    """An engine that sees the same lines everywhere, and readers of images and PDFs without processes of their own."""
    at_hand(monkeypatch)
    engine = ScriptedOcr(LINES)
    monkeypatch.setitem(OCR_ENGINES, "tesseract", lambda _settings: engine)
    return engine


@pytest.fixture
def ears(monkeypatch: pytest.MonkeyPatch) -> ScriptedTranscriber:
    transcriber = ScriptedTranscriber(SPOKEN)
    monkeypatch.setitem(TRANSCRIBERS, "faster-whisper", lambda _settings, _models: transcriber)
    return transcriber
