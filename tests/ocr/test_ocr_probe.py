"""What the doctor learns about OCR."""

from pathlib import Path

import pytest
from fake_tesseract import NOT_ON_WINDOWS, install

from kebab.core.errors import MissingExtra, ModelNotPulled
from kebab.core.reading_settings import OcrSettings
from kebab.ocr.probe import available, describe
from stand_ins.model_server import MODEL, StandInServer

SAYS = """
if sys.argv[1] == '--version': print('tesseract 5.3.0')
else: print('List:'); print('eng'); {more}
"""


@NOT_ON_WINDOWS
def test_an_engine_with_all_its_languages_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, SAYS.format(more="print('kor')"))
    assert available(OcrSettings()) is None
    assert describe(OcrSettings()) == "tesseract 5.3.0 reads kor, eng"


@NOT_ON_WINDOWS
def test_missing_korean_is_told_with_the_command_that_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, SAYS.format(more=""))
    problem = available(OcrSettings())
    assert isinstance(problem, MissingExtra)
    assert problem.message == "tesseract 5.3.0 has no data for kor; Korean in images will not be read"
    assert "apt install tesseract-ocr-kor" in str(problem.hint)
    assert available(OcrSettings(languages=("eng",))) is None


def test_a_missing_program_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    problem = available(OcrSettings())
    assert problem is not None
    assert problem.message == "text in images needs the program tesseract"


def test_a_vision_model_is_asked_for_at_its_server() -> None:
    with StandInServer() as server:
        settings = OcrSettings("ollama-vision", model=MODEL, endpoint=server.url)
        assert describe(settings) == f"Ollama 0.99.1 at {server.url}; it has {MODEL}"
        assert isinstance(available(settings._replace(model="another")), ModelNotPulled)
