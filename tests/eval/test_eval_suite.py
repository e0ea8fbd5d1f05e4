"""Suites: what they may say, on which line they are wrong, and that a bad query costs itself alone."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.errors import InvalidInput
from kebab.core.evaluation import Expectation, Suite
from kebab.eval.suite import read_suite

FULL = """\
name: rice notes
queries:
  - id: ratio
    text: 물 비율은?
    lang: ko
    expected:
      - doc: 쌀/*.md
        heading: 현미밥 > 물
        quote: "1.2컵"
        grade: 2
      - rice.md
    expected_chunk_ids: [9b4a8c1e7d3f2a059b4a8c1e7d3f2a05]
    must_contain: 1.2컵
    forbidden: [백미, white rice]
    variants:
      - 물은 얼마나?
  - text: What is the capital of Mongolia?
    answerable: no
"""


def read(text: str) -> Suite:
    return read_suite(text, "unnamed")


def refused(text: str) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(text)
    return caught.value.message


def test_everything_a_query_may_say() -> None:
    suite = read(FULL)
    assert suite.name == "rice notes"
    assert suite.problems == ()
    ratio, other, foreign = suite.queries
    assert (ratio.query_id, ratio.lang, ratio.group, ratio.line) == ("ratio", "ko", "ratio", 3)
    assert ratio.expected == (
        Expectation("쌀/*.md", "현미밥 > 물", "1.2컵", grade=2),
        Expectation("rice.md"),
        Expectation(chunk_id="9b4a8c1e7d3f2a059b4a8c1e7d3f2a05"),
    )
    assert (ratio.must_contain, ratio.forbidden) == (("1.2컵",), ("백미", "white rice"))
    assert (other.query_id, other.text, other.group) == ("ratio~1", "물은 얼마나?", "ratio")
    assert other.expected == ratio.expected
    assert (foreign.answerable, foreign.expected, foreign.group) == (False, (), None)
    assert foreign.query_id.startswith("q-")


def test_a_list_of_queries_is_a_suite_of_the_file_s_name() -> None:
    suite = read("- {text: one, expected: a.md}\n- {text: two}\n")
    assert (suite.name, [query.text for query in suite.queries]) == ("unnamed", ["one", "two"])


def test_the_digest_is_that_of_what_is_asked_and_not_of_the_layout() -> None:
    plain = read("queries:\n- {id: a, text: one, expected: a.md}\n")
    assert plain.digest == read("# a comment\nqueries:\n  - id: a\n    text: 'one'\n    expected: [a.md]\n").digest
    assert plain.digest != read("queries:\n- {id: a, text: one, expected: b.md}\n").digest
    assert plain.digest != read("queries:\n- {id: a, text: two, expected: a.md}\n").digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: a suite has a list of queries"),
        ("# nothing\n", "line 1: a suite has a list of queries"),
        ("just words", "line 1: a suite has a list of queries"),
        ("name: a\n", "line 1: `queries` must be a list"),
        ("queries: 7\n", "line 1: `queries` must be a list"),
        ("queries: []\n", "line 1: no queries"),
        ("queries:\n- text: a\nqueries:\n- text: b\n", "line 3: `queries` stands here twice"),
        ("name: a\nquerys:\n- text: a\n", "line 2: `querys` is no key here; is it `queries`?"),
        ("queries:\n- text: a\n  b: [\n", "line 4: not YAML"),
        ("queries:\n- text: a\n\t- x: y\n", "line 3: not YAML"),
        ('queries:\n- text: "\\ud800"\n', "line 2:"),
        ("queries:\n- &a {text: a}\n- *a\n", "line 2: anchors and aliases"),
        ("queries:\n- !!python/object:os.system {text: a}\n", "line 2: tags are not supported"),
        ("queries:\n- text: !!str a\n", "line 2: tags are not supported"),
        ("queries:\n- ? [a]\n  : b\n", "line 2: a key must be a word"),
        ("[" * 30_000, "nested more than 8 deep"),
        ("queries:\n  -\n    text: ''\n", "line 3: `text` must be text"),
        ("\x00", "not YAML"),
    ],
)
def test_a_broken_suite_is_refused_with_its_line(text: str, said: str) -> None:
    assert said in refused(text)


def test_a_suite_beyond_its_limits_is_refused() -> None:
    assert "larger than 8 MB" in refused("queries:\n- text: a\n#" + "x" * (8 * 1024 * 1024))
    assert "more than 20000 queries" in refused("queries:\n" + "- {text: a}\n" * 20_001)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("{txt: a}", "`txt` is no key here; is it `text`?"),
        ("{id: x}", "a query needs a `text`"),
        ("just words", "a query has a `text`"),
        ("{text: '  '}", "`text` must be text"),
        ("{text: [a]}", "`text` must be text"),
        ("{text: a, id: 'b c'}", "`id` must be"),
        ("{text: a, id: b~1}", "`id` must be"),
        ("{text: a, answerable: perhaps}", "`answerable` must be true or false"),
        ("{text: a, answerable: no, expected: a.md}", "cannot expect anything"),
        ("{text: a, expected: [{grade: 2}]}", "what is expected needs doc"),
        ("{text: a, expected: [{dok: a.md}]}", "`dok` is no key here; is it `doc`?"),
        ("{text: a, expected: [[a.md]]}", "what is expected is a path"),
        ("{text: a, expected: [{doc: a.md, grade: 11}]}", "`grade` must be a whole number from 1 to 10"),
        ("{text: a, expected_chunk_ids: [xyz]}", "'xyz' is no id"),
        ("{text: a, text: b}", "`text` stands here twice"),
        ("{text: " + "a" * 4001 + "}", "longer than 4000 characters"),
    ],
)
def test_a_bad_query_is_told_with_its_line_and_costs_itself_alone(query: str, said: str) -> None:
    suite = read(f"queries:\n- {{id: good, text: one}}\n- {query}\n- {{id: last, text: two}}\n")
    assert [each.query_id for each in suite.queries] == ["good", "last"]
    (problem,) = suite.problems
    assert problem.line == 3
    assert said in problem.message


def test_a_name_that_is_taken_is_told_with_where() -> None:
    suite = read("queries:\n- {id: a, text: one}\n- {id: a, text: two}\n- {id: b, text: three}\n")
    assert [query.text for query in suite.queries] == ["one", "three"]
    assert suite.problems[0].message == "the query `a` is there already, on line 2"


def test_keys_without_a_value_say_nothing() -> None:
    (query,) = read("queries:\n- text: a\n  lang:\n  expected: ~\n  variants: null\n").queries
    assert (query.lang, query.expected) == (None, ())


def test_words_stay_what_was_written() -> None:
    (query,) = read("queries:\n- text: no\n  must_contain: [12:30:45, yes, 007]\n").queries
    assert (query.text, query.must_contain) == ("no", ("12:30:45", "yes", "007"))


@given(st.text(max_size=200))
def test_any_text_is_a_suite_or_an_error_that_is_told(text: str) -> None:
    with suppress(InvalidInput):
        assert read(text).queries
