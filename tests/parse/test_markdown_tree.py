"""Markdown as a tree: offsets that are exact, tags of a closed list, links that lead to the web or to a document."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_bench import every, only, sound, tree, words

from kebab.parse.markdown.links import inside

NOTES = Path(__file__).resolve().parent / "notes"
PIECES = st.sampled_from(
    [
        *"*_`~[]()<>!#|-+=\\&;:.'\"/@^ \t\n",
        *("**", "~~", "```", "\n\n", "> ", "- ", "1. ", "- [x] ", "| a | b |\n|---|---|\n", "[^1]", "[^1]: ", "    "),
        *("<b>", "<!--", "-->", "<script>", "&amp;", "&#106;", "[[", "]]", "![", "](", "javascript:", "http://a.b"),
        *(
            "---\n",
            "\\\n",
            "word",
            "밥",
            "é",
            "e\u0301",
            "\U0001f35a",
            "\u202e",
            "\x00",
            "\x0b",
            "\x0c",
            "\x85",
            "\u2028",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=80)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_is_a_sound_tree(text: str) -> None:
    sound(text, tree(text))


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(1, 500), st.integers(2, 90))
def test_a_passage_counts_from_where_it_stands(text: str, start: int, line: int) -> None:
    nodes = tree(text, start, line)
    sound(text, nodes, start, line)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["plain", "밥", "e\u0301", "\U0001f35a"]), min_size=1, max_size=30).map(" ".join))
def test_every_word_of_plain_text_is_there(text: str) -> None:
    assert words(tree(text)) == text


@pytest.mark.parametrize("path", sorted(NOTES.glob("*.md")), ids=lambda path: path.stem)
def test_notes_of_every_kind_are_sound_trees(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    sound(text, tree(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[x](http://a.b/c?d=e#f)", {"href": "http://a.b/c?d=e#f"}),
        ("[x](HTTPS://A.B/)", {"href": "HTTPS://A.B/"}),
        ("<https://a.b/한글>", {"href": "https://a.b/한글"}),
        ("<someone@example.org>", {"href": "mailto:someone@example.org"}),
        ("[x](mailto:someone@example.org?subject=a)", {"href": "mailto:someone@example.org?subject=a"}),
        ("[x](other.md)", {"doc": "notes/other.md"}),
        ("[x](./other.md#a%20b)", {"doc": "notes/other.md", "anchor": "a b"}),
        ("[x](other)", {"doc": "notes/other.md"}),
        ("[x](deep/)", {"doc": "notes/deep/index.md"}),
        ("[x](../top.md?raw=1)", {"doc": "top.md"}),
        ("[x](/top.md)", {"doc": "top.md"}),
        ("[x](<밥 짓기.md>)", {"doc": "notes/밥 짓기.md"}),
        ("[x](%EB%B0%A5%20%EC%A7%93%EA%B8%B0.md)", {"doc": "notes/밥 짓기.md"}),
        ("[x](#here)", {"doc": "notes/here.md", "anchor": "here"}),
        ("[[other]]", {"doc": "notes/other.md"}),
        ("[[unique|name]]", {"doc": "far/away/unique.md"}),
        ("[[unique#part]]", {"doc": "far/away/unique.md", "anchor": "part"}),
    ],
)
def test_a_link_leads_to_the_web_or_to_a_document(text: str, wanted: dict[str, str]) -> None:
    assert dict(only(text, "a").attributes) == wanted


def test_an_image_is_one_that_is_indexed_or_words_alone() -> None:
    assert dict(only("![a *cup*](cup.png)", "img").attributes) == {"alt": "a cup", "doc": "notes/cup.png"}
    for target in ("https://evil.example/beacon.png", "other.md", "film.mp4", "gone.png", "data:image/png;base64,AA"):
        assert dict(only(f"![a cup]({target})", "img").attributes) == {"alt": "a cup", "doc": None}


def test_elements_have_their_lines_and_what_is_told_of_them() -> None:
    head, code = "---\ntitle: x\n---\n# 밥\n\n3. one\n4. [x] two\n\n", "```py title=x\na\n```\n\n"
    text = f"{head}{code}|a|b|\n|-|:-:|\n|1|2|\n\nsee[^1]\n\n[^1]: note\n"
    nodes = tree(text)
    sound(text, nodes)
    assert [(node.tag, node.lines) for node in nodes] == [
        ("pre", (1, 3)),
        ("h1", (4, 4)),
        ("ol", (6, 7)),
        ("pre", (9, 11)),
        ("table", (13, 15)),
        ("p", (17, 17)),
        ("footnote", (19, 19)),
    ]
    told = {(node.tag, name): value for node in every(nodes) for name, value in node.attributes.items()}
    assert told["ol", "first"] == 3
    assert told["li", "checked"] is True
    assert told["td", "align"] == told["th", "align"] == "center"
    assert told["pre", "lang"] == "py"
    assert nodes[0].attributes == {"lang": "yaml", "meta": True}
    assert told["footnote", "label"] == "1"
    assert [node.tag for node in nodes[4].children] == ["thead", "tbody"]


def test_what_is_spelt_another_way_says_so() -> None:
    text = "a &amp; b `c  d` ``  `x` ``"
    leaves = [(node.text, node.loose) for node in every(tree(text)) if node.text is not None]
    assert ("&", True) in leaves
    assert ("c  d", False) in leaves


@pytest.mark.parametrize("form", ["[a](<{}.md>)", "[a](<./{}>)", "[[{}]]", "[a](</notes/{}.md>)"])
def test_a_name_in_another_unicode_form_is_the_same_name(form: str) -> None:
    link = only(form.format(unicodedata.normalize("NFD", "밥 짓기")), "a")
    assert dict(link.attributes) == {"doc": "notes/밥 짓기.md"}


def test_a_path_from_the_top_stays_in_the_source_of_its_document() -> None:
    for doc_path, first in (("@team/a/b.md", "@team/c.md"), ("a/b.md", "c.md"), ("@@b/a.md", "c.md")):
        found = inside("/c.md", doc_path)
        assert found is not None
        assert found.paths[0] == first
