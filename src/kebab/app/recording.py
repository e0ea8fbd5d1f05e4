"""Answers on the record: what was said, and the turns of a session. Never the reason a question goes unanswered."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kebab.core.answer import Answer, Question, Turn
from kebab.core.errors import KebabError
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.app.facade import App


def turns_of(store: Store, session_id: str | None) -> Sequence[Turn]:
    """What was asked and answered before in the session, oldest first."""
    if session_id is None or not store.has_answers:
        return ()
    return tuple(Turn(turn.question, turn.answer) for turn in store.sessions.turns(session_id))


def recorded(app: "App", store: Store, question: Question, answer: Answer) -> Answer:
    """The answer with its place in the session. An index that cannot be written keeps no record of it."""
    if app.readonly or not store.has_answers:
        return answer
    try:
        with Store.note_taker(app.config.storage.sqlite) as notes:
            placed = _in_session(app, notes, question, answer)
            notes.answers.record(placed, _checksums(store, placed), question.filters)
    except KebabError as error:
        app.journal.write("warning", "answer_not_recorded", error=error.message)
        return answer
    return placed


def _in_session(app: "App", notes: Store, question: Question, answer: Answer) -> Answer:
    if question.session_id is None:
        return answer
    config = {"model": app.config.llm.model, "prompt_template_version": app.config.rag.prompt_template_version}
    turn = notes.sessions.append(question.session_id, question.text, answer.answer, answer.citations, config)
    return replace(answer, conversation_id=question.session_id, turn_index=turn.turn_index)


def _checksums(store: Store, answer: Answer) -> dict[str, str]:
    """Of the files that are cited, by path. Evidence is known by its document: its path may hold another one by now."""
    ids = {each.hit.doc_path: each.hit.doc_id for each in answer.evidence}
    paths = {each.citation.path for each in answer.citations} | set(ids)
    rows = [row for path in sorted(paths) for row in store.shelf.find(ids.get(path, path))[:1]]
    return {row.workspace_path: row.checksum for row in rows}
