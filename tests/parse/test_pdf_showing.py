"""Pages of a PDF as pictures, and words found on them, through a worker: bounded, and harmless whatever the file is."""

import io
from collections.abc import Iterator

import pytest
from PIL import Image

from kebab.parse.pdf import drawing, showing
from kebab.parse.worker import Limits, Worker, WorkerFailed
from pdf_samples import KOREAN, canvas, encrypted, finish, huge_page, pages, turned

TEXT = "The harbour lantern is lit at dusk by who-\never comes first. It is infor-\nmation for every ship."
MARKED = (100.0, 400.0)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    found = Worker(Limits(cpu_s=30, wall_s=30), "picture maker")
    yield found
    found.close()


def image_of(png: bytes | None) -> Image.Image:
    assert png is not None
    return Image.open(io.BytesIO(png))


def test_a_page_is_drawn_as_wide_as_it_is_wanted(worker: Worker) -> None:
    raw = pages("one", "two")
    first, second = image_of(showing.draw(worker, raw, 1, 300)), image_of(showing.draw(worker, raw, 2, 300))
    assert first.format == "PNG"
    assert first.size == second.size
    assert abs(first.width - 300) <= 1
    assert first.tobytes() != second.tobytes()
    assert min(first.convert("L").tobytes()) < 200


def test_a_page_that_is_not_there_is_none(worker: Worker) -> None:
    raw = pages("one")
    for number in (0, 2, -1, 10**9):
        assert showing.draw(worker, raw, number, 300) is None
        assert showing.find(worker, raw, number, "one") is None


def test_a_page_without_measure_is_drawn_within_bounds(worker: Worker) -> None:
    found = image_of(showing.draw(worker, huge_page("poster").raw, 1, 2400))
    assert found.width * found.height <= drawing.MOST_PIXELS * 1.01


def test_sizes_are_those_of_the_pages_asked_for(worker: Worker) -> None:
    assert showing.sizes(worker, pages("a", "b", "c"), 2, 50) == (3, [(595.0, 842.0), (595.0, 842.0)])
    assert showing.sizes(worker, pages("a"), 5, 50) == (1, [])


@pytest.mark.parametrize("raw", [b"", b"%PDF-1.7\nnothing", b"<svg onload=alert(1)>", encrypted("closed").raw])
def test_what_is_no_pdf_fails_and_harms_nobody(worker: Worker, raw: bytes) -> None:
    with pytest.raises(WorkerFailed):
        showing.draw(worker, raw, 1, 300)
    assert showing.draw(worker, pages("still there"), 1, 300)


@pytest.mark.parametrize(
    "quote",
    [
        "harbour lantern",
        "HARBOUR  lantern",
        "lit at dusk by whoever comes first",
        "information for\nevery ship",
        "lit at dusk by who-\never comes",
    ],
)
def test_a_quote_is_found_whatever_line_ends_did_to_it(worker: Worker, quote: str) -> None:
    boxes = showing.find(worker, pages(TEXT), 1, quote)
    assert boxes
    for x, y, w, h in boxes:
        assert 0.05 < x < 0.9
        assert 0.03 < y < 0.12
        assert 0 < w < 0.9
        assert 0 < h < 0.05


def test_a_quote_over_lines_has_a_box_for_each(worker: Worker) -> None:
    boxes = showing.find(worker, pages(TEXT), 1, "at dusk by whoever comes first. It is information for")
    assert boxes is not None
    assert len({round(y, 3) for _, y, _, _ in boxes}) == 3


def test_korean_is_found(worker: Worker) -> None:
    raw = pages("현미 한 컵에 물을 붓는다.", font=KOREAN)
    assert showing.find(worker, raw, 1, "물을 붓는다")


def test_a_long_quote_is_found_by_its_ends(worker: Worker) -> None:
    quote = "The harbour lantern is lit at dusk, says the keeper, and there is information for every ship."
    assert showing.find(worker, pages(TEXT), 1, quote)


@pytest.mark.parametrize("quote", ["", " - ", "not there", "lanterns", "x" * 19_000, "\ud800"])
def test_what_does_not_stand_there_has_no_box(worker: Worker, quote: str) -> None:
    assert showing.find(worker, pages(TEXT), 1, quote) == ()


def dark(picture: Image.Image) -> tuple[float, float]:
    """The middle of what is dark, as parts of the picture."""
    grey = picture.convert("L").point(lambda value: 255 if value < 128 else 0)
    box = grey.getbbox()
    assert box is not None
    return (box[0] + box[2]) / 2 / picture.width, (box[1] + box[3]) / 2 / picture.height


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_box_is_where_the_words_are_seen_also_on_a_turned_page(worker: Worker, angle: int) -> None:
    buffer, sheet = canvas()
    sheet.setFont("Helvetica", 20)
    sheet.drawString(*MARKED, "lantern")
    sheet.setPageRotation(angle)
    sheet.showPage()
    raw = finish(buffer, sheet)
    across, down = dark(image_of(showing.draw(worker, raw, 1, 600)))
    ((x, y, w, h),) = showing.find(worker, raw, 1, "lantern") or ()
    assert x - 0.01 <= across <= x + w + 0.01
    assert y - 0.01 <= down <= y + h + 0.01


def test_a_sample_turned_by_its_maker_is_found_too(worker: Worker) -> None:
    sample = turned("side", 90)
    assert sample.phrases[0]
    assert showing.find(worker, sample.raw, 1, sample.phrases[0])
