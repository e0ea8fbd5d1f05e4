"""Citations of yesterday against the files of today: intact, moved, changed or missing, quote by quote."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from answer_bench import keep, passage, quoted, reply

from answer_samples import TIME, bare
from kebab.app import verify as module
from kebab.core.answer import AnswerCitation
from kebab.core.archive import CitationCheck, CitationStatus, VerifyReport
from kebab.core.citation import CodeCitation, LineCitation, PageCitation
from kebab.core.query import Freshness
from kebab.store.store import Store

if TYPE_CHECKING:
    from app_bench import Desk

INTACT, MOVED, CHANGED, MISSING = CitationStatus
NOTE = "# Zoo\n\nThe zebra sleeps\nat noon.\n\nThe 기린 eats leaves.\n\nThe end.\n"
ZEBRA = "zebra sleeps\nat noon"
GIRAFFE = "기린 eats leaves"
LATER = 1_700_000_100


@pytest.fixture
def zoo(desk: "Desk") -> "Desk":
    """An answer with two quotes is on record."""
    desk.write("zoo.md", NOTE)
    desk.ingest()
    keep(desk, reply(passage(desk, "zebra"), quotes={1: (ZEBRA, GIRAFFE)}))
    return desk


def verify(desk: "Desk", reference: str = "ret_4a8b2c1e") -> VerifyReport:
    return desk.app().verify(reference)


def statuses(report: VerifyReport) -> list[CitationStatus]:
    return [check.status for check in report.checks]


def only(report: VerifyReport) -> CitationCheck:
    (check,) = report.checks
    return check


def test_an_untouched_file_leaves_everything_intact(zoo: "Desk") -> None:
    report = verify(zoo)
    assert report.ok
    assert report.trace_id == "ret_4a8b2c1e"
    assert [(check.status, check.detail, check.found) for check in report.checks] == [
        (INTACT, "the file is unchanged", None)
    ] * 2
    places = [check.cited.quote.citation for check in report.checks if check.cited.quote]
    assert places == [LineCitation("zoo.md", 3, 4), LineCitation("zoo.md", 6, 6)]
    assert {check.cited.marker for check in report.checks} == {"[1]"}


def test_a_change_elsewhere_leaves_the_words_at_their_lines(zoo: "Desk") -> None:
    zoo.write("zoo.md", NOTE.replace("The end", "To be continued"), at=LATER)
    report = verify(zoo)
    assert report.ok
    assert report.checks[0].detail == "the words are at their lines; the file has changed elsewhere"


def test_words_that_went_down_the_page_are_found_there(zoo: "Desk") -> None:
    zoo.write("zoo.md", NOTE.replace("# Zoo\n", "# Zoo\n\nNew first paragraph.\n"), at=LATER)
    report = verify(zoo)
    assert not report.ok
    assert [(check.status, check.found) for check in report.checks] == [
        (MOVED, LineCitation("zoo.md", 5, 6)),
        (MOVED, LineCitation("zoo.md", 8, 8)),
    ]
    assert report.checks[0].detail == "the words are now at L5-L6"


def test_of_several_places_the_nearest_is_named(zoo: "Desk") -> None:
    zoo.write("zoo.md", f"{GIRAFFE}\n" + "\n" * 8 + f"{GIRAFFE}\n\n\n{GIRAFFE}\n", at=LATER)
    changed, moved = verify(zoo).checks
    assert (changed.status, moved.status) == (CHANGED, MOVED)
    assert moved.found == LineCitation("zoo.md", 10, 10)


def test_words_that_are_no_longer_there_are_changed(zoo: "Desk") -> None:
    zoo.write("zoo.md", NOTE.replace("noon", "night"), at=LATER)
    report = verify(zoo)
    assert statuses(report) == [CHANGED, INTACT]
    assert report.checks[0].detail == "the words are no longer in the file"


def test_a_file_that_is_gone_is_missing_also_after_the_index_forgot_it(zoo: "Desk") -> None:
    (zoo.root / "zoo.md").unlink()
    assert [(check.status, check.detail) for check in verify(zoo).checks] == [(MISSING, "the file is gone")] * 2
    zoo.write("other.md")
    zoo.ingest()
    assert zoo.paths() == ["other.md"]
    assert statuses(verify(zoo)) == [MISSING, MISSING]
    zoo.write("zoo.md", NOTE, at=LATER)
    assert verify(zoo).ok, "the record knows where the file was"


@pytest.mark.parametrize("what", ["folder", "too large", "unreadable"])
def test_a_file_that_cannot_be_read_is_missing_with_the_reason(
    zoo: "Desk", what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = zoo.root / "zoo.md"
    if what == "folder":
        file.unlink()
        file.mkdir()
    elif what == "too large":
        zoo.flags["workspace.max_file_mb"] = 1
        zoo.write("zoo.md", NOTE + "x" * 1024 * 1024, at=LATER)
    else:

        def refuse(*_given: object) -> bytes:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(module, "read_plain", refuse)
    report = verify(zoo)
    assert statuses(report) == [MISSING, MISSING]
    expected = "Permission denied" if what == "unreadable" else "no longer one that is read"
    assert expected in report.checks[0].detail


def test_it_says_when_the_index_has_moved_on(zoo: "Desk") -> None:
    zoo.write("zoo.md", NOTE.replace("The end", "To be continued"), at=LATER)
    assert "index" not in verify(zoo).checks[0].detail
    zoo.ingest()
    assert verify(zoo).checks[0].detail.endswith("; the index has a newer version")
    zoo.write("zoo.md", NOTE.replace("The end", "And on"), at=LATER + 100)
    assert verify(zoo).checks[0].detail.endswith("; the index has a newer version, and the file changed since")
    zoo.write("zoo.md", NOTE, at=LATER + 200)
    assert verify(zoo).checks[0].detail == "the file is unchanged; the index has another version"


def test_a_file_in_another_encoding_is_read_as_the_parser_reads_it(desk: "Desk") -> None:
    text = "# 동물원\r\n\r\n얼룩말은 정오에\r\n잔다.\r\n"
    desk.write("old.md", text.encode("cp949"))
    desk.ingest()
    keep(desk, reply(passage(desk, "얼룩말"), quotes={1: ("얼룩말은 정오에\n잔다.",)}))
    desk.write("old.md", (text + "더.\r\n").encode("utf-16"), at=LATER)
    assert statuses(verify(desk)) == [INTACT]
    desk.write("old.md", ("첫 줄\r" + text).encode("cp949"), at=LATER)
    assert only(verify(desk)).found == LineCitation("old.md", 4, 5)


def test_a_citation_without_a_quote_stands_for_its_passage(desk: "Desk") -> None:
    desk.write("zoo.md", NOTE)
    desk.ingest()
    keep(desk, reply(passage(desk, "zebra")))
    assert only(verify(desk)).status is INTACT
    desk.write("zoo.md", "\n" + NOTE, at=LATER)
    moved = only(verify(desk))
    assert isinstance(moved.found, LineCitation)
    assert (moved.status, moved.found.start, moved.found.end) == (MOVED, 2, 9)
    desk.write("zoo.md", NOTE.replace("end", "END"), at=LATER)
    assert only(verify(desk)).status is CHANGED


def test_a_quote_that_stands_in_a_citation_and_in_a_statement_is_checked_once(desk: "Desk") -> None:
    desk.write("zoo.md", NOTE)
    desk.ingest()
    evidence = passage(desk, "zebra")
    given = reply(evidence, quotes={1: (ZEBRA, GIRAFFE)})
    first = given.citations[0]
    twice = (first._replace(quote=quoted(evidence, ZEBRA)), first._replace(quote=quoted(evidence, "The end")))
    keep(desk, replace(given, citations=twice))
    quotes = [check.cited.quote.text for check in verify(desk).checks if check.cited.quote]
    assert sorted(quotes) == sorted([ZEBRA, GIRAFFE, "The end"])


def test_lines_of_code_keep_their_name_when_they_move(desk: "Desk") -> None:
    desk.write("zoo.md", NOTE)
    desk.ingest()
    evidence = passage(desk, "zebra")
    place = CodeCitation("zoo.md", 6, 6, "eat", "text")
    given = reply(evidence)
    quote = quoted(evidence, GIRAFFE)._replace(citation=place)
    keep(desk, replace(given, citations=(given.citations[0]._replace(citation=place, quote=quote),)))
    desk.write("zoo.md", "\n\n" + NOTE, at=LATER)
    assert only(verify(desk)).found == CodeCitation("zoo.md", 8, 8, "eat", "text")


def test_a_page_is_vouched_for_by_the_whole_file_alone(desk: "Desk") -> None:
    desk.write("zoo.md", NOTE)
    desk.ingest()
    page = AnswerCitation(None, PageCitation("zoo.md", 3), TIME, False, Freshness.FRESH)
    keep(desk, replace(reply(), citations=(page,), statements=()))
    assert only(verify(desk)).status is INTACT
    desk.write("zoo.md", NOTE + "more", at=LATER)
    check = only(verify(desk))
    assert (check.status, check.cited.marker) == (CHANGED, None)
    assert "not recorded" in check.detail


def test_a_checksum_is_not_believed_against_the_words(desk: "Desk") -> None:
    desk.write("zoo.md", NOTE)
    desk.ingest()
    given = reply(passage(desk, "zebra"), quotes={1: (ZEBRA,)})
    desk.write("zoo.md", "# Zoo\n\nOnly a zebra.\n", at=LATER)
    desk.ingest()
    # Recorded after the document was replaced, as when a model took its time.
    with Store.note_taker(desk.index) as store:
        store.answers.record(given, {"zoo.md": desk.rows()["zoo.md"].checksum})
    assert only(verify(desk)).status is CHANGED


def test_an_answer_that_cites_nothing_has_nothing_to_check(desk: "Desk") -> None:
    desk.write("zoo.md", NOTE)
    desk.ingest()
    keep(desk, bare())
    assert verify(desk, "ret_0") == VerifyReport("ret_0", ())
    assert verify(desk, "ret_0").ok
