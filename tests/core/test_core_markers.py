"""Markers as people see them, whole and in pieces."""

from hypothesis import given
from hypothesis import strategies as st

from kebab.core.markers import MarkerStream, marker_text, shown, without_markers

TEXTS = st.text(st.sampled_from("[#]0123 a가\n"), max_size=30)


def test_a_marker_is_shown_without_its_sign() -> None:
    assert shown("우선 [#1]. 금지 [#12][#3].") == "우선 [1]. 금지 [12][3]."


def test_what_only_looks_like_a_marker_is_left_alone() -> None:
    for text in ("[# 1]", "[#]", "[#0]", "[#a]", "#1", "[1]", "arr[#1", "[#1234567]"):
        assert shown(text) == text


def test_the_words_alone_have_no_space_before_the_full_stop() -> None:
    assert without_markers("우선 [#1]. 금지 [#2]") == "우선. 금지"
    assert without_markers("arr[1] 은 [1]") == "arr[1] 은 [1]"


def test_a_number_has_the_form_that_is_shown() -> None:
    assert marker_text(7) == shown("[#7]")


def test_a_marker_in_pieces_is_shown_whole() -> None:
    stream = MarkerStream()
    assert [stream.feed(piece) for piece in ("우선 ", "[", "#", "1", "]. 다음")] == ["우선 ", "", "", "", "[1]. 다음"]
    assert stream.end() == ""


def test_what_never_becomes_a_marker_is_not_lost() -> None:
    stream = MarkerStream()
    assert stream.feed("arr[") + stream.feed("0] and [#") + stream.end() == "arr[0] and [#"
    assert stream.end() == ""


@given(st.lists(TEXTS))
def test_however_it_is_cut_the_text_is_the_same(pieces: list[str]) -> None:
    stream = MarkerStream()
    assert "".join([*map(stream.feed, pieces), stream.end()]) == shown("".join(pieces))
