import unicodedata
from bisect import bisect_right

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.text import LineMap, decode, nfc, split_lines, to_posix, token_estimate, unify_newlines

NOT_NEWLINES = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e"
lines_of_text = st.text(st.sampled_from("ab한é\U0001f600 \n\n\r\u2028\x85\x0b\x0c"), max_size=60)


def naive_starts(text: str | bytes) -> list[int]:
    """Where lines begin, counted one character at a time; a newline at the very end opens no line."""
    newline = 10 if isinstance(text, bytes) else "\n"
    last = len(text) - 1
    return [0, *(at + 1 for at, char in enumerate(text) if char == newline and at < last)]


@given(st.text())
def test_nfc_is_the_composed_form_and_stays_so(text: str) -> None:
    assert nfc(text) == unicodedata.normalize("NFC", text)
    assert nfc(nfc(text)) == nfc(text)


def test_a_decomposed_hangul_name_becomes_the_composed_one() -> None:
    decomposed = unicodedata.normalize("NFD", "한글 노트")
    assert decomposed != "한글 노트"
    assert nfc(decomposed) == "한글 노트"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.md", "a/b.md"),
        ("./a//b.md", "a/b.md"),
        ("././a/./b.md", "a/b.md"),
        ("a\\b\\c.md", "a/b/c.md"),
        (".\\a\\\\b.md", "a/b.md"),
        ("/a/b/", "a/b"),
        (".hidden/a.md", ".hidden/a.md"),
        ("a/..b/...md", "a/..b/...md"),
        ("", ""),
        (".", ""),
        ("노트/" + unicodedata.normalize("NFD", "한글") + ".md", "노트/한글.md"),
    ],
)
def test_a_path_has_one_form(path: str, expected: str) -> None:
    assert to_posix(path) == expected


@given(st.text(st.sampled_from("a.한\u1112\u1161\u11ab\u0301/\\ #%"), max_size=30) | st.text(max_size=30))
def test_to_posix_is_idempotent_and_gives_clean_parts(path: str) -> None:
    once = to_posix(path)
    assert to_posix(once) == once
    assert "\\" not in once
    assert once == "" or all(part not in ("", ".") for part in once.split("/"))


@given(st.lists(st.text(st.sampled_from("abc한"), min_size=1), min_size=1), st.sampled_from(["/", "//", "/./", "\\"]))
def test_every_spelling_of_a_path_is_the_same_path(parts: list[str], joint: str) -> None:
    assert to_posix("./" + joint.join(parts)) == "/".join(parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\rb\r", "a\nb\n"),
        ("a\r\r\nb", "a\n\nb"),
        ("a\n\rb", "a\n\nb"),
        ("\r\n\r\r\n\n", "\n\n\n\n"),
        ("no newline", "no newline"),
        (f"a{NOT_NEWLINES}b", f"a{NOT_NEWLINES}b"),
        ("", ""),
    ],
)
def test_crlf_and_lone_cr_become_lf_and_nothing_else_does(text: str, expected: str) -> None:
    assert unify_newlines(text) == expected


@given(lines_of_text)
def test_no_carriage_return_survives(text: str) -> None:
    unified = unify_newlines(text)
    assert "\r" not in unified
    assert unify_newlines(unified) == unified
    assert unified.replace("\n", "") == text.replace("\r", "").replace("\n", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("\n", [""]),
        ("a\nb", ["a", "b"]),
        (f"a{NOT_NEWLINES}b\nc", [f"a{NOT_NEWLINES}b", "c"]),
    ],
)
def test_lines_are_those_of_an_editor(text: str, expected: list[str]) -> None:
    assert split_lines(text) == expected


@pytest.mark.parametrize("text", ["a\nb\n", b"a\nb\n"])
def test_a_final_newline_opens_no_line(text: str | bytes) -> None:
    lines = LineMap(text)
    assert lines.count == 2
    assert [lines.line_at(offset) for offset in range(5)] == [1, 1, 2, 2, 2]
    assert [lines.start_of(line) for line in (1, 2, 3)] == [0, 2, 4]


@pytest.mark.parametrize("text", ["", b""])
def test_an_empty_text_is_one_empty_line_to_the_map(text: str | bytes) -> None:
    lines = LineMap(text)
    assert (lines.count, lines.length) == (1, 0)
    assert (lines.line_at(0), lines.start_of(1), lines.start_of(2)) == (1, 0, 0)


def test_byte_offsets_count_bytes_and_character_offsets_characters() -> None:
    text = "한글\n둘\n"
    assert [LineMap(text).start_of(line) for line in (1, 2, 3)] == [0, 3, 5]
    assert [LineMap(text.encode()).start_of(line) for line in (1, 2, 3)] == [0, 7, 11]


@given(lines_of_text)
def test_the_line_map_agrees_with_counting(text: str) -> None:
    for form in (text, text.encode()):
        lines, starts = LineMap(form), naive_starts(form)
        assert lines.count == len(starts)
        assert [lines.start_of(line) for line in range(1, lines.count + 2)] == [*starts, len(form)]
        for offset in range(len(form) + 1):
            assert lines.line_at(offset) == bisect_right(starts, offset)


@given(lines_of_text)
def test_the_line_map_and_split_lines_speak_of_the_same_lines(text: str) -> None:
    lines, texts = LineMap(text), split_lines(text)
    assert lines.count == max(len(texts), 1)
    for number, line in enumerate(texts, 1):
        start = lines.start_of(number)
        assert text[start : start + len(line)] == line


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("한", 1), ("한글", 2), ("\U0001f600", 2), ("é", 1)],
)
def test_tokens_are_a_third_of_the_bytes_rounded_up(text: str, tokens: int) -> None:
    assert token_estimate(text) == tokens


@given(st.text())
def test_the_estimate_never_falls_short_of_its_bytes(text: str) -> None:
    size = len(text.encode())
    assert 3 * (token_estimate(text) - 1) < size <= 3 * token_estimate(text) or size == token_estimate(text) == 0


def test_a_lone_surrogate_can_be_measured() -> None:
    assert token_estimate("\ud800") == 1


@pytest.mark.parametrize(
    ("bom", "encoding"),
    [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
    ],
)
def test_a_bom_decides_the_encoding_and_is_not_text(bom: bytes, encoding: str) -> None:
    text = "# 제목\r\nCafé \U0001f600\r"
    assert decode(bom + text.encode(encoding)) == ("# 제목\nCafé \U0001f600\n", encoding, False)


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (b"\xef\xbb\xbfok\xff", "utf-8"),
        (b"\xff\xfea\x00b", "utf-16-le"),
        (b"\xfe\xff\xd8\x00\x00a", "utf-16-be"),
        (b"\xff\xfe\x00\x00\xff\xff\xff\xff", "utf-32-le"),
    ],
)
def test_what_a_bom_promises_and_the_bytes_do_not_keep_is_replaced(raw: bytes, encoding: str) -> None:
    text, used, lossy = decode(raw)
    assert (used, lossy) == (encoding, True)
    assert "\ufffd" in text


def test_utf8_is_the_rule() -> None:
    assert decode("한글\r\n".encode()) == ("한글\n", "utf-8", False)
    assert decode(b"") == ("", "utf-8", False)
    assert decode(b"plain\rtext") == ("plain\ntext", "utf-8", False)


def test_old_korean_notes_are_cp949() -> None:
    text = "회의록\r\n똠방각하와 펲시콜라"
    assert decode(text.encode("cp949")) == ("회의록\n똠방각하와 펲시콜라", "cp949", False)


def test_bytes_that_cp949_reads_without_any_hangul_are_not_taken_for_korean() -> None:
    raw = "、。〃".encode("cp949")
    assert not any("가" <= char <= "힣" for char in raw.decode("cp949"))
    text, encoding, lossy = decode(raw)
    assert (encoding, lossy) == ("utf-8", True)
    assert set(text) == {"\ufffd"}


def test_invalid_bytes_are_replaced_and_the_rest_is_kept() -> None:
    assert decode(b"good \xff\xfe\xfd bad\r\nnext") == ("good \ufffd\ufffd\ufffd bad\nnext", "utf-8", True)


@settings(max_examples=300)
@given(
    st.binary(max_size=120),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"]),
)
def test_any_bytes_decode_to_text_that_utf8_can_hold(raw: bytes, bom: bytes) -> None:
    decoded = decode(bom + raw)
    decoded.text.encode()
    assert "\r" not in decoded.text
    assert decoded.encoding != "cp949" or any("가" <= char <= "힣" for char in decoded.text)


@given(st.text())
def test_text_written_as_utf8_is_read_back_without_loss(text: str) -> None:
    text = text.lstrip("\ufeff")
    raw = text.encode()
    assert decode(raw) == (unify_newlines(text), "utf-8", False)
