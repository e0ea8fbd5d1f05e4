"""Files that were left aside, as lines: one names its file, equal reasons are one line, and a watch says each once."""

from pathlib import Path

from kebab.app.asides import Told, unread
from kebab.core.asset import Source
from kebab.core.events import Aside, Counts, IngestItem, IngestReport

NO_MODEL = Aside("no_transcriber", "there is no model", "pull one")


def left(path: str, aside: Aside = NO_MODEL) -> IngestItem:
    return IngestItem("skipped", path, aside=aside)


def data(size: int) -> Aside:
    return Aside("data", f"holds {size} MB of data", "describe it in a note")


def report(*items: IngestItem, warnings: tuple[str, ...] = ()) -> IngestReport:
    source = Source("default", Path("/notes"))
    return IngestReport(source, Counts(), 0, {}, {}, items, 0, warnings=(*warnings, *unread(items)))


def test_a_single_file_is_named() -> None:
    assert unread([left("notes.mp3"), IngestItem("new", "a.md")]) == ("notes.mp3: there is no model; pull one",)


def test_several_files_are_counted_and_one_is_named() -> None:
    found = unread([left("a.mp3"), left("b.mp3"), left("c.json", data(7))])
    assert found == (
        "2 files, such as a.mp3: there is no model; pull one",
        "c.json: holds 7 MB of data; describe it in a note",
    )


def test_reasons_that_differ_in_a_size_are_one_line() -> None:
    found = unread([left("a.json", data(7)), left("b.json", data(12))])
    assert found == ("2 files, such as a.json: holds 7 MB of data; describe it in a note",)


def test_files_for_which_nothing_can_be_done_are_not_told_of() -> None:
    assert unread([left("a.pdf", Aside("empty", "the PDF holds no text"))]) == ()


def test_a_watch_says_a_file_once_for_each_reason() -> None:
    told = Told()
    first = told.once(report(left("a.mp3"), warnings=("a folder is gone",)))
    assert first.warnings == ("a folder is gone", "a.mp3: there is no model; pull one")
    assert told.once(report(left("a.mp3"), warnings=("a folder is gone",))).warnings == ("a folder is gone",)
    assert told.once(report(left("a.mp3"), left("b.mp3"))).warnings == ("b.mp3: there is no model; pull one",)
    other = NO_MODEL._replace(message="the model is damaged")
    assert told.once(report(left("a.mp3", other))).warnings == ("a.mp3: the model is damaged; pull one",)


def test_a_file_that_was_read_meanwhile_is_told_of_again() -> None:
    told = Told()
    told.once(report(left("a.mp3")))
    told.once(report(IngestItem("new", "a.mp3")))
    assert told.once(report(left("a.mp3"))).warnings == ("a.mp3: there is no model; pull one",)


def test_what_is_said_of_a_file_stays_when_another_part_is_looked_at() -> None:
    told = Told()
    told.once(report(left("a.mp3")))
    told.once(report())
    assert told.once(report(left("a.mp3"))).warnings == ()
