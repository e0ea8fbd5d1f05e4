"""The program tesseract is run within limits, and whatever it does comes out as one line."""

import os
import sys
import time
from pathlib import Path

import pytest
from fake_tesseract import NOT_ON_WINDOWS, install

from kebab.core.errors import IoFailure, MissingExtra, TimedOut
from kebab.ocr.command import run

pytestmark = NOT_ON_WINDOWS


def test_it_gets_the_bytes_and_gives_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "print(sys.argv[1:], sys.stdin.buffer.read().hex(), os.environ['OMP_THREAD_LIMIT'])")
    monkeypatch.setenv("SECRET", "x")
    assert run(["a", "b c"], b"\x00\xff", 10) == "['a', 'b c'] 00ff 1\n"
    install(tmp_path, monkeypatch, "print(sorted(os.environ))")
    assert "SECRET" not in run([], b"", 10)


def test_one_that_is_not_there_comes_with_the_way_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match="needs the program tesseract") as raised:
        run([], b"", 10)
    assert "tesseract-ocr-kor" in str(raised.value.hint)


def test_one_that_cannot_be_started_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "")
    (tmp_path / "bin/tesseract").write_text("#!/nowhere/at/all\n")
    with pytest.raises(IoFailure, match=r"^tesseract cannot be started: "):
        run([], b"", 10)


def test_a_failure_is_told_in_its_own_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "sys.stderr.write('first\\nsecond \\x1b[31mthing\\n\\n'); sys.exit(3)")
    with pytest.raises(IoFailure, match=r"^tesseract failed with status 3: second  \[31mthing$"):
        run([], b"", 10)
    install(tmp_path, monkeypatch, "os.kill(os.getpid(), 9)")
    with pytest.raises(IoFailure, match=r"^tesseract ended with signal 9$"):
        run([], b"", 10)


def test_one_that_does_not_read_its_input_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "os.close(0); print('done')")
    assert run([], bytes(1_000_000), 10) == "done\n"


def test_one_that_hangs_is_ended_with_all_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    word = install(
        tmp_path, monkeypatch, "child = os.fork()\nif child: open(WORD, 'w').write(str(child))\ntime.sleep(60)"
    )
    with pytest.raises(TimedOut, match=r"^tesseract did not read the image within 0\.7 s$") as raised:
        run([], b"", 0.7)
    assert raised.value.details == {"timeout_s": 0.7}
    grandchild = int(word.read_text())
    for _ in range(200):
        if not is_running(grandchild):
            return
        time.sleep(0.02)
    raise AssertionError("what it started is still there")


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_memory_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "sys.stdin.read(); x = bytearray(300_000_000); print(len(x))")
    assert run([], b"", 20) == "300000000\n"
    with pytest.raises(IoFailure, match="MemoryError"):
        run([], b"", 20, memory_mb=200)
