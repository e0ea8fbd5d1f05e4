"""What was answered is kept without a lock, and where it cannot be kept the answer is given all the same."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from answer_bench import keep, passage, reply

from answer_samples import bare, gated
from kebab.app.archive import find_answer, find_session, list_answers, list_sessions
from kebab.app.recording import turns_of
from kebab.core.answer import Turn
from kebab.core.errors import InvalidInput, NotIndexed, ReadonlyMode, TraceNotFound
from kebab.core.query import Filters
from kebab.store import connection
from kebab.store.connection import migrations
from kebab.store.lock import WriterLock
from kebab.store.store import Store

if TYPE_CHECKING:
    from app_bench import Desk

NOTE = "# Guide\n\nThe zebra sleeps at noon.\n"


@pytest.fixture
def filled(desk: "Desk") -> "Desk":
    desk.write("guide.md", NOTE)
    desk.ingest()
    return desk


def test_an_answer_is_kept_with_the_checksums_of_what_it_cites_and_its_filters(filled: "Desk") -> None:
    given, filters = reply(passage(filled, "zebra")), Filters(tags=("ops",))
    assert keep(filled, given, filters=filters) == given
    found = filled.app().find_answer("ret_4a8b")
    assert (found.answer.question, found.filters) == (given.question, filters)
    assert found.checksums == {"guide.md": filled.rows()["guide.md"].checksum}


def test_a_candidate_has_a_checksum_too(filled: "Desk") -> None:
    candidate = replace(gated().citations[0].citation, path="guide.md")
    refusal = replace(gated(), citations=(gated().citations[0]._replace(citation=candidate),))
    keep(filled, refusal)
    assert filled.app().find_answer("0a").checksums == {"guide.md": filled.rows()["guide.md"].checksum}


def test_an_answer_is_kept_while_another_holds_the_writer_lock(filled: "Desk") -> None:
    with WriterLock(filled.config.storage.lock), Store.writer(filled.index):
        keep(filled, reply(passage(filled, "zebra")))
    assert len(filled.app().list_answers(9)) == 1


def test_a_turn_is_counted_where_it_is_written(filled: "Desk") -> None:
    given = replace(bare(), question="first", answer="one")
    first = keep(filled, replace(given, conversation_id="s", turn_index=7), session_id="s")
    second = keep(filled, replace(given, question="second", answer="two"), session_id="s")
    assert [(each.conversation_id, each.turn_index) for each in (first, second)] == [("s", 0), ("s", 1)]
    conversation = filled.app().find_session("s")
    assert [turn.question for turn in conversation.turns] == ["first", "second"]
    assert conversation.session.config.keys() == {"model", "prompt_template_version"}
    with Store.reader(filled.index) as store:
        assert turns_of(store, "s") == (Turn("first", "one"), Turn("second", "two"))
        assert turns_of(store, "another") == turns_of(store, None) == ()


def test_under_readonly_nothing_is_kept(filled: "Desk") -> None:
    app = filled.app(readonly=True)
    given = reply(passage(filled, "zebra"))
    assert keep(filled, given, app, session_id="s") == given
    assert (app.list_answers(9), app.list_sessions()) == ([], [])


def test_in_an_index_that_cannot_be_written_nothing_is_kept(filled: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    given = reply(passage(filled, "zebra"))
    monkeypatch.setattr(connection, "NOTE_TIMEOUT_MS", 20)
    app = filled.app()
    with Store.writer(filled.index) as store, store._db.transaction():
        assert keep(filled, given, app, session_id="s") == given
    (log,) = app.config.logging.dir.iterdir()
    assert json.loads(log.read_text(encoding="utf-8").splitlines()[-1])["event"] == "answer_not_recorded"
    monkeypatch.setattr(connection, "_connect_for_notes", connection._connect)
    assert keep(filled, given, app) == given
    assert app.list_answers(9) == []


def test_where_there_is_no_index_there_are_no_answers(desk: "Desk") -> None:
    with pytest.raises(NotIndexed):
        desk.app().list_answers(9)
    assert not desk.index.exists()


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index from before there were answers."""
    path = tmp_path / "data" / "kebab.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr(connection, "migrations", lambda: migrations()[:2])
        Store.writer(path).close()
    return path


def test_an_index_of_an_older_kebab_is_left_as_it_is(desk: "Desk", older: Path) -> None:
    assert desk.index == older
    before = older.read_bytes()
    assert keep(desk, bare(), session_id="s") == bare()
    assert older.read_bytes() == before
    with Store.reader(older) as store:
        assert (list_answers(store, 9, grounded=None), list_sessions(store), turns_of(store, "s")) == ([], [], ())
        with pytest.raises(TraceNotFound):
            find_answer(store, "ret_0")
        with pytest.raises(InvalidInput, match="no session s"):
            find_session(store, "s")


def test_what_is_not_there_or_not_clear_says_so(filled: "Desk") -> None:
    for trace_id in ("ret_aa", "ret_ab"):
        given = bare()
        keep(filled, replace(given, retrieval=given.retrieval._replace(trace_id=trace_id)))
    app = filled.app()
    with pytest.raises(InvalidInput, match="fits several"):
        app.find_answer("a")
    with pytest.raises(TraceNotFound) as caught:
        app.verify("ret_b")
    assert caught.value.hint
    with pytest.raises(InvalidInput, match="--limit"):
        app.list_answers(0)


def test_a_deleted_session_is_given_back_and_gone(filled: "Desk") -> None:
    keep(filled, bare(), session_id="s")
    with pytest.raises(ReadonlyMode):
        filled.app(readonly=True).delete_session("s")
    app = filled.app()
    with WriterLock(filled.config.storage.lock):
        deleted = app.delete_session("s")
    assert (deleted.session.session_id, len(deleted.turns)) == ("s", 1)
    assert app.list_sessions() == []
    with pytest.raises(InvalidInput):
        app.delete_session("s")
    assert len(app.list_answers(9)) == 1, "the answers stay"
