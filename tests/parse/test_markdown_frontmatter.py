from typing import TYPE_CHECKING

import pytest

from kebab.parse.markdown import frontmatter

if TYPE_CHECKING:
    from conftest import Parse


def fenced(inner: str) -> str:
    return f"---\n{inner}\n---\nbody\n"


@pytest.mark.parametrize(
    ("source", "lang", "lines"),
    [
        ("---\ntitle: T\n---\nbody\n", "yaml", 3),
        ("---  \ntitle: T\n...\t\nbody\n", "yaml", 3),
        ("---\n---\n", "yaml", 2),
        ("---\n# only a comment\n---", "yaml", 3),
        ("\ufeff---\r\ntitle: T\r\n---\r\nbody\r\n", "yaml", 3),
        ('+++\ntitle = "T"\n\n[extra]\nx = 1\n+++\nbody\n', "toml", 6),
    ],
)
def test_front_matter_is_one_code_block_on_top(parse: "Parse", source: str, lang: str, lines: int) -> None:
    document = parse(source)
    first = document.blocks[0]
    assert (first.kind.value, first.span.start, first.span.end) == ("code", 1, lines)
    assert first.payload == {"lang": lang, "front_matter": True}
    assert first.text == "\n".join(document.source_text.split("\n")[:lines])
    assert [block.span.start for block in document.blocks[1:]] == ([lines + 1] if "body" in source else [])
    assert document.title == ("T" if "title" in source else "a note")
    assert document.warnings == ()


@pytest.mark.parametrize(
    "source",
    [
        "---\nnever closed\n",
        "\n---\ntitle: T\n---\n",
        "--- \nx",
        "----\ntitle: T\n----\n",
        "text\n---\ntitle: T\n---\n",
    ],
)
def test_what_is_no_front_matter_is_markdown(parse: "Parse", source: str) -> None:
    document = parse(source)
    assert not any(block.payload.get("front_matter") for block in document.blocks)
    assert document.warnings == ()


def test_prose_between_two_rules_stays_prose(parse: "Parse") -> None:
    document = parse("---\n\nJust a sentence.\n\n---\n\n# Title\n")
    assert [(block.kind.value, block.text) for block in document.blocks] == [
        ("paragraph", "Just a sentence."),
        ("heading", "# Title"),
    ]
    assert document.warnings == ("front matter: not a list of keys and values, kept as text",)


@pytest.mark.parametrize(
    ("inner", "problem"),
    [
        ("title: a: b", "line 2: mapping values are not allowed in this context"),
        ("a: 1\n\tb: 2", "line 3: "),
        ("a: [1", "line "),
        ("a: &x 1", "anchors and aliases are not supported"),
        ("a: *x", "anchors and aliases are not supported"),
        ("a: " + "[" * 21 + "]" * 21, "nested more than 20 deep"),
        ("a: \x07", "control characters are not allowed"),
        ('a: "\\ud800"', "line 2: "),
    ],
)
def test_broken_front_matter_costs_the_metadata_only(parse: "Parse", inner: str, problem: str) -> None:
    document = parse(fenced(inner))
    assert [block.kind.value for block in document.blocks] == ["code", "paragraph"]
    assert document.metadata.user == {}
    assert document.title == "a note"
    (warning,) = document.warnings
    assert warning.startswith("front matter: ")
    assert problem in warning


def test_an_alias_bomb_is_refused(parse: "Parse") -> None:
    levels = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    levels += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefg", "bcdefgh", strict=True)]
    document = parse(fenced("\n".join(levels)))
    assert document.warnings == ("front matter: anchors and aliases are not supported",)
    assert document.metadata.user == {}


@pytest.mark.parametrize(
    "source",
    [
        fenced("a: " + "[" * 60_000),
        fenced("{a: " * 15_000),
        fenced("- " * 30_000),
        fenced("? " * 30_000),
        fenced("\n".join(" " * depth + "a:" for depth in range(300))),
        "+++\na = " + "[" * 60_000 + "\n+++\n",
        "+++\na = " + "{b = " * 12_000 + "\n+++\n",
        "+++\n" + "a." * 30_000 + "a = 1\n+++\n",
        "+++\n[" + "a." * 30_000 + "a]\n+++\n",
    ],
)
def test_deep_nesting_is_refused(parse: "Parse", source: str) -> None:
    document = parse(source)
    assert document.warnings == ("front matter: nested more than 20 deep",)
    assert document.metadata.user == {}


def test_nesting_by_dots_inside_braces_costs_its_key(parse: "Parse") -> None:
    document = parse("+++\nb = 1\na = {" + "a.b.c.d.e.f.g.h = {" * 4 + "}" * 5 + "\n+++\n")
    assert document.warnings == ("front matter: a is left out: nested more than 20 deep",)
    assert document.metadata.user == {"b": 1}


def test_large_front_matter_is_kept_as_text(parse: "Parse") -> None:
    filler = "key: some value\n" * (frontmatter.MAX_BYTES // 16 + 1)
    document = parse(f"---\ntitle: T\n{filler}---\nbody\n")
    assert document.warnings == ("front matter: larger than 64 KB, kept as text",)
    assert document.title == "a note"
    assert not any(block.payload.get("front_matter") for block in document.blocks)
    assert "".join(block.text for block in document.blocks).count("some value") == filler.count("\n")


def test_broken_toml_costs_the_metadata_only(parse: "Parse") -> None:
    document = parse("+++\ntitle = T\n+++\n# H\n")
    assert document.title == "H"
    (warning,) = document.warnings
    assert warning.startswith("front matter: Invalid value (at line 1")
