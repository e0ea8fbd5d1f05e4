"""Damaged files and a reader that fails: a document, a refusal or one line, and nothing else."""

from collections.abc import Iterator
from typing import Any

import pytest

import pdf_samples
from kebab.core.asset import Asset
from kebab.core.document import Document
from kebab.core.errors import KebabError, LeftAside
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.parse.pdf import PdfParser
from kebab.parse.worker import Reply, WorkerFailed

MOMENT = "2020-01-01T00:00:00Z"
FACTS = ["facts", {"pages": 4, "Title": "", "Author": "", "CreationDate": "", "ModDate": ""}]


def parse(parser: PdfParser, raw: bytes) -> Document:
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), "pdf", "a.pdf", "file:///a.pdf", MOMENT)
    return parser.parse(raw, ParseContext(asset, "a.pdf", MOMENT, MOMENT, None, None))


@pytest.fixture(scope="module")
def parser() -> Iterator[PdfParser]:
    made = PdfParser()
    yield made
    made.close()


def damaged() -> list[bytes]:
    sound = [
        pdf_samples.prose("p", 2, outline=True).raw,
        pdf_samples.columns("c", 2, korean=True, interleaved=True).raw,
        pdf_samples.form("f").raw,
        pdf_samples.scanned("s", 2, texts={1: "one page with words"}).raw,
    ]
    return [bad for raw in sound for bad in (*pdf_samples.truncated(raw, 8), *pdf_samples.flipped(raw, 20))]


def test_damaged_files_give_a_document_or_one_line(parser: PdfParser) -> None:
    outcomes = set()
    for raw in damaged():
        try:
            document = parse(parser, raw)
            document.source_text.encode()
            outcomes.add("read")
        except (LeftAside, KebabError) as error:
            outcomes.add("refused" if "\n" not in error.message else error.message)
    assert outcomes == {"read", "refused"}


def test_a_loop_of_bookmarks_ends(parser: PdfParser) -> None:
    raw = pdf_samples.prose("p", 3, outline=True).raw
    looped = raw.replace(b"/Next ", b"/Prev ").replace(b"/First ", b"/Last  ")
    assert parse(parser, raw).title == "Chapter 1"
    parse(parser, looped)


class ScriptedWorker:
    """Gives what it is told to for each call, and fails where a step says so."""

    def __init__(self, *calls: list[Any]) -> None:
        self.calls = list(calls)
        self.asked: list[tuple[int, bool]] = []

    def stream(self, target: str, raw: bytes, arguments: dict[str, Any], *, together: bool = True) -> Iterator[Reply]:
        self.asked.append((arguments["first"], together))
        for step in self.calls.pop(0):
            if step == "crash":
                raise WorkerFailed("the PDF reader crashed (signal 11)")
            yield Reply(step)

    def close(self) -> None: ...


def scripted(*calls: list[Any]) -> tuple[PdfParser, ScriptedWorker]:
    worker = ScriptedWorker(*calls)
    return PdfParser(worker=worker), worker  # type: ignore[arg-type]


def page(number: int) -> list[Any]:
    return ["page", number, f"words of page {number}\n", [10, 20, 30, 40], "text"]


OUTLINE: list[Any] = ["outline", []]


def test_a_page_that_crashes_the_reader_is_left_out_and_the_rest_is_read() -> None:
    parser, worker = scripted([FACTS, page(1), "crash"], [FACTS, page(2), "crash"], [FACTS, page(4), OUTLINE])
    document = parse(parser, b"%PDF")
    assert document.source_text == "words of page 1\nwords of page 2\n\nwords of page 4"
    assert document.warnings == ("page 3 could not be read: the PDF reader crashed (signal 11)",)
    assert worker.asked == [(1, True), (2, False), (4, False)]


def test_a_file_that_always_crashes_the_reader_is_given_up() -> None:
    parser, worker = scripted(*([FACTS, "crash"] for _ in range(20)))
    with pytest.raises(WorkerFailed, match="crashed"):
        parse(parser, b"%PDF")
    assert len(worker.asked) <= 8


def test_a_file_that_crashes_the_reader_before_its_first_page_is_given_up_at_once() -> None:
    parser, worker = scripted(["crash"], ["crash"])
    with pytest.raises(WorkerFailed):
        parse(parser, b"%PDF")
    assert len(worker.asked) == 1


def test_an_outline_that_crashes_the_reader_costs_only_itself() -> None:
    pages = [page(number) for number in (1, 2, 3, 4)]
    parser, _ = scripted([FACTS, *pages, "crash"], [FACTS, "crash"])
    document = parse(parser, b"%PDF")
    assert document.warnings == ("the outline could not be read: the PDF reader crashed (signal 11)",)


@pytest.mark.parametrize(
    "told",
    [
        7,
        [],
        ["page"],
        ["facts", []],
        ["facts", {"pages": "many"}],
        ["page", 2, "out of order\n", [1, 2, 3, 4], "text"],
        ["page", 1, 7, [], "text"],
        ["page", 1, "a\n", [1, 2, None, 4], "text"],
        ["page", 1, "a\n", [1, 2, 3, 4], "invented"],
        ["page", 1, "a\n", 7, "text"],
        ["outline", [[None, "a", 1, 1]]],
        ["outline", [[0, "a", "x", 1]]],
        ["outline", 7],
    ],
    ids=str,
)
def test_an_answer_that_makes_no_sense_is_one_line(told: Any) -> None:
    parser, _ = scripted([FACTS, told, OUTLINE])
    with pytest.raises(WorkerFailed, match="makes no sense"):
        parse(parser, b"%PDF")


def test_boxes_beyond_reason_do_no_harm() -> None:
    wild = ["page", 1, "a b\tc\nd\n", [-(10**12), 5, 10**15, -7, 0, 0, 0, 0, 3, 3, 2, 1], "text"]
    parser, _ = scripted([FACTS, wild, page(2), OUTLINE])
    assert "d" in parse(parser, b"%PDF").source_text
