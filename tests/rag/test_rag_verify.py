"""The last check of an answer: what a verifier is asked, what passes, what refuses, and what happens without one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from rag_bench import LEXICON, Library

from kebab.core.answer import (
    Answer,
    AnswerReady,
    Delta,
    Finished,
    FinishReason,
    ModelRef,
    Prompt,
    Question,
    RefusalReason,
    Support,
    Turn,
    Verification,
)
from kebab.core.answering import RagSettings
from kebab.core.errors import KebabError, ModelInvalid, ModelNotPulled
from kebab.rag.draft import Searched
from kebab.rag.gate import Features
from kebab.rag.multihop import MultiHop, Ways
from kebab.rag.pack import Found
from kebab.rag.pipeline import Limits, Pipeline, Tools
from kebab.rag.planning import Plan
from kebab.rag.support import Judge
from kebab.rag.verify import Verifier

RICE = "Brown rice cooks for forty minutes in plenty of water."
LIBRARY = "The town library closes at nine in the evening."
NOT_PULLED = ModelNotPulled("the model is not on this machine", hint="kebab models pull mdeberta-v3-xnli")


@dataclass
class Scripted:
    """Believes a sentence as much as `scores` say for the first of its words found there; remembers what it read."""

    scores: dict[str, float] = field(default_factory=dict)
    failure: KebabError | None = None
    asked: list[list[tuple[str, str]]] = field(default_factory=list)
    opened: int = 0

    def open(self) -> "Scripted":
        self.opened += 1
        return self

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked.append(list(pairs))
        if self.failure is not None:
            raise self.failure
        return [self._score(*pair) for pair in pairs]

    def _score(self, passage: str, sentence: str) -> float:
        said = (score for words, score in self.scores.items() if words in sentence or words in passage)
        return next(said, 0.9)

    @property
    def read(self) -> set[str]:
        return {sentence for pairs in self.asked for _, sentence in pairs}


@dataclass
class Says:
    """A language model that says one thing."""

    text: str
    model = ModelRef("says", "test")
    context_tokens = 8000

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        yield Delta(self.text)
        yield Finished(FinishReason.STOP)


class TwoParts:
    """A planner that names one part of the question and then has enough."""

    def decompose(self, question: str, history: Sequence[Turn]) -> Plan:
        return Plan(("when does the library close?",))

    def decide(self, question: str, searched: Sequence[str], found: Sequence[Found]) -> Plan:
        return Plan(())


def stopped_after(pieces: int) -> Callable[[], bool]:
    left = iter([False] * pieces + [True] * 100)
    return lambda: next(left)


def asked(
    reply: str,
    scripted: Scripted | None,
    *,
    hops: bool = False,
    canceled: Callable[[], bool] = lambda: False,
    title: str = "",
    **settings: object,
) -> Answer:
    """The answer to one question, in one pass or in several hops."""
    library = Library(rice=RICE, library=LIBRARY)
    first, second = library.found(1, "rice", 1, 1), library.found(2, "library", 1, 1)
    headings = (title, "Cooking") if title else ()
    found = first._replace(hit=replace(first.hit, title=title, heading_path=headings)), second
    verifier = Verifier(scripted.open) if scripted is not None else None
    tools = Tools(
        search=lambda text: Searched(found, Features(1.0), hint="a hint of the search"),
        model=Says(reply),
        source_lines=library.source_lines,
        judge=Judge(LEXICON, entails=verifier.entails if verifier else None),
        trace_id="ret_0",
        canceled=canceled,
        verifier=verifier,
    )
    rag = RagSettings(**{"nli_threshold": 0.5, **settings})  # type: ignore[arg-type]
    question = Question("how long does rice cook?", multi_hop=hops)
    pipeline = Pipeline(question, tools, rag, Limits(1024, 0.0, 0))
    several = MultiHop(question, pipeline, Ways(TwoParts(), tools.search, canceled))
    *_, last = several.events() if hops else pipeline.events()
    assert isinstance(last, AnswerReady)
    return last.answer


@pytest.fixture(params=[False, True], ids=["single pass", "several hops"])
def hops(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_an_answer_that_is_borne_out_is_stamped_with_its_weakest_sentence(hops: bool) -> None:
    scripted = Scripted({"rice": 0.8, "library": 0.6})
    answer = asked("Cooking rice takes forty minutes [#1]. At nine the library shuts [#2].", scripted, hops=hops)
    assert (answer.grounded, answer.refusal_reason) == (True, None)
    assert answer.verification == Verification(0.6, 0.5, nli_passed=True)
    assert (answer.hops is not None) is hops


def test_one_sentence_that_is_doubted_refuses_the_answer(hops: bool) -> None:
    scripted = Scripted({"rice": 0.8, "library": 0.3})
    answer = asked("Cooking rice takes forty minutes [#1]. At nine the library shuts [#2].", scripted, hops=hops)
    assert (answer.grounded, answer.refusal_reason) == (False, RefusalReason.NLI_VERIFICATION_FAILED)
    assert answer.verification == Verification(0.3, 0.5, nli_passed=False)
    assert [statement.text for statement in answer.statements] == [
        "Cooking rice takes forty minutes.",
        "At nine the library shuts.",
    ], "what the model wrote can still be looked at"
    assert "library shuts" not in answer.answer


def test_the_threshold_itself_passes() -> None:
    answer = asked("Cooking rice takes forty minutes [#1].", Scripted({"rice": 0.5}))
    assert answer.verification == Verification(0.5, 0.5, nli_passed=True)
    assert answer.grounded


@pytest.mark.parametrize(
    ("failure", "hint"),
    [(NOT_PULLED, "kebab models pull mdeberta-v3-xnli"), (ModelInvalid("it gives nonsense"), "it gives nonsense")],
)
def test_a_model_that_cannot_be_asked_refuses(failure: KebabError, hint: str, hops: bool) -> None:
    scripted = Scripted(failure=failure)
    reply = "Cooking rice takes forty minutes [#1]. At nine the library shuts [#2]."
    answer = asked(reply, scripted, hops=hops)
    assert (answer.grounded, answer.refusal_reason) == (False, RefusalReason.NLI_MODEL_UNAVAILABLE)
    assert (answer.verification, answer.hint) == (None, hint)
    assert len(scripted.asked) == 1, "it is not asked again"
    assert answer.statements == asked(reply, None, nli_threshold=0.0).statements, "words still judge them"


def test_a_model_that_cannot_even_be_opened_refuses() -> None:
    class Absent(Scripted):
        def open(self) -> Scripted:
            raise NOT_PULLED

    answer = asked("Cooking rice takes forty minutes [#1].", Absent())
    assert (answer.refusal_reason, answer.hint) == (RefusalReason.NLI_MODEL_UNAVAILABLE, NOT_PULLED.hint)


def test_a_threshold_without_a_verifier_refuses_too() -> None:
    answer = asked("Cooking rice takes forty minutes [#1].", None)
    assert answer.refusal_reason is RefusalReason.NLI_MODEL_UNAVAILABLE


def test_what_is_quoted_word_for_word_is_true_without_asking() -> None:
    scripted = Scripted(failure=NOT_PULLED)
    answer = asked(f"{RICE[:-1]} [#1].", scripted)
    assert answer.statements[0].support is Support.QUOTED
    assert answer.verification == Verification(1.0, 0.5, nli_passed=True)
    assert (answer.grounded, scripted.opened) == (True, 0)


def test_a_quoted_sentence_does_not_hide_a_doubtful_one() -> None:
    scripted = Scripted({"shuts": 0.2})
    answer = asked(f"{RICE[:-1]} [#1]. At nine the library shuts [#2].", scripted)
    assert answer.refusal_reason is RefusalReason.NLI_VERIFICATION_FAILED
    assert scripted.read == {"At nine the library shuts."}


def test_uncited_sentences_headings_and_connectives_are_not_asked_about() -> None:
    scripted = Scripted({"Rice, I think": 0.0, "Cooking": 0.7, "Answer": 0.0, "as follows": 0.0})
    reply = "## Answer [#1]\n\nIt is as follows: [#1]\n\nCooking rice takes forty minutes [#1]. Rice, I think, is nice."
    answer = asked(reply, scripted)
    assert answer.verification == Verification(0.7, 0.5, nli_passed=True)
    assert answer.grounded


def test_a_sentence_needs_only_one_of_the_passages_it_cites() -> None:
    scripted = Scripted({"closes at nine": 0.1, "forty minutes in plenty": 0.8})
    answer = asked("Cooking it takes forty minutes [#1][#2].", scripted)
    assert answer.verification is not None
    assert answer.verification.nli_score == 0.8


def test_a_sentence_that_two_passages_bear_out_together_is_read_beside_both() -> None:
    scripted = Scripted()
    asked("Rice takes forty minutes and the library shuts at nine [#1][#2].", scripted)
    together = [passage for pairs in scripted.asked for passage, _ in pairs if "rice" in passage and "town" in passage]
    assert len(together) == 1


def test_the_model_reads_words_without_markdown_and_markers() -> None:
    scripted = Scripted()
    asked("**Cooking** rice takes `forty` minutes [#1].", scripted)
    assert scripted.asked[-1][0] == (RICE, "Cooking rice takes forty minutes.")


def test_a_passage_is_read_below_its_title_and_headings() -> None:
    scripted = Scripted()
    asked("Cooking rice takes forty minutes [#1].", scripted, title="Rice")
    assert scripted.asked[-1] == [(f"Rice\nCooking\n{RICE}", "Cooking rice takes forty minutes.")]


def test_a_sentence_is_read_beside_what_it_cites_and_nothing_else() -> None:
    scripted = Scripted()
    asked("Cooking rice takes forty minutes [#1].", scripted)
    assert all("library" not in passage for pairs in scripted.asked for passage, _ in pairs)


def test_a_threshold_of_zero_leaves_the_model_alone(hops: bool) -> None:
    answer = asked("Cooking rice takes forty minutes [#1].", None, hops=hops, nli_threshold=0.0)
    assert (answer.grounded, answer.verification, answer.hint) == (True, None, "a hint of the search")


def test_what_was_dropped_before_is_not_held_against_the_answer() -> None:
    scripted = Scripted({"moon": 0.0, "Cooking": 0.9})
    reply = "Cooking rice takes forty minutes [#1]. The moon is made of cheese [#1]."
    assert asked(reply, scripted).refusal_reason is RefusalReason.NLI_VERIFICATION_FAILED
    answer = asked(reply, scripted, on_unsupported="drop")
    assert (answer.grounded, answer.answer) == (True, "Cooking rice takes forty minutes [#1].")
    assert answer.verification == Verification(0.9, 0.5, nli_passed=True)


@pytest.mark.parametrize("reply", ["I found nothing about this.", "Rice takes forty minutes."])
def test_a_reply_that_is_no_answer_needs_no_verifier(reply: str) -> None:
    scripted = Scripted(failure=NOT_PULLED)
    answer = asked(reply, scripted)
    assert (answer.refusal_reason, answer.verification) == (RefusalReason.LLM_SELF_JUDGE, None)
    assert scripted.opened == 0


def test_whoever_stops_an_answer_does_not_wait_for_the_verifier() -> None:
    scripted = Scripted()
    answer = asked("Cooking rice takes forty minutes [#1].", scripted, canceled=stopped_after(0))
    assert (answer.refusal_reason, answer.verification) == (RefusalReason.LLM_STREAM_ABORTED, None)
    assert scripted.opened == 0
