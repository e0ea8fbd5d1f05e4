import pytest

from kebab.core.document import Document
from kebab.parse.office import RtfParser
from office_samples import check, outcome, read, survives

FONTS = rb"{\fonttbl{\f0\fcharset129 Batang;}{\f1\fcharset0 Arial;}{\f2\fcharset204 Cyr;}}"
STYLES = rb"{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\*\cs10 Default;}}"


def parse(body: bytes, page: int = 949) -> Document:
    raw = rb"{\rtf1\ansi\ansicpg%d" % page + FONTS + STYLES + b"\n" + body + b"}"
    document = read(RtfParser(), raw, "a.rtf")
    check(document)
    return document


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"\pard one\par two\par", "one\n\ntwo\n"),
        (rb"\pard a\tab b\line c\~d\_e\-f \{x\}\par", "a\tb\nc\xa0d-ef {x}\n"),
        (rb"\pard \u54620?\u44544?\par", "한글\n"),
        (rb"\pard \uc2\u54620\'c7\'d1\u44544\'b1\'db!\par", "한글!\n"),
        (rb"\pard {\uc0\u54620\u44544}\u33?x\par", "한글!x\n"),
        (rb"\pard \u-10179?\u-8704?\par", "\U0001f600\n"),
        (rb"\pard \'c7\'d1\'b1\'db\par", "한글\n"),
        (rb"\pard\f2 \'cf\'f0\f0 \'c7\'d1\par", "Пр한\n"),
        (rb"\pard {\b bold} and {\i it}\par", "bold and it\n"),
        (rb"\pard a\v hidden\v0 b{\deleted gone}c\par", "abc\n"),
        (rb"\pard a{\pict 0102ff}{\*\unknown junk{\x more}}{\header top\par}b\par", "ab\n"),
        (rb"\pard {\field{\*\fldinst HYPERLINK x}{\fldrslt shown}}\par", "shown\n"),
        (rb"\pard a{\bin5 }}{{}b\par", "ab\n"),
        (rb"\pard\s1 T\par\pard x\par", "# T\n\nx\n"),
        (rb"\pard\outlinelevel1 T\par", "## T\n"),
        (rb"\pard{\listtext\bullet\tab}a\par{\listtext\bullet}\ilvl1 b\par\pard c\par", "- a\n  - b\n\nc\n"),
        (rb"\pard a{\footnote \pard note\par}b\par", "a[^1]b\n\n# Notes\n\n[^1] note\n"),
        (rb"\pard a{\super\chftn{\*\footnote\chftn\pard note\par}}b\par", "a[^1]b\n\n# Notes\n\n[^1] note\n"),
        (rb"\pard\s1\ilvl0\outlinelevel0{\listtext\pard\tab}\ls1 T\par\pard x\par", "# T\n\nx\n"),
        (rb"\pard a{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt \pard box\par}}{\shprslt box}}b\par", "ab\n\nbox\n"),
        (rb"\intbl a\cell b\par c\cell\row\intbl d\cell e\cell\row\pard f\par", "| a | b c |\n| d | e |\n\nf\n"),
        (b"\\pard one\\\ntwo\\par", "one\n\ntwo\n"),
    ],
)  # fmt: skip
def test_text_is_read(body: bytes, text: str) -> None:
    assert parse(body).source_text == text


def test_the_code_page_of_the_file_counts_where_the_font_says_nothing() -> None:
    assert parse(rb"\pard\f1 \'e9\par", page=1252).source_text == "é\n"
    assert parse(rb"\pard\f1 \'c7\'d1\par", page=949).source_text == "한\n"
    assert parse(rb"\pard\f1 x\par", page=99999).source_text == "x\n"


def test_properties_come_from_the_info_group() -> None:
    info = rb"{\info{\title \'c7\'d1\'b1\'db \u44544?}{\author Kim}{\creatim\yr2020\mo2\dy3\hr4\min5}{\revtim\yr99999}}"
    document = parse(info + rb"\pard x\par")
    assert document.title == "한글 글"
    assert document.metadata.created_at == "2020-02-03T04:05:00Z"
    assert document.metadata.updated_at == "2020-01-01T00:00:00Z"
    assert document.metadata.user == {"author": "Kim"}


def test_a_heading_may_be_told_by_the_name_of_its_style_alone() -> None:
    styles = rb"{\stylesheet{\s0 Normal;}{\s1\sbasedon16\fs48\b\dbch\af6 Heading 1;}{\s2\b Heading 2;}{\s16 Heading;}}"
    body = rb"\pard\plain \s1\b{\dbch Top}\par\pard\s2 Below\par\pard\s16 Plain\par\pard\s0 words\par"
    document = read(RtfParser(), rb"{\rtf1\ansi" + styles + body + b"}", "a.rtf")
    assert document.source_text == "# Top\n\n## Below\n\nPlain\n\nwords\n"


def test_a_level_of_its_own_counts_before_the_name_of_a_style() -> None:
    raw = rb"{\rtf1{\stylesheet{\s1\outlinelevel2 heading 1;}}\pard\s1 T\par}"
    assert read(RtfParser(), raw, "a.rtf").source_text == "### T\n"


def test_a_title_that_is_written_twice_is_taken_in_its_own_letters() -> None:
    info = rb"{\info{\upr{\title \'3f\'3f}{\*\ud{\title \u54620\'3f\u44544\'3f}}}}"
    assert parse(info + rb"\pard x\par").title == "한글"


def test_what_does_not_begin_as_rtf_is_refused() -> None:
    assert outcome(RtfParser(), b"plain text") == "not a readable rtf: it does not begin as one"


@pytest.mark.parametrize(
    "body",
    [
        b"{" * 200_000 + b"x",
        b"}" * 200_000 + b"x",
        b"{\\footnote a" * 50_000,
        b"{\\shptxt a\\par" * 50_000,
        b"\\" * 200_001,
        b"\\u" * 100_000,
        b"\\bin999999999 x",
        b"\\intbl a\\cell" * 50_000,
        b"\\row" * 50_000,
        b"\\'" * 100_000,
    ],
    ids=lambda body: body[:8].decode(),
)
def test_hostile_nesting_makes_a_document(body: bytes) -> None:
    check(read(RtfParser(), b"{\\rtf1 " + body))


def test_damage_of_any_kind_ends_well() -> None:
    raw = (
        rb"{\rtf1\ansi\ansicpg949"
        + FONTS
        + STYLES
        + rb"\pard\s1 T\par\pard a{\footnote b}\'c7\'d1\u54620?\par\intbl a\cell\row}"
    )
    survives(RtfParser(), raw)
