from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.citation import (
    CaptionCitation,
    Citation,
    CodeCitation,
    LineCitation,
    PageCitation,
    RegionCitation,
    TimeCitation,
    parse_citation,
)
from kebab.core.errors import InvalidInput

HOUR = 3_600_000


@pytest.mark.parametrize(
    ("citation", "uri"),
    [
        (LineCitation("notes/rust/kebab.md", 12, 34, "§14 Chunking 정책"), "notes/rust/kebab.md#L12-L34"),
        (LineCitation("a.md", 5, 5), "a.md#L5"),
        (PageCitation("papers/book.pdf", 13, "Experiment Setup"), "papers/book.pdf#p=13"),
        (RegionCitation("photos/a.png", 120, 40, 520, 180), "photos/a.png#xywh=120,40,520,180"),
        (CaptionCitation("photos/a.png", "qwen2.5-vl:7b"), "photos/a.png#caption"),
        (TimeCitation("rec/a.m4a", 822_000, 850_500, "S1"), "rec/a.m4a#t=00:13:42.000,00:14:10.500&speaker=S1"),
        (TimeCitation("rec/a.m4a", 0, 0), "rec/a.m4a#t=00:00:00.000,00:00:00.000"),
        (TimeCitation("a.ogg", 100 * HOUR + 1, 100 * HOUR + 2), "a.ogg#t=100:00:00.001,100:00:00.002"),
        (
            TimeCitation("a.ogg", 0, 1, "김 & 이#1"),
            "a.ogg#t=00:00:00.000,00:00:00.001&speaker=%EA%B9%80%20%26%20%EC%9D%B4%231",
        ),
        (CodeCitation("src/ingest.rs", 10, 42, "fn ingest", "rust"), "src/ingest.rs#L10-L42"),
        (CodeCitation("src/ingest.rs", 7, 7), "src/ingest.rs#L7"),
    ],
)
def test_each_kind_has_one_uri(citation: Citation, uri: str) -> None:
    assert citation.to_uri() == uri


def test_there_are_six_kinds() -> None:
    assert [kind.kind for kind in get_args(Citation)] == ["line", "page", "region", "caption", "time", "code"]


@pytest.mark.parametrize(
    ("path", "quoted"),
    [
        ("C# notes/100% sure.md", "C%23%20notes/100%25%20sure.md"),
        ("노트/회의록.md", "노트/회의록.md"),
        ("a%23b.md", "a%2523b.md"),
        ("line\nbreak\ttab.md", "line%0Abreak%09tab.md"),
        ("del\x7f.md", "del%7F.md"),
        ("a?b&c=d+e.md", "a?b&c=d+e.md"),
        ("#", "%23"),
        ("@papers/x y.md", "@papers/x%20y.md"),
    ],
)
def test_only_what_would_be_misread_is_escaped(path: str, quoted: str) -> None:
    assert LineCitation(path, 1, 2).to_uri() == f"{quoted}#L1-L2"
    assert parse_citation(f"{quoted}#L1-L2") == LineCitation(path, 1, 2)


paths = st.text(st.sampled_from("ab/.#% ?&=한글é\U0001f600\n\r\t\x00\x7f\\"), min_size=1, max_size=20) | st.text(
    min_size=1
)
starts = st.integers(1, 10**9)
sizes = st.integers(0, 10**9)


@given(paths, starts, sizes)
def test_lines_and_code_read_back_as_the_same_lines(path: str, start: int, more: int) -> None:
    citation = LineCitation(path, start, start + more)
    assert parse_citation(citation.to_uri()) == citation
    named = LineCitation(path, start, start + more, section="§1 A")
    assert parse_citation(named.to_uri()) == citation
    assert parse_citation(CodeCitation(path, start, start + more, "f", "rust").to_uri()) == citation


@given(paths, starts)
def test_pages_read_back_without_their_section(path: str, page: int) -> None:
    assert parse_citation(PageCitation(path, page, "Setup").to_uri()) == PageCitation(path, page)


@given(paths, sizes, sizes, sizes, sizes)
def test_regions_read_back(path: str, x: int, y: int, w: int, h: int) -> None:
    citation = RegionCitation(path, x, y, w, h)
    assert parse_citation(citation.to_uri()) == citation


@given(paths)
def test_captions_read_back_without_their_model(path: str) -> None:
    assert parse_citation(CaptionCitation(path, "qwen2.5-vl:7b").to_uri()) == CaptionCitation(path)


@given(paths, st.integers(0, 10**12), sizes, st.none() | st.text(st.sampled_from("S1 &#%=김\n")) | st.text())
def test_times_read_back_with_their_speaker(path: str, start: int, more: int, speaker: str | None) -> None:
    citation = TimeCitation(path, start, start + more, speaker)
    assert parse_citation(citation.to_uri()) == citation


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "#",
        "#L1",
        "a.md",
        "a.md#",
        "a.md#L",
        "a.md#L0",
        "a.md#L-1",
        "a.md#L01",
        "a.md#L5-L4",
        "a.md#L5-9",
        "a.md#L5-L9\n",
        "a.md# L5",
        "a.md#l5",
        "a.md#L５",
        "a.md#L1#L2",
        "a.pdf#p=0",
        "a.pdf#p=",
        "a.pdf#page=3",
        "a.png#xywh=1,2,3",
        "a.png#xywh=-1,2,3,4",
        "a.png#xywh=01,2,3,4",
        "a.png#xywh=pixel:1,2,3,4",
        "a.png#Caption",
        "a.m4a#t=00:00:00.000",
        "a.m4a#t=00:00:60.000,00:01:00.000",
        "a.m4a#t=00:60:00.000,01:00:00.000",
        "a.m4a#t=00:00:00,00:00:01",
        "a.m4a#t=00:00:02.000,00:00:01.000",
        "a.m4a#t=00:00:00.000,00:00:01.000&lang=ko",
        "a.m4a#t=00:00:00.000,00:00:01.000&speaker=a&speaker=b",
    ],
)
def test_what_is_no_citation_is_invalid_input(uri: str) -> None:
    with pytest.raises(InvalidInput):
        parse_citation(uri)


@pytest.mark.parametrize("fragment", ["L{}", "L1-L{}", "p={}", "xywh=0,0,0,{}", "t={}:00:00.000,{}:00:00.000"])
def test_absurdly_long_numbers_are_invalid_input_too(fragment: str) -> None:
    with pytest.raises(InvalidInput):
        parse_citation("a.md#" + fragment.replace("{}", "9" * 5000))


@given(st.text(st.sampled_from("a#L12-p=xywh,:.t&speaker%0caption"), max_size=25))
def test_any_text_is_a_citation_or_invalid_input(text: str) -> None:
    try:
        citation = parse_citation(text)
    except InvalidInput:
        return
    assert parse_citation(citation.to_uri()) == citation
