import json
from typing import TYPE_CHECKING

import pytest

from kebab.core.asset import SourceType, TrustLevel

if TYPE_CHECKING:
    from conftest import Parse

FULL_YAML = """---
title: "  노트:\\n둘 "
Tags: [#a, ai/ml, "#b", 2024, no, a, ~]
aliases: [One, 1.10, One]
created: 2024-01-02
updated_at: 2024-01-02T10:00:00+09:00
trust_level: Secondary
source_type: paper
language: en-US
id: 007
weight: 10
draft: false
ratio: 0.5
answer: no
time: 12:30:45
octal: 0123
version: "1.10"
empty:
due: 2024-03-01
at: 2024-03-01 09:30:00 +0900
broken: 2024-13-45
nested: {list: [1, {x: on}], 2: two}
nan: .nan
---
"""


def test_yaml_front_matter_is_read_as_written(parse: "Parse") -> None:
    document = parse(FULL_YAML.replace("#a", '"#a"'))
    metadata = document.metadata
    assert document.warnings == ()
    assert (document.title, document.lang) == ("노트: 둘", "en")
    assert metadata.tags == ("a", "ai/ml", "b", "2024", "no")
    assert metadata.aliases == ("One", "1.10")
    assert (metadata.created_at, metadata.updated_at) == ("2024-01-02T00:00:00Z", "2024-01-02T01:00:00Z")
    assert (metadata.trust_level, metadata.source_type) == (TrustLevel.SECONDARY, SourceType.PAPER)
    assert metadata.user_id_alias == "007"
    assert metadata.user == {
        "weight": 10,
        "draft": False,
        "ratio": 0.5,
        "answer": "no",
        "time": "12:30:45",
        "octal": "0123",
        "version": "1.10",
        "empty": None,
        "due": "2024-03-01",
        "at": "2024-03-01T00:30:00Z",
        "broken": "2024-13-45",
        "nested": {"list": [1, {"x": "on"}], "2": "two"},
        "nan": ".nan",
    }


def test_toml_front_matter_is_read(parse: "Parse") -> None:
    document = parse(
        '+++\ntitle = "T"\ntags = ["x", 1, true]\ndate = 2024-01-02T10:00:00+09:00\nlastmod = 2024-01-03\n'
        "nan = nan\nbig = 0xffffffffffffffffff\nclock = 07:30:00\nwhen = 2024-01-02 10:00:00\n[params]\nx = 1.5\n+++\n"
    )
    metadata = document.metadata
    assert document.warnings == ()
    assert (document.title, metadata.tags) == ("T", ("x", "1", "true"))
    assert (metadata.created_at, metadata.updated_at) == ("2024-01-02T01:00:00Z", "2024-01-03T00:00:00Z")
    assert metadata.user == {
        "nan": "nan",
        "big": "4722366482869645213695",
        "clock": "07:30:00",
        "when": "2024-01-02T10:00:00Z",
        "params": {"x": 1.5},
    }


def test_without_front_matter_the_file_and_the_source_decide(parse: "Parse") -> None:
    plain = parse("text\n").metadata
    assert (plain.created_at, plain.updated_at) == ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")
    assert (plain.trust_level, plain.source_type) == (TrustLevel.PRIMARY, SourceType.MARKDOWN)
    sourced = parse("text\n", trust=TrustLevel.GENERATED, source_type=SourceType.INBOX).metadata
    assert (sourced.trust_level, sourced.source_type) == (TrustLevel.GENERATED, SourceType.INBOX)
    own = parse(
        "---\ntrust: primary\nsource_type: note\n---\n", trust=TrustLevel.GENERATED, source_type=SourceType.INBOX
    )
    assert (own.metadata.trust_level, own.metadata.source_type) == (TrustLevel.PRIMARY, SourceType.NOTE)


@pytest.mark.parametrize(
    ("field", "warning"),
    [
        ("created: soon", "created is not a date: 'soon'"),
        ("date: 2024-02-30", "date is not a date: '2024-02-30'"),
        ("updated: 0001-01-01T00:00:00+09:00", "updated is not a date: '0001-01-01T00:00:00+09:00'"),
        ("modified: [2024]", "modified is not a date: ['2024']"),
        ("title: [a, b]", "title is not a line of text: ['a', 'b']"),
        ('title: "\\t"', "title is not a line of text: '\\t'"),
        ("tags: {a: 1}", "tags is not a list of words: {'a': '1'}"),
        ("aliases: [[a]]", "aliases is not a list of names: [['a']]"),
        ("trust: high", "trust is not one of primary, secondary, generated: 'high'"),
        ("source_type: 3", "source_type is not one of markdown, note, paper, reference, inbox: '3'"),
        ("lang: Korean!", "lang is not a language code: 'Korean!'"),
        ("id: {a: b}", "id is not a line of text: {'a': 'b'}"),
    ],
)
def test_a_wrong_value_costs_its_own_key(parse: "Parse", field: str, warning: str) -> None:
    document = parse(f"---\nkept: yes\n{field}\n---\n# H\n")
    assert document.warnings == (f"front matter: {warning}",)
    assert document.metadata.user == {"kept": "yes"}
    assert document.metadata.created_at == "2020-01-01T00:00:00Z"
    assert document.title == "H"


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2024-1-2", "2024-01-02T00:00:00Z"),
        ("2024-01-02 9:30", "2024-01-02T09:30:00Z"),
        ("2024-01-02T09:30:15.5Z", "2024-01-02T09:30:15.500Z"),
        ("2024-01-02 09:30:15 +0900", "2024-01-02T00:30:15Z"),
        ('"2024-01-02"', "2024-01-02T00:00:00Z"),
        ("20240102", "2024-01-02T00:00:00Z"),
    ],
)
def test_dates_as_people_write_them(parse: "Parse", written: str, moment: str) -> None:
    assert parse(f"---\ncreated: {written}\n---\n").metadata.created_at == moment


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("[a, b, a]", ("a", "b")),
        ('"#a #b/c"', ("a", "b/c")),
        ("machine learning, ai", ("machine learning", "ai")),
        ("e\u0301", ("\u00e9",)),
        ("", ()),
        ("null", ()),
    ],
)
def test_tags_as_people_write_them(parse: "Parse", written: str, tags: tuple[str, ...]) -> None:
    document = parse(f"---\ntags: {written}\n---\n")
    assert (document.metadata.tags, document.warnings) == (tags, ())


def test_the_other_name_of_a_key_is_kept_or_stands_in(parse: "Parse") -> None:
    document = parse("---\ndate: 2024-01-01\ncreated: 2023-01-01\nupdated: never\nlastmod: 2025-01-01\n---\n")
    assert document.metadata.created_at == "2023-01-01T00:00:00Z"
    assert document.metadata.updated_at == "2025-01-01T00:00:00Z"
    assert document.metadata.user == {"date": "2024-01-01"}
    assert document.warnings == ("front matter: updated is not a date: 'never'",)


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: Mine\n---\n# H\n", "Mine"),
        ("## Two\n\n# One\n", "One"),
        ("text\n\n### Three\n\n## Two\n", "Three"),
        ("#\n\n## Two\n", "Two"),
        ("# A\u0000\u202e\tb\u00a0 c\n", "A\ufffd b c"),
        ("text\n", "a note"),
        ("# " + "x" * 1000, "x" * 300),
    ],
)
def test_the_title_is_the_best_name_there_is(parse: "Parse", source: str, title: str) -> None:
    assert parse(source).title == title


def test_the_title_may_come_from_the_path(parse: "Parse") -> None:
    assert parse("", path="@src/폴더/할 일.v2.md").title == "할 일.v2"


@pytest.mark.parametrize(
    ("raw", "text", "warning"),
    [
        ("한글".encode("utf-16"), "한글", None),
        ("한글 노트".encode("cp949"), "한글 노트", None),
        (b"\xef\xbb\xbfab", "ab", None),
        (b"a\xffb\xff \xef\xbf\xbd", "a\ufffdb\ufffd \ufffd", "encoding: 2 places could not be read as utf-8"),
        (b"a\x00b\x00", "a\ufffdb\ufffd", "encoding: NUL characters replaced: 2"),
        (b"\xff\xfea\x00\x00\xd8b\x00", "a\ufffdb", "encoding: 1 place could not be read as utf-16-le"),
    ],
)
def test_any_bytes_become_text(parse: "Parse", raw: bytes, text: str, warning: str | None) -> None:
    document = parse(raw)
    assert document.source_text == text
    assert document.blocks[0].text == text
    assert document.warnings == ((warning,) if warning else ())


def test_warnings_are_in_the_provenance_and_bounded(parse: "Parse") -> None:
    document = parse("| a | b |\n|--|\n\n" * 60)
    assert len(document.warnings) == 51
    assert document.warnings[-1] == "and 10 more warnings"
    events = document.provenance
    assert [event.kind for event in events] == ["parsed", *["warning"] * 51]
    assert {event.agent for event in events} == {"kebab.parse.markdown"}
    assert {event.at for event in events} == {"2022-01-01T00:00:00Z"}
    assert events[1].note == "malformed table at line 1"


def test_everything_can_be_stored(parse: "Parse") -> None:
    document = parse('---\ntitle: "a\\0b"\n"k\\0": ["\\0", "\\u2028"]\ntags: ["\\0"]\n---\n# &#xD800; &#0;\n')
    text = json.dumps([document.title, document.metadata.user, document.metadata.tags, document.blocks[1].payload])
    assert "\\u0000" not in text
    assert "\\ud800" not in text
    assert document.metadata.user == {"k\ufffd": ["\ufffd", "\u2028"]}
