import time

import pytest

from kebab.source.gitignore import Rules, rules_of


def ignored(lines: str | list[str], path: str) -> bool:
    rules = Rules([lines] if isinstance(lines, str) else lines)
    name = path.rstrip("/").rsplit("/", 1)[-1] + "/" * path.endswith("/")
    rule = rules.match(path, name)
    return rule is not None and not rule.negated


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.md", "a.md"),
        ("a.md", "x/a.md"),
        ("/a.md", "a.md"),
        ("x/a.md", "x/a.md"),
        ("*.md", "x/y/a.md"),
        ("build/", "x/build/"),
        ("x/**", "x/y/z.md"),
        ("**/z.md", "z.md"),
        ("**/y/z.md", "x/y/z.md"),
        ("x/**/z.md", "x/z.md"),
        ("x/**/z.md", "x/a/b/z.md"),
        ("x/**/b/**/z.md", "x/b/a/b/c/z.md"),
        ("x/*", "x/y/"),
        ("***", "anything"),
        ("?.md", "é.md"),
        ("[a-c]x", "bx"),
        ("[!a-c]x", "dx"),
        ("[^a]x", "bx"),
        ("[]a]x", "]x"),
        ("[a\\]]x", "]x"),
        ("[[:digit:][:upper:]]x", "Qx"),
        ("[[:]x", ":x"),
        ("\\#a", "#a"),
        ("\\!a", "!a"),
        ("a\\ ", "a "),
        ("a  ", "a"),
        ("*a*b*c", "xxaxbxbxc"),
        ("cafe\u0301.md", "café.md"),
    ],
)
def test_fits(pattern: str, path: str) -> None:
    assert ignored(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/a.md", "x/a.md"),
        ("x/a.md", "y/x/a.md"),
        ("build/", "build"),
        ("x/**", "x/"),
        ("x/*", "x/"),
        ("x/*", "x/y/z.md"),
        ("a", "a/b"),
        ("a?b", "a/b"),
        ("a[/]b", "a/b"),
        ("[^a]", "/"),
        ("[a-", "a"),
        ("[z-a]b", "mb"),
        ("[[:nope:]]", "a"),
        ("a\\", "a"),
        ("# a", "# a"),
        ("!", "!"),
        ("/", "a/"),
        ("A.md", "a.md"),
    ],
)
def test_does_not_fit(pattern: str, path: str) -> None:
    assert not ignored(pattern, path)


def test_the_last_rule_that_fits_decides_whatever_its_kind() -> None:
    assert ignored(["!x/a.md", "*.md"], "x/a.md")
    assert not ignored(["*.md", "!x/a.md"], "x/a.md")
    assert not ignored(["x/a.md", "!*.md"], "x/a.md")


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_pattern() -> None:
    rules = rules_of("\ufeffa.md\r\n# note\r\n\r\nb.md")
    assert [rules.match(name, name) is not None for name in ("a.md", "b.md", "c.md")] == [True, True, False]


def test_no_pattern_makes_matching_explode() -> None:
    started = time.process_time()
    assert not ignored("*a" * 40 + "b", "a" * 250)
    assert not ignored("**/a/" * 30 + "b", "a/" * 400 + "c")
    assert not ignored("[" * 5000, "a")
    assert time.process_time() - started < 0.5


def test_thousands_of_lines_are_fine() -> None:
    started = time.process_time()
    rules = Rules(f"folder{number}/*.log" if number % 2 else f"name{number}*" for number in range(4000))
    assert rules.match("folder3999/x.log", "x.log") is not None
    assert time.process_time() - started < 2
