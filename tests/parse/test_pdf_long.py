"""Long files and crowded pages: two who read a file say what one would, and nothing is lost when one of them fails."""

from collections.abc import Iterator
from typing import Any

import pytest

import pdf_samples
from kebab.core.asset import Asset
from kebab.core.document import BlockKind
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.parse.pdf import PdfParser
from kebab.parse.pdf.fetching import Caps, fetch
from kebab.parse.pdf.sharing import Readers
from kebab.parse.worker import Reply, Worker, WorkerFailed

MOMENT = "2020-01-01T00:00:00Z"
FACTS: list[Any] = ["facts", {"pages": 4, "Title": "", "Author": "", "CreationDate": "", "ModDate": ""}]
SHARED = ["facts", {**FACTS[1], "shared": True}]
OUTLINE: list[Any] = ["outline", []]
WORDS = [f"words of page {number}" for number in (1, 2, 3, 4)]


def context(raw: bytes) -> ParseContext:
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), "pdf", "a.pdf", "file:///a.pdf", MOMENT)
    return ParseContext(asset, "a.pdf", MOMENT, MOMENT, None, None)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


class ScriptedWorker:
    """Gives what it is told to for each call, and fails where a step says so."""

    def __init__(self, *calls: list[Any]) -> None:
        self.calls = list(calls)
        self.asked: list[tuple[int, int]] = []

    def stream(self, target: str, raw: bytes, arguments: dict[str, Any], *, together: bool = True) -> Iterator[Reply]:
        self.asked.append((arguments["first"], arguments.get("step", 1)))
        for step in self.calls.pop(0):
            if step == "crash":
                raise WorkerFailed("the PDF reader crashed (signal 11)")
            yield Reply(step)


def page(number: int) -> list[Any]:
    return ["page", number, f"words of page {number}\n", [10, 20, 30, 40], "text"]


def read(worker: ScriptedWorker, helper: ScriptedWorker) -> list[str]:
    pdf = fetch(Readers(worker, helper), b"%PDF", Caps())  # type: ignore[arg-type]
    assert [found.number for found in pdf.pages] == list(range(1, len(pdf.pages) + 1))
    assert pdf.warnings == []
    return ["".join(row.text for row in found.rows) for found in pdf.pages]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_pages_of_two_readers_come_in_order(count: int) -> None:
    own, others = ([page(number) for number in range(first, count + 1, 2)] for first in (1, 2))
    worker, helper = ScriptedWorker([SHARED, *own, OUTLINE]), ScriptedWorker([FACTS, *others])
    assert read(worker, helper) == WORDS[:count]
    assert (worker.asked, helper.asked) == ([(1, 1)], [(2, 2)])


def test_a_file_that_is_not_shared_needs_no_helper() -> None:
    worker, helper = ScriptedWorker([FACTS, *map(page, (1, 2, 3, 4)), OUTLINE]), ScriptedWorker()
    assert read(worker, helper) == WORDS
    assert helper.asked == []


@pytest.mark.parametrize(
    ("own", "others", "reached"),
    [
        ([SHARED, "crash"], [FACTS, page(2)], 1),
        ([SHARED, page(1), page(3)], ["crash"], 1),
        ([SHARED, page(1), page(3)], [FACTS, "crash"], 2),
        ([SHARED, page(1), "crash"], [FACTS, page(2), page(4)], 3),
        ([SHARED, page(1), page(3), OUTLINE], [FACTS, page(2), page(4), "crash"], 5),
    ],
)
def test_when_one_of_two_fails_the_worker_goes_on_alone(own: list[Any], others: list[Any], reached: int) -> None:
    rest = [page(number) for number in range(reached, 5)]
    worker, helper = ScriptedWorker(own, [FACTS, *rest, OUTLINE]), ScriptedWorker(others)
    assert read(worker, helper) == WORDS
    assert worker.asked == [(1, 1), (reached, 1)]


def test_a_worker_that_fails_to_open_a_file_is_not_asked_again() -> None:
    worker = ScriptedWorker(["crash"])
    with pytest.raises(WorkerFailed):
        read(worker, ScriptedWorker())
    assert worker.asked == [(1, 1)]


def test_facts_that_are_told_twice_ask_the_helper_once() -> None:
    worker, helper = (
        ScriptedWorker([SHARED, page(1), SHARED, page(3), OUTLINE]),
        ScriptedWorker([FACTS, *map(page, (2, 4))]),
    )
    assert read(worker, helper) == WORDS
    assert helper.asked == [(2, 2)]


def test_a_helper_starts_with_a_long_file_and_serves_short_ones_then(worker: Worker) -> None:
    short, long = (pdf_samples.prose("pages", count, margins=True, outline=True).raw for count in (5, 70))
    readers = Readers(worker, Worker())
    assert readers.helper is not None
    single = fetch(readers, short, Caps())
    assert readers.helper.pid is None
    alone, two = fetch(Readers(worker), long, Caps()), fetch(readers, long, Caps())
    assert two == alone
    assert readers.helper.pid is not None
    assert fetch(readers, short, Caps()) == single
    readers.close()
    assert readers.helper.pid is None


def crowded(rows: int, cells: int) -> bytes:
    """A page of cells, each a text of its own, more than any printed page holds."""
    buffer, sheet = pdf_samples.canvas((2000, 2000))
    sheet.setFont(pdf_samples.ENGLISH, 8)
    for row in range(rows):
        for cell in range(cells):
            sheet.drawString(40 + 120 * cell, 1950 - 20 * row, f"row{row} cell{cell}")
    sheet.showPage()
    return pdf_samples.finish(buffer, sheet)


def test_a_page_of_more_than_a_thousand_cells_is_read_whole(worker: Worker) -> None:
    raw = crowded(90, 16)
    document = PdfParser(worker=worker).parse(raw, context(raw))
    rows = ["  ".join(f"row{row} cell{cell}" for cell in range(16)) for row in range(90)]
    assert [line for line in document.source_text.split("\n") if line] == rows
    assert {block.kind for block in document.blocks} == {BlockKind.TABLE}


def test_pages_of_very_short_lines_count_as_more_than_their_letters() -> None:
    def crowd(number: int) -> list[Any]:
        boxes = [side for at in range(100) for side in (10, 8000 - 80 * at, 30, 8060 - 80 * at)]
        return ["page", number, "a\n" * 100, boxes, "text"]

    worker = ScriptedWorker([FACTS, *map(crowd, (1, 2, 3, 4)), OUTLINE])
    pdf = fetch(Readers(worker), b"%PDF", Caps(chars=5000))  # type: ignore[arg-type]
    assert len(pdf.pages) == 2
    assert pdf.warnings == ["only the first 2 pages were read: there is too much text"]
