import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.document import BlockKind, Document
from kebab.core.errors import LeftAside
from kebab.parse.text import TextParser
from kebab.parse.text.rows import MAX_ROWS
from sample_files import held_lines, read, worded_lines

KINDS = ["plain", "rst", "org", "log", "csv"]


def document(source: str | bytes, kind: str, name: str | None = None) -> Document:
    return read(TextParser(kind), source, f"notes/{name or 'a.' + kind}", f"text/{kind}")


def outline(found: Document) -> list[tuple[str, int, int, tuple[str, ...]]]:
    return [(block.kind.value, *block.span, block.heading_path) for block in found.blocks]


def test_plain_text_is_its_paragraphs_and_is_called_like_its_file() -> None:
    found = document("One\nstill one.\n \nTwo.\n", "plain", "할 일.txt")
    assert outline(found) == [("paragraph", 1, 2, ()), ("paragraph", 4, 4, ())]
    assert (found.title, found.parser_version) == ("할 일.txt", "text-blocks-v1")


def test_the_styles_of_rst_titles_are_levels_in_the_order_they_appear() -> None:
    found = document("=====\nGuide\n=====\n\nIntro\n\n안내\n~~~~\nText\n\nNext\n~~~~\n\nLast\n====\n", "rst")
    assert outline(found) == [
        ("heading", 1, 3, ("Guide",)),
        ("paragraph", 5, 5, ("Guide",)),
        ("heading", 7, 8, ("Guide", "안내")),
        ("paragraph", 9, 9, ("Guide", "안내")),
        ("heading", 11, 12, ("Guide", "Next")),
        ("heading", 14, 15, ("Guide", "Next", "Last")),
    ]
    assert found.title == "Guide"
    assert found.blocks[0].payload == {"level": 1, "text": "Guide"}


@pytest.mark.parametrize(
    "source", ["text\nmore\n----\n", "----\n\ntext\n", "  literal\n  -----\n", "a\n--\n", "== ==\na\n"]
)
def test_rules_that_underline_no_title_make_no_heading(source: str) -> None:
    assert all(block.kind is BlockKind.PARAGRAPH for block in document(source, "rst").blocks)


def test_org_headings_lose_their_keywords_and_tags() -> None:
    found = document("#+TITLE: My notes\n* TODO [#A] Write it   :work:x:\nbody\n** Deeper\n* \n", "org")
    assert outline(found)[1:] == [
        ("heading", 2, 2, ("Write it",)),
        ("paragraph", 3, 3, ("Write it",)),
        ("heading", 4, 4, ("Write it", "Deeper")),
        ("heading", 5, 5, ()),
    ]
    assert found.title == "My notes"


def test_rows_know_the_names_of_their_columns() -> None:
    found = document('name;city\n김;"서울\n강남"\nLee;Busan\n', "csv")
    (block,) = found.blocks
    assert (block.kind, block.span, block.heading_path) == (BlockKind.TABLE, (1, 4), ("name, city",))
    assert block.payload == {"headers": ["name", "city"], "rows": 3}
    assert found.source_text == 'name;city\n김;"서울\n강남"\nLee;Busan\n'


def test_a_table_of_numbers_has_no_names() -> None:
    assert document("1,2\n3,4\n", "csv").blocks[0].heading_path == ()
    assert document("a\tb\n3,1\t4\n", "csv", "a.tsv").blocks[0].heading_path == ("a, b",)


def test_blocks_of_a_table_end_where_rows_end() -> None:
    found = document("k,v\n" + 'a,"x\ny"\n' * 250, "csv")
    lines = found.source_text.split("\n")
    assert len(found.blocks) == 3
    assert all(lines[block.span.end - 1] == 'y"' for block in found.blocks)


def test_a_quote_that_is_never_closed_does_not_make_one_row_of_the_file() -> None:
    found = document('k,v\na,"open\n' + "a,b\n" * 5000, "csv")
    assert len(found.blocks) > 10
    assert held_lines(found) == worded_lines(found)


def test_rows_beyond_the_cap_are_left_out_with_a_warning() -> None:
    found = document("k,v\n" + "a,b\n" * MAX_ROWS, "csv")
    assert sum(int(str(block.payload["rows"])) for block in found.blocks) == MAX_ROWS
    assert found.warnings == (f"rows: the first {MAX_ROWS} are in the index, 1 are not",)


def test_binary_data_under_the_name_of_a_text_is_left_aside() -> None:
    with pytest.raises(LeftAside) as caught:
        document(b"PK\x03\x04\x00\x00", "plain")
    assert caught.value.reason == "binary"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig", "cp949"])
def test_texts_in_other_encodings_are_read(encoding: str) -> None:
    assert document("한글 메모\n".encode(encoding), "plain").source_text == "한글 메모\n"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "source",
    [
        "",
        "\n" * 9,
        "*" * 50_000 + " a",
        "".join("*" * depth + " a\n" for depth in range(1, 600)),
        "a\n===\n" * 5000,
        '"' * 99_999,
        "," * 99_999,
        "a" * 2_000_000,
        "=\n" * 50_000,
        "a\n" + "=" * 500_000,
    ],
    ids=lambda source: ascii(source[:6]),
)
def test_hostile_text_keeps_its_lines_and_short_paths(kind: str, source: str) -> None:
    found = document(source, kind)
    assert set(worded_lines(found)) <= set(held_lines(found))
    assert all(
        len(block.heading_path) <= 12 and max(map(len, block.heading_path), default=0) <= 300 for block in found.blocks
    )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "Title", "===", "-----", "* x", "*** y", "", " ", 'b,"c', "1,2", " in", "~~~"]),
        max_size=40,
    ),
    st.sampled_from(KINDS),
)
def test_every_line_with_words_stands_in_one_block(lines: list[str], kind: str) -> None:
    found = document("\n".join(lines), kind)
    held = held_lines(found)
    assert held == sorted(set(held))
    assert set(worded_lines(found)) <= set(held)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(KINDS))
def test_any_bytes_give_a_document_or_are_left_aside(raw: bytes, kind: str) -> None:
    try:
        found = document(raw, kind)
    except LeftAside:
        return
    assert set(worded_lines(found)) <= set(held_lines(found))
