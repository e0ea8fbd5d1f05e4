"""Reset removes what kebab made, at the paths of the config in use, and only when somebody meant it."""

import shutil
from pathlib import Path

import pytest
from kebab_process import (
    Done,
    answer,
    kebab,
    on_terminal,
    plant,
    refusal,
    search,
    side_by_side,
    tree,
    well,
    write_config,
)

SCOPES = ("--all", "--data-only", "--vector-only", "--config-only")
# The lock stays: whoever waits for it must wait at the same file.
INDEX = {"data/kebab.sqlite", "data/kebab.sqlite-wal", "data/kebab.sqlite-shm"}
GONE = {
    "--all": {"kebab.toml", *INDEX},
    "--data-only": INDEX,
    "--vector-only": set(),
    "--config-only": {"kebab.toml"},
    "--orphans-only": set(),
}


def make(folder: Path, word: str) -> Path:
    """An indexed knowledge base in one folder; its config."""
    plant(folder / "notes", {"note.md": f"# Note\n\nThe {word}.\n"})
    config = write_config(folder / "kebab.toml")
    well(kebab(folder, "ingest", "--quiet", "--config", config))
    plant(folder / "data", {"mine.txt": "a file of the user's own"})
    return config


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two knowledge bases side by side, to be copied; moved, so that nothing is left where they were made."""
    folder = tmp_path_factory.mktemp("pair") / "made"
    side_by_side(lambda base: make(folder / base[0], base[1]), (("ours", "heron"), ("theirs", "stork")))
    return folder.rename(folder.with_name("moved"))


def contents(folder: Path) -> dict[str, bytes]:
    """The same files, less what a reader may leave beside the database."""
    sides = ("kebab.sqlite-wal", "kebab.sqlite-shm")
    return {name: content for name, content in tree(folder).items() if not name.endswith(sides)}


def test_a_reset_touches_its_own_config_and_no_other(tmp_path: Path, pair: Path) -> None:
    side_by_side(lambda scope: reset_one(tmp_path / scope, scope, pair), [*SCOPES, "--orphans-only"])


def reset_one(world: Path, scope: str, pair: Path) -> None:
    shutil.copytree(pair, world)
    ours, theirs, home = world / "ours", world / "theirs", world / "home"
    home.mkdir()
    before, notes, others = set(tree(ours)), tree(ours / "notes"), contents(theirs)
    report = answer(home, "reset", scope, "--yes", "--config", ours / "kebab.toml")
    gone = before - set(tree(ours))
    assert gone == GONE[scope] & before
    assert {Path(path).relative_to(ours).as_posix() for path in report["removed_paths"]} == gone
    assert tree(ours / "notes") == notes
    assert (ours / "data/mine.txt").exists()
    assert contents(theirs) == others
    assert {name for name in tree(home) if not name.startswith(".local")} == set()


def test_a_reset_under_a_foreign_config_spares_the_default_places(home: Path, tmp_path: Path, pair: Path) -> None:
    config = shutil.copytree(pair, tmp_path / "pair") / "ours/kebab.toml"
    well(kebab(home, "reset", "--all", "--yes", "--config", config))
    assert search(home, "brown rice"), "the index at the default place is still there"
    assert (home / ".config/kebab/config.toml").exists()


def test_without_yes_and_without_a_terminal_a_reset_refuses(tmp_path: Path, pair: Path) -> None:
    config = shutil.copytree(pair, tmp_path / "pair") / "ours/kebab.toml"
    before = contents(config.parent)
    ways = [(scope, "--json") for scope in SCOPES] + [("--all",)]
    done = side_by_side(lambda way: kebab(tmp_path, "reset", *way, "--config", config, stdin=b"y\n"), ways)
    for way, result in done.items():
        if "--json" in way:
            refusal(result, "invalid_input")
        else:
            assert result.status == 2
            assert "--yes" in result.err
    assert contents(config.parent) == before


def test_on_a_terminal_a_reset_asks_and_takes_no_for_an_answer(tmp_path: Path, pair: Path) -> None:
    config = shutil.copytree(pair, tmp_path / "pair") / "ours/kebab.toml"
    declined = on_terminal(tmp_path, "reset", "--data-only", "--config", config, typed=b"n\n")
    assert declined.status == 130
    assert str(config.parent / "data/kebab.sqlite") in declined.out, "it says what it would remove"
    assert search(tmp_path, "heron", "--config", str(config))
    agreed = on_terminal(tmp_path, "reset", "--data-only", "--config", config, typed=b"y\n")
    assert agreed.status == 0
    refusal(kebab(tmp_path, "search", "heron", "--json", "--config", config), "not_indexed")


def test_orphans_are_documents_whose_file_is_gone(home: Path) -> None:
    well(kebab(home, "ingest", "--quiet"))
    (home / "notes/rice.md").unlink()
    report = answer(home, "reset", "--orphans-only")
    assert (report["orphans_purged"], report["purged_paths"]) == (1, ["rice.md"])
    assert [doc["doc_path"] for doc in answer(home, "list", "docs")["docs"]] == ["dev/backup.md", "쌀/현미밥.md"]
    assert answer(home, "reset", "--orphans-only")["orphans_purged"] == 0


def test_a_reset_of_nothing_is_no_error(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    assert answer(tmp_path, "reset", "--data-only", "--yes", "--config", config)["removed_paths"] == []
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("command", [("reset", "--data-only", "--yes"), ("ingest",)], ids=["reset", "ingest"])
def test_files_of_the_user_in_the_folder_for_copies_are_never_touched(command: tuple[str, ...], tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml", more='asset_dir = "pictures"\n')
    plant(tmp_path / "notes", {"note.md": "# Note\n"})
    plant(tmp_path / "pictures", {"cat.txt": "a cat", "ko/dog.txt": "a dog", "ko/more/fox.txt": "a fox"})
    well(kebab(tmp_path, "ingest", "--quiet", "--config", config))
    well(kebab(tmp_path, *command, "--quiet", "--config", config))
    assert {name for name in tree(tmp_path / "pictures") if name.endswith(".txt")} == {
        "cat.txt",
        "ko/dog.txt",
        "ko/more/fox.txt",
    }


WRITERS = [
    ("init",),
    ("init", "--force"),
    ("ingest",),
    ("ingest", "--force-reingest"),
    ("ingest-file", "{home}/notes/rice.md"),
    ("ingest-stdin", "--title", "T"),
    ("doctor", "--repair"),
    ("vectors", "rebuild"),
    ("models", "pull", "multilingual-e5-small"),
    ("jobs", "cancel", "job_0"),
    ("session", "delete", "s"),
    ("config", "set", "search.default_k", "3"),
    ("config", "migrate"),
    ("export", "{home}/x"),
    ("import", "{home}/x"),
    ("backup",),
    *(("reset", scope, "--yes") for scope in (*SCOPES, "--orphans-only")),
]


def test_readonly_refuses_every_writing_command_and_changes_nothing(home: Path) -> None:
    before = contents(home)

    def run(command: tuple[str, ...]) -> Done:
        given = [word.format(home=home) for word in command]
        given = ["--readonly", *given] if WRITERS.index(command) % 2 else [*given, "--readonly"]
        return kebab(home, *given, "--json", stdin=b"text")

    for done in side_by_side(run, WRITERS).values():
        assert refusal(done, "readonly_mode")["hint"]
    assert contents(home) == before


def test_readonly_lets_every_reading_command_work_and_leaves_no_trace(home: Path) -> None:
    before = contents(home)
    readers = (
        ("search", "brown rice"),
        ("list", "docs"),
        ("inspect", "doc", "rice.md"),
        ("doctor",),
        ("schema",),
        ("vectors", "status"),
        ("models", "list"),
        ("jobs", "list"),
        ("answers", "list"),
        ("session", "list"),
        ("config", "show"),
        ("config", "migrate", "--dry-run"),
        ("ingest", "--dry-run"),
    )
    assert all(side_by_side(lambda command: answer(home, *command, "--readonly"), readers).values())
    assert contents(home) == before


def test_readonly_does_not_create_an_index(bare: Path) -> None:
    before = tree(bare)
    refusal(kebab(bare, "search", "x", "--readonly", "--json"), "not_indexed")
    refusal(kebab(bare, "ingest", "--readonly", "--json"), "readonly_mode")
    assert tree(bare) == before
