"""A search as it is seen: the scene on a pipe and on a terminal, the other formats, the filters, and nothing found."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from kebab_process import Done, Json, answer, kebab, on_terminal, search, side_by_side, well

from wire_schemas import check

RICE = "압력밥솥 현미밥 물 비율"
FIRST_LINE = re.compile(
    r"(?P<rank>\d+)\. (?P<score>\d+\.\d\d)  (?P<uri>[^\s#]+#L\d+(?:-L\d+)?)(?P<note>  \([a-z ]+\))?"
)
FOOTER = re.compile(r"(\d+) hits?  lexical  index v1\.0  bm25(  \(no embedding model: words only\))?")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")


def entries(text: str) -> tuple[list[list[str]], str]:
    """The scene taken apart: the lines of each hit, and the footer."""
    *hits, footer = text.removesuffix("\n").split("\n\n")
    return [hit.split("\n") for hit in hits], footer


def test_the_scene_has_place_section_and_snippet_for_each_hit_and_a_footer(library: Path) -> None:
    done = well(kebab(library, "search", RICE, "--k", "3"))
    assert done.err == ""
    hits, footer = entries(done.out)
    expected = search(library, RICE, "--k", "3")
    assert len(hits) == len(expected) == 3
    for lines, hit in zip(hits, expected, strict=True):
        first = FIRST_LINE.fullmatch(lines[0])
        assert first, lines[0]
        assert first["rank"] == str(hit["rank"])
        assert first["score"] == f"{hit['score']:.2f}"
        assert first["uri"] == hit["citation"]["uri"]
        assert lines[1] == f"   {hit['section_label']}"
        assert all(re.match(r"   \S", line) for line in lines[1:])
        assert 1 <= len(lines[2:]) <= 2
        shown = " ".join(line.strip() for line in lines[2:])
        assert shown == hit["snippet"] or (shown.endswith("…") and hit["snippet"].startswith(shown.removesuffix("…")))
    found = FOOTER.fullmatch(footer)
    assert found
    assert found[1] == "3"
    assert hits[0][0].split("  ")[1].startswith("cooking/brown-rice-pressure-cooker.md#L")


def test_no_line_of_the_scene_is_wider_than_the_terminal(library: Path) -> None:
    from kebab.ui.terminal import display_width

    done = well(kebab(library, "search", RICE, env={"COLUMNS": "44"}))
    bodies = [line for hit in entries(done.out)[0] for line in hit[2:]]
    assert bodies
    assert max(display_width(line) for line in bodies) <= 44


def test_a_pipe_gets_no_escape_codes(library: Path) -> None:
    done = well(kebab(library, "search", RICE, env={"TERM": "xterm-256color", "COLORTERM": "truecolor"}))
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_declines_gets_no_escape_codes(env: dict[str, str], library: Path) -> None:
    done = well(on_terminal(library, "search", RICE, "--k", "2", env=env))
    assert "\x1b" not in done.out
    assert FIRST_LINE.match(done.out)


def test_a_terminal_gets_colours_highlights_and_links_that_open_at_the_line(library: Path) -> None:
    done = well(on_terminal(library, "search", RICE, "--k", "2"))
    plain = well(kebab(library, "search", RICE, "--k", "2"))
    assert ESCAPE.sub("", done.out) == plain.out
    links = re.findall(r"\x1b\]8;;(file://[^\x1b]+)\x1b\\", done.out)
    hits = search(library, RICE, "--k", "2")
    for link, hit in zip(links, hits, strict=True):
        target = urlsplit(link)
        assert Path(unquote(target.path)) == library / "notes" / hit["doc_path"]
        assert f"#{target.fragment}" == hit["citation"]["uri"][-len(target.fragment) - 1 :]
    marked = set(re.findall(r"\x1b\[1;33m([^\x1b]+)\x1b\[0m", done.out))
    assert {"현미", "물", "비율"} <= {part for word in marked for part in ("현미", "물", "비율") if part in word}


def test_json_is_one_response_and_the_same_by_flag_and_by_format(library: Path) -> None:
    by_flag = well(kebab(library, "search", RICE, "--json")).out
    assert by_flag == well(kebab(library, "search", RICE, "--format", "json")).out
    response = json.loads(by_flag)
    check(response)
    assert response["schema_version"] == "search_response.v1"
    assert [hit["rank"] for hit in response["hits"]] == list(range(1, 11))
    assert all(
        first["score"] >= second["score"] for first, second in zip(response["hits"], response["hits"][1:], strict=False)
    )


def in_jsonl(done: Done) -> list[str]:
    for line in done.lines:
        check(json.loads(line))
    return [json.loads(line)["citation"]["uri"] for line in done.lines]


def in_csv(done: Done) -> list[str]:
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == ["rank", "score", "uri", "section", "snippet", "chunk_id", "freshness"]
    return [row["uri"] for row in rows]


def in_markdown(done: Done) -> list[str]:
    return re.findall(r"^\d+\. \[[^\]]+\]\(<([^>]+)>\) .+\n   > .+$", done.out, re.MULTILINE)


@pytest.mark.parametrize(("form", "read"), [("jsonl", in_jsonl), ("csv", in_csv), ("md", in_markdown)])
def test_the_other_formats_hold_the_same_hits(
    form: str, read: Callable[[Done], list[str]], library: Path, unfiltered: list[Json]
) -> None:
    done = well(kebab(library, "search", "backup 백업", "--k", "6", "--format", form))
    assert done.err == ""
    assert read(done) == [hit["citation"]["uri"] for hit in unfiltered[:6]]


def test_paths_are_each_document_once_best_first(library: Path) -> None:
    done = well(kebab(library, "search", RICE, "--format", "paths"))
    assert done.lines == list(dict.fromkeys(hit["doc_path"] for hit in search(library, RICE)))
    assert len(done.lines) > 1


def test_k_is_how_many_hits_at_the_most(library: Path) -> None:
    assert len(search(library, "backup", "--k", "1")) == 1
    everything = search(library, "backup", "--k", "1000")
    assert len(everything) > 10
    assert [hit["chunk_id"] for hit in everything[:10]] == [hit["chunk_id"] for hit in search(library, "backup")]


def test_snippets_have_the_length_asked_for(library: Path) -> None:
    widths = (20, 60, 500)
    for width, hits in side_by_side(lambda chars: search(library, RICE, "--snippet-chars", str(chars)), widths).items():
        assert max(len(hit["snippet"].strip("…")) for hit in hits) <= width
        for hit in hits:
            assert hit["snippet_full_text"] is not hit["snippet"].endswith("…") or hit["snippet"].startswith("…")
            assert all(0 <= start < end <= len(hit["snippet"]) for start, end in hit["highlights"])


def test_highlights_lie_on_the_words_that_were_asked_for(library: Path) -> None:
    hits = search(library, "restore backups", "--k", "5")
    marked = {hit["snippet"][start:end].lower() for hit in hits for start, end in hit["highlights"]}
    assert marked
    assert all(word.startswith(("restor", "backup")) for word in marked), marked


# Each filter, with a test of the documents it lets through; the query alone finds more than each of them.
FILTERS: list[tuple[list[str], Callable[[Json], bool]]] = [
    (["--tag", "postgres", "--tag", "search"], lambda doc: bool({"postgres", "search"} & {*doc["tags"]})),
    (["--tag", "postgres,search"], lambda doc: bool({"postgres", "search"} & {*doc["tags"]})),
    (["--lang", "ko"], lambda doc: doc["lang"] == "ko"),
    (["--path-glob", "dev/*"], lambda doc: doc["doc_path"].startswith("dev/")),
    (["--path-glob", "dev/*,@papers/*"], lambda doc: doc["doc_path"].startswith(("dev/", "@papers/"))),
    (["--trust-min", "primary"], lambda doc: doc["trust_level"] == "primary"),
    (["--trust-min", "secondary", "--tag", "search"], lambda doc: "search" in doc["tags"]),
    (["--source", "papers"], lambda doc: doc["source_id"] == "papers"),
    (["--source-type", "paper,reference"], lambda doc: doc["source_type"] in ("paper", "reference")),
    (["--media", "markdown", "--lang", "en"], lambda doc: doc["lang"] == "en"),
]


@pytest.fixture(scope="module")
def documents(library: Path) -> dict[str, Json]:
    return {doc["doc_id"]: doc for doc in answer(library, "list", "docs")["docs"]}


@pytest.fixture(scope="module")
def unfiltered(library: Path) -> list[Json]:
    return search(library, "backup 백업", "--k", "1000")


@pytest.fixture(scope="module")
def filtered(library: Path) -> dict[int, list[Json]]:
    return side_by_side(
        lambda row: search(library, "backup 백업", "--k", "1000", *FILTERS[row][0]), range(len(FILTERS))
    )


@pytest.mark.parametrize("row", range(len(FILTERS)), ids=[" ".join(given) for given, _ in FILTERS])
def test_a_filter_lets_through_what_it_names_and_loses_none_of_it(
    row: int, filtered: dict[int, list[Json]], documents: dict[str, Json], unfiltered: list[Json]
) -> None:
    passes = FILTERS[row][1]
    wanted = [hit["chunk_id"] for hit in unfiltered if passes(documents[hit["doc_id"]])]
    assert 0 < len(wanted) < len(unfiltered), "the case proves something"
    assert [hit["chunk_id"] for hit in filtered[row]] == wanted


def test_doc_id_limits_to_those_documents(library: Path, unfiltered: list[Json]) -> None:
    ids = list(dict.fromkeys(hit["doc_id"] for hit in unfiltered))[:2]
    for given in (["--doc-id", ids[0], "--doc-id", ids[1]], ["--doc-id", ",".join(ids)]):
        assert {hit["doc_id"] for hit in search(library, "backup 백업", "--k", "1000", *given)} == set(ids)


def test_filters_hold_for_list_docs_too(library: Path) -> None:
    listed = answer(library, "list", "docs", "--tag", "postgres,search", "--lang", "en")["docs"]
    assert {doc["doc_path"] for doc in listed} == {
        "@papers/auto.md",
        "@papers/bm25.md",
        "dev/postgres-backup-restore.md",
    }


def test_ingested_after_takes_a_date_or_a_time(library: Path, unfiltered: list[Json]) -> None:
    moments = sorted({hit["indexed_at"] for hit in unfiltered})
    assert len(search(library, "backup 백업", "--k", "1000", "--ingested-after", "2000-01-01")) == len(unfiltered)
    later = search(library, "backup 백업", "--k", "1000", "--ingested-after", moments[0])
    assert {hit["indexed_at"] for hit in later} == set(moments[1:])
    assert answer(library, "search", "backup", "--ingested-after", "2999-12-31T23:59:59+09:00", status=1)["hits"] == []


def test_ingested_after_a_whole_second_keeps_what_came_within_that_second(
    library: Path, unfiltered: list[Json]
) -> None:
    moments = sorted({hit["indexed_at"] for hit in unfiltered})
    start_of_second = re.sub(r"\.\d+Z", "Z", moments[0])
    later = search(library, "backup 백업", "--k", "1000", "--ingested-after", start_of_second)
    assert {hit["indexed_at"] for hit in later} == {moment for moment in moments if moment != start_of_second}


def test_nothing_found_exits_1_with_a_helpful_line_and_an_empty_stdout(library: Path) -> None:
    done = well(kebab(library, "search", "zanzibar"), status=1)
    assert done.out == ""
    assert done.err == "no hits; try fewer or other words\n"
    filtered = well(kebab(library, "search", "backup", "--tag", "nobody"), status=1)
    assert filtered.out == ""
    assert "filters" in filtered.err
    assert well(kebab(library, "search", "zanzibar", "--format", "jsonl"), status=1).out == ""
    assert well(kebab(library, "search", "zanzibar", "--quiet"), status=1).err == ""


def test_nothing_found_is_still_a_valid_response_under_json(library: Path) -> None:
    assert answer(library, "search", "zanzibar", status=1)["hits"] == []
    assert answer(library, "search", "?!", status=1)["hits"] == []


def test_hybrid_says_that_it_searched_by_words_and_lexical_does_not(library: Path) -> None:
    hybrid, lexical = answer(library, "search", RICE), answer(library, "search", RICE, "--mode", "lexical")
    assert "words" in hybrid["degraded"]
    assert "degraded" not in lexical
    assert hybrid["hits"] == lexical["hits"]
    assert well(kebab(library, "search", RICE)).out.splitlines()[-1].endswith("(no embedding model: words only)")
    assert well(kebab(library, "search", RICE, "--mode", "lexical")).out.splitlines()[-1].endswith("bm25")


ODD_QUERIES = (
    *("C++ foo-bar what's", 'un"closed', "a AND", "NEAR(x, 2) col:umn", "* ^ ()", "x" * 5000, "한" * 3000),
    "back\x7fup \u202e \ufffe",
)


def test_no_query_is_a_syntax_error(library: Path) -> None:
    done = side_by_side(lambda query: kebab(library, "search", "--json", "--", query), ODD_QUERIES)
    for query, result in done.items():
        assert result.status in (0, 1), query
        assert result.err == ""
        check(json.loads(result.out))


def test_a_phrase_in_quotes_must_stand_as_it_is(library: Path) -> None:
    assert search(library, '"nightly backup"')
    assert answer(library, "search", '"backup nightly"', status=1)["hits"] == []


def test_one_missing_word_does_not_empty_the_result(library: Path) -> None:
    hits = search(library, "restore the postgres backup zanzibar")
    assert hits[0]["doc_path"] == "dev/postgres-backup-restore.md"
    assert search(library, "압력밥솥으로 현미밥을 지을 때 물은 얼마나 넣어야 하나요?")[0]["doc_path"] == (
        "cooking/brown-rice-pressure-cooker.md"
    )
