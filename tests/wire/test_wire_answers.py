"""What the encoders of answers decide: the form of markers, whose lines a quote has, and what is null or absent."""

from collections.abc import Iterable
from typing import Any

import pytest
from wire_samples import SUMMARIES

from answer_samples import NOTE, TIME, answer, bare, cited, gated, hit, judged, judged_absent, quote
from kebab.core.answer import AnswerEvent, AnswerReady, RetrievalDone, TokenArrived
from kebab.core.archive import ChatSession, ChatTurn, CitationCheck, CitationStatus, VerifyReport
from kebab.core.citation import LineCitation
from kebab.core.query import Freshness
from kebab.wire.answer import encode_answer, encode_answer_events
from kebab.wire.archive import encode_answer_list, encode_session, encode_session_list, encode_verify_report
from kebab.wire.citation import encode_citation
from kebab.wire.search import encode_hit


def events(*given: AnswerEvent) -> list[Any]:
    return list(encode_answer_events(given, "v1.0"))


def tokens(pieces: Iterable[str]) -> list[AnswerEvent]:
    return [TokenArrived(TIME, piece) for piece in pieces]


def test_markers_have_the_same_form_in_the_text_the_citations_and_the_statements() -> None:
    value: Any = encode_answer(judged())
    assert value["answer"].startswith("heading boundary 우선 [1]. code block 중간 분할 금지 [2].")
    assert [each["marker"] for each in value["citations"]] == ["[1]", "[2]"]
    assert value["statements"][0]["text"] == "heading boundary 우선 [1]."
    assert [each["markers"] for each in value["statements"]] == [["[1]"], ["[1]"], ["[2]"], ["[2]"], []]
    assert "#1]" not in str(value)


def test_a_quote_stands_at_its_own_lines_with_the_state_of_its_document() -> None:
    value: Any = encode_answer(judged())
    first = quote(662)
    words = {"text": first.text, "start": first.start, "end": first.end}
    assert value["statements"][0]["quotes"] == [
        {
            "marker": "[1]",
            "citation": {
                **encode_citation(first.citation, indexed_at=TIME, stale=False, freshness=Freshness.FRESH),
                "quote": words,
            },
        }
    ]
    assert value["citations"][0]["citation"]["uri"] == f"{NOTE}#L661-L672"
    assert value["citations"][0]["citation"]["quote"] == words
    assert "quote" not in value["citations"][1]["citation"]
    assert "score" not in value["citations"][0], "only a candidate has one"


def test_a_quote_of_a_passage_that_is_not_known_is_left_out() -> None:
    value: Any = encode_answer(answer(statements=judged().statements, evidence=()))
    assert [each["quotes"] for each in value["statements"]] == [[], [], [], [], []]


def test_a_plain_answer_has_the_fields_of_the_design_and_no_more_nulls_than_that() -> None:
    value: Any = encode_answer(answer())
    assert value["refusal_reason"] is None
    assert [name for name, field in value.items() if field is None] == ["refusal_reason"]
    assert not {"conversation_id", "turn_index", "hops", "verification", "hint"} & value.keys()
    assert value["model"] == {"id": "qwen2.5:14b-instruct", "provider": "ollama"}
    assert value["embedding"] == {"id": "multilingual-e5-large", "provider": "fastembed", "dimensions": 1024}
    assert value["retrieval"] == {
        "trace_id": "ret_4a8b2c1e",
        "mode": "hybrid",
        "k": 8,
        "score_gate": 0.30,
        "top_score": 0.82,
        "chunks_returned": 8,
        "chunks_used": 3,
    }
    assert value["usage"] == {"prompt_tokens": 1184, "completion_tokens": 312, "latency_ms": 1842}


def test_what_was_verified_and_where_it_hopped_is_told_when_it_was() -> None:
    value: Any = encode_answer(judged())
    assert value["hops"][0] == {
        "iter": 0,
        "kind": "decompose",
        "sub_queries": ["heading?", "표?"],
        "context_chunks_added": 0,
        "forced_stop": False,
        "llm_call_ms": 812,
    }
    assert value["verification"] == {"nli_score": 0.62, "nli_threshold": 0.5, "nli_passed": True}
    assert (value["conversation_id"], value["turn_index"]) == ("회의", 2)
    assert value["retrieval"]["evidence_score"] == 0.74
    assert encode_answer(answer(turn_index=0))["turn_index"] == 0


@pytest.mark.parametrize(("given", "scores"), [(gated(), [0.21]), (judged_absent(), [0.61, 0.58])])
def test_a_candidate_has_a_score_and_no_marker(given: Any, scores: list[float]) -> None:
    value: Any = encode_answer(given)
    assert [(each["marker"], each["score"]) for each in value["citations"]] == [(None, score) for score in scores]
    assert value["grounded"] is False


def test_an_answer_does_not_tell_where_files_lie() -> None:
    assert "/kb/" not in str(encode_answer(judged()))
    assert encode_answer(bare())["hint"] == "run `kebab ingest` first"


def test_a_stream_is_hits_then_tokens_then_the_answer() -> None:
    found = hit(1, "a.md", (1, 2), (1, 1, 1))
    first, *middle, last = events(RetrievalDone(TIME, (found,)), *tokens(["우", "선"]), AnswerReady(TIME, answer()))
    head = {"schema_version": "answer_event.v1", "ts": TIME}
    assert first == {**head, "kind": "retrieval_done", "hits": [encode_hit(found, "v1.0")]}
    assert middle == [{**head, "kind": "token", "delta": piece} for piece in ("우", "선")]
    assert last == {**head, "kind": "final", "answer": encode_answer(answer())}


def test_a_marker_in_pieces_is_sent_whole_and_nothing_is_lost() -> None:
    sent = events(*tokens(["a [", "#", "1", "2]", "", " b ["]), AnswerReady(TIME, answer()))
    assert [each.get("delta") for each in sent] == ["a ", "[12]", " b ", "[", None]


def test_a_list_counts_the_citations_and_keeps_a_null_reason() -> None:
    value: Any = encode_answer_list(SUMMARIES[:2])
    grounded, refused = value["answers"]
    assert (grounded["refusal_reason"], refused["refusal_reason"]) == (None, "score_gate")
    assert (grounded["citation_count"], grounded["turn_index"]) == (2, 2)
    assert "conversation_id" not in refused
    assert "[1]" in grounded["answer"]


def test_a_session_lists_its_turns_and_has_a_title_once_it_has_one() -> None:
    session = ChatSession("s", None, TIME, TIME, {"llm": "m"}, 1)
    turn = ChatTurn("0" * 32, 0, "q", "a [#1]", (cited("[#1]", (1, 2)),), TIME)
    value: Any = encode_session(session, [turn])
    assert "title" not in value
    assert (value["config"], value["turn_count"]) == ({"llm": "m"}, 1)
    assert value["turns"][0]["answer"] == "a [1]"
    assert value["turns"][0]["citations"][0]["marker"] == "[1]"
    listed: Any = encode_session_list([session._replace(title="q")])
    assert listed["sessions"] == [
        {"session_id": "s", "title": "q", "turn_count": 1, "created_at": TIME, "updated_at": TIME}
    ]


def test_a_check_names_the_lines_of_its_quote() -> None:
    quoted = cited("[#1]", (661, 672), quote=quote(663))
    found = LineCitation(NOTE, 700, 700)
    report = VerifyReport(
        "ret_1",
        (
            CitationCheck(quoted, CitationStatus.MOVED, "now at L700", found),
            CitationCheck(gated().citations[0], CitationStatus.INTACT, "the file is unchanged"),
        ),
    )
    value: Any = encode_verify_report(report)
    moved, intact = value["checks"]
    assert value["ok"] is False
    assert (moved["marker"], moved["path"], moved["status"]) == ("[1]", NOTE, "moved")
    assert (moved["citation"]["uri"], moved["found"]["uri"]) == (f"{NOTE}#L663", f"{NOTE}#L700")
    assert moved["citation"]["quote"]["text"] == quote(663).text
    assert (intact["marker"], intact["found"]) == (None, None)
    assert encode_verify_report(VerifyReport("ret_1", report.checks[1:]))["ok"] is True
