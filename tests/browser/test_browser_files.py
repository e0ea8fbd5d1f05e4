"""What the page ships, read without a browser: its weight, its words, and nothing that could run a document's text."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "src/kebab/ui/web/page"
SCRIPTS = sorted(PAGE.glob("*.js"))
HEAVIEST = 200 * 1024
LONGEST_LINE = 120
MOST_LINES = 250
SINKS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc\s*=|DOMParser"
    r"|createContextual|setHTML|javascript:|\.cssText|setAttribute\(\"style\""
)
WORD = re.compile(r'^  "?([\w.]+)"?: "', re.MULTILINE)
USED = re.compile(r'\bt\("([\w.]+)"')


def text(name: str) -> str:
    return (PAGE / name).read_text("utf-8")


def test_the_whole_page_weighs_less_than_200_kilobytes() -> None:
    assert 50_000 < sum(path.stat().st_size for path in PAGE.iterdir()) < HEAVIEST


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_has_no_way_to_make_markup_of_text(path: Path) -> None:
    assert SINKS.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_stays_readable(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith("// ")
    assert len(lines) <= MOST_LINES
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def test_both_languages_have_the_same_words() -> None:
    english, korean = (WORD.findall(text(f"words_{name}.js")) for name in ("en", "ko"))
    assert sorted(english) == sorted(korean)
    assert len(english) == len(set(english)) > 100


def test_the_places_for_values_are_the_same_in_both_languages() -> None:
    rows = [
        dict(re.findall(r'^  "?([\w.]+)"?: "(.*)",$', text(f"words_{name}.js"), re.MULTILINE)) for name in ("en", "ko")
    ]
    slots = [{key: sorted(re.findall(r"\{\w+\}", words)) for key, words in row.items()} for row in rows]
    assert slots[0] == slots[1]


def test_every_word_the_page_uses_is_there() -> None:
    known = set(WORD.findall(text("words_en.js")))
    used = {key for path in SCRIPTS for key in USED.findall(path.read_text("utf-8"))}
    used |= set(re.findall(r'data-word(?:-label)?="([\w.]+)"', text("index.html")))
    assert used - known == set()


def test_what_the_page_asks_for_is_shipped_with_it() -> None:
    wanted = set(re.findall(r'(?:href|src)="/page/([^"]+)"', text("index.html")))
    wanted |= {name for path in SCRIPTS for name in re.findall(r'from "\./([^"]+)"', path.read_text("utf-8"))} | {
        "app.js"
    }
    assert wanted == {path.name for path in PAGE.iterdir() if path.name != "index.html"}


def test_every_script_is_asked_for_at_once() -> None:
    parts = text("begin.js").partition("PARTS = `")[2].partition("`")[0].split()
    assert parts == [path.stem for path in SCRIPTS if path.stem not in ("begin", "theme")]


def test_no_address_of_another_place_stands_in_the_page() -> None:
    for path in PAGE.iterdir():
        outside = re.findall(r"https?://[\w.]+", path.read_text("utf-8"))
        assert set(outside) <= {"http://www.w3.org"}, path.name


def test_every_sort_of_file_has_a_word() -> None:
    from kebab.source.media import MEDIA_TYPES, NAMES

    families = {media.partition("/")[0] for media in (*MEDIA_TYPES.values(), *NAMES.values())}
    assert {f"media.{family}" for family in families} - set(WORD.findall(text("words_en.js"))) == set()
