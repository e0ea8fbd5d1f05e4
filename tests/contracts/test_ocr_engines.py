"""What every OCR engine owes: lines in reading order within the image, the same each time, for any picture at all."""

import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PIL import Image

from kebab.core.reading import OcrEngine, Recognised, paragraphs
from kebab.core.reading_settings import OcrSettings
from kebab.ocr import OCR_ENGINES
from stand_ins.model_server import MODEL, StandInServer
from stand_ins.pictures import KOREAN_FONT, file_of, page
from stand_ins.vision import sees

KOREAN = ("도서관은 평일 오전 9시에 연다.", "회의록은 공유 폴더에 올려 주세요.")
NO_TESSERACT = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
HEAVY = ("PIL", "httpx2", "numpy", "ssl")


@pytest.fixture(scope="module", params=[pytest.param("tesseract", marks=NO_TESSERACT), "ollama-vision"])
def engine(request: pytest.FixtureRequest) -> Iterator[OcrEngine]:
    with StandInServer() as server:
        sees(server, "\n".join(KOREAN))
        settings = OcrSettings(request.param, model=MODEL, endpoint=server.url)
        yield OCR_ENGINES[request.param](settings)


@pytest.fixture(scope="module")
def korean() -> bytes:
    image = page(KOREAN, 24, KOREAN_FONT)
    return file_of(image.resize((2 * image.width, 2 * image.height)))


@pytest.fixture(scope="module")
def read(engine: OcrEngine, korean: bytes) -> Recognised:
    if engine.identity.name == "tesseract" and "kor" not in engine.identity.languages:
        pytest.skip("tesseract has no Korean")
    return engine.read(korean)


def test_korean_is_read_word_for_word(read: Recognised) -> None:
    assert tuple(line.text for line in read.lines) == KOREAN


def test_boxes_lie_within_the_image_from_top_to_bottom(read: Recognised, korean: bytes) -> None:
    tops = [line.y for line in read.lines]
    assert tops == sorted(tops)
    for line in read.lines:
        assert 0 <= line.x < line.x + line.w <= read.width
        assert 0 <= line.y < line.y + line.h <= read.height
        assert 0 <= line.confidence <= 1
    assert len(paragraphs(read.lines)) == 1


def test_the_same_image_reads_the_same(engine: OcrEngine, korean: bytes, read: Recognised) -> None:
    assert engine.read(korean) == read
    assert engine.identity == engine.identity


@pytest.mark.parametrize("size", [(1, 1), (1, 200), (300, 2), (64, 64)])
def test_any_picture_can_be_given(engine: OcrEngine, size: tuple[int, int]) -> None:
    found = engine.read(file_of(Image.new("L", size, 255)))
    assert (found.width, found.height) == size


@pytest.mark.parametrize("name", OCR_ENGINES)
def test_making_one_loads_and_starts_nothing(name: str) -> None:
    recipe = (
        "import sys; from kebab.core.reading_settings import OcrSettings; from kebab.ocr import OCR_ENGINES\n"
        f"engine = OCR_ENGINES[{name!r}](OcrSettings({name!r}, model='m')); engine.form\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", recipe], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & set(HEAVY)
