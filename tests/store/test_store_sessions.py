"""Sessions: begun once, turn after turn in order whoever asks, and gone with everything in them."""

import threading
from pathlib import Path

import pytest
from store_bench import Index

from answer_samples import cited, judged
from kebab.core.archive import ChatSession
from kebab.store import connection, sessions
from kebab.store.connection import migrations
from kebab.store.store import Store

CONFIG = {"prompt_template_version": "rag-v2", "llm": "ollama/qwen"}


def clock(monkeypatch: pytest.MonkeyPatch, second: int) -> str:
    moment = f"2026-01-01T00:00:{second:02}.000Z"
    monkeypatch.setattr(sessions, "now", lambda: moment)
    return moment


def test_a_session_is_begun_once(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = clock(monkeypatch, 1)
    made = index.store.sessions.create("회의", CONFIG)
    assert made == ChatSession("회의", None, moment, moment, CONFIG, 0)
    clock(monkeypatch, 2)
    assert index.store.sessions.create("회의", {"llm": "another"}) == made
    assert index.store.sessions.get("회의") == made
    assert index.store.sessions.get("회") is None


def test_turns_follow_each_other_and_keep_what_they_cite(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    first = clock(monkeypatch, 1)
    index.store.sessions.create("s", CONFIG)
    given = judged()
    one = index.store.sessions.append("s", given.question, given.answer, given.citations)
    last = clock(monkeypatch, 9)
    two = index.store.sessions.append("s", "그 다음은?", "근거 부족.", ())
    assert [turn.turn_index for turn in (one, two)] == [0, 1]
    assert one.turn_id != two.turn_id
    assert index.store.sessions.turns("s") == [one, two]
    assert (one.citations, one.answer, one.created_at) == (given.citations, given.answer, first)
    found = index.store.sessions.get("s")
    assert found == ChatSession("s", given.question, first, last, CONFIG, 2)
    assert index.store.sessions.turns("another") == []


def test_a_turn_has_the_same_id_wherever_it_is_asked(index: Index) -> None:
    for name in ("a", "b"):
        index.store.sessions.create(name, {})
        index.store.sessions.append(name, "q", "x", ())
    before = [index.store.sessions.turns(name)[0].turn_id for name in ("a", "b")]
    assert before[0] != before[1]
    index.store.sessions.delete("a")
    index.store.sessions.create("a", {})
    assert index.store.sessions.append("a", "another", "y", ()).turn_id == before[0]


@pytest.mark.parametrize(
    ("question", "title"),
    [("  two\n words ", "two words"), ("가" * 80, "가" * 80), ("가" * 81, "가" * 79 + "…"), ("\ud800", "?")],
)
def test_the_title_is_the_beginning_of_the_first_question(index: Index, question: str, title: str) -> None:
    index.store.sessions.create("s", {})
    index.store.sessions.append("s", question, "a", ())
    index.store.sessions.append("s", "another", "a", ())
    found = index.store.sessions.get("s")
    assert found is not None
    assert found.title == title


def test_the_session_used_last_comes_first(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    for second, name in enumerate(("old", "middle", "new")):
        clock(monkeypatch, second)
        index.store.sessions.create(name, {})
    clock(monkeypatch, 30)
    index.store.sessions.append("old", "q", "a", ())
    assert [each.session_id for each in index.store.sessions.list()] == ["old", "new", "middle"]


def test_a_deleted_session_takes_its_turns_along_and_leaves_the_answers(index: Index) -> None:
    for name in ("keep", "drop"):
        index.store.sessions.create(name, {})
        index.store.sessions.append(name, "q", "a", (cited("[#1]", (1, 2)),))
    index.store.answers.record(judged(), {})
    with Store.note_taker(index.path) as notes:
        assert notes.sessions.delete("drop")
        assert not notes.sessions.delete("drop")
    assert (index.count("chat_sessions"), index.count("chat_turns"), index.count("answers")) == (1, 1, 1)
    assert index.store.sessions.turns("drop") == []


def test_two_who_ask_in_one_session_at_once_get_turns_of_their_own(index: Index) -> None:
    index.store.sessions.create("s", {})

    def ask(name: str) -> None:
        with Store.note_taker(index.path) as notes:
            for number in range(10):
                notes.sessions.append("s", f"{name} {number}", "a", ())

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    turns = index.store.sessions.turns("s")
    assert [turn.turn_index for turn in turns] == list(range(20))
    assert sorted(turn.question for turn in turns if turn.question.startswith("a")) == [f"a {n}" for n in range(10)]


def test_an_index_of_an_older_kebab_has_no_sessions_until_its_next_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kebab.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr(connection, "migrations", lambda: migrations()[:2])
        Store.writer(path).close()
    with Store.reader(path) as store:
        assert (store.schema_version, store.has_answers) == (2, False)
    with Store.writer(path) as store:
        assert store.has_answers
        assert (store.sessions.list(), store.answers.list(9)) == ([], [])
