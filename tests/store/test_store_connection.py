import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from kebab.core.errors import IoFailure, NotIndexed, RetrievalError
from kebab.store.connection import PAGE_SIZE, open_reader, open_writer
from kebab.store.store import Store

if TYPE_CHECKING:
    from store_bench import Index


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_without_an_index_there_is_nothing_to_read(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "kebab.sqlite"
    with pytest.raises(NotIndexed) as caught:
        open_reader(path)
    assert caught.value.details == {"data_dir": str(path.parent), "expected": str(path)}
    assert caught.value.hint is not None
    assert not path.parent.exists()


def test_an_empty_file_is_no_index(tmp_path: Path) -> None:
    path = tmp_path / "kebab.sqlite"
    path.touch()
    with pytest.raises(NotIndexed):
        open_reader(path)
    assert path.read_bytes() == b""


def test_a_folder_in_its_place_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(NotIndexed):
        open_reader(tmp_path)
    with pytest.raises(IoFailure):
        open_writer(tmp_path)


@pytest.mark.parametrize("garbage", [b"this is not a database, but it is long enough to look at " * 40, b"\x00" * 4096])
def test_garbage_is_a_retrieval_error_and_left_as_it_is(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "kebab.sqlite"
    path.write_bytes(garbage)
    for open_it in (open_reader, open_writer):
        with pytest.raises(RetrievalError) as caught:
            open_it(path)
        assert caught.value.details["path"] == str(path)
    assert path.read_bytes() == garbage


def test_a_place_that_cannot_be_made_is_an_io_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IoFailure) as caught:
        open_writer(tmp_path / "file" / "kebab.sqlite")
    assert caught.value.details["op"] == "write"


def test_only_the_owner_can_read_an_index(index: "Index") -> None:
    index.put("a.md", "private\n")
    assert mode(index.path.parent) == 0o700
    sides = sorted(file.name for file in index.path.parent.iterdir())
    assert sides == ["kebab.sqlite", "kebab.sqlite-shm", "kebab.sqlite-wal"]
    assert {mode(file) for file in index.path.parent.iterdir()} == {0o600}


def test_an_index_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_writer(tmp_path / "a" / "b" / "kebab.sqlite").close()
    finally:
        os.umask(before)
    assert mode(tmp_path / "a" / "b" / "kebab.sqlite") == 0o600
    assert mode(tmp_path / "a" / "b") == 0o700


def test_the_pragmas_hold(index: "Index") -> None:
    pragma = index.database.connection.pragma
    assert (pragma("journal_mode"), pragma("foreign_keys"), pragma("synchronous")) == ("wal", 1, 1)
    assert (pragma("page_size"), pragma("temp_store")) == (PAGE_SIZE, 2)


def test_a_reader_cannot_write(index: "Index") -> None:
    index.put("a.md", "alpha\n")
    with Store.reader(index.path) as reader:
        assert reader._db.is_readonly
        for sql in ("DELETE FROM documents", "CREATE TABLE x (a)", "UPDATE schema_meta SET value = '9'"):
            with pytest.raises(IoFailure, match="readonly"):
                reader._db.run(sql)
    assert not index.database.is_readonly
    assert index.count("documents") == 1


def test_a_reader_sees_what_is_committed_while_it_is_open(index: "Index") -> None:
    with Store.reader(index.path) as reader:
        assert reader.runs.counts()["documents"] == 0
        index.put("a.md", "alpha\n")
        assert reader.runs.counts()["documents"] == 1


def test_a_reader_is_not_blocked_by_a_transaction_and_does_not_see_it(index: "Index") -> None:
    index.put("a.md", "alpha\n")
    with index.database.transaction():
        index.database.run("DELETE FROM documents")
        with Store.reader(index.path) as reader:
            assert reader.runs.counts()["documents"] == 1
    with Store.reader(index.path) as reader:
        assert reader.runs.counts()["documents"] == 0


@pytest.mark.parametrize("name", ["with space", "per%20cent", "question?mark", "hash#sign", "한글", "quote'\"s"])
def test_any_folder_name_can_hold_an_index(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / "kebab.sqlite"
    open_writer(path).close()
    open_reader(path).close()
    assert [file.name for file in (tmp_path / name).iterdir() if file.suffix == ".sqlite"] == ["kebab.sqlite"]


@contextmanager
def locked_away(folder: Path) -> Iterator[None]:
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(0o755)


def count_as_somebody(path: Path) -> int:
    """How many documents a reader finds; a superuser, whom no file mode stops, looks as nobody, in a child."""
    if os.geteuid() != 0:
        with Store.reader(path) as reader:
            return reader.runs.counts()["documents"]
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.setgid(65534)
            os.setuid(65534)
            with Store.reader(path) as reader:
                code = reader.runs.counts()["documents"]
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def shelf(index: "Index") -> Iterator[Path]:
    """A copy of a filled index in a folder that can be listed by all and written by none."""
    index.put("a.md", "alpha\n")
    index.put("b.md", "beta\n")
    index.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    folder = Path(tempfile.mkdtemp())
    copy = folder / "kebab.sqlite"
    shutil.copyfile(index.path, copy)
    copy.chmod(0o444)
    with locked_away(folder):
        yield copy
    shutil.rmtree(folder)


def test_an_index_in_a_folder_nobody_may_write_can_be_read(shelf: Path) -> None:
    assert count_as_somebody(shelf) == 2
    assert [file.name for file in shelf.parent.iterdir()] == ["kebab.sqlite"]


def test_without_room_for_the_shared_memory_the_file_is_read_as_it_is(
    index: "Index", monkeypatch: pytest.MonkeyPatch
) -> None:
    index.put("a.md", "alpha\n")
    index.store.close()
    opened: list[str] = []
    real = apsw.Connection

    def connect(name: str, **options: int) -> apsw.Connection:
        opened.append(name)
        if "immutable" not in name:
            raise apsw.CantOpenError("unable to open database file")
        return real(name, **options)

    monkeypatch.setattr(apsw, "Connection", connect)
    with Store.reader(index.path) as reader:
        assert reader.runs.counts()["documents"] == 1
    assert [name.endswith("immutable=1") for name in opened] == [False, True]


def test_a_log_that_cannot_be_read_is_not_passed_over(index: "Index", monkeypatch: pytest.MonkeyPatch) -> None:
    """What the -wal file holds would be missing, so an answer without it would be wrong."""
    index.put("a.md", "alpha\n")

    real = apsw.Connection

    def connect(name: str, **options: int) -> apsw.Connection:
        if "immutable" not in name:
            raise apsw.CantOpenError("unable to open database file")
        return real(name, **options)

    assert index.path.with_name("kebab.sqlite-wal").stat().st_size > 0
    monkeypatch.setattr(apsw, "Connection", connect)
    with pytest.raises(IoFailure):
        open_reader(index.path)
