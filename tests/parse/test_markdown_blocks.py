from typing import TYPE_CHECKING

import pytest

from kebab.core.document import Document
from kebab.core.ids import block_id, doc_id
from kebab.core.span import LineSpan
from kebab.parse.markdown import VERSION, pieces

if TYPE_CHECKING:
    from conftest import Parse


def shape(document: Document) -> list[tuple[str, int, int]]:
    return [(block.kind.value, block.span.start, block.span.end) for block in document.blocks]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# One\n", [("heading", 1, 1)]),
        ("One\nmore\n===\n", [("heading", 1, 3)]),
        ("a\nb\n\nc\n", [("paragraph", 1, 2), ("paragraph", 4, 4)]),
        ("- a\n  - b\n\n    c\n- d\n\n\ne\n", [("list", 1, 5), ("paragraph", 8, 8)]),
        ("1. a\n2. b\n3) c\n", [("list", 1, 2), ("list", 3, 3)]),
        ("```py\nx\n\ny\n```\ntail\n", [("code", 1, 5), ("paragraph", 6, 6)]),
        ("a\n\n    x\n\n    y\n\nb\n", [("paragraph", 1, 1), ("code", 3, 5), ("paragraph", 7, 7)]),
        ("```\nnever closed\n\n", [("code", 1, 2)]),
        ("above\n| a | b |\n|---|---|\n| 1 | 2 |\n", [("paragraph", 1, 1), ("table", 2, 4)]),
        ("> a\n>\n> # no section\nlazy\n\nb\n", [("quote", 1, 3), ("paragraph", 4, 4), ("paragraph", 6, 6)]),
        ("![alt](a.png)\n\n![a](b) and text\n", [("image_ref", 1, 1), ("paragraph", 3, 3)]),
        ("<div>\n<b>x</b>\n</div>\n\n<!-- y\n\nz -->\n", [("paragraph", 1, 3), ("paragraph", 5, 7)]),
        ("a[^1]\n\n[^1]: note\n    more\n", [("paragraph", 1, 1), ("paragraph", 3, 4)]),
        ("a\n\n***\n\nb\n", [("paragraph", 1, 1), ("paragraph", 5, 5)]),
        ("-\n\n  a\n", [("list", 1, 1), ("paragraph", 3, 3)]),
        ("", []),
        ("\n \n\u00a0\n", []),
    ],
)
def test_every_top_level_element_is_a_block_with_its_lines(
    parse: "Parse", source: str, expected: list[tuple[str, int, int]]
) -> None:
    document = parse(source)
    lines = source.split("\n")
    assert shape(document) == expected
    assert [block.text for block in document.blocks] == ["\n".join(lines[a - 1 : b]) for _, a, b in expected]


def test_lines_that_markdown_swallows_become_paragraphs(parse: "Parse") -> None:
    document = parse("[a]: /one\n[b]: /two 'a\ntitle'\n# H\n[c]: /three\n")
    assert shape(document) == [("paragraph", 1, 3), ("heading", 4, 4), ("paragraph", 5, 5)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_counted_alike_for_every_newline(parse: "Parse", newline: str) -> None:
    document = parse(newline.join(["# 제목", "", "첫 줄", "둘째\u2028줄\x85\x0b\x0c끝", "", "- 항목", ""]))
    assert shape(document) == [("heading", 1, 1), ("paragraph", 3, 4), ("list", 6, 6)]
    assert document.blocks[1].text == "첫 줄\n둘째\u2028줄\x85\x0b\x0c끝"
    assert "\r" not in document.source_text


@pytest.mark.parametrize(
    ("source", "payload"),
    [
        (
            "## A *b* `c` [d](e) <i>f</i> &amp; [[g|h]] {#anchor}\n",
            {"level": 2, "text": "A b c d f & h", "links": ["g"]},
        ),
        ("A\nb\n---\n", {"level": 2, "text": "A b"}),
        ("# e\u0301 {1, 2}\n", {"level": 1, "text": "\u00e9 {1, 2}"}),
        ('```Py title="x"\n```\n', {"lang": "py"}),
        ("``` {.r, echo=F}\n```\n", {"lang": "r"}),
        ("~~~\n~~~\n", {"lang": None}),
        ("    x\n", {"lang": None}),
        ("- a\n  1. b\n- c\n", {"ordered": False, "items": 2}),
        ("3. a\n4. b\n5. c\n", {"ordered": True, "items": 3}),
        ("| **a** | `b|` | |\n|---|---|---|---|\n| 1 |\n| 2 |\n", {"headers": ["a", "`b", "`", ""], "rows": 2}),
        ("> q\n", {}),
        ("![a *b*](c.png 't')\n", {"src": "c.png", "alt": "a b"}),
        ("![[pic.PNG|300]]\n", {"src": "pic.PNG", "alt": "300", "links": ["pic.PNG"]}),
    ],
)
def test_payload_tells_what_only_a_parser_can(parse: "Parse", source: str, payload: dict[str, object]) -> None:
    assert parse(source).blocks[0].payload == payload


@pytest.mark.parametrize("source", ["![a](b)![c](d)", "![a](b)\nc", "[![a](b)](c)", "![[a note]]", "![a]"])
def test_only_a_lone_image_is_an_image(parse: "Parse", source: str) -> None:
    assert shape(parse(source))[0][0] == "paragraph"


def test_headings_enclose_what_follows_until_their_level_returns(parse: "Parse") -> None:
    document = parse("a\n# One\nb\n### Deep\nc\n## Two\nd\n##\ne\n# Next\n> # quoted\n\n- # listed\n\nf\n")
    assert [(block.text, block.heading_path) for block in document.blocks if block.kind == "paragraph"] == [
        ("a", ()),
        ("b", ("One",)),
        ("c", ("One", "Deep")),
        ("d", ("One", "Two")),
        ("e", ("One",)),
        ("f", ("Next",)),
    ]
    assert document.blocks[3].heading_path == ("One", "Deep")


def test_ordinals_count_within_a_heading_path_and_kind(parse: "Parse") -> None:
    document = parse("# A\np\n\n- l\n\np\n# B\np\n# A\np\n")
    ordinals = [(block.kind.value, block.heading_path, block.ordinal) for block in document.blocks]
    assert ordinals == [
        ("heading", ("A",), 0),
        ("paragraph", ("A",), 0),
        ("list", ("A",), 0),
        ("paragraph", ("A",), 1),
        ("heading", ("B",), 0),
        ("paragraph", ("B",), 0),
        ("heading", ("A",), 1),
        ("paragraph", ("A",), 2),
    ]


def test_ids_follow_the_recipe(parse: "Parse") -> None:
    document = parse("# A\n\nb\n", path="x/./y.md")
    assert document.doc_id == doc_id("x/y.md", document.asset_id, VERSION)
    last = document.blocks[-1]
    assert last.block_id == block_id(document.doc_id, "paragraph", ("A",), 0, LineSpan(3, 3))


def test_long_lists_are_split_between_items(parse: "Parse") -> None:
    document = parse("".join(f"{number}. item\n   more\n" for number in range(100)))
    assert {block.kind.value for block in document.blocks} == {"list"}
    assert all(block.span.end - block.span.start < pieces.MAX_LINES for block in document.blocks)
    assert all(block.text[0].isdigit() for block in document.blocks)
    assert sum(int(str(block.payload["items"])) for block in document.blocks) == 100
    assert document.blocks[-1].span.end == 200


def test_long_quotes_are_split_between_their_paragraphs(parse: "Parse") -> None:
    document = parse("> a\n> b\n>\n" * 50)
    assert [block.kind.value for block in document.blocks] == ["quote"] * 3
    assert [block.span.start for block in document.blocks] == [1, 61, 121]
    assert [block.kind.value for block in parse(">\n" * 100).blocks] == ["quote"]


def test_one_long_item_stays_whole(parse: "Parse") -> None:
    document = parse("- a\n" + "  b\n" * 100 + "- c\n")
    assert shape(document) == [("list", 1, 101), ("list", 102, 102)]


def test_a_long_paragraph_above_dashes_is_no_heading(parse: "Parse") -> None:
    document = parse("a line\n" * 20 + "---\n")
    assert shape(document) == [("paragraph", 1, 21)]
    assert document.title == "a note"


@pytest.mark.parametrize(
    ("source", "links"),
    [
        ("[[a]] and [[b|c]], [[d#e]] [[a]] [[#here]]", ["a", "b", "d"]),
        ("- `[[ -f x ]]`\n- [[가나]]\n", ["가나"]),
        ("- ```\n  [[x]]\n  ```\n- [[y]]", ["y"]),
        ("[[1]](http://example.com) [[ ]] [[]] [[a[b]]", None),
        ("| [[a\\|b]] |\n|---|\n| [[c]] |\n", ["a", "c"]),
        ("```\n[[x]]\n```\n", None),
    ],
)
def test_wiki_links_are_listed(parse: "Parse", source: str, links: list[str] | None) -> None:
    assert parse(source).blocks[0].payload.get("links") == links


@pytest.mark.parametrize(
    "source", ["a\n\n| a | b |\n|---|\n| 1 | 2 |\n", "x\n\na | b\n--- | --- | ---\n", "x\n\n| a \\| b |\n|--|--|\n"]
)
def test_a_malformed_table_is_text_and_a_warning(parse: "Parse", source: str) -> None:
    document = parse(source)
    assert {block.kind.value for block in document.blocks} == {"paragraph"}
    assert document.warnings == ("malformed table at line 3",)


@pytest.mark.parametrize(
    "source", ["a | b\n\n--- | ---\n", "| a |\n|---|\n", "a || b\nc -- d\n", "<p>\n| a |\n|---|\n</p>"]
)
def test_what_is_no_malformed_table_is_not_warned_about(parse: "Parse", source: str) -> None:
    assert parse(source).warnings == ()


def test_a_crash_of_the_parser_leaves_paragraphs(parse: "Parse", monkeypatch: pytest.MonkeyPatch) -> None:
    class Panic(BaseException):
        pass

    def crash(text: str, lines_before: int) -> None:
        raise Panic

    monkeypatch.setattr(pieces, "read", crash)
    document = parse("---\ntitle: T\n---\n# a\nb\n\nc\n")
    assert shape(document) == [("code", 1, 3), ("paragraph", 4, 5), ("paragraph", 7, 7)]
    assert document.warnings == ("structure could not be read, kept as paragraphs: Panic",)
