import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab.core.asset import FileStamp
from kebab.core.errors import IoFailure
from kebab.source import read, read_stable
from kebab.source.read import file_stamp


@pytest.fixture(autouse=True)
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    taken: list[float] = []
    monkeypatch.setattr(read.time, "sleep", taken.append)
    return taken


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "a.md"
    file.write_bytes(b"hello")
    return file


def stamp_of(file: Path) -> FileStamp:
    return file_stamp(file.stat())


def meddle(monkeypatch: pytest.MonkeyPatch, change: Callable[[int], None]) -> None:
    """Calls `change` with the number of the read, right after its first bytes were read."""
    real, reads = os.read, iter(range(100))

    def slow_read(descriptor: int, count: int) -> bytes:
        part = real(descriptor, count)
        if part:
            change(next(reads))
        return part

    monkeypatch.setattr(os, "read", slow_read)


def test_a_quiet_file_is_read_once(note: Path, naps: list[float]) -> None:
    assert read_stable(note, stamp_of(note), 100) == (b"hello", stamp_of(note))
    assert not naps


def test_an_empty_file_and_one_at_the_limit_are_fine(note: Path) -> None:
    assert read_stable(note, stamp_of(note), 5)[0] == b"hello"
    note.write_bytes(b"")
    assert read_stable(note, stamp_of(note), 5)[0] == b""


def test_a_large_file_comes_whole(note: Path) -> None:
    raw = os.urandom(1_000_003)
    note.write_bytes(raw)
    assert read_stable(note, stamp_of(note), 2_000_000)[0] == raw


def test_a_file_changed_since_the_scan_must_look_the_same_twice(note: Path, naps: list[float]) -> None:
    seen = stamp_of(note)
    note.write_bytes(b"another text")
    assert read_stable(note, seen, 100) == (b"another text", stamp_of(note))
    assert len(naps) == 1


def test_a_file_changed_while_being_read_is_read_again(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def grow(number: int) -> None:
        if number < 2:
            with note.open("ab") as file:
                file.write(b"!")

    meddle(monkeypatch, grow)
    raw, stamp = read_stable(note, stamp_of(note), 100)
    assert raw == b"hello!!"
    assert stamp == stamp_of(note)


def test_a_file_that_never_rests_is_given_up(note: Path, monkeypatch: pytest.MonkeyPatch, naps: list[float]) -> None:
    meddle(monkeypatch, lambda number: os.utime(note, ns=(number, number)))
    with pytest.raises(IoFailure, match="changed while being read"):
        read_stable(note, stamp_of(note), 1000)
    assert len(naps) == 3


def test_a_file_over_the_limit_is_refused(note: Path) -> None:
    with pytest.raises(IoFailure, match="larger than 4 bytes"):
        read_stable(note, stamp_of(note), 4)


def test_a_vanished_file_is_a_failure_of_reading(note: Path) -> None:
    seen = stamp_of(note)
    note.unlink()
    with pytest.raises(IoFailure) as caught:
        read_stable(note, seen, 100)
    assert caught.value.details["op"] == "read"


def test_a_pipe_swapped_in_does_not_hang(note: Path) -> None:
    seen = stamp_of(note)
    note.unlink()
    os.mkfifo(note)
    with pytest.raises(IoFailure, match="not a regular file"):
        read_stable(note, seen, 100)


def test_a_link_swapped_in_is_not_followed(note: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    seen = stamp_of(note)
    note.unlink()
    note.symlink_to(tmp_path / "secret")
    with pytest.raises(IoFailure):
        read_stable(note, seen, 100)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IoFailure):
        read_stable(tmp_path, stamp_of(tmp_path), 100)


def test_a_missing_inode_number_is_no_change(note: Path, naps: list[float]) -> None:
    seen = stamp_of(note)
    read_stable(note, FileStamp(seen.size, seen.mtime_ns, 0), 100)
    assert not naps


def test_no_descriptor_is_left_open(note: Path) -> None:
    lowest = os.dup(0)
    os.close(lowest)
    for _ in range(20):
        read_stable(note, stamp_of(note), 100)
        with pytest.raises(IoFailure):
            read_stable(note.parent, stamp_of(note), 100)
    again = os.dup(0)
    os.close(again)
    assert again == lowest
