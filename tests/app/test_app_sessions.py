"""Questions that go on: sessions through the whole app, also when others write in them, and answers in several hops."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from kebab.app import assemble
from kebab.app.facade import App
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
)
from kebab.core.errors import InvalidInput
from kebab.core.query import SearchMode
from kebab.wire.answer import encode_answer
from wire_schemas import problems

if TYPE_CHECKING:
    from app_bench import Desk

NOTES = {
    "zebra.md": "# Zebra\n\nThe zebra Grumio sleeps at noon under the acacia.\n",
    "acacia.md": "# Acacia\n\nThe acacia of Grumio was planted by Caecilius in spring.\n",
    "rice.md": "# Rice\n\nBrown rice cooks for forty minutes.\n",
    # Among few notes every word is common.
    **{f"log/{number}.md": f"# Log {number}\n\nOn day {number} nothing happened.\n" for number in range(9)},
}


@dataclass
class Told:
    """A language model that cites the first passage; `meanwhile` runs while it writes."""

    prompts: list[Prompt] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None
    replies: list[str] = field(default_factory=list)
    model = ModelRef("told", "test")
    context_tokens = 8000

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        self.prompts.append(prompt)
        first, self.meanwhile = self.meanwhile, lambda: None
        first()
        yield Delta(self.replies.pop(0) if self.replies else "The zebra Grumio sleeps at noon [#1].")
        yield Finished(FinishReason.STOP)


@pytest.fixture
def filled(desk: "Desk") -> "Desk":
    for path, text in NOTES.items():
        desk.write(path, text)
    desk.ingest()
    return desk


@pytest.fixture
def told(filled: "Desk", monkeypatch: pytest.MonkeyPatch) -> Told:
    model = Told()
    monkeypatch.setattr(assemble, "language_model_for", lambda settings: model)
    filled.flags |= {"models.llm.provider": "ollama", "models.llm.model": "told"}
    return model


def ask(app: App, text: str, session_id: str | None = "s", **options: bool) -> Answer:
    question = Question(text, SearchMode.LEXICAL, session_id=session_id, **options)
    *_, last = app.ask(question)
    assert isinstance(last, AnswerReady)
    return last.answer


def places(*answers: Answer) -> list[tuple[str | None, int | None]]:
    return [(answer.conversation_id, answer.turn_index) for answer in answers]


def test_a_follow_up_finds_what_the_answer_before_was_about(filled: "Desk", told: Told) -> None:
    app = filled.app()
    first, second = ask(app, "When does the zebra sleep?"), ask(app, "And where exactly is that?")
    assert places(first, second) == [("s", 0), ("s", 1)]
    assert second.grounded
    assert second.evidence[0].hit.doc_path == "zebra.md"
    assert "When does the zebra sleep?" in told.prompts[1].user
    assert ask(app, "And where exactly is that?", None).refusal_reason is RefusalReason.NO_CHUNKS
    assert [turn.question for turn in app.find_session("s").turns] == [first.question, second.question]


def test_a_refusal_before_is_not_searched_for(filled: "Desk", told: Told) -> None:
    filled.write("evidence.md", "# Evidence\n\nNot enough evidence: the knowledge base has nothing on this.\n")
    filled.ingest()
    app = filled.app()
    assert ask(app, "Who won the football cup?").refusal_reason is RefusalReason.NO_CHUNKS
    second = ask(app, "And in which city?")
    assert (second.refusal_reason, second.turn_index) == (RefusalReason.NO_CHUNKS, 1)
    assert told.prompts == []


def test_another_process_may_ask_in_the_session_meanwhile(filled: "Desk", told: Told) -> None:
    mine, other = filled.app(), filled.app()
    theirs: list[Answer] = []
    told.meanwhile = lambda: theirs.append(ask(other, "How long does brown rice cook?"))
    answer = ask(mine, "When does the zebra sleep?")
    assert places(*theirs, answer) == [("s", 0), ("s", 1)]
    ask(mine, "And where does the zebra sleep?")
    assert "brown rice cook" in told.prompts[-1].user
    assert [turn.turn_index for turn in mine.find_session("s").turns] == [0, 1, 2]


def test_a_session_that_is_deleted_meanwhile_begins_anew(filled: "Desk", told: Told) -> None:
    app, other = filled.app(), filled.app()
    ask(app, "When does the zebra sleep?")
    told.meanwhile = lambda: other.delete_session("s")
    answer = ask(app, "Where does the zebra sleep?")
    assert places(answer) == [("s", 0)]
    conversation = app.find_session("s")
    assert [turn.question for turn in conversation.turns] == ["Where does the zebra sleep?"]
    assert conversation.session.config["model"] == "told"
    assert len(app.list_answers(9)) == 2


@pytest.mark.parametrize("session_id", ["", " ", "a b", "a/b", "../a", "a\n", "a" * 65])
def test_a_session_has_a_plain_name(filled: "Desk", session_id: str) -> None:
    app = filled.app()
    with pytest.raises(InvalidInput, match="session"):
        ask(app, "When does the zebra sleep?", session_id)
    assert app.list_sessions() == []


@pytest.mark.parametrize("session_id", ["a", "A.b_c-9", "..", "회의", "é", "a" * 64])
def test_a_plain_name_is_taken_as_it_is(filled: "Desk", session_id: str) -> None:
    assert ask(filled.app(), "When does the zebra sleep?", session_id).conversation_id == session_id


def test_several_hops_work_without_a_model_and_are_kept(filled: "Desk") -> None:
    app = filled.app()
    answer = ask(app, "Where does the zebra sleep, and how long does brown rice cook?", multi_hop=True)
    assert answer.grounded
    assert {each.hit.doc_path for each in answer.evidence} >= {"zebra.md", "acacia.md", "rice.md"}
    said = {statement.text: statement.support for statement in answer.statements}
    assert set(said.values()) == {Support.QUOTED}
    assert any("acacia" in text for text in said)
    assert "Brown rice cooks for forty minutes." in said
    kept = app.find_answer(answer.retrieval.trace_id).answer
    assert kept.hops == answer.hops
    sent = encode_answer(answer)
    assert problems(sent) == []
    assert sent["hops"][0]["chunk_ids"] == [list(ids) for ids in (answer.hops or ())[0].chunk_ids]  # type: ignore[index]
    first, second = (answer.hops or ())[:2]
    assert first.sub_queries == ("Where does the zebra sleep", "how long does brown rice cook?")
    assert "Grumio" in second.sub_queries[0]
    ids = {
        app.inspect_chunk(chunk_id).doc_path for hop in answer.hops or () for each in hop.chunk_ids for chunk_id in each
    }
    assert "acacia.md" in ids


def test_a_chain_is_followed_to_a_document_without_a_word_of_the_question(filled: "Desk") -> None:
    question = "Where does the zebra sleep?"
    single, hops = ask(filled.app(), question), ask(filled.app(), question, multi_hop=True)
    assert "Caecilius" not in single.answer
    assert "The acacia of Grumio was planted by Caecilius in spring. [#2]" in hops.answer
    assert [cited.citation.path for cited in hops.citations] == ["zebra.md", "acacia.md"]


def test_several_hops_go_on_in_a_session_and_by_a_models_plan(filled: "Desk", told: Told) -> None:
    app = filled.app()
    ask(app, "When does the zebra sleep?")
    plan = json.dumps({"sub_queries": ["Who planted the acacia of Grumio?"]})
    told.replies = [
        plan,
        json.dumps({"kind": "stop", "sub_queries": []}),
        "Caecilius planted the acacia in spring [#1][#2].",
    ]
    answer = ask(app, "Who planted the tree above it?", multi_hop=True)
    assert (answer.turn_index, answer.prompt_template_version) == (1, "rag-multi-hop-v1")
    assert [hop.kind for hop in answer.hops or ()] == ["decompose", "decide", "synthesize"]
    assert sorted(cited.citation.path for cited in answer.citations) == ["acacia.md", "zebra.md"]
    assert "Grumio sleeps at noon" in told.prompts[1].user


def test_a_document_that_is_replaced_between_hops_does_no_harm(filled: "Desk", told: Told) -> None:
    lines = "# Zebra\n\n## One\n\nThe zebra sleeps.\n\n## Two\n\nThe zebra eats.\n"
    filled.write("zebra.md", lines, at=1_700_000_100)
    filled.ingest()

    def replaced() -> None:
        filled.write("zebra.md", "# Zebra\n\nGone.\n", at=1_700_000_200)
        filled.ingest()

    told.meanwhile = replaced
    told.replies = [json.dumps({"sub_queries": ["What does the zebra eat?"]}), "stop", "The zebra eats [#1]."]
    answer = ask(filled.app(), "When does the zebra sleep?", multi_hop=True)
    assert answer.hops is not None
    assert answer.retrieval.chunks_returned >= 1
