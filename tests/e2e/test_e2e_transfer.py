"""Exports, imports and backups as processes: beside an ingest, two at once, killed, without room and without rights."""

import json
import os
import resource
import shutil
import subprocess
from pathlib import Path

import apsw
import pytest
from fatal_moments import dying
from kebab_process import answer, kebab, on_terminal, plant, refusal, search, start, well, write_config

DATA = Path(".local/share/kebab")


def elsewhere(tmp_path: Path, name: str = "elsewhere") -> Path:
    home = tmp_path / name
    home.mkdir()
    return home


def found(home: Path) -> list[str]:
    return [hit["doc_path"] for hit in search(home, "brown rice", "--mode", "lexical")]


def left(folder: Path) -> list[Path]:
    return sorted(folder.rglob(".kebab-draft-*"))


def test_a_knowledge_base_moves_to_another_home(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.kebab"
    report = answer(home, "export", file)
    assert (report["kind"], report["file"]) == ("export", str(file))
    other = elsewhere(tmp_path)
    shutil.move(home / "notes", tmp_path / "unplugged")
    arrived = answer(other, "import", file)
    assert arrived["index"]["documents"] == 3
    assert all(check["ok"] for check in arrived["checks"])
    assert found(other) == ["rice.md"]
    assert {doc["freshness"] for doc in answer(other, "list", "docs")["docs"]} == {"missing"}
    assert "불린 현미" in well(kebab(other, "fetch", "doc", "쌀/현미밥.md")).out
    assert refusal(kebab(other, "import", file, "--json"), "invalid_input")["hint"]


def test_a_read_only_import_answers_and_refuses_an_ingest(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.kebab"
    well(kebab(home, "export", file, "--quiet"))
    other = elsewhere(tmp_path)
    plant(other / "notes", {"mine.md": "# Mine\n\nA heron.\n"})
    spoken = well(kebab(other, "import", file, "--as", "readonly"))
    assert "read only" in spoken.err
    error = refusal(kebab(other, "ingest", other / "notes", "--json"), "readonly_mode")
    assert "--as copy" in error["hint"]
    assert found(other) == ["rice.md"]
    well(kebab(other, "init", "--yes"))
    beside = well(kebab(other, "import", file, "--to", other / "beside"))
    assert f"--set storage.data_dir={other / 'beside'}" in beside.err
    assert search(other, "brown rice", "--mode", "lexical", "--set", f"storage.data_dir={other / 'beside'}")


def test_what_a_person_sees(home: Path, tmp_path: Path) -> None:
    shown = on_terminal(home, "export", tmp_path / "쌀.kebab")
    assert shown.status == 0
    assert "쌀.kebab" in shown.out
    assert "3 documents" in shown.out
    plain = well(kebab(home, "backup", tmp_path / "b.sqlite"))
    assert plain.out.startswith(f"{tmp_path / 'b.sqlite'}  ")
    assert plain.err.splitlines()[:2] == ["copying", "checking"]


def test_copies_made_while_an_ingest_runs_are_whole_and_do_not_hold_it_up(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    plant(home / "notes", {f"{number}.md": f"# Note {number}\n\n{'brown rice ' * 60}\n" for number in range(400)})
    well(kebab(home, "ingest", home / "notes", "--include", "1.md", "--quiet"))
    ingest = start(home, "ingest", "--quiet")
    counts = []
    while ingest.poll() is None:
        copy = answer(home, "backup", tmp_path / "copy.sqlite", "--force")
        counts.append(copy["index"]["documents"])
        database = apsw.Connection(str(tmp_path / "copy.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM documents").fetchall() == [(counts[-1],)]
        chunks = database.execute("SELECT count(*), (SELECT count(*) FROM chunks_fts_docsize) FROM chunks").fetchall()
        assert chunks[0][0] == chunks[0][1], "words and chunks are of one state"
        database.close()
    ingest.communicate()
    assert ingest.returncode == 0
    assert counts == sorted(counts)
    assert answer(home, "export", tmp_path / "all.kebab")["index"]["documents"] == 400


@pytest.mark.parametrize("moment", ["open whole", "open packed", "os.rename packed"])
def test_a_killed_export_leaves_no_half_file(moment: str, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    file = folder / "notes.kebab"
    assert kebab(home, "export", file, env=dying(tmp_path / "trap", moment)).status == -9
    assert not file.exists()
    assert left(folder), "it was killed on the way"
    assert found(home) == ["rice.md"]
    well(kebab(home, "export", file))
    assert [path.name for path in folder.iterdir()] == ["notes.kebab"], "the next one sweeps what the dead one left"


@pytest.mark.parametrize(
    ("moment", "delay"),
    [("open kebab.sqlite", 0), ("open kebab.sqlite", 0.03), ("open kebab.sqlite", 0.1), ("os.rename kebab.sqlite", 0)],
)
def test_a_killed_import_leaves_the_old_index_or_the_new_one(
    moment: str, delay: float, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "notes.kebab"
    well(kebab(home, "export", file, "--quiet"))
    plant(home / "notes", {"late.md": "# Late\n\nMuch brown rice.\n"})
    well(kebab(home, "ingest", "--quiet"))
    before = sorted(found(home))
    done = kebab(home, "import", file, "--force", env=dying(tmp_path / "trap", moment, delay))
    # A fast machine may be done before a late kill; then the new index is there.
    assert done.status == -9 or (delay > 0.03 and done.status == 0)
    after = sorted(found(home))
    assert after in (before, ["rice.md"])
    if not delay:
        assert after == before, "killed before the rename, nothing has changed"
    assert answer(home, "doctor")["ok"]
    well(kebab(home, "import", file, "--force"))
    assert found(home) == ["rice.md"]
    assert left(home) == []


def test_of_two_imports_at_once_none_spoils_the_other(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.kebab"
    well(kebab(home, "export", file, "--quiet"))
    other = elsewhere(tmp_path)
    both = [start(other, "import", file, "--json") for _ in range(2)]
    said = [process.communicate()[1].decode() for process in both]
    assert 0 in [process.returncode for process in both]
    for process, error in zip(both, said, strict=True):
        if process.returncode:
            assert json.loads(error)["code"] in ("index_locked", "invalid_input")
    assert found(other) == ["rice.md"]
    assert left(other) == []


def limited(home: Path, *arguments: str | Path, size: int) -> subprocess.CompletedProcess[bytes]:
    """As on a disk that is full once a file has reached `size`."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    process = start(home, *arguments, preexec_fn=limit)
    out, err = process.communicate()
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


@pytest.mark.parametrize("size", [0, 9000, 100_000])
def test_without_room_nothing_is_left_and_nothing_is_lost(size: int, home: Path, tmp_path: Path) -> None:
    file, folder = tmp_path / "notes.kebab", tmp_path / "out"
    folder.mkdir()
    well(kebab(home, "export", file, "--quiet"))
    backup = tmp_path / "backup.sqlite"
    well(kebab(home, "backup", backup, "--quiet"))
    calls = [("export", folder / "x.kebab"), ("backup", folder / "x.sqlite"), ("import", file, "--force")]
    for call in [*calls, ("import", backup, "--force")]:
        done = limited(home, *call, "--json", size=size)
        assert done.returncode == 2, (call, done)
        assert json.loads(done.stderr)["code"] == "io_error", (call, done.stderr)
        assert list(folder.iterdir()) == []
        assert found(home) == ["rice.md"]
    assert left(home) == []


def test_where_nothing_may_be_written_it_says_so(home: Path, tmp_path: Path) -> None:
    wall = tmp_path / "wall"
    wall.write_text("a file")
    for call in (("export", wall / "x"), ("backup", wall / "x"), ("import", home / "x", "--to", wall / "data")):
        done = kebab(home, *call, "--json")
        assert done.status == 2
        assert json.loads(done.err)["code"] in ("io_error", "invalid_input")
    if os.geteuid() == 0:
        return
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    refusal(kebab(home, "export", closed / "x", "--json"), "io_error")


def test_without_an_index_the_next_command_is_named(bare: Path) -> None:
    for command in ("export", "backup"):
        error = refusal(kebab(bare, command, bare / "x", "--json"), "not_indexed")
        assert "kebab ingest" in error["hint"]
    assert not (bare / "x").exists()


def test_readonly_refuses_all_three(home: Path, tmp_path: Path) -> None:
    for command in (("export", tmp_path / "x"), ("backup",), ("import", tmp_path / "x")):
        refusal(kebab(home, *command, "--readonly", "--json"), "readonly_mode")
    assert not (tmp_path / "x").exists()
    assert not (home / DATA / "backups").exists()
