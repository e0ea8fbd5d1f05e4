"""Exports, imports and backups: whole, of one state, and the same knowledge base on the other side."""

import json
import stat
from pathlib import Path

import apsw
import pytest
from app_bench import Desk
from transfer_bench import (
    DATABASE,
    MANIFEST,
    NOTES,
    backup,
    bring_in,
    drafts,
    elsewhere,
    export,
    filled,
    last,
    members,
)
from word_embedder import WordModel

from kebab.app.scope import ScopeRequest
from kebab.core.errors import IndexLocked, InvalidInput, NotIndexed, ReadonlyMode, SchemaTooNew
from kebab.core.query import Filters, Freshness
from kebab.core.transfer import ExportRequest, ImportRequest, TransferProgress
from kebab.store import connection
from kebab.store.lock import WriterLock
from kebab.store.store import Store
from older_index import made_older


def test_an_export_is_private_and_tells_what_it_holds(desk: Desk) -> None:
    file = export(filled(desk))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert drafts(desk.home) == []
    parts = members(file)
    assert set(parts) == {MANIFEST, DATABASE}
    manifest = json.loads(parts[MANIFEST])
    assert manifest["counts"] == {"documents": 3, "chunks": 3, "assets": 3, "vectors": 0}
    assert manifest["schema_version"] == connection.SCHEMA_VERSION
    assert manifest["corpus_revision"] == desk.revision()
    assert manifest["members"][DATABASE]["bytes"] == len(parts[DATABASE])


def test_what_was_found_here_is_found_there_and_says_that_its_files_are_missing(desk: Desk) -> None:
    file = export(filled(desk))
    for path in NOTES:
        (desk.root / path).unlink()
    other = elsewhere(desk)
    report = bring_in(other, file)
    assert (report.facts.documents, report.replaced, report.readonly) == (3, False, False)
    assert all(check.ok for check in report.checks)
    assert {check.name for check in report.checks} >= {"database_sound", "full_text_sound"}
    assert other.found("brown rice") == ["rice.md"]
    assert other.found("현미") == ["쌀/현미밥.md"]
    assert {doc.freshness for doc in other.app().list_docs(Filters(), "path")} == {Freshness.MISSING}
    assert stat.S_IMODE(other.index.stat().st_mode) == 0o600
    assert drafts(other.home) == []


def test_vectors_travel_and_the_files_derived_from_them_are_made_anew(desk: Desk, model: WordModel) -> None:
    file = export(filled(desk))
    other = elsewhere(desk)
    report = bring_in(other, file)
    assert report.facts.vectors > 0
    assert {check.name: check.ok for check in report.checks}["vector_engine"]
    assert other.app().vector_status().problem is None
    before = {path.name for path in other.config.storage.vector_dir.iterdir()}
    bring_in(other, file, force=True)
    after = {path.name for path in other.config.storage.vector_dir.iterdir()}
    assert after
    assert not before & after, "an index that was imported again has files of its own, and only those"


def test_an_import_has_an_id_of_its_own(desk: Desk) -> None:
    file = export(filled(desk))
    ids = {bring_in(elsewhere(desk, name), file).facts.index_id for name in ("a", "b")}
    assert len(ids | {json.loads(members(file)[MANIFEST])["index_id"]}) == 3


def test_an_index_is_replaced_only_by_force_and_only_as_a_whole(desk: Desk) -> None:
    file = export(filled(desk))
    desk.write("later.md", "# Later\n\nA pelican.\n")
    desk.ingest()
    with pytest.raises(InvalidInput, match="already") as refused:
        bring_in(desk, file)
    assert "--force" in str(refused.value.hint)
    assert desk.found("pelican") == ["later.md"]
    assert bring_in(desk, file, force=True).replaced
    assert desk.found("pelican") == []
    assert desk.found("brown rice") == ["rice.md"]
    assert not desk.index.with_name(f"{DATABASE}-wal").exists()


def test_a_log_left_by_a_lost_index_is_not_played_into_the_new_one(desk: Desk) -> None:
    file = export(filled(desk))
    other = elsewhere(desk)
    data = other.index.parent
    data.mkdir(parents=True)
    victim = apsw.Connection(str(other.index))
    victim.execute(
        "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; CREATE TABLE a(b); INSERT INTO a VALUES (1)"
    ).fetchall()
    wal = other.index.with_name(f"{DATABASE}-wal").read_bytes()
    victim.close()
    other.index.unlink(missing_ok=True)
    other.index.with_name(f"{DATABASE}-wal").write_bytes(wal)
    bring_in(other, file)
    assert other.found("brown rice") == ["rice.md"]


def test_an_import_to_a_folder_leaves_the_configured_index_alone(desk: Desk) -> None:
    file = export(filled(desk))
    before = desk.index.read_bytes()
    report = bring_in(desk, file, folder=desk.home / "beside")
    assert Path(report.database) == desk.home / "beside" / DATABASE
    assert desk.index.read_bytes() == before


def test_an_index_imported_to_be_read_is_not_written(desk: Desk) -> None:
    file = export(filled(desk))
    desk.root.rename(desk.home / "unplugged")
    other = elsewhere(desk)
    assert bring_in(other, file, readonly=True).readonly
    before = other.index.read_bytes()
    other.root.mkdir()
    for write in (
        lambda: list(other.app().ingest(ScopeRequest())),
        lambda: other.app().reset("orphans_only"),
        lambda: other.app().delete_session("x"),
        lambda: other.app().doctor(repair=True),
    ):
        with pytest.raises(ReadonlyMode, match="read only") as refused:
            write()
        assert "--as copy" in str(refused.value.hint)
    assert other.found("brown rice") == ["rice.md"]
    assert other.index.read_bytes() == before
    again = export(other, "again.kebab")
    bring_in(other, again, force=True)
    other.write("new.md", "# New\n\nA heron.\n")
    other.ingest()
    assert other.found("heron") == ["new.md"]


def test_an_older_index_is_brought_up_to_date_on_the_way_in(desk: Desk) -> None:
    filled(desk)
    made_older(desk.index, 1)
    file = export(desk)
    other = elsewhere(desk)
    assert bring_in(other, file).facts.schema == connection.SCHEMA_VERSION
    assert other.found("brown rice") == ["rice.md"]


def test_an_index_of_a_newer_kebab_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    file = export(filled(desk))
    other = elsewhere(desk)
    monkeypatch.setattr("kebab.store.intake.SCHEMA_VERSION", connection.SCHEMA_VERSION - 1)
    with pytest.raises(SchemaTooNew, match="newer kebab"):
        bring_in(other, file)
    assert not other.index.exists()


def test_deleted_text_does_not_travel_along(desk: Desk) -> None:
    secret = "xylophone " * 400
    desk.write("secret.md", f"# Secret\n\n{secret}\n")
    filled(desk)
    (desk.root / "secret.md").unlink()
    desk.ingest()
    assert b"xylophone xylophone" not in members(export(desk))[DATABASE]


def test_answers_can_be_left_out(desk: Desk) -> None:
    filled(desk)
    with Store.note_taker(desk.index) as store:
        store.sessions.create("trip to the moon", {})
    assert b"trip to the moon" in members(export(desk, "a.kebab"))[DATABASE]
    assert b"trip to the moon" not in members(export(desk, "b.kebab", answers=False))[DATABASE]


def test_copies_of_originals_travel_and_are_named_after_their_content(desk: Desk) -> None:
    desk.flags["storage.copy_threshold_mb"] = 1
    file = export(filled(desk))
    assert len(members(file)) == 5
    other = elsewhere(desk)
    report = bring_in(other, file)
    assert report.originals == 3
    copies = {path.read_bytes() for path in other.config.storage.asset_dir.rglob("*") if path.is_file()}
    assert copies == {text.encode() for text in NOTES.values()}
    with Store.reader(other.index) as store:
        assert {len(asset) for asset in store.shelf.asset_ids()} == {32}
    database = apsw.Connection(str(other.index))
    for (place,) in database.execute("SELECT storage_path FROM assets"):
        assert Path(str(place)).is_file()
        assert other.config.storage.asset_dir in Path(str(place)).parents


def test_where_questions_are_sent_is_not_for_an_import_to_say(desk: Desk, model: WordModel) -> None:
    filled(desk)
    database = apsw.Connection(str(desk.index))
    hostile = json.dumps({"provider": "openai", "endpoint": "https://attacker.example", "api_key_env": "HOME"})
    database.execute("UPDATE embedding_models SET provider = 'openai', settings_json = ?", (hostile,))
    database.close()
    copy = backup(desk, desk.home / "copy.sqlite").file
    other = elsewhere(desk)
    report = bring_in(other, Path(copy))
    assert any("not configured here" in note for note in report.notes)
    text = str(apsw.Connection(str(other.index)).execute("SELECT settings_json FROM embedding_models").fetchall())
    assert "attacker" not in text
    assert "HOME" not in text
    with Store.reader(other.index) as store:
        assert store.embeddings.active() is None
    assert b"attacker" not in members(export(desk))[DATABASE]


def test_a_backup_is_a_sound_database_and_can_be_brought_back(desk: Desk) -> None:
    report = backup(filled(desk))
    file = Path(report.file)
    assert file.parent == desk.config.storage.data_dir / "backups"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name], "one file, and none beside it"
    desk.index.write_bytes(b"not a database any more" * 1000)
    assert bring_in(desk, file, force=True).replaced
    assert desk.found("brown rice") == ["rice.md"]


def test_only_the_last_backups_are_kept_and_nothing_else_is_removed(desk: Desk) -> None:
    filled(desk)
    folder = desk.home / "kept"
    folder.mkdir()
    stranger = folder / "kebab-mine.sqlite"
    stranger.write_text("mine")
    files = [backup(desk, folder, keep=2).file for _ in range(4)]
    assert sorted(map(str, folder.glob("*.sqlite"))) == sorted([*files[2:], str(stranger)])
    with pytest.raises(InvalidInput, match="at least 1"):
        backup(desk, folder, keep=0)
    with pytest.raises(InvalidInput, match="--keep"):
        backup(desk, folder / "named.sqlite", keep=1)


def test_no_file_is_replaced_unasked_and_the_index_never(desk: Desk) -> None:
    filled(desk)
    mine = desk.home / "mine.txt"
    mine.write_text("mine")
    for make in (lambda: export(desk, "mine.txt"), lambda: backup(desk, mine)):
        with pytest.raises(InvalidInput, match="exists"):
            make()
    assert mine.read_text() == "mine"
    with pytest.raises(InvalidInput, match="index itself"):
        backup(desk, desk.index, force=True)
    with pytest.raises(InvalidInput, match="index itself"):
        bring_in(desk, desk.index, force=True)
    assert desk.found("brown rice") == ["rice.md"]


def test_where_there_is_no_index_nothing_is_made(desk: Desk) -> None:
    for make in (lambda: export(desk), lambda: backup(desk)):
        with pytest.raises(NotIndexed):
            make()
    assert sorted(path.name for path in desk.home.iterdir()) == ["kb"]


def test_an_export_is_of_one_state_while_others_write(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.store.copying._STEP_PAGES", 8)
    filled(desk)
    for number in range(60):
        desk.write(f"many/{number}.md", f"# Note {number}\n\n{'words ' * 800}\n")
    desk.ingest()
    events = desk.app().export(ExportRequest(desk.home / "notes.kebab"))
    first = next(events)
    assert isinstance(first, TransferProgress)
    assert first.done < first.total, "the copy is on its way"
    desk.write("late.md", "# Late\n\nA cormorant.\n")
    desk.ingest()
    assert desk.found("cormorant") == ["late.md"], "whoever writes is not held up"
    report = last(events)
    assert report.facts.documents == 63
    other = elsewhere(desk)
    bring_in(other, Path(report.file))
    assert other.found("cormorant") == []


def test_an_import_and_an_ingest_exclude_each_other(desk: Desk) -> None:
    file = export(filled(desk))
    with WriterLock(desk.config.storage.lock), pytest.raises(IndexLocked):
        bring_in(desk, file, force=True)
    arriving = desk.app().import_file(ImportRequest(file, force=True))
    next(arriving)
    with pytest.raises(IndexLocked):
        desk.ingest()
    with pytest.raises(IndexLocked):
        bring_in(desk, file, force=True)
    assert desk.found("brown rice") == ["rice.md"], "who reads is not held up"
    desk.open.close()
    assert last(arriving).replaced
    assert drafts(desk.home) == []


def test_an_index_that_is_being_read_is_not_replaced_under_its_reader(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kebab.store.copying.BUSY_TIMEOUT_MS", 10)
    file = export(filled(desk))
    with Store.reader(desk.index) as reading, reading.snapshot():
        reading.runs.counts()
        with pytest.raises(IndexLocked, match="open"):
            bring_in(desk, file, force=True)
    assert desk.found("brown rice") == ["rice.md"]
    assert drafts(desk.home) == []


def test_a_draft_whose_maker_died_is_swept_by_the_next_one(desk: Desk) -> None:
    dead = desk.home / ".kebab-draft-dead"
    dead.mkdir()
    (dead / DATABASE).write_text("half")
    export(filled(desk))
    assert drafts(desk.home) == []
