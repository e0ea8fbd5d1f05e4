"""A note to whoever writes: one row at once, beside an open writer, and nothing else of the index touched."""

from pathlib import Path

import apsw
import pytest
from store_bench import Index

from kebab.core.errors import IndexLocked, NotIndexed, SchemaTooNew
from kebab.core.job import JobKind, JobStatus
from kebab.store import connection
from kebab.store.store import Store


def test_a_note_reaches_an_open_writer_at_its_next_step(index: Index) -> None:
    job = index.store.jobs.begin(JobKind.EMBED, {"model": "m"}, 5)
    assert index.store.jobs.progress(job.job_id, 1, 5)
    with Store.note_taker(index.path) as notes:
        notes.jobs.finish(job.job_id, JobStatus.CANCELED)
    assert not index.store.jobs.progress(job.job_id, 2, 5)
    index.store.jobs.finish(job.job_id, JobStatus.SUCCEEDED)
    found = index.store.jobs.find(job.job_id)
    assert found is not None
    assert (found.status, found.done) == (JobStatus.CANCELED, 1)


def test_a_note_waits_only_a_moment_for_a_transaction(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "NOTE_TIMEOUT_MS", 20)
    job = index.store.jobs.begin(JobKind.EMBED, {"model": "m"}, 5)
    with Store.note_taker(index.path) as notes:
        assert notes._db.scalar("PRAGMA busy_timeout") == 20
        with index.database.transaction():
            assert notes.jobs.find(job.job_id) == job, "reading goes on"
            with pytest.raises(IndexLocked) as caught:
                notes.jobs.finish(job.job_id, JobStatus.CANCELED)
        assert caught.value.hint
        notes.jobs.finish(job.job_id, JobStatus.CANCELED)
    assert not index.store.jobs.progress(job.job_id, 1, 5)


def test_an_index_of_an_older_kebab_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    first = connection.migrations()[0]
    old = apsw.Connection(str(path))
    old.execute(first.sql)
    old.pragma("user_version", first.number)
    old.close()
    before = path.read_bytes()
    with Store.note_taker(path) as notes:
        assert not notes.has_vectors
    assert path.read_bytes() == before


def test_where_there_is_no_index_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(NotIndexed):
        Store.note_taker(tmp_path / "kebab.sqlite")
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(NotIndexed):
        Store.note_taker(tmp_path / "empty.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["empty.sqlite"]


def test_an_index_of_a_newer_kebab_is_refused(index: Index) -> None:
    index.database.run("PRAGMA user_version = 99")
    with pytest.raises(SchemaTooNew):
        Store.note_taker(index.path)
