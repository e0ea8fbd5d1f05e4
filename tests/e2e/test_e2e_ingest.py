"""A folder into the index and kept up to date, and the ways to watch it."""

import os
import re
import shutil
from pathlib import Path

from kebab_process import Json, answer, kebab, objects, on_terminal, plant, search, settle, tree, well

DATA = ".local/share/kebab"


def ingest(home: Path, *arguments: str, status: int = 0) -> tuple[list[Json], Json]:
    """The progress lines and the report."""
    done = well(kebab(home, "ingest", *arguments, "--json"), status)
    assert done.err == ""
    *events, report = objects(done)
    assert report["schema_version"] == "ingest_report.v1"
    assert {event["schema_version"] for event in events} == {"ingest_progress.v1"}
    return events, report


def counted(report: Json) -> dict[str, int]:
    names = ("scanned", "new", "updated", "unchanged", "skipped", "errors", "purged_deleted_files")
    return {name: report[name] for name in names if report[name]}


def paths(home: Path) -> list[str]:
    return [doc["doc_path"] for doc in answer(home, "list", "docs")["docs"]]


def test_every_example_note_is_indexed_once_and_then_left_alone(example_home: Path) -> None:
    files = sorted(str(path.relative_to(example_home / "notes")) for path in (example_home / "notes").rglob("*.md"))
    events, report = ingest(example_home)
    assert counted(report) == {"scanned": len(files), "new": len(files)}
    assert [item["doc_path"] for item in report["items"]] == files == paths(example_home)
    assert all(item["warnings"] == [] for item in report["items"]), "the examples are clean"
    assert events[-1]["counts"]["chunks_indexed"] == sum(item["chunk_count"] for item in report["items"])
    stats = answer(example_home, "schema")
    assert stats["stats"]["doc_count"] == len(files)
    assert stats["stats"]["chunk_count"] == events[-1]["counts"]["chunks_indexed"]

    _, second = ingest(example_home)
    assert counted(second) == {"scanned": len(files), "unchanged": len(files)}
    again = answer(example_home, "schema")
    assert again["models"]["corpus_revision"] == stats["models"]["corpus_revision"]
    assert again["stats"] == stats["stats"]


def test_edited_moved_and_deleted_notes_are_followed(example_home: Path) -> None:
    notes = example_home / "notes"
    total = len(list(notes.rglob("*.md")))
    ingest(example_home)
    edited, moved, deleted = notes / "cooking/sourdough.md", notes / "home/houseplants.md", notes / "dev/git-undo.md"
    edited.write_text(edited.read_text(encoding="utf-8") + "\n## Quokka\n\nA quokka ate it.\n", encoding="utf-8")
    (notes / "garden").mkdir()
    moved.rename(notes / "garden/식물.md")
    deleted.unlink()

    _, report = ingest(example_home)
    assert counted(report) == {
        "scanned": total - 1,
        "new": 1,
        "updated": 1,
        "unchanged": total - 3,
        "purged_deleted_files": 2,
    }
    assert report["purged_paths"] == ["dev/git-undo.md", "home/houseplants.md"]
    assert sorted(paths(example_home)) == sorted(str(path.relative_to(notes)) for path in notes.rglob("*.md"))
    assert [hit["doc_path"] for hit in search(example_home, "quokka")] == ["cooking/sourdough.md"]
    assert search(example_home, "몬스테라 물주기 화분")[0]["doc_path"] == "garden/식물.md"
    assert well(kebab(example_home, "search", "reflog", "--format", "paths"), status=1).out == ""


def test_progress_keeps_its_order_and_ends_once(example_home: Path) -> None:
    plant(example_home / "notes", {"broken.md": "x"})
    events, report = ingest(example_home)
    kinds = [event["kind"] for event in events]
    assert kinds[0] == "scan_started"
    assert kinds[1] == "scan_completed"
    assert kinds[-1] == "completed"
    assert sum(kind in ("completed", "aborted") for kind in kinds) == 1
    assert events[0]["root"] == str(example_home / "notes")
    total = events[1]["total"]
    about_files = [event for event in events if event["kind"].startswith("asset_")]
    assert about_files == events[2:-1]
    for number in range(1, total + 1):
        own = [event for event in about_files if event["idx"] == number]
        assert own == about_files[: len(own)], "one file at a time, in order"
        del about_files[: len(own)]
        assert own[0]["kind"] == "asset_started"
        assert own[-1]["kind"] == "asset_finished"
        assert len({event["path"] for event in own}) == 1
        assert {event["total"] for event in own} == {total}
    assert about_files == []
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    assert {name: report[name] for name in ("scanned", "new", "errors")} == {
        name: events[-1]["counts"][name] for name in ("scanned", "new", "errors")
    }


def test_an_unchanged_run_and_a_single_file_keep_the_order_too(home: Path) -> None:
    for arguments in (("ingest",), ("ingest-file", str(home / "notes/rice.md"))):
        *events, report = objects(well(kebab(home, *arguments, "--json")))
        kinds = [event["kind"] for event in events]
        assert kinds[0] == "scan_started"
        assert kinds[1] == "scan_completed"
        assert kinds[2:-1] == ["asset_started", "asset_finished"] * ((len(kinds) - 3) // 2)
        assert kinds[-1] == "completed"
        assert report["unchanged"] == (len(kinds) - 3) // 2 > 0


def test_plain_progress_is_lines_on_stderr(bare: Path) -> None:
    done = well(kebab(bare, "ingest", env={"KEBAB_PROGRESS": "plain"}))
    lines = done.err.splitlines()
    assert lines[0] == f"scanning {bare / 'notes'}"
    assert lines[1] == "found 3 files"
    assert lines[2:] == [
        "[1/3] new dev/backup.md (1 chunks)",
        "[2/3] new rice.md (1 chunks)",
        "[3/3] new 쌀/현미밥.md (2 chunks)",
    ]
    assert re.fullmatch(r"done: 3 new, 0 updated, 0 unchanged \(4 chunks, \d+\.\d s\)\n", done.out)


def test_quiet_is_silent(bare: Path) -> None:
    assert kebab(bare, "ingest", "--quiet", env={"KEBAB_PROGRESS": "plain"}) == (0, "", "")
    assert len(paths(bare)) == 3


def test_a_dry_run_tells_what_would_happen_and_creates_nothing(bare: Path) -> None:
    before = tree(bare)
    _, report = ingest(bare, "--dry-run")
    assert counted(report) == {"scanned": 3, "new": 3}
    assert report["dry_run"] is True
    made = set(tree(bare)) - set(before)
    assert {name for name in made if not name.startswith(".local/state/") and name != ".local/"} == set()


def test_a_dry_run_over_an_index_changes_nothing_in_it(home: Path) -> None:
    (home / "notes/rice.md").unlink()
    plant(home / "notes", {"new.md": "# New\n"})
    before = answer(home, "schema")
    _, report = ingest(home, "--dry-run")
    assert counted(report) == {"scanned": 3, "new": 1, "unchanged": 2, "purged_deleted_files": 1}
    assert answer(home, "schema") == before
    assert "rice.md" in paths(home)


def test_summary_only_leaves_the_items_out(bare: Path) -> None:
    events, report = ingest(bare, "--summary-only")
    assert report["items"] is None
    assert events
    assert counted(report) == {"scanned": 3, "new": 3}


def test_the_progress_bar_is_drawn_on_the_terminal_and_never_on_stdout(example_home: Path) -> None:
    done = well(on_terminal(example_home, "ingest", streams=("stderr",)))
    assert "\x1b[" in done.err, "something was drawn"
    assert "indexing" in done.err
    assert re.fullmatch(r"done: 20 new, [^\x1b\r\n]*\n", done.out)
    shutil.rmtree(example_home / DATA)
    silent = well(on_terminal(example_home, "ingest", "--json", streams=("stderr",)))
    assert silent.err == ""
    assert objects(silent)[-1]["new"] == 20


def test_include_and_exclude_narrow_a_run_and_drop_nothing_that_is_still_there(home: Path) -> None:
    plant(home / "notes", {"dev/more.md": "# More\n", "draft.md": "# Draft\n"})
    _, report = ingest(home, "--include", "dev/**", "--exclude", "**/backup.md")
    assert [item["doc_path"] for item in report["items"] if item["kind"] == "new"] == ["dev/more.md"]
    assert report["purged_deleted_files"] == 0
    assert paths(home) == ["dev/backup.md", "dev/more.md", "rice.md", "쌀/현미밥.md"]


def test_a_run_over_a_part_touches_only_that_part(home: Path) -> None:
    (home / "notes/rice.md").unlink()
    (home / "notes/dev/backup.md").unlink()
    _, report = ingest(home, str(home / "notes/dev"))
    assert report["purged_paths"] == ["dev/backup.md"]
    assert paths(home) == ["rice.md", "쌀/현미밥.md"]


def test_a_changed_setting_processes_everything_again_and_only_once(home: Path) -> None:
    well(kebab(home, "config", "set", "chunking.target_tokens", "100"))
    assert counted(ingest(home)[1]) == {"scanned": 3, "updated": 3}
    assert counted(ingest(home)[1]) == {"scanned": 3, "unchanged": 3}
    assert counted(ingest(home, "--force-reingest")[1]) == {"scanned": 3, "updated": 3}


def test_checksum_finds_a_change_that_size_and_time_hide(bare: Path) -> None:
    note = bare / "notes/rice.md"
    ingest(bare)
    stamp = note.stat()
    with note.open("r+b") as file:
        file.write(note.read_bytes().replace(b"brown", b"black"))
    os.utime(note, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert counted(ingest(bare)[1]) == {"scanned": 3, "unchanged": 3}
    assert counted(ingest(bare, "--checksum")[1]) == {"scanned": 3, "updated": 1, "unchanged": 2}
    assert search(bare, "black rice")[0]["doc_path"] == "rice.md"


def test_what_comes_from_outside_is_kept_by_later_runs(home: Path) -> None:
    loose = plant(home / "outside", {"loose.md": "# Loose\n\nA platypus note.\n"}) / "loose.md"
    for _ in range(2):
        report = answer(home, "ingest-file", loose)
    assert report["unchanged"] == 1, "the same file twice is one document"
    stdin = answer(
        home, "ingest-stdin", "--title", "회의록: 3월", "--source-uri", "mail:7", stdin="오리너구리".encode()
    )
    assert stdin["new"] == 1
    loose.unlink()
    assert ingest(home)[1]["purged_deleted_files"] == 0
    assert search(home, "platypus")[0]["doc_path"].startswith("_external/")
    hit = search(home, "오리너구리")[0]
    assert hit["title"] == "회의록: 3월"
    assert (home / "notes/.kebabignore").read_text(encoding="utf-8") == "_external/\n"


def test_two_equal_files_are_two_documents_and_survive_each_other(home: Path) -> None:
    text = (home / "notes/rice.md").read_text(encoding="utf-8")
    plant(home / "notes", {"copy/rice.md": text})
    ingest(home)
    assert {hit["doc_path"] for hit in search(home, "brown rice")} == {"rice.md", "copy/rice.md"}
    (home / "notes/rice.md").unlink()
    ingest(home)
    assert {hit["doc_path"] for hit in search(home, "brown rice")} == {"copy/rice.md"}


def test_a_folder_given_by_name_is_remembered_and_kept_apart(home: Path) -> None:
    extra = plant(home / "More Notes", {"whale.md": "# Whale\n\nA whale sings.\n"})
    _, report = ingest(home, str(extra))
    assert counted(report) == {"scanned": 1, "new": 1}
    assert len(paths(home)) == 4
    (extra / "whale.md").write_text("# Whale\n\nA whale dives.\n", encoding="utf-8")
    settle(extra / "whale.md")
    assert counted(ingest(home)[1]) == {"scanned": 4, "updated": 1, "unchanged": 3}
    hit = search(home, "whale dives")[0]
    assert hit["source_id"] == "more-notes"
    assert hit["citation"]["uri"] == "@more-notes/whale.md#L1-L3"
