import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab.core.errors import IndexLocked, IoFailure
from kebab.store.lock import WriterLock

HOLD = """
import sys
from pathlib import Path
from kebab.store.lock import WriterLock

with WriterLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
print("released", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kebab.sqlite.lock"


@pytest.fixture
def holder(path: Path) -> "Iterator[subprocess.Popen[str]]":
    """Another process that holds the lock until it is told to let go."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with process:
        yield process
        process.kill()


def tell(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_a_second_writer_is_told_who_is_first(path: Path, holder: "subprocess.Popen[str]") -> None:
    with pytest.raises(IndexLocked) as caught, WriterLock(path):
        pass
    assert caught.value.details == {"path": str(path), "pid": holder.pid}
    assert str(holder.pid) in caught.value.message
    assert path.read_text() == str(holder.pid)


def test_the_lock_is_free_once_its_holder_lets_go(path: Path, holder: "subprocess.Popen[str]") -> None:
    tell(holder)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "released\n"
    with WriterLock(path):
        assert path.read_text() == str(os.getpid())


def test_the_lock_is_free_once_its_holder_is_killed(path: Path, holder: "subprocess.Popen[str]") -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert path.read_text() == str(holder.pid)
    with WriterLock(path):
        assert path.read_text() == str(os.getpid())


def test_one_process_cannot_hold_it_twice(path: Path) -> None:
    with WriterLock(path):
        with pytest.raises(IndexLocked) as caught, WriterLock(path):
            pass
        assert caught.value.details["pid"] == os.getpid()
    with WriterLock(path):
        pass


def test_the_pid_goes_and_the_private_file_stays(path: Path) -> None:
    with WriterLock(path):
        assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == b""


def test_it_is_released_when_the_work_fails(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), WriterLock(path):
        _ = 1 / 0
    with WriterLock(path):
        pass


def test_a_lock_that_cannot_be_opened_is_an_io_failure(tmp_path: Path) -> None:
    with pytest.raises(IoFailure) as caught, WriterLock(tmp_path / "missing" / "lock"):
        pass
    assert caught.value.details["op"] == "write"
