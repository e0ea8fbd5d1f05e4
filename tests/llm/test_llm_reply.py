"""The text of a reply, however it is cut: thoughts before it are left out, halves of characters meet."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.llm.reply import ReplyText, content_of, count
from kebab.remote.failures import Unusable

WORDS = [*"<think>/ \n", "<think>", "</think>", "가", "🍚"]
TELLING = st.lists(st.sampled_from(WORDS), max_size=8).map("".join)


def told(*pieces: str) -> str:
    text = ReplyText()
    return "".join([*(text.add(piece) for piece in pieces), text.end()])


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("", ""),
        ("rice", "rice"),
        ("  rice \n", "  rice \n"),
        ("<think>soak it first?</think>\n\n rice", "rice"),
        ("\n <think></think>rice", "rice"),
        ("<think>a</think> <think>b</think> rice", "rice"),
        ("<think>a <think> b</think>rice", "rice"),
        ("<think>cut off at the lim", ""),
        ("<think>a</think>", ""),
        ("<think>a</think> \n", ""),
        ("<think>a</think>rice <think>is a tag</think>", "rice <think>is a tag</think>"),
        ("it writes <think> and </think>", "it writes <think> and </think>"),
        ("<thin", "<thin"),
        ("<thinner> rice", "<thinner> rice"),
        (" <b>rice", " <b>rice"),
        ("</think>rice", "</think>rice"),
        ("<think>a</think><thi", "<thi"),
        ("<think>a</thin></think>rice", "rice"),
        (" \n", " \n"),
        ("\ud83c\udf5a rice", "🍚 rice"),
        ("rice \ud83c", "rice \ufffd"),
        ("\udf5a rice", "\ufffd rice"),
        ("\ud83c<think>", "\ufffd<think>"),
        ("<think>\ud83c</think>rice", "rice"),
        ("<think>a</think>\ud83c", "\ufffd"),
    ],
)
def test_a_reply_is_told_the_same_however_it_is_cut(reply: str, text: str) -> None:
    assert told(reply) == text
    assert told(*reply) == text
    for place in range(len(reply)):
        assert told(reply[:place], reply[place:]) == text


@settings(deadline=None)
@given(st.lists(TELLING, max_size=8))
def test_cuts_never_change_what_is_told(pieces: list[str]) -> None:
    assert told(*pieces) == told("".join(pieces))


@settings(deadline=None)
@given(st.lists(st.text(st.characters(categories=("L", "Cs", "So", "Zs"))), max_size=6))
def test_what_is_told_can_always_be_written_down(pieces: list[str]) -> None:
    text = told(*pieces)
    text.encode("utf-8")
    assert len(text) == len("".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def test_text_is_told_as_soon_as_it_is_known_to_be_text() -> None:
    text = ReplyText()
    assert [text.add(piece) for piece in ("<th", "ink>a", "</think>", " ri", "ce", "<th")] == [
        "",
        "",
        "",
        "ri",
        "ce",
        "<th",
    ]


def test_a_thought_does_not_pile_up() -> None:
    text = ReplyText()
    text.add("<think>")
    for _ in range(100):
        assert text.add("and then " * 100) == ""
    assert len(text._held) < 10


@pytest.mark.parametrize("message", [None, {}, {"content": None}, {"thinking": "hm"}])
def test_a_message_may_hold_no_text(message: object) -> None:
    assert content_of(message) == ""


@pytest.mark.parametrize("message", ["rice", 1, ["rice"], {"content": 1}, {"content": ["rice"]}, {"content": {}}])
def test_text_that_is_none_is_turned_down(message: object) -> None:
    with pytest.raises(Unusable, match="not text"):
        content_of(message)


def test_a_count_is_a_whole_number_or_nothing() -> None:
    assert count(12) == 12
    assert [count(value) for value in (None, "12", 1.5, True, -3, [1])] == [0] * 6
