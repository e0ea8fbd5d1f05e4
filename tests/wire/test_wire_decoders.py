"""What is read back from the wire encodes to the very same object again, bytes and all."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_samples import ANSWERS, CITATIONS, RESULTS, SCHEMAS, SUMMARY, TIME, bare_hit, chunk, hit

from answer_samples import judged
from kebab.core.answer import AnswerReady, RetrievalDone, TokenArrived
from kebab.core.archive import CitationCheck, CitationStatus, VerifyReport
from kebab.core.citation import CodeCitation, LineCitation
from kebab.core.errors import ERROR_CODES, ERRORS, InvalidInput, KebabError
from kebab.core.fetching import FetchKind, FetchResult
from kebab.core.inspection import DocPage, SymbolRow
from kebab.core.query import Freshness, RetrievalDetail, SearchMode, SearchResult, Timing, Trace, TracedChunk
from kebab.core.span import CodePlace, PagePlace, TimePlace
from kebab.wire.answer import encode_answer, encode_answer_events
from kebab.wire.archive import encode_verify_report
from kebab.wire.citation import encode_citation
from kebab.wire.decode_answer import decode_answer, decode_answer_event, decode_verify_report
from kebab.wire.decode_library import decode_doc_list, decode_fetch, decode_schema, decode_symbols
from kebab.wire.decode_search import decode_citation, decode_response
from kebab.wire.documents import encode_doc_list
from kebab.wire.error import decode_error, encode_error
from kebab.wire.fetch import encode_fetch
from kebab.wire.introspection import encode_schema
from kebab.wire.search import encode_response
from kebab.wire.symbols import encode_symbols
from kebab.wire.value import Json
from wire_schemas import check

VERSION = "fts-v1"


def sent(value: Json) -> Any:
    """As it arrives."""
    return json.loads(json.dumps(value))


def text(value: Json) -> str:
    return json.dumps(value)


@pytest.mark.parametrize("citation", CITATIONS)
def test_a_citation_reads_back_as_it_was(citation: Any) -> None:
    value = encode_citation(citation, indexed_at=TIME, stale=False)
    assert decode_citation(sent(value)) == citation


numbers = st.floats(allow_nan=False, allow_infinity=False)
ranks = st.none() | st.integers(1, 1000)
details = st.builds(RetrievalDetail, st.sampled_from(SearchMode), numbers, st.none() | numbers, numbers, ranks, ranks)
traced = st.lists(st.builds(TracedChunk, st.just("0" * 32), st.just("a b.md"), details), max_size=3).map(tuple)
hits = st.builds(
    hit,
    score=numbers,
    title=st.text(),
    snippet=st.text(),
    highlights=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=3).map(tuple),
    citation=st.sampled_from(CITATIONS),
    retrieval=details,
    freshness=st.sampled_from(Freshness),
    section_label=st.none() | st.text(),
    repo=st.none() | st.text(),
)


@given(
    found=st.lists(hits, max_size=3).map(tuple),
    model=st.none() | st.text(),
    trace=st.none() | st.builds(Trace, traced, traced, traced, st.just(Timing(1, 2, 3, 4)), st.integers(1, 99)),
    cursor=st.none() | st.text(min_size=1),
)
def test_a_search_response_reads_back_to_the_same_bytes(
    found: Any, model: str | None, trace: Trace | None, cursor: str | None
) -> None:
    result = SearchResult(found, SearchMode.HYBRID, "why", None, embedding_model=model, next_cursor=cursor, trace=trace)
    value = encode_response(result, VERSION)
    back = decode_response(sent(value))
    assert text(encode_response(back, VERSION)) == text(value)
    assert back.mode == (found[0].retrieval.method if found else SearchMode.HYBRID)
    assert back.trace == trace


@pytest.mark.parametrize("result", RESULTS)
def test_the_samples_of_results_read_back(result: SearchResult) -> None:
    value = encode_response(result, VERSION)
    assert text(encode_response(decode_response(sent(value)), VERSION)) == text(value)


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_with_its_evidence_reads_back_to_the_same_bytes(answer: Any) -> None:
    value = encode_answer(answer, evidence=True)
    check(value)
    back = decode_answer(sent(value))
    assert text(encode_answer(back, evidence=True)) == text(value)
    assert text(encode_answer(back)) == text(encode_answer(answer))


def test_an_answer_without_a_question_for_evidence_carries_none() -> None:
    assert "evidence" not in encode_answer(judged())


def test_a_statement_reads_back_with_the_markers_that_are_left_out_of_its_words() -> None:
    answer = judged()
    back = decode_answer(sent(encode_answer(answer, evidence=True)))
    assert [each.text for each in back.statements] == [each.text for each in answer.statements]


def test_a_stream_of_an_answer_reads_back_event_by_event() -> None:
    events = [
        RetrievalDone(TIME, (hit(), bare_hit())),
        TokenArrived(TIME, "물 1.2"),
        TokenArrived(TIME, " [1]."),
        AnswerReady(TIME, judged()),
    ]
    values = list(encode_answer_events(events, VERSION, evidence=True))
    back = [decode_answer_event(sent(value)) for value in values]
    assert text({"all": list(encode_answer_events(back, VERSION, evidence=True))}) == text({"all": values})


def test_a_check_of_an_answer_reads_back() -> None:
    cited = judged().citations[0]
    checks = tuple(CitationCheck(cited, status, "why", None) for status in CitationStatus)
    moved = CitationCheck(cited, CitationStatus.MOVED, "why", LineCitation("a.md", 3, 4))
    value = encode_verify_report(VerifyReport("ret_1", (*checks, moved)))
    assert text(encode_verify_report(decode_verify_report(sent(value)))) == text(value)


def test_lists_and_the_schema_report_read_back() -> None:
    for page in (DocPage((SUMMARY,), 9, "next"), DocPage((), 0)):
        assert decode_doc_list(sent(encode_doc_list(page))) == page
    assert decode_doc_list({"docs": []}) == DocPage((), 0), "as an older kebab sends it"
    rows = [SymbolRow("open", "Store.open", "function", 3, 9, "a.py", "python", None)]
    assert decode_symbols(sent(encode_symbols(rows))) == rows
    for report in SCHEMAS:
        value = encode_schema(report)
        assert text(encode_schema(decode_schema(sent(value)))) == text(value)


@pytest.mark.parametrize("place", [None, CodePlace(None, "go"), PagePlace(2, 0, 9), TimePlace(1, 2)])
def test_a_fetched_text_reads_back(place: Any) -> None:
    one = chunk()._replace(place=place)
    head = FetchResult(FetchKind.CHUNK, "0" * 32, "a.py", "primary", TIME, stale=False, freshness=Freshness.FRESH)
    for result in (
        FetchResult(**{**_fields(head), "chunk": one, "context_before": (one,), "citation": CodeCitation("a", 1, 2)}),
        FetchResult(**{**_fields(head), "kind": FetchKind.SPAN, "text": "", "line_start": 1, "line_end": 2}),
    ):
        value = encode_fetch(result)
        assert text(encode_fetch(decode_fetch(sent(value)))) == text(value)


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def test_an_error_reads_back_as_the_class_of_its_code() -> None:
    error = decode_error(sent(encode_error(InvalidInput("no", hint="do", field="k"))))
    assert isinstance(error, InvalidInput)
    assert (error.message, error.hint, error.details) == ("no", "do", {"field": "k"})
    assert type(decode_error({"code": "of_tomorrow", "message": "m", "details": {}})) is KebabError


def test_every_code_but_the_generic_one_has_a_class() -> None:
    assert set(ERRORS) == set(ERROR_CODES) - {"generic"}
