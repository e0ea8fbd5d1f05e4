"""An answer in several hops: what is searched for in which order, what ends it, and what is kept of the way."""

import pytest
from hop_bench import OFF_TOPIC, QUESTION, SAID, STOP, canceled_after, parts, search_for, world

from kebab.core.answer import AnswerReady, Question, RefusalReason, RetrievalDone, TokenArrived, Turn
from kebab.core.errors import InvalidInput, ModelUnreachable
from kebab.rag.multihop import MAX_DEPTH

WHO, WHERE = "Who wrote Killing Pablo?", "Where was Mark Bowden born?"


def test_the_parts_of_a_question_are_searched_for_and_answered_together() -> None:
    told = world(parts(WHO, WHERE), STOP, SAID)
    retrieved, *tokens, ready = told.events()
    assert told.queries == [QUESTION, WHO, WHERE]
    assert isinstance(retrieved, RetrievalDone)
    assert [(hit.doc_id, hit.rank) for hit in retrieved.hits] == [("pablo", 1), ("bowden", 2), ("rice", 3)]
    assert "".join(token.delta for token in tokens if isinstance(token, TokenArrived)) == SAID
    assert isinstance(ready, AnswerReady)
    answer = ready.answer
    assert (answer.grounded, answer.prompt_template_version) == (True, "rag-multi-hop-v1")
    assert [cited.citation.path for cited in answer.citations] == ["bowden.md"]
    assert (answer.retrieval.chunks_returned, answer.retrieval.chunks_used) == (3, 3)
    assert answer.hops is not None
    assert [(hop.iteration, hop.kind) for hop in answer.hops] == [(0, "decompose"), (1, "decide"), (2, "synthesize")]


def test_every_hop_says_what_it_asked_and_what_came_of_it() -> None:
    answer = world(parts(WHO, WHERE), search_for("In which state is Boston?"), STOP, SAID).answer()
    first, second, third, last = answer.hops or ()
    assert (first.sub_queries, first.context_chunks_added) == ((WHO, WHERE), 1)
    assert first.chunk_ids == ((), ("bowden#1",))
    assert (second.sub_queries, second.chunk_ids) == (("In which state is Boston?",), (("boston#1",),))
    assert (third.sub_queries, third.chunk_ids, third.context_chunks_added) == ((), (), 0)
    assert (last.kind, last.iteration, last.sub_queries) == ("synthesize", 3, ())
    assert not any(hop.forced_stop for hop in answer.hops or ())


def test_what_planning_took_is_counted() -> None:
    answer = world(parts(WHERE), STOP, SAID).answer()
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (30, 9)
    assert world(parts()).answer().usage[:2] == (10, 3)


def test_a_sub_question_gets_places_beside_a_question_that_finds_much() -> None:
    told = world(parts(WHERE), STOP, "x")
    for number in range(9):
        told.library.texts[f"d{number}"] = f"Killing Pablo is mentioned here {number}."
    told.knows("Killing Pablo", *(f"d{number}" for number in range(9)))
    answer = told.answer()
    assert len(answer.evidence) == 8
    assert [each.hit.doc_id for each in answer.evidence[:3]] == ["d0", "bowden", "d1"]


def test_what_was_searched_for_is_not_searched_for_again() -> None:
    told = world(parts(QUESTION, WHERE), search_for("where was  MARK BOWDEN born"), SAID)
    answer = told.answer()
    assert told.queries == [QUESTION, WHERE]
    assert [hop.sub_queries for hop in answer.hops or ()] == [(QUESTION, WHERE), (), ()]
    assert (answer.hops or ())[0].chunk_ids == ((), ("bowden#1",))


def test_a_model_that_never_has_enough_is_stopped() -> None:
    told = world(parts(WHERE), *(search_for(f"Boston {number}?") for number in range(9)))
    told.model.replies = [*told.model.replies[: 1 + MAX_DEPTH], SAID]
    answer = told.answer()
    assert told.queries == [QUESTION, WHERE, "Boston 0?", "Boston 1?", "Boston 2?"]
    assert [hop.forced_stop for hop in answer.hops or ()] == [False, False, False, True, False]
    assert answer.grounded


def test_looking_for_more_ends_when_enough_was_seen() -> None:
    told = world(parts("many one?", "many two?"), SAID)
    for number in range(16):
        told.library.texts[f"d{number}"] = f"Passage {number}."
    told.knows("many one", *(f"d{number}" for number in range(8)))
    told.knows("many two", *(f"d{number}" for number in range(8, 16)))
    answer = told.answer(Question(QUESTION, k=2, multi_hop=True))
    assert [(hop.kind, hop.forced_stop) for hop in answer.hops or ()] == [("decompose", True), ("synthesize", False)]
    assert answer.retrieval.chunks_returned == 4


@pytest.mark.parametrize("reply", ["", "I cannot do that.", '{"error": "overloaded"}', parts(), '{"sub_queries": [1]}'])
def test_where_a_question_is_not_taken_apart_there_is_no_answer(reply: str) -> None:
    told = world(reply)
    answer = told.answer()
    assert answer.refusal_reason is RefusalReason.MULTI_HOP_DECOMPOSE_FAILED
    assert [(hop.kind, hop.sub_queries) for hop in answer.hops or ()] == [("decompose", ())]
    assert (len(told.model.prompts), told.queries) == (1, [QUESTION])


def test_a_decision_that_cannot_be_read_ends_the_search() -> None:
    answer = world(parts(WHERE), "more, please", SAID).answer()
    assert answer.grounded
    assert [(hop.kind, hop.sub_queries) for hop in answer.hops or ()][1] == ("decide", ())


def test_nothing_on_the_topic_is_refused_before_an_answer_is_written() -> None:
    told = world(parts("What is rice?", "And tea?")).knows("Killing Pablo", "rice", features=OFF_TOPIC)
    answer = told.answer()
    assert answer.refusal_reason is RefusalReason.SCORE_GATE
    assert (len(told.model.prompts), len(answer.citations)) == (1, 1)
    assert [hop.context_chunks_added for hop in answer.hops or ()] == [0]
    told = world(parts("What is tea?"))
    told.results.clear()
    assert told.answer().refusal_reason is RefusalReason.NO_CHUNKS


def test_a_part_on_the_topic_is_enough_and_only_what_is_on_the_topic_is_shown() -> None:
    told = world(parts("What is rice?", WHERE), STOP, "Mark Bowden was born in Boston [#1].")
    told.knows("Killing Pablo", "rice", features=OFF_TOPIC).knows("What is rice", "rice", features=OFF_TOPIC)
    answer = told.answer()
    assert answer.grounded
    assert (answer.hops or ())[0].chunk_ids == ((), ("bowden#1",))
    assert [each.hit.doc_id for each in answer.evidence] == ["bowden"]
    assert answer.retrieval.top_score >= answer.retrieval.score_gate


def test_a_model_that_fails_says_so_itself() -> None:
    failure = ModelUnreachable("no server", hint="run `ollama serve`")
    for replies in ([failure], [parts(WHERE), failure], [parts(WHERE), STOP, failure]):
        with pytest.raises(ModelUnreachable):
            world(*replies).answer()


@pytest.mark.parametrize("calls", range(40))
def test_it_can_be_stopped_anywhere(calls: int) -> None:
    told = world(parts(WHERE), search_for("Where is Boston?"), STOP, SAID)
    told.canceled = canceled_after(calls)
    answer = told.answer()
    assert answer.refusal_reason is RefusalReason.LLM_STREAM_ABORTED
    assert told.model.closed == len(told.model.prompts)


def test_a_plan_that_is_stopped_is_read_no_further() -> None:
    told = world(parts(WHERE))
    told.canceled = canceled_after(3)
    answer = told.answer()
    assert (told.queries, len(told.model.prompts), told.model.closed) == ([QUESTION], 1, 1)
    assert [(hop.kind, hop.sub_queries) for hop in answer.hops or ()] == [("decompose", ())]
    told = world()
    told.canceled = canceled_after(0)
    assert (told.answer().hops, told.model.prompts) == ((), [])


def test_what_was_said_before_helps_to_take_a_question_apart() -> None:
    told = world(parts(WHERE), STOP, SAID)
    history = [Turn("Who wrote Killing Pablo?", "Mark Bowden wrote it [#1].")]
    told.answer(Question("And where was he born?", k=4, multi_hop=True), history)
    assert told.queries[0] == "And where was he born? Mark Bowden wrote it."
    decompose, decide, synthesize = told.model.prompts
    assert "Mark Bowden wrote it" in decompose.user
    assert "Mark Bowden wrote it" not in decide.user
    assert "Mark Bowden wrote it" in synthesize.user
    assert "Mark Bowden was born in Boston." in decide.user
    assert "- Where was Mark Bowden born?" in decide.user
    assert (decompose.max_tokens, decompose.seed) == (100, 7)


def test_a_question_that_does_not_fit_is_told_before_a_model_is_asked() -> None:
    told = world()
    told.model.context_tokens = 200
    with pytest.raises(InvalidInput):
        told.answer()
    assert told.model.prompts == []
