"""Pictures of pages to lines, as the PDF parser wants them."""

import pytest

from kebab.core.errors import InvalidInput
from kebab.core.reading import Identity, OcrLine
from kebab.ocr.pages import PageReader, png_of
from stand_ins.pictures import corner, image_of
from stand_ins.readers import MemoryCache, ScriptedOcr

LINES = (OcrLine("one", 0, 0, 9, 9), OcrLine("two", 0, 10, 9, 9), OcrLine("three", 0, 90, 9, 9))
PGM = b"P5 40 20 255\n" + corner().tobytes()


def test_a_gap_is_an_empty_line_and_a_page_is_read_once() -> None:
    engine, cache = ScriptedOcr(LINES), MemoryCache()
    for _ in range(2):
        assert PageReader(engine, cache).read(PGM) == ["one", "two", "", "three"]
    assert len(engine.given) == 1
    assert image_of(engine.given[0]).tobytes() == corner().tobytes()
    assert PageReader(ScriptedOcr()).read(PGM) == []


def test_the_version_is_that_of_the_engine() -> None:
    one, other = (PageReader(ScriptedOcr(identity=Identity("x", v))).version for v in "12")
    assert one != other


def test_a_picture_keeps_its_pixels() -> None:
    found = image_of(png_of(PGM))
    assert (found.size, found.mode, found.tobytes()) == ((40, 20), "L", corner().tobytes())


@pytest.mark.parametrize("pgm", [b"P5", b"P5 2 2 255\nabc", b"P5 2 2 65535\nabcd", b"P5 0 0 255\n", b"P5 x 2 255\nab"])
def test_anything_else_is_refused(pgm: bytes) -> None:
    with pytest.raises(InvalidInput):
        png_of(pgm)
