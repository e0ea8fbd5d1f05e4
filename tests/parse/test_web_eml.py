import base64
import quopri

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.document import Document
from kebab.parse.web import EmlParser
from office_samples import check, outcome, read, survives

HEAD = "From: Kim <kim@example.org>\r\nTo: lee@example.org\r\nSubject: Plan\r\nDate: Mon, 1 Mar 2021 09:00:00 +0900\r\n"


def parse(message: str | bytes) -> Document:
    raw = message.encode() if isinstance(message, str) else message
    document = read(EmlParser(), raw, "mail/a.eml", "eml")
    check(document)
    return document


def multipart(boundary: str, *parts: str, kind: str = "mixed") -> str:
    inside = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"'
    return f"{head}\r\n\r\nfor old\r\n\r\nprograms\r\n{inside}--{boundary}--\r\nepilogue"


PLAIN = "Content-Type: text/plain; charset=utf-8\r\n\r\nplain words"
RICH = "Content-Type: text/html\r\n\r\n<p>rich words</p>"


def test_a_message_is_its_headers_and_its_text() -> None:
    document = parse(HEAD + "\r\nHello,\r\nfirst line\r\n\r\n> quoted\r\n> more\r\nanswer\r\n")
    assert document.source_text == (
        "# Plan\n\nFrom: Kim <kim@example.org>\nTo: lee@example.org\nDate: Mon, 1 Mar 2021 09:00:00 +0900\n\n"
        "Hello,\nfirst line\n\n> quoted\n> more\n\nanswer\n"
    )
    assert [block.kind.value for block in document.blocks] == [
        "heading",
        "paragraph",
        "paragraph",
        "quote",
        "paragraph",
    ]
    assert (document.title, document.metadata.created_at) == ("Plan", "2021-03-01T00:00:00Z")
    assert document.metadata.user == {"author": "Kim <kim@example.org>", "to": "lee@example.org"}


@pytest.mark.parametrize("charset", ["euc-kr", "ks_c_5601-1987", "cp949", "iso-2022-kr", "utf-8", "x-unknown"])
@pytest.mark.parametrize("way", ["8bit", "base64", "quoted-printable"])
def test_korean_text_is_read_in_every_charset_and_coding(charset: str, way: str) -> None:
    codec = {"ks_c_5601-1987": "cp949", "x-unknown": "utf-8"}.get(charset, charset)
    raw = "안녕하세요, 계획입니다.".encode(codec)
    body = {"8bit": raw, "base64": base64.encodebytes(raw), "quoted-printable": quopri.encodestring(raw)}[way]
    head = f"{HEAD}Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {way}\r\n\r\n"
    document = parse(head.encode() + body)
    assert document.source_text.endswith("안녕하세요, 계획입니다.\n")
    assert document.warnings == ()


def test_encoded_words_are_decoded_each_in_its_charset() -> None:
    def word(text: str, charset: str) -> str:
        return f"=?{charset}?B?{base64.b64encode(text.encode(charset)).decode()}?="

    subject = f"{word('분기 ', 'euc-kr')}\r\n {word('계획', 'utf-8')} =?utf-8?Q?=EC=95=88?= tail"
    document = parse(HEAD.replace("Plan", subject) + "\r\nx")
    assert document.title == "분기 계획안 tail"
    raw = HEAD.replace("Plan", "분기 계획").encode("cp949") + b"\r\nx"
    assert parse(raw).title == "분기 계획"


def test_plain_text_is_taken_before_html_at_any_depth() -> None:
    inner = multipart("in", PLAIN, RICH, kind="alternative")
    text = parse(HEAD + multipart("out", inner, PLAIN.replace("plain words", "more words"))).source_text
    assert text.endswith("plain words\n\nmore words\n")
    assert "rich" not in text
    assert "programs" not in text
    assert "epilogue" not in text


def test_html_serves_where_there_is_no_plain_text() -> None:
    assert parse(HEAD + multipart("b", RICH)).source_text.endswith("\n\nrich words\n")
    assert parse(HEAD + RICH).source_text.endswith("\n\nrich words\n")


@pytest.mark.parametrize(
    "disposition",
    [
        "attachment; filename=\"계획.pdf\"",
        "attachment; filename=\"=?utf-8?B?6rOE7ZqNLnBkZg==?=\"",
        "attachment; filename*=UTF-8''%EA%B3%84%ED%9A%8D.pdf",
        "attachment; filename*0*=UTF-8''%EA%B3%84; filename*1*=%ED%9A%8D; filename*2=.pdf",
    ],
)  # fmt: skip
def test_attachments_are_listed_by_name_and_never_read(disposition: str) -> None:
    part = f"Content-Type: text/plain\r\nContent-Disposition: {disposition}\r\n\r\nsecret"
    text = parse(HEAD + multipart("b", PLAIN, part)).source_text
    assert text.endswith("plain words\n\nAttachments: 계획.pdf\n")
    assert "secret" not in text


def test_text_that_lies_deeper_than_any_program_puts_it_is_left_out() -> None:
    def nested(depth: int) -> str:
        part = PLAIN
        for level in range(depth):
            part = multipart(f"b{level}x", part)
        return parse(HEAD + part).source_text

    assert "plain words" in nested(20)
    assert "plain words" not in nested(21)


def test_parts_nested_without_end_and_parts_without_number_are_bounded() -> None:
    deep = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\r\n\r\n--b{n}\r\n' for n in range(5000))
    parse(HEAD + deep + PLAIN)
    parse(HEAD + multipart("b", *[PLAIN] * 5000))
    parse(HEAD + "X: " + "=?" * 50_000 + "\r\n\r\nx")
    parse(HEAD + "".join(f"X-{n}: y\r\n" for n in range(20_000)) + "\r\nx")
    parse(HEAD + "a" * 1_000_000)


@pytest.mark.parametrize("date", ["", "nonsense", "Mon, 99 Foo 99999 99:99:99 +9999", "Mon, 1 Mar 2021 09:00:00 -0000"])
def test_a_date_that_is_none_leaves_that_of_the_file(date: str) -> None:
    found = parse(HEAD.replace("Mon, 1 Mar 2021 09:00:00 +0900", date) + "\r\nx").metadata.created_at
    assert found == ("2021-03-01T09:00:00Z" if "-0000" in date else "2020-01-01T00:00:00Z")


def test_what_is_no_message_is_refused() -> None:
    assert outcome(EmlParser(), b"just text\n\nmore") == (
        "not a readable eml: it does not begin with the headers of a message"
    )


def test_damage_of_any_kind_ends_well() -> None:
    survives(EmlParser(), (HEAD + multipart("b", PLAIN, RICH)).encode())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["base64", "quoted-printable", "8bit"]), st.text(max_size=20))
def test_any_body_makes_a_document(body: bytes, way: str, charset: str) -> None:
    head = f'{HEAD}Content-Type: text/plain; charset="{charset}"\nContent-Transfer-Encoding: {way}\n\n'
    assert outcome(EmlParser(), head.encode() + body)


def test_plain_text_that_stands_beside_html_does_not_replace_it() -> None:
    footer = "Content-Type: text/plain\r\n\r\nlist footer"
    assert parse(HEAD + multipart("b", RICH, footer)).source_text.endswith("rich words\n\nlist footer\n")


def test_a_message_that_is_passed_on_is_read_under_its_subject() -> None:
    inner = (
        "Content-Type: message/rfc822\r\n\r\nFrom: Park <p@example.org>\r\nSubject: =?utf-8?B?7IaN?=\r\n\r\ninner words"
    )
    document = parse(HEAD + multipart("b", PLAIN, inner))
    assert document.source_text.endswith("plain words\n\n## 속\n\nFrom: Park <p@example.org>\n\ninner words\n")
    assert document.blocks[-1].heading_path == ("Plan", "속")


def test_messages_in_messages_are_read_to_a_depth_only() -> None:
    message = HEAD + "\r\ninnermost"
    for level in range(50):
        message = HEAD + multipart(f"b{level}", f"Content-Type: message/rfc822\r\n\r\n{message}")
    assert "innermost" not in parse(message).source_text


INVITE = (
    "Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\n"
    "DTSTART:16010101T000000\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nSUMMARY;LANGUAGE=ko:주간 회의\\, 초대\r\n"
    "DTSTART;TZID=Asia/Seoul:20240102T100000\r\nDTEND;VALUE=DATE:20240103\r\nLOCATION:3층 대회\r\n 의실\r\n"
    'ORGANIZER;CN="김 부장":mailto:kim@example.org\r\nDESCRIPTION:하나\\n둘\r\nUID:1\r\nBEGIN:VALARM\r\n'
    "DESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR"
)


def test_an_invitation_says_what_when_where_and_who() -> None:
    document = parse(HEAD + multipart("b", PLAIN, RICH, INVITE, kind="alternative"))
    assert document.source_text.endswith(
        "plain words\n\nEvent: 주간 회의, 초대\nStart: 2024-01-02T10:00:00\nEnd: 2024-01-03\nWhere: 3층 대회의실\n"
        "Organizer: 김 부장 <kim@example.org>\nAbout: 하나\n둘\n"
    )
