"""What counts as a plan: one JSON object with exactly its fields, whatever is written around it, and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.rag.planning import LONGEST_SUB_QUERY, MOST_SUB_QUERIES, decided, decomposed, distinct

PLAN = '{"sub_queries": ["a b?", "c d?"]}'


@pytest.mark.parametrize(
    "reply",
    [
        PLAN,
        f"```json\n{PLAN}\n```",
        f"Here is the plan {{as asked}}:\n\n{PLAN}\n\nI hope this helps {{}}.",
        f"{PLAN}\n{PLAN}",
        '{"sub_queries": ["a b?", "  c\\n d? ", "A B", ""]}',
        '{"sub_queries": [\n  "a b?",\n  "c d?"\n]}',
    ],
)
def test_a_plan_is_read_through_what_stands_around_it(reply: str) -> None:
    assert decomposed(reply) == ("a b?", "c d?")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "a b? c d?",
        '["a b?"]',
        "{'sub_queries': ['a b?']}",
        '{"sub_queries": ["a b?",]}',
        '{"sub_queries": ["a b?"',
        '{"sub_queries": "a b?"}',
        '{"sub_queries": ["a b?", 1]}',
        '{"sub_queries": ["a b?", null]}',
        '{"sub_queries": [["a b?"]]}',
        '{"sub_queries": {"a b?": 1}}',
        '{"queries": ["a b?"]}',
        '{"sub_queries": ["a b?"], "note": "x"}',
        '{"plan": {"sub_queries": ["a b?"]}}',
        '{"sub_queries": []}',
        '{"sub_queries": ["", " ", "?"]}',
        f'{PLAN} or {{"sub_queries": ["e"]}}',
        '{"error": "model overloaded"}',
        "{" * 100_000,
        '{"a":' * 5_000,
        '{"sub_queries": ["a"], "n": ' + "9" * 5_000 + "}",
    ],
)
def test_anything_else_is_no_plan(reply: str) -> None:
    assert decomposed(reply) is None


def test_a_decision_is_to_stop_or_to_search() -> None:
    assert decided('{"kind": "stop", "sub_queries": []}') == ()
    assert decided('{"kind": "stop", "sub_queries": ["x y?"]}') == ()
    assert decided('so: {"kind": "search", "sub_queries": ["x y?"]}') == ("x y?",)
    assert decided('{"kind": "search", "sub_queries": []}') == ()
    for reply in (
        '{"kind": "go", "sub_queries": []}',
        '{"kind": "stop"}',
        PLAN,
        "stop",
        '{"kind": 1, "sub_queries": []}',
    ):
        assert decided(reply) is None


def test_too_many_and_too_long_ones_are_cut() -> None:
    reply = json.dumps({"sub_queries": [f"{number} " + "x" * 999 for number in range(9)]})
    queries = decomposed(reply)
    assert queries is not None
    assert [query[0] for query in queries] == ["0", "1", "2", "3", "4"]
    assert (len(queries), {len(query) for query in queries}) == (MOST_SUB_QUERIES, {LONGEST_SUB_QUERY})


def test_queries_that_differ_in_case_or_marks_are_one() -> None:
    assert distinct(["Who?", "who", "WHO ?", "\u110b\u1161", "아"]) == ("Who?", "\u110b\u1161")
    assert distinct(["a", "b", "c"], known=["B?"]) == ("a", "c")


@given(st.text(alphabet='{}[]":, \n\\asub_queriknd0', max_size=80))
def test_no_reply_upsets_it(reply: str) -> None:
    for read in (decomposed, decided):
        queries = read(reply)
        assert queries is None or all(isinstance(query, str) and query for query in queries)


@given(st.lists(st.text(max_size=20), max_size=8), st.sampled_from(["", "```\n", "Sure: ", "{ "]))
def test_whatever_is_asked_for_comes_back(queries: list[str], before: str) -> None:
    wanted = distinct(" ".join(query.split()) for query in queries)[:MOST_SUB_QUERIES]
    assert decomposed(before + json.dumps({"sub_queries": queries})) == (wanted or None)
