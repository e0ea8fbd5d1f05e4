"""The tables `chat_sessions` and `chat_turns`: conversations that go on, turn after turn."""

import json
from collections.abc import Mapping, Sequence

from kebab.core.answer import AnswerCitation
from kebab.core.archive import ChatSession, ChatTurn
from kebab.core.clock import now
from kebab.core.ids import short_hash
from kebab.store.answer_json import cited_from, clean, to_json
from kebab.store.sql import Database, Row

_TITLE_CHARS = 80
_COLUMNS = """session_id, title, created_at, updated_at, config_snapshot_json,
    (SELECT count(*) FROM chat_turns t WHERE t.session_id = s.session_id)"""


class Sessions:
    def __init__(self, database: Database) -> None:
        self._db = database

    def create(self, session_id: str, config: Mapping[str, str]) -> ChatSession:
        """A new session, or the one that has this id already."""
        self._begin(session_id, config, now())
        found = self.get(session_id)
        assert found is not None
        return found

    def get(self, session_id: str) -> ChatSession | None:
        row = self._db.first(f"SELECT {_COLUMNS} FROM chat_sessions s WHERE session_id = ?", (session_id,))
        return _session(row) if row else None

    def delete(self, session_id: str) -> bool:
        """With its turns; False when there is no such session."""
        with self._db.transaction():
            known = self.get(session_id) is not None
            self._db.run("DELETE FROM chat_sessions WHERE session_id = ?", (session_id,))
        return known

    def append(
        self,
        session_id: str,
        question: str,
        answer: str,
        citations: Sequence[AnswerCitation],
        config: Mapping[str, str] | None = None,
    ) -> ChatTurn:
        """The next turn, in one transaction: while an answer was written, another process may have asked or deleted.

        A session that is not there, or not any more, begins with this turn.
        """
        moment = now()
        with self._db.transaction():
            self._begin(session_id, config or {}, moment)
            count = "SELECT count(*) FROM chat_turns WHERE session_id = ?"
            index = int(self._db.scalar(count, (session_id,)))
            turn = ChatTurn(
                short_hash({"kind": "turn", "session_id": session_id, "turn_index": index}),
                index,
                clean(question),
                clean(answer),
                tuple(citations),
                moment,
            )
            self._db.run(
                "INSERT INTO chat_turns(turn_id, session_id, turn_index, question, answer, citations_json, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (turn.turn_id, session_id, index, turn.question, turn.answer, to_json(turn.citations), moment),
            )
            self._db.run(
                "UPDATE chat_sessions SET updated_at = ?, title = coalesce(title, ?) WHERE session_id = ?",
                (moment, _title(turn.question), session_id),
            )
        return turn

    def _begin(self, session_id: str, config: Mapping[str, str], moment: str) -> None:
        self._db.run(
            "INSERT INTO chat_sessions(session_id, created_at, updated_at, title, config_snapshot_json) "
            "VALUES (?, ?, ?, NULL, ?) ON CONFLICT(session_id) DO NOTHING",
            (session_id, moment, moment, to_json(config)),
        )

    def turns(self, session_id: str) -> list[ChatTurn]:
        """In the order in which they were asked."""
        rows = self._db.rows(
            "SELECT turn_id, turn_index, question, answer, citations_json, created_at FROM chat_turns "
            "WHERE session_id = ? ORDER BY turn_index",
            (session_id,),
        )
        return [_turn(row) for row in rows]

    def list(self) -> list[ChatSession]:
        """The one that was used last comes first."""
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM chat_sessions s ORDER BY updated_at DESC, session_id")
        return [_session(row) for row in rows]


def _title(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= _TITLE_CHARS else f"{line[: _TITLE_CHARS - 1].rstrip()}…"


def _session(row: Row) -> ChatSession:
    session_id, title, created_at, updated_at, config, turns = row
    return ChatSession(session_id, title, created_at, updated_at, json.loads(config), turns)


def _turn(row: Row) -> ChatTurn:
    turn_id, index, question, answer, citations, created_at = row
    return ChatTurn(turn_id, index, question, answer, tuple(map(cited_from, json.loads(citations))), created_at)
