"""The parts that draw nothing: filter lines, words, excerpts, colours, and turns."""

import re
from typing import Any

import pytest
from tui_bench import Notes

from kebab.core.asset import TrustLevel
from kebab.core.citation import CaptionCitation, CodeCitation, LineCitation, PageCitation
from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, Query, SearchMode
from kebab.ui.options import FILTERS
from kebab.ui.tui import words as table
from kebab.ui.tui.colouring import code_in, markdown
from kebab.ui.tui.desk import Turn
from kebab.ui.tui.excerpt import Target, fetch_excerpt
from kebab.ui.tui.filtering import filters_in
from kebab.ui.tui.inking import clean, tail, window
from kebab.ui.tui.workers import Pace
from office_samples import pptx, shape, slide


def test_a_filter_line_says_what_the_options_say() -> None:
    line = (
        'tag:a,b tag:c lang:ko path:"my docs/*" repo:r symbol:f(x,y) trust:primary code:Python after:2026-03-01 media:'
    )
    assert filters_in(line) == Filters(
        tags=("a", "b", "c"),
        langs=("ko",),
        path_globs=("my docs/*",),
        repos=("r",),
        symbols=("f(x,y)",),
        trust_min=TrustLevel.PRIMARY,
        code_langs=("python",),
        ingested_after="2026-03-01T00:00:00Z",
    )


@pytest.mark.parametrize("row", [row.name for row in FILTERS])
def test_every_filter_of_the_table_is_known_by_its_own_name(row: str) -> None:
    value = {"trust_min": "primary", "ingested_after": "2026-03-01"}.get(row, "note")
    assert filters_in(f"{row}:{value}")
    assert filters_in(f"{row.replace('_', '-')}:{value}")


@pytest.mark.parametrize("line", ["x", "size:3", "trust:nobody", "after:yesterday"])
def test_a_filter_that_is_not_understood_is_named(line: str) -> None:
    with pytest.raises(InvalidInput, match=line.partition(":")[0]):
        filters_in(line)


def test_a_quote_that_is_still_being_typed_is_no_mistake() -> None:
    assert filters_in('tag:"a').tags == ("a",)
    assert filters_in("") == Filters()


def test_both_languages_say_everything_and_take_the_same_values() -> None:
    english, korean = table.words_in("en"), table.words_in("ko")
    assert english.keys() == korean.keys()
    for name, phrase in english.items():
        assert phrase
        assert korean[name]
        assert sorted(re.findall(r"{\w+}", phrase)) == sorted(re.findall(r"{\w+}", korean[name])), name
    assert len(table.help_rows(english)) == len(table.help_rows(korean))
    assert table.help_rows(english) != table.help_rows(korean)


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "ko"}, "ko"),
        ({"LANG": "ko", "LC_ALL": ""}, "ko"),
        ({"LANG": "de_DE"}, "en"),
    ],
)
def test_the_language_is_that_of_the_surroundings(variables: dict[str, str], language: str) -> None:
    assert table.language_of(variables) == language


def _seen(notes: Notes, target: Target) -> Any:
    app = notes.open(Pace.QUICK)
    try:
        return fetch_excerpt(app, target)
    finally:
        app.close()


def test_lines_are_shown_with_what_stands_around_them(notes: Notes) -> None:
    found = _seen(notes, Target("ops/backups.md", LineCitation("ops/backups.md", 5, 5)))
    assert [(line.number, line.meant) for line in found.lines] == [(number, number == 5) for number in range(1, 14)]
    assert found.lines[4].text.plain.startswith("Stop the server")


def test_code_is_coloured_and_keeps_its_words(notes: Notes) -> None:
    found = _seen(notes, Target("src/rice.py", CodeCitation("src/rice.py", 4, 6, "boil", "python")))
    assert [line.text.plain for line in found.lines][3:4] == ["def boil(cups: int) -> int:"]
    assert found.lines[3].text.spans


def test_a_page_is_shown_whole_with_the_passage_set_off(empty: Notes) -> None:
    empty.write(
        "deck.pptx",
        pptx([slide(shape("title", "Apples") + shape("body", "Apples are red.")), slide(shape("title", "Pears"))]),
    )
    empty.ingest()
    app = empty.open(Pace.QUICK)
    try:
        hit = app.search(Query("apples red", SearchMode.LEXICAL, 1)).hits[0]
    finally:
        app.close()
    assert isinstance(hit.citation, PageCitation)
    found = _seen(empty, Target(hit.doc_id, hit.citation, hit.chunk_id))
    assert any("Apples are red." in line.text.plain and line.meant for line in found.lines)
    assert {line.number for line in found.lines} == {None}
    assert not any("Pears" in line.text.plain for line in found.lines)


def test_what_was_read_in_a_picture_is_shown_with_its_neighbours(notes: Notes) -> None:
    app = notes.open(Pace.QUICK)
    try:
        hit = app.search(Query("night", SearchMode.LEXICAL, 1)).hits[0]
    finally:
        app.close()
    found = _seen(notes, Target(hit.doc_id, CaptionCitation("ops/backups.md"), hit.chunk_id))
    meant = [line.text.plain for line in found.lines if line.meant]
    assert "Backups run every night at two." in meant
    assert any("Stop the server" in line.text.plain and not line.meant for line in found.lines)


def test_markdown_keeps_every_letter_and_sets_off_what_carries_meaning() -> None:
    lines = ["# Head", "- a **b** `c`", "```sh", "# no head", "```", "[@click=x] plain"]
    found = markdown(lines)
    assert [text.plain for text in found] == lines
    assert ["cyan" in str(text.spans[0].style) if text.spans else None for text in found] == [
        True, False, False, True, False, None,
    ]  # fmt: skip


def test_a_language_nobody_knows_is_shown_plain() -> None:
    assert [text.plain for text in code_in("no-such-language")(["a\tb", "\x1b[31m", ""])] == ["a   b", "\ufffd[31m", ""]


def test_a_long_place_keeps_its_end_and_a_snippet_its_mark() -> None:
    assert tail("docs/가나다라/notes.md#L5", 14).plain == "…/notes.md#L5"
    assert tail("a.md", 10).plain == "a.md"
    text = "word " * 30 + "needle" + " word" * 30
    shown = window(text, [(150, 156)], 40)
    assert shown.cell_len <= 40
    at = shown.plain.index("needle")
    assert [(span.start, span.end) for span in shown.spans] == [(at, at + 6)]


def test_a_line_without_end_is_cut() -> None:
    assert len(clean("x" * 1_000_000)) < 5000


def test_only_the_last_of_several_turns_counts() -> None:
    turn = Turn()
    first = turn.next()
    second = turn.next()
    assert (first(), second()) == (False, True)
    turn.drop()
    assert not second()
