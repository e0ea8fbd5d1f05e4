"""Keeps what was answered: a row of `answers` and a turn of the session. Never the reason a question fails."""

from dataclasses import replace
from typing import TYPE_CHECKING

from kebab.core.answer import Answer, Question, Turn
from kebab.core.errors import KebabError
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.app.facade import App


def record(app: "App", question: Question, answer: Answer) -> Answer:
    """The answer as it was kept, which is as it was given, but for the index of its turn.

    Needs no writer lock: someone may be ingesting. Where nothing may or can be written, nothing is kept: under
    --readonly, in a folder that is read-only, in an index of an older kebab, beside a transaction that takes too long.
    """
    if app.readonly:
        return answer
    try:
        with Store.note_taker(app.config.storage.sqlite) as store:
            return _keep(store, question, answer) if store.has_answers else answer
    except KebabError as error:
        app.journal.write("warning", "answer_not_recorded", trace_id=answer.retrieval.trace_id, error=error.message)
        return answer


def _keep(store: Store, question: Question, answer: Answer) -> Answer:
    if question.session_id is not None:
        store.sessions.create(question.session_id, _settings(answer))
        turn = store.sessions.append(question.session_id, answer.question, answer.answer, answer.citations)
        answer = replace(answer, conversation_id=question.session_id, turn_index=turn.turn_index)
    store.answers.record(answer, _checksums(store, answer), question.filters)
    return answer


def _settings(answer: Answer) -> dict[str, str]:
    models = {"llm": answer.model, "embedding": answer.embedding}
    named = {name: f"{model.provider}/{model.id}" for name, model in models.items() if model is not None}
    return {"prompt_template_version": answer.prompt_template_version, **named}


def _checksums(store: Store, answer: Answer) -> dict[str, str]:
    """Of the files as they were cited. A document that was replaced meanwhile is not the one that was cited."""
    cited = {each.hit.doc_path: each.hit.doc_id for each in answer.evidence}
    paths = dict.fromkeys([*cited, *(each.citation.path for each in answer.citations)])
    rows = (row for path in paths for row in store.shelf.find(cited.get(path, path)))
    return {row.workspace_path: row.checksum for row in rows if row.workspace_path in paths}


def history(store: Store, session_id: str) -> tuple[Turn, ...]:
    """The turns of a session so far, oldest first; none of a session that is not there yet."""
    if not store.has_answers:
        return ()
    return tuple(Turn(turn.question, turn.answer) for turn in store.sessions.turns(session_id))
