"""Pictures and recordings for an ingest, and an engine that is not there."""

import pytest

from kebab.core.errors import MissingExtra
from kebab.core.reading import Identity, OcrLine, Segment
from kebab.ocr import OCR_ENGINES
from kebab.parse.image import parser as image_parser
from kebab.parse.pdf import parser as pdf_parser
from stand_ins.pictures import corner, file_of
from stand_ins.readers import InProcess, ScriptedOcr

PNG = file_of(corner((400, 300)))
LINES = (OcrLine("현미밥 짓는 법", 10, 10, 120, 20, 0.9), OcrLine("Soak the rice", 12, 200, 90, 18, 0.7))
SPOKEN = (Segment(0, 4_000, "오늘은 회의록을 씁니다.", "S1"), Segment(4_500, 9_000, "The zebra comes first.", "S1"))
# How the scripted engine is called wherever it is named.
WHO = "scripted:1:kor:"


class MissingOcr(ScriptedOcr):
    @property
    def identity(self) -> Identity:  # type: ignore[override]
        raise MissingExtra("there is no engine", hint="install one", package="eyes")

    @identity.setter
    def identity(self, value: Identity) -> None:
        """The scripted one would set its own."""


def at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers of images and PDFs without a process of their own; that has tests of its own."""
    for module in (image_parser, pdf_parser):
        monkeypatch.setattr(module, "Worker", lambda *_: InProcess())


def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    at_hand(monkeypatch)
    monkeypatch.setitem(OCR_ENGINES, "tesseract", lambda _settings: MissingOcr())
