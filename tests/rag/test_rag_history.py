"""Follow-up questions: what of the conversation is searched for, and what of it is put before the model."""

from collections.abc import Sequence

import pytest
from hop_bench import LIMITS, Script, World, found
from rag_bench import Library

from kebab.core.answer import AnswerReady, Prompt, Question, RefusalReason, Turn
from kebab.core.answering import RagSettings
from kebab.core.errors import InvalidInput
from kebab.core.text import token_estimate
from kebab.rag.draft import Searched
from kebab.rag.gate import Features
from kebab.rag.pipeline import Pipeline
from kebab.rag.wording import Language, refusal

FOLLOW_UP = "And how long?"
ANSWERED = Turn("How is rice cooked?", "Rice is cooked in water [#1], with a lid [#2].")


def asked(history: Sequence[Turn], *, context: int = 8000, most: int = 8000, passages: int = 1) -> tuple[World, Prompt]:
    """What was searched for, and the prompt that came of it."""
    told = World(Script(["Forty minutes [#1]."], context_tokens=context), rag=RagSettings(max_context_tokens=most))
    told.library = Library(**{f"d{number}": f"Rice {number} " + "boils. " * 60 for number in range(passages)})
    hits = found(told.library, *told.library.texts)
    told.results[FOLLOW_UP] = Searched(hits, Features(1.0))
    pipeline = Pipeline(Question(FOLLOW_UP), told.tools(), told.rag, LIMITS)
    *_, last = pipeline.events(history)
    assert isinstance(last, AnswerReady)
    return told, told.model.prompts[0]


def test_a_follow_up_is_searched_for_with_the_answer_before_but_asked_as_it_is() -> None:
    told, prompt = asked([Turn("older", "Another answer [#1]."), ANSWERED])
    assert told.queries == [f"{FOLLOW_UP} Rice is cooked in water, with a lid."]
    assert prompt.question == FOLLOW_UP
    assert asked([])[0].queries == [FOLLOW_UP]


def test_only_the_beginning_of_a_long_answer_is_searched_for() -> None:
    told, _ = asked([Turn("q", "word " * 100 + "[#1].")])
    assert len(told.queries[0]) == len(FOLLOW_UP) + 1 + 200


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("reason", list(RefusalReason))
def test_a_refusal_is_not_searched_for(reason: RefusalReason, language: Language) -> None:
    told, prompt = asked([ANSWERED, Turn("What of tea?", refusal(reason, language))])
    assert told.queries == [FOLLOW_UP]
    assert "What of tea?" in prompt.user


@pytest.mark.parametrize("said", ["", "There is not enough evidence.", "See `[#1]` and [#1](http://x)."])
def test_nor_is_what_cites_nothing(said: str) -> None:
    assert asked([Turn("q", said)])[0].queries == [FOLLOW_UP]


def test_the_newest_turns_stay_when_there_is_no_room_for_all() -> None:
    history = [Turn(f"question {number}", "answer " * 40 + "[#1]") for number in range(9)]
    _, whole = asked(history)
    assert all(turn.question in whole.user for turn in history)
    _, prompt = asked(history, context=1400)
    kept = [number for number in range(9) if f"question {number}" in prompt.user]
    assert 0 < len(kept) < 9
    assert kept == list(range(9 - len(kept), 9))
    assert token_estimate(prompt.system + prompt.user) <= 1400 - LIMITS.max_tokens


def test_passages_come_before_earlier_turns() -> None:
    long = Turn("How is rice cooked?", "Rice is cooked in water. " * 40 + "[#1]")
    _, alone = asked([], context=2000, passages=9)
    _, prompt = asked([long], context=2000, passages=9)
    assert (prompt.evidence, prompt.user) == (alone.evidence, alone.user)
    assert len(asked([long], passages=9)[1].evidence) == 9 > len(alone.evidence)
    _, prompt = asked([ANSWERED], most=700, passages=9)
    assert ANSWERED.question not in prompt.user


def test_a_long_conversation_never_makes_a_question_too_long() -> None:
    history = [Turn("q " * 4000, "a " * 4000 + "[#1]")]
    _, prompt = asked(history, context=1500, passages=9)
    assert "q q q" not in prompt.user
    with pytest.raises(InvalidInput, match="does not fit"):
        asked(history, context=300)
