"""Changes below folders: told by the system or found by looking, and what has to be read again because of one."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kebab.source import changes
from kebab.source.changes import CannotNotify, Paths, affected, identity, is_remote, notified, polled

ROOT = "/kb"


@pytest.fixture(params=["notified", "polled"])
def batches(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What changes in the test's folder, from now on."""
    monkeypatch.setattr(changes, "QUIET_MS", 50)
    monkeypatch.setattr(changes, "IDLE_MS", 50)
    stop = threading.Event()
    found = notified([tmp_path], stop) if request.param == "notified" else polled([tmp_path], stop, 0.05)
    assert next(found) == frozenset()
    yield found
    stop.set()
    assert list(found) in ([], [frozenset()])


def until(found: Iterator[Paths], enough: Callable[[set[str]], bool]) -> set[str]:
    seen: set[str] = set()
    for batch in found:
        seen |= batch
        if enough(seen):
            return seen
    raise AssertionError(f"it ended with {seen}")


def test_files_that_appear_change_move_and_go_are_named(batches: Iterator[Paths], tmp_path: Path) -> None:
    note, moved = tmp_path / "a.md", tmp_path / "b.md"
    note.write_text("one")
    until(batches, lambda seen: str(note) in seen)
    note.write_text("two words")
    until(batches, lambda seen: str(note) in seen)
    note.rename(moved)
    until(batches, lambda seen: {str(note), str(moved)} <= seen)
    moved.unlink()
    until(batches, lambda seen: str(moved) in seen)


def test_what_comes_with_a_new_folder_is_named_or_its_folder_is(batches: Iterator[Paths], tmp_path: Path) -> None:
    inner = tmp_path / "new/inner"
    inner.mkdir(parents=True)
    (inner / "a.md").write_text("one")
    until(batches, lambda seen: not seen.isdisjoint({str(tmp_path / "new"), str(inner), str(inner / "a.md")}))


def test_a_system_without_the_package_is_said_to_tell_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "watchfiles", None)
    with pytest.raises(CannotNotify, match="watchfiles"):
        next(notified([tmp_path], threading.Event()))


def test_a_folder_that_cannot_be_watched_is_said_to_tell_nothing(tmp_path: Path) -> None:
    with pytest.raises(CannotNotify):
        next(notified([tmp_path / "gone"], threading.Event()))


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/kb/a/b.md", "/kb/a/b.md"),
        ("/kb", "/kb"),
        ("/kb/a/.gitignore", "/kb/a"),
        ("/kb/.kebabignore", "/kb"),
        ("/kb/x/pyvenv.cfg", "/kb/x"),
        ("/kb/x/CACHEDIR.TAG", "/kb/x"),
        ("/kb/x/Cargo.toml", "/kb/x"),
        ("/kb/.git/index", None),
        ("/kb/sub/.git/objects/aa/bb", None),
        ("/kb/.git/info/exclude", "/kb"),
    ],
)
def test_what_is_to_be_read_again_for_a_change(path: str, wanted: str | None) -> None:
    assert affected(path, ROOT) == wanted


def test_the_innermost_mount_says_whether_a_folder_is_remote(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda / ext4 rw 0 0\nnas:/x /mnt/my\\040nas nfs4 rw 0 0\n/dev/b /mnt/my\\040nas/disk ext4 rw 0 0\n"
    )
    assert is_remote(Path("/mnt/my nas/notes"), mounts)
    assert not is_remote(Path("/mnt/my nas/disk/notes"), mounts)
    assert not is_remote(Path("/mnt/my nascent"), mounts)
    assert not is_remote(Path("/home"), tmp_path / "none")


def test_a_folder_that_was_replaced_is_another_one(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    assert identity(folder) is None
    folder.mkdir()
    before = identity(folder)
    folder.rename(tmp_path / "b")
    folder.mkdir()
    assert identity(folder) != before
