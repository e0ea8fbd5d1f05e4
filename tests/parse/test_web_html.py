import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.document import Document
from kebab.core.errors import LeftAside
from kebab.parse.flow import Flow
from kebab.parse.web import HtmlParser
from kebab.parse.web.html_extract import extract
from office_samples import DOCUMENT, check, outcome, read


def parse(page: str | bytes) -> Document:
    document = read(HtmlParser(), page.encode() if isinstance(page, str) else page, "pages/a.html", "html")
    check(document)
    return document


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<h1>A</h1><p>one<p>two", "# A\n\none\n\ntwo\n"),
        ("<p>a\n  b<br>c &amp; d&nbsp;e &#54620;", "a b\nc & d e 한\n"),
        ("<ul><li>a<li>b<ol><li>c</ol></ul>x", "- a\n- b\n  - c\n\nx\n"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2|3</table>", "| a | b |\n| 1 | 2\\|3 |\n"),
        (
            "<table><tr><th rowspan=2>a<th colspan=2>b<th>c<tr><td>1<td>2<td>3<tr><td>d<td>4</table>",
            "| a | b |  | c |\n|  | 1 | 2 | 3 |\n| d | 4 |\n",
        ),
        ("<table><tr><td colspan=99999999>a<td>b<td colspan=x rowspan=-1>c</table>", f"| a |{'  |' * 31} b | c |\n"),
        ("<!DOCTYPE html [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><p>a &e;", "a &e;\n"),
        ("<table><thead><tr><td>a</td></tr></thead><tbody><tr><td>b</td></tr></tbody></table>", "a\n\nb\n"),
        ("<pre class='language-py'>def f():\n    x\n</pre>", "```py\ndef f():\n    x\n```\n"),
        ("<pre><code class='hljs language-sql'>a</code></pre>", "```sql\na\n```\n"),
        ("<blockquote>a<br>b</blockquote>", "> a\n> b\n"),
        ("a<script>x<p>y</p></script>b<style>c{}</style><template>d</template><noscript>e</noscript>", "ab\n"),
        ("<p hidden>x<p style='display: none'>y<p aria-hidden=true>z<div>shown", "shown\n"),
        ("<div hidden><p>x</p><ul><li>y</ul></div><p>shown", "shown\n"),
        ("<dl><dt>t<dd>d</dl><hr>x<img alt=y>", "t\n\nd\n\nx\n"),
        ("a <b>b</b><i>c</i> <a href='http://203.0.113.1/'>d</a>", "a bc d\n"),
        ("1 < 2 <3 </> <!x> <?y?> &lt;p>", "1 < 2 <3 <p>\n"),
        ("a<!-- <p>x</p> -->b<![CDATA[c<d]]>", "abc<d\n"),
        ("<ruby>漢<rt>kan</rt></ruby><select><option>x</select><button>y</button><svg><title>z</title></svg>", "漢\n"),
        ("<p>a</div></b></p>b</p></table></li>c", "a\n\nbc\n"),
        ("<script>never closed <p>text", ""),
        ("<p title='unclosed>a</p>b", "a\n\nb\n"),
        (
            "rice<a href='#n'><sup>1</sup></a> and tea<sup class=x><a href='#m'>12</a></sup>.",
            "rice[^1] and tea[^12].\n",
        ),
        ("9 m<sup>2</sup> <a href=x>b<sup> many words</sup></a><sup><p>a</p></sup>b", "9 m2 b many words\n\na\n\nb\n"),
    ],
)
def test_a_page_is_its_words(page: str, text: str) -> None:
    assert parse(page).source_text == text


def test_another_file_under_the_name_of_a_page_is_left_aside() -> None:
    with pytest.raises(LeftAside, match="binary data"):
        parse(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Length 9>>stream\n\x00\xff\x00\x80\xfe\nendstream")


def test_what_surrounds_the_main_part_is_left_out() -> None:
    page = (
        "<header>site</header><nav>menu</nav><main><article><header><h1>T</h1></header>text<nav>more</nav>"
        "<footer>by Kim</footer></article><aside>ad</aside></main><div>below</div><footer>end</footer>"
    )
    assert parse(page).source_text == "# T\n\ntext\n\nby Kim\n\nbelow\n"


def test_without_a_main_part_everything_is_kept() -> None:
    assert parse("<header>site</header><nav>menu</nav>text").source_text == "site\n\nmenu\n\ntext\n"


def test_headings_give_the_path() -> None:
    document = parse("<h1>A</h1>x<h3>B</h3>y<h2>C</h2>z")
    assert [block.heading_path for block in document.blocks[1::2]] == [("A",), ("A", "B"), ("A", "C")]


def test_tables_that_lay_out_a_page_are_text() -> None:
    inner = "<table><tr><td>a<td>b</table>"
    page = f"<table><tr><td>left<td><h2>T</h2>right{inner}</table>after"
    assert parse(page).source_text == "left\n\n## T\n\nright\n\n| a | b |\n\nafter\n"
    page = f"<table><tr><td>left<td>right{inner}<tr><td>x<td>y</table>after"
    assert parse(page).source_text == "left\n\nright\n\n| a | b |\n\nx\n\ny\n\nafter\n"


def test_the_title_and_what_the_head_says() -> None:
    head = (
        "<meta name=author content='Kim'><meta property='article:published_time' content='2021-03-04T05:06:07+09:00'>"
    )
    document = parse(f"<html lang=ko><head><title> A &amp;\n B </title>{head}</head><h1>H</h1>")
    assert document.title == "A & B"
    assert document.metadata.created_at == "2021-03-03T20:06:07Z"
    assert document.metadata.user == {"author": "Kim"}
    assert (document.lang, parse("<html lang=ko><p>12").lang) == ("ko", "ko")
    assert parse("<html lang=en><p>이 글은 한국어로 쓰여 있다").lang == "ko"


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("<meta charset=euc-kr>", "cp949"),
        ('<META http-equiv="Content-Type" content="text/html; charset=ks_c_5601-1987">', "cp949"),
        ('<?xml version="1.0" encoding="EUC-KR"?>', "cp949"),
        ("<meta charset='shift_jis'>", "cp932"),
        ("<meta charset=iso-8859-1>", "utf-8"),
        ("<meta charset=rot13>", "utf-8"),
        ("", "utf-16"),
        ("<meta charset=utf-8>", "cp949"),
    ],
)
def test_the_encoding_is_what_fits(head: str, encoding: str) -> None:
    words = "日本" if encoding == "cp932" else "한글 글자"
    assert parse(f"{head}<p>{words}".encode(encoding)).source_text == f"{words}\n"


def test_a_page_that_declares_latin_without_looking_is_read_as_it_is() -> None:
    assert parse("<meta charset=iso-8859-1><p>café".encode()).source_text == "café\n"
    assert parse("<meta charset=iso-8859-1><p>café".encode("latin-1")).source_text == "café\n"


def test_a_page_in_no_encoding_is_read_with_a_warning() -> None:
    document = parse(b"<meta charset=euc-kr><p>\xc7\xd1\xff\xff")
    assert document.source_text.startswith("한")
    assert document.warnings


MANY = 30_000


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 100_000 + "x",
        "<table><tr><td>" * MANY + "x",
        "<ul><li>" * MANY + "x",
        "<blockquote>" * MANY + "x",
        "<a b='" * MANY,
        "<!--" * MANY,
        "<script>" * MANY,
        "<title>" * MANY,
        "</b>" * MANY,
        "<b>" * 400 + "</i>" * MANY,
        "<p><b>" * MANY + "x",
        "<" * MANY,
        "&#" * MANY,
        "<h1>" * MANY + "x",
        "<td>" * MANY,
        "<pre>" * MANY + "x",
        "<article>" * MANY + "x" + "</article>" * MANY,
    ],
    ids=lambda page: page[:8],
)
def test_hostile_pages_make_a_document(page: str) -> None:
    parse(page)


PIECES = "<p>|</p>|<div>|</div>|<table>|<tr>|<td>|</td>|</table>|<h1>|</h1>|<ul>|<li>|</ul>|<pre>|</pre>|<b>|</b>|<br>"
PIECES += (
    "|a|가 |\n|<main>|</main>|<nav>|</nav>|<blockquote>|</blockquote>|<p hidden>|<a b='|'>|<!--|-->|&amp;"
    "|<title>|</title>|<|>|/"
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=40).map("".join), st.booleans())
def test_any_soup_makes_a_document(page: str, xml: bool) -> None:
    parse(page)
    extract(page, Flow(), xml=xml)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_make_a_document_or_are_left_aside(raw: bytes) -> None:
    assert outcome(HtmlParser(), raw) in (DOCUMENT, "is called a web page but holds binary data")
