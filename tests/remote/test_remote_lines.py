"""Lines of a reply: the same wherever its parts were cut, and never longer than allowed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.remote.lines import LineTooLong, cut_lines

PARTS = st.lists(st.binary(max_size=6) | st.sampled_from([b"\n", b"\r\n", b"\r", "밥\n".encode()]), max_size=12)


def lines(*parts: bytes, longest: int = 1000) -> list[bytes]:
    return list(cut_lines(parts, longest))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"one", [b"one"]),
        (b"one\n", [b"one"]),
        (b"one\ntwo", [b"one", b"two"]),
        (b"one\r\ntwo\r\n\r\n", [b"one", b"two", b""]),
        (b"one\rtwo\n", [b"one\rtwo"]),
        ("현미밥\n🍚\n".encode(), ["현미밥".encode(), "🍚".encode()]),
        # What a character's own bytes look like elsewhere is no end of a line.
        ("\u0a0a\u2028\x85\n".encode(), ["\u0a0a\u2028\x85".encode()]),
    ],
)
def test_lines_are_the_same_wherever_parts_are_cut(raw: bytes, expected: list[bytes]) -> None:
    assert lines(raw) == expected
    assert lines(*(raw[place : place + 1] for place in range(len(raw)))) == expected
    for place in range(len(raw)):
        assert lines(raw[:place], raw[place:]) == expected
        assert lines(raw[:place], b"", raw[place:]) == expected


@settings(deadline=None)
@given(PARTS)
def test_cuts_never_change_the_lines(parts: list[bytes]) -> None:
    *ended, rest = b"".join(parts).split(b"\n")
    assert lines(*parts) == [line.removesuffix(b"\r") for line in [*ended, *([rest] if rest else [])]]


def test_a_line_comes_as_soon_as_it_has_ended() -> None:
    given = []

    def parts() -> object:
        for part in (b"one\nt", b"wo", b"\n"):
            given.append(part)
            yield part

    found = cut_lines(parts(), 10)  # type: ignore[arg-type]
    assert (next(found), len(given)) == (b"one", 1)
    assert (next(found), len(given)) == (b"two", 3)


@pytest.mark.parametrize("parts", [(b"12345\n",), (b"123", b"45"), (b"12345",), (b"ok\n1234", b"5\n")])
def test_a_line_beyond_the_limit_is_not_kept(parts: tuple[bytes, ...]) -> None:
    with pytest.raises(LineTooLong):
        lines(*parts, longest=4)
    assert lines(*parts, longest=5)[-1] == b"12345"


def test_lines_that_are_each_within_the_limit_may_be_many() -> None:
    assert lines(b"1234\n" * 1000, longest=4) == [b"1234"] * 1000
