"""Answers on record: they come back as they were given, the oldest make room, and any beginning of an id finds them."""

import dataclasses
from typing import Any

import pytest
from store_bench import Index

from answer_samples import TIME, answer, bare, cited, gated, judged, judged_absent, stopped, traced
from kebab.core.answer import Answer, AnswerCitation, RefusalReason
from kebab.core.archive import AnswerSummary, RecordedAnswer
from kebab.core.asset import TrustLevel
from kebab.core.citation import (
    CaptionCitation,
    Citation,
    CodeCitation,
    LineCitation,
    PageCitation,
    RegionCitation,
    TimeCitation,
)
from kebab.core.errors import IndexLocked, IoFailure
from kebab.core.query import Filters, Freshness
from kebab.store import answers, connection
from kebab.store.store import Store

SUMS = {"notes/a.md": "ab" * 32}
PLACES: list[Citation] = [
    LineCitation("a.md", 1, 2),
    LineCitation("a.md", 1, 2, "§1"),
    PageCitation("b.pdf", 3, "§2"),
    RegionCitation("c.png", 0, 1, 2, 3),
    CaptionCitation("c.png", "qwen"),
    TimeCitation("d.mp3", 0, 10, "김"),
    CodeCitation("e.rs", 3, 9, "fn main", "rust"),
]


def as_kept(given: Answer) -> Answer:
    """Without what is not worth its room: snippets, and the text of passages that no marker names."""
    numbers = {number for statement in given.statements for number in statement.markers}
    numbers |= {each.number for each in given.evidence if any(each.marker == c.marker for c in given.citations)}
    kept = []
    for each in given.evidence:
        hit = dataclasses.replace(each.hit, snippet="", snippet_full_text=False, highlights=())
        kept.append(each._replace(hit=hit, text=each.text if each.number in numbers else ""))
    return dataclasses.replace(given, evidence=tuple(kept))


def one(index: Index, reference: str) -> RecordedAnswer:
    (found,) = index.store.answers.find(reference)
    return found


def ids(index: Index, **options: Any) -> list[str]:
    return [summary.trace_id for summary in index.store.answers.list(100, **options)]


@pytest.mark.parametrize("given", [answer(), judged(), gated(), judged_absent(), stopped(), bare()])
def test_an_answer_comes_back_as_it_was_given(index: Index, given: Answer) -> None:
    filters = Filters(tags=("a", "나"), trust_min=TrustLevel.SECONDARY, ingested_after=TIME, doc_ids=("x",))
    index.store.answers.record(given, SUMS, filters)
    assert one(index, given.retrieval.trace_id) == RecordedAnswer(as_kept(given), SUMS, filters)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: type(place).__name__)
def test_every_kind_of_place_comes_back(index: Index, place: Citation) -> None:
    given = answer(citations=(AnswerCitation("[#1]", place, TIME, True, Freshness.UNKNOWN, None, 0.5),))
    index.store.answers.record(given, {})
    assert one(index, "ret_4a8b2c1e").answer.citations == given.citations


def test_the_text_of_a_passage_is_kept_only_if_it_was_cited(index: Index) -> None:
    index.store.answers.record(answer(citations=(cited("[1]", (661, 672)),)), {})
    first, second, third = one(index, "ret_4a8b2c1e").answer.evidence
    assert first.text.startswith("## 14. Chunking 정책")
    assert (second.text, third.text) == ("", "")


def test_a_summary_has_what_a_list_shows(index: Index) -> None:
    given = judged()
    index.store.answers.record(given, {})
    assert index.store.answers.list(1) == [
        AnswerSummary(
            given.retrieval.trace_id, given.question, given.answer, True, None, given.model, 2, TIME, "회의", 2
        )
    ]
    index.store.answers.record(gated(), {})
    refused = next(each for each in index.store.answers.list(9) if not each.grounded)
    assert (refused.refusal_reason, refused.citations) == (RefusalReason.SCORE_GATE, 0), "a candidate is no citation"


def test_the_newest_comes_first_and_answers_and_refusals_are_told_apart(index: Index) -> None:
    for number, grounded in ((2, True), (1, False), (3, True)):
        moment = f"2026-01-01T00:00:0{number}Z"
        index.store.answers.record(traced(f"ret_{number}", created_at=moment, grounded=grounded), {})
    index.store.answers.record(traced("ret_4", created_at="2026-01-01T00:00:03Z"), {})
    assert ids(index) == ["ret_4", "ret_3", "ret_2", "ret_1"]
    assert (ids(index, grounded=True), ids(index, grounded=False)) == (["ret_4", "ret_3", "ret_2"], ["ret_1"])
    assert len(index.store.answers.list(2)) == 2


def test_any_beginning_of_an_id_finds_it(index: Index) -> None:
    for trace_id in ("ret_4a8b", "ret_4a8b2c1e", "ret_4acc", "ret_99%_"):
        index.store.answers.record(traced(trace_id), {})

    def found(reference: str) -> list[str]:
        return sorted(each.answer.retrieval.trace_id for each in index.store.answers.find(reference))

    assert found("ret_4a8b") == ["ret_4a8b"], "the whole id is not taken for a beginning"
    assert found("4ac") == found("ret_4ac") == ["ret_4acc"]
    assert len(found("4a")) == len(found("ret_4")) == 2
    assert found("4a8b2") == ["ret_4a8b2c1e"]
    for nothing in ("", "ret_", "ret_5", "4A8B2", "%", "*", "ret_4a8b2c1e0", "' OR 1"):
        assert found(nothing) == [], nothing
    assert found("99%") == ["ret_99%_"]


def test_the_oldest_make_room(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers.KEPT_ANSWERS == 1000
    monkeypatch.setattr(answers, "KEPT_ANSWERS", 3)
    for number in (5, 1, 4, 2, 3):
        index.store.answers.record(traced(f"ret_{number}", created_at=f"2026-01-01T00:00:0{number}Z"), {})
    assert ids(index) == ["ret_5", "ret_4", "ret_3"]


def test_an_answer_recorded_twice_is_there_once(index: Index) -> None:
    index.store.answers.record(answer(), {})
    index.store.answers.record(answer(answer="again"), {})
    assert [each.answer for each in index.store.answers.list(9)] == ["again"]


def test_what_is_not_text_is_recorded_as_far_as_it_is(index: Index) -> None:
    index.store.answers.record(answer(question="half \ud83d", answer="a pair \ud83d of [#1] 가"), {})
    found = one(index, "ret_4a8b2c1e").answer
    assert (found.question, found.answer) == ("half ?", "a pair ? of [#1] 가")


def test_every_column_of_the_table_is_read_back(index: Index) -> None:
    columns = [row[1] for row in index.database.rows("PRAGMA table_info(answers)")]
    assert set(columns) - set(answers._COLUMNS) == {"packed_chunks_json"}
    index.store.answers.record(judged(), {})
    packed = index.database.scalar("SELECT packed_chunks_json FROM answers")
    assert packed == f'["{1:032x}", "{2:032x}", "{3:032x}"]'


def test_an_answer_is_recorded_beside_an_open_writer(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "NOTE_TIMEOUT_MS", 20)
    with Store.note_taker(index.path) as notes:
        assert notes.has_answers
        notes.answers.record(answer(), SUMS)
        with index.database.transaction(), pytest.raises(IndexLocked):
            notes.answers.record(traced("ret_2"), SUMS)
    assert ids(index) == ["ret_4a8b2c1e"]


def test_a_reader_cannot_record(index: Index) -> None:
    with Store.reader(index.path) as reader, pytest.raises(IoFailure):
        reader.answers.record(answer(), {})
