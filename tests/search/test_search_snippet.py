import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.search.snippet import ELLIPSIS, clean, excerpt

WORD = re.compile(r"\w+")
VOCABULARY = "alpha beta gamma needle 바늘 건초더미 é x longer-word 東京都 needle's 12.5 \U0001f600".split()


def find(*words: str):  # noqa: ANN201 - a locate as the full-text channel gives it
    """Where the words stand, as character ranges in order."""

    def locate(text: str) -> list[tuple[int, int]]:
        return sorted((match.start(), match.end()) for word in words for match in re.finditer(re.escape(word), text))

    return locate


# -- clean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Heading\n\ntext", "text"),
        ("intro\n\n## Heading ##\ntext", "intro Heading text"),
        ("# A\n\n###### Deep\n\ntext", "text"),
        ("#hashtag stays", "#hashtag stays"),
        ("**bold** and __strong__ and `code` and ~~gone~~", "bold and strong and code and gone"),
        ("[text](https://example.org/a) and ![alt](pic.png)", "text and alt"),
        ("[[Page]] and [[Page#part|shown]]", "Page and shown"),
        ("> quoted\n> > twice", "quoted twice"),
        ("```py\nprint(1)\n```", "print(1)"),
        ("~~~\ncode\n~~~", "code"),
        ("above\n\n---\n\nbelow", "above below"),
        ("Title\n=====\ntext", "text"),
        ("# A heading alone", "A heading alone"),
        ("# A\n## B\n", "B"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a | b 1 | 2"),
        ("<!-- hidden --> shown", "hidden shown"),
        ("  many\n\n\nspaces\t here  ", "many spaces here"),
        ("---\ntitle: T\n---\n\n# A\n\ntext", "text"),
        ("+++\ntitle = 'T'\n+++\ntext", "text"),
        ("---\ntitle: only front matter\n---\n", "title: only front matter"),
        ("snake_case and 2 * 3 * 4 and a_b_c", "snake_case and 2 * 3 * 4 and a_b_c"),
        ("- item\n- [ ] task", "- item - [ ] task"),
        ("한글 **굵게** 문장", "한글 굵게 문장"),
        ("", ""),
        ("   \n ", ""),
        ("`", "`"),
    ],
)
def test_marks_go_and_words_stay(text: str, expected: str) -> None:
    assert clean(text) == expected


marks = st.sampled_from(
    ["**{}**", "`{}`", "~~{}~~", "{}", "[{}](u)", "[[{}]]", "# {}", "> {}", "- {}", "| {} |", "![{}](u)"]
)
phrases = st.lists(st.tuples(st.sampled_from(VOCABULARY), marks), min_size=1, max_size=20)


@given(phrases, st.sampled_from([" ", "\n", "\n\n"]))
def test_no_word_is_lost_or_made_up(parts: list[tuple[str, str]], joint: str) -> None:
    # It opens with a word, because headings that open a chunk are shown elsewhere.
    cleaned = clean("start" + joint + joint.join(mark.format(word) for word, mark in parts))
    assert WORD.findall(cleaned) == ["start"] + [part for word, _ in parts for part in WORD.findall(word)]


@given(st.text(st.sampled_from("ab #*_`~[]()!|>-=<\n\t'한\u3000"), max_size=60))
def test_clean_gives_one_line_and_invents_nothing(text: str) -> None:
    cleaned = clean(text)
    assert cleaned == " ".join(cleaned.split())
    remaining = iter(text)
    assert all(char == " " or char in remaining for char in cleaned), "a character that the source does not hold there"


@pytest.mark.parametrize(
    "unit",
    ["[", "**", "`", "| ", "---\n", "<!--", "[[a|", "![", "# ", "\n", " \n", "a\n", "> ", "~~a", "=\n", "- ", "--\n"],
)
def test_hostile_text_is_cleaned_in_time(unit: str) -> None:
    started = time.process_time()
    clean(unit * 15_000)
    clean("a" + unit * 15_000)
    assert time.process_time() - started < 1.0


# -- excerpt


def test_a_short_text_is_whole() -> None:
    found = excerpt("# Title\n\nA **needle** here.", find("needle"), 220)
    assert found == ("A needle here.", ((2, 8),), True)


def test_a_long_text_is_cut_around_the_match() -> None:
    text = "filler " * 100 + "the needle is here " + "filler " * 100
    found = excerpt(text, find("needle"), 60)
    assert not found.full
    assert found.text.startswith(ELLIPSIS)
    assert found.text.endswith(ELLIPSIS)
    assert [found.text[start:end] for start, end in found.highlights] == ["needle"]
    assert "the needle is here" in found.text


def test_without_a_match_the_beginning_is_shown() -> None:
    found = excerpt("beginning " + "filler " * 100, find("zebra"), 40)
    assert found.text.startswith("beginning filler")
    assert found.text.endswith(ELLIPSIS)
    assert found.highlights == ()


def test_the_window_with_the_most_words_wins() -> None:
    text = "alpha " + "filler " * 60 + "alpha and beta " + "filler " * 60 + "alpha alpha alpha " + "filler " * 60
    found = excerpt(text, find("alpha", "beta"), 80)
    assert {found.text[start:end] for start, end in found.highlights} == {"alpha", "beta"}


def test_words_are_not_cut_in_two() -> None:
    text = " ".join(f"word{number:03d}" for number in range(200))
    found = excerpt(text, find("word100"), 70)
    inner = found.text.strip(ELLIPSIS).split()
    assert all(re.fullmatch(r"word\d{3}", word) for word in inner)
    assert "word100" in inner


def test_text_without_spaces_is_cut_where_it_is() -> None:
    text = "건초" * 300 + "바늘" + "건초" * 300
    found = excerpt(text, find("바늘"), 60)
    assert [found.text[start:end] for start, end in found.highlights] == ["바늘"]
    assert len(found.text) == 62


def test_the_end_of_a_text_is_reached() -> None:
    found = excerpt("filler " * 100 + "needle", find("needle"), 60)
    assert found.text.endswith("needle")
    assert found.text.startswith(ELLIPSIS)


@pytest.mark.parametrize("width", [20, 40, 100, 143, 220])
@pytest.mark.parametrize("before", ["건초더미속의", "averyveryverylongprefixwithoutspaces"])
def test_a_match_inside_a_long_word_is_shown_at_any_width(width: int, before: str) -> None:
    text = "filler words here " * 20 + before + "바늘" + "끝이다. and then more filler " * 20
    found = excerpt(text, find("바늘"), width)
    assert [found.text[start:end] for start, end in found.highlights] == ["바늘"]


texts = st.lists(st.tuples(st.sampled_from(VOCABULARY), st.sampled_from([" ", "", ""])), max_size=60).map(
    lambda parts: "".join(word + joint for word, joint in parts).strip()
)


@settings(max_examples=150)
@given(
    texts,
    st.integers(20, 300),
    st.lists(st.sampled_from(["needle", "바늘", "alpha", "zebra"]), max_size=3, unique=True),
)
def test_an_excerpt_keeps_its_width_and_marks_what_matched(text: str, width: int, words: list[str]) -> None:
    found = excerpt(text, find(*words), width)
    cleaned = clean(text)
    body = found.text.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS) if not found.full else found.text
    assert len(body) <= width
    assert body in cleaned
    assert found.full == (len(cleaned) <= width)
    assert found.full == (found.text == cleaned)
    for start, end in found.highlights:
        assert 0 <= start < end <= len(found.text)
        assert found.text[start:end] in words


@settings(max_examples=150)
@given(texts, st.integers(20, 300), st.sampled_from(["needle", "바늘", "alpha"]))
def test_an_excerpt_shows_a_match_when_there_is_one(text: str, width: int, word: str) -> None:
    found = excerpt(text, find(word), width)
    assert bool(found.highlights) == (word in clean(text))


@given(texts, st.integers(20, 300))
def test_an_excerpt_says_something_when_there_is_something(text: str, width: int) -> None:
    assert bool(excerpt(text, find("needle"), width).text.strip(ELLIPSIS)) == bool(text)
