import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.errors import LeftAside
from kebab.parse.resources import RESOURCE_KINDS, ResourceParser
from sample_files import held_lines, read, worded_lines

MANY = 40_000
PATHS = {"yaml": [".github/workflows/a.yml", ".gitlab-ci.yml", "compose.yaml"]}
PIECES = st.sampled_from(
    [
        *("apiVersion: v1", "kind: Pod", "metadata:", "  name: a", "---", "jobs:", "  build:", "FROM a AS b"),
        *("RUN <<E", "E", "all: x", "\trun", "A = 1", "[a]", "[[b]]", '"""', "'''", "{", "}", '"k": {', '"k": 1,'),
        *("/*", "*/", "// c", "# c", "-- c", "<a>", "</a>", "<!--", "-->", "<b/>", 'resource "a" "b" {'),
        *("x = <<EOF", "EOF", "CREATE TABLE t (", ");", ";", "$$", "BEGIN", "END", "DELIMITER //", "//", "'", "`"),
        *("define X", "endef", "require (", ")", "\\", "a \\", "def f() {", "", "  ", "\u3000", "한글"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=30), st.sampled_from(RESOURCE_KINDS), st.integers(0, 3))
def test_every_line_with_words_stands_in_exactly_one_block(lines: list[str], kind: str, which: int) -> None:
    paths = ["a.file", *PATHS.get(kind, [])]
    found = read(ResourceParser(kind), "\n".join(lines), paths[which % len(paths)])
    held = held_lines(found)
    assert held == sorted(set(held))
    assert set(worded_lines(found)) <= set(held)
    for symbol in found.symbols:
        assert 1 <= symbol.line <= symbol.end <= len(lines)
        assert any(block.span.start <= symbol.line <= symbol.end == block.span.end for block in found.blocks)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(RESOURCE_KINDS))
def test_any_bytes_give_a_document_or_are_left_aside(raw: bytes, kind: str) -> None:
    try:
        found = read(ResourceParser(kind), raw, "a.file")
    except LeftAside:
        return
    assert set(worded_lines(found)) <= set(held_lines(found))


@pytest.mark.parametrize(
    ("kinds", "source"),
    [
        ("json yaml terraform groovy toml", "{" * MANY),
        ("json toml", "[" * MANY),
        ("yaml", "{{" * MANY),
        ("xml", "<a>" * MANY),
        ("xml", "<!--" * MANY),
        ("xml", "<a " * MANY),
        ("xml", "<r>\n" + "<a/>" * MANY),
        ("sql json terraform groovy", "/*" * MANY),
        ("sql", "$a$ $b$ " * MANY),
        ("sql", "x $a$ $b$ " * MANY),
        ("sql json terraform toml groovy", "'" * MANY),
        ("sql", "\\'" * MANY),
        ("json toml terraform groovy", '"\\' * MANY),
        ("groovy terraform", "((" * MANY),
        ("groovy terraform makefile", "a " * MANY + "{"),
        ("yaml", "a: &a [*a, *a]\n" * 2000),
        ("yaml", "- " * MANY),
        ("yaml", "---\n" * MANY),
        ("yaml", "---\na\n" * 5000),
        ("yaml terraform dockerfile makefile toml gomod", "# c\n" * MANY + "a:\n"),
        ("dockerfile", "FROM a\n" * 5000),
        ("makefile", "a:\n" * 5000),
        ("toml", "[a]\n" * 5000),
        ("toml", ("[" + " " * 1000 + "\n") * 300),
        ("makefile dockerfile", ("a" + " " * 1000 + "\n") * 300),
        ("dockerfile", ("FROM " + "--a " * 200 + "\n") * 300),
        ("sql", "CREATE " * MANY),
        ("sql", "CREATE TABLE t(a);" * MANY),
        ("sql", "BEGIN " * MANY),
        ("sql", "go " * MANY),
        ("dockerfile terraform", "x <<E\n" * MANY),
        ("yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n" + "  a:\n" * MANY),
        ("yaml dockerfile makefile sql json", "\n" * MANY + "x"),
        ("yaml dockerfile makefile sql json xml toml groovy", "x" * 900_000),
    ],
    ids=lambda value: ascii(value[:12]),
)
def test_hostile_text_keeps_its_lines_and_short_names(kinds: str, source: str) -> None:
    for kind in kinds.split():
        found = read(ResourceParser(kind), source, "a.file")
        assert set(worded_lines(found)) <= set(held_lines(found))
        assert all(len(symbol.qualified) <= 200 for symbol in found.symbols)
