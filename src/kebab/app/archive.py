"""`kebab answers` and `kebab session`: what was asked and answered before, alone and in conversations."""

from typing import NamedTuple

from kebab.config import Config
from kebab.core.archive import AnswerSummary, ChatSession, ChatTurn, RecordedAnswer
from kebab.core.errors import InvalidInput, TraceNotFound
from kebab.store.store import Store


class Conversation(NamedTuple):
    session: ChatSession
    turns: tuple[ChatTurn, ...]


def list_answers(store: Store, limit: int, *, grounded: bool | None) -> list[AnswerSummary]:
    """Newest first. An index that an older kebab wrote holds none."""
    if limit < 1:
        raise InvalidInput(f"--limit must be at least 1, not {limit}", limit=limit)
    return store.answers.list(limit, grounded=grounded) if store.has_answers else []


def find_answer(store: Store, reference: str) -> RecordedAnswer:
    """By trace id or by the beginning of it, with or without `ret_`."""
    found = store.answers.find(reference) if store.has_answers else []
    if not found:
        raise TraceNotFound(
            f"no answer with the trace id {reference}", hint="`kebab answers list` shows them", reference=reference
        )
    if len(found) > 1:
        raise InvalidInput(f"{reference} fits several answers", hint="give more of the trace id", reference=reference)
    return found[0]


def list_sessions(store: Store) -> list[ChatSession]:
    """The one that was used last comes first."""
    return store.sessions.list() if store.has_answers else []


def find_session(store: Store, session_id: str) -> Conversation:
    found = store.sessions.get(session_id) if store.has_answers else None
    if found is None:
        raise InvalidInput(f"no session {session_id}", hint="`kebab session list` shows them", reference=session_id)
    return Conversation(found, tuple(store.sessions.turns(session_id)))


def delete_session(config: Config, session_id: str) -> Conversation:
    """What was deleted. Does not wait for the writer lock: a session is no part of what is ingested."""
    with Store.note_taker(config.storage.sqlite) as store:
        found = find_session(store, session_id)
        store.sessions.delete(session_id)
    return found
