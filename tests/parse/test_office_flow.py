from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.document import BlockKind
from kebab.core.span import PagePlace
from kebab.parse import flow as module
from kebab.parse.building import Content, build
from kebab.parse.facts import moment, title
from kebab.parse.flow import Flow
from office_samples import check, read

words = st.text(alphabet=st.sampled_from("ab 가\n\t\r\x00\x0b\u2028\ud800`|>#-\xa0\u200b\U0001f600"), max_size=30)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("heading"), st.integers(0, 9), words),
        st.tuples(st.just("paragraph"), words),
        st.tuples(st.just("quote"), words),
        st.tuples(st.just("item"), words, st.integers(-1, 12)),
        st.tuples(st.just("code"), words, words),
        st.tuples(st.just("table"), st.lists(st.lists(words, max_size=3), max_size=3)),
        st.tuples(st.just("page"), st.integers(1, 3)),
    ),
    max_size=30,
)


class Written:
    """A parser that reads nothing and gives what was written."""

    version = "x"

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def parse(self, raw: bytes, context: object) -> object:
        return build(Content(self._flow.text, self._flow.pieces), context, "x", "x")  # type: ignore[arg-type]


def written(flow: Flow) -> None:
    check(read(Written(flow), b""))  # type: ignore[arg-type]


@given(steps)
def test_blocks_tile_the_lines_whatever_is_added(calls: list[tuple[object, ...]]) -> None:
    flow = Flow()
    page, starts = 0, {}
    for method, *arguments in calls:
        if method == "page":
            page += 1
            flow.page(page)
            continue
        act: Callable[..., None] = getattr(flow, str(method))
        act(*arguments)
    written(flow)
    lines = flow.text.split("\n")
    for piece in flow.pieces:
        if isinstance(piece.place, PagePlace):
            before = "\n".join(lines[: piece.start - 1]) + "\n" if piece.start > 1 else ""
            start = starts.setdefault(piece.place.page, len(before))
            block = "\n".join(lines[piece.start - 1 : piece.end])
            assert flow.text[start + piece.place.char_start : start + piece.place.char_end] == block


def test_a_list_does_not_run_on_from_page_to_page() -> None:
    flow = Flow()
    for number in (1, 2):
        flow.page(number)
        flow.item("a")
    assert [piece.place for piece in flow.pieces] == [PagePlace(1, 0, 3), PagePlace(2, 0, 3)]


def test_a_fence_is_longer_than_any_in_the_code() -> None:
    flow = Flow()
    flow.code("a\n````\nb", "py")
    assert flow.text == "`````py\na\n````\nb\n`````\n"


def test_a_heading_too_long_to_be_one_is_a_paragraph() -> None:
    flow = Flow()
    flow.heading(1, "x" * 301)
    assert [piece.kind for piece in flow.pieces] == [BlockKind.PARAGRAPH]


def test_long_lists_and_tables_are_several_blocks() -> None:
    flow = Flow()
    for number in range(100):
        flow.item(str(number))
    flow.table([["a", str(number)] for number in range(65)])
    assert [(piece.kind.value, piece.end - piece.start + 1) for piece in flow.pieces] == [
        ("list", 60),
        ("list", 40),
        ("table", 30),
        ("table", 30),
        ("table", 5),
    ]


def test_blocks_beyond_the_limit_are_left_out_with_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PIECES", 3)
    flow = Flow()
    for number in range(10):
        flow.paragraph(str(number))
    assert (flow.text, len(flow.warnings), flow.full) == ("0\n\n1\n\n2\n", 1, True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2021-03-04T05:06:07Z", "2021-03-04T05:06:07Z"),
        ("2021-03-04T05:06:07+09:00", "2021-03-03T20:06:07Z"),
        ("2021-03-04", "2021-03-04T00:00:00Z"),
        ("2021", "2021-01-01T00:00:00Z"),
        ("1601-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59-23:59", None),
        ("2021-99-99", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_are_believed_only_when_sane(text: str | None, found: str | None) -> None:
    assert moment(text) == found


@pytest.mark.parametrize(
    "given_title", ["PowerPoint Presentation", "Untitled 2", "문서1", "report.docx", " \u200b ", "Slide 1"]
)
def test_titles_nobody_gave_are_none(given_title: str) -> None:
    assert title(given_title) == ""
