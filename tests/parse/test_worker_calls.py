"""A worker answers, is used again, and ends when it should."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab.parse.worker import Limits, Worker

TESTS = Path(__file__).resolve().parents[1]
posix = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals and limits are those of POSIX")


@pytest.fixture(autouse=True, scope="module")
def targets() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS))
        yield


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker(Limits(memory_mb=512, cpu_s=20, wall_s=20, result_mb=8), "PDF reader")
    yield made
    made.close()


def answers(worker: Worker) -> dict[str, object]:
    told = worker.call("worker_targets:echo", b"abc", {"a": [1, "둘"]})
    assert isinstance(told, dict)
    return told


def test_a_call_gives_what_the_function_returns(worker: Worker) -> None:
    assert answers(worker) == {"bytes": 3, "sum": 294, "given": {"a": [1, "둘"]}, "pid": worker.pid}


def test_nothing_is_started_before_the_first_call() -> None:
    assert Worker().pid is None


def test_one_process_serves_many_calls(worker: Worker) -> None:
    assert len({answers(worker)["pid"] for _ in range(5)}) == 1
    assert answers(worker)["pid"] != os.getpid()


def test_a_large_file_arrives_whole(worker: Worker) -> None:
    told = worker.call("worker_targets:echo", bytes(5_000_000))
    assert isinstance(told, dict)
    assert told["bytes"] == 5_000_000


def test_what_a_function_yields_comes_one_by_one(worker: Worker) -> None:
    values = [reply.value for reply in worker.stream("worker_targets:count", b"", {"to": 5000})]
    assert values == [[number, "한글"] for number in range(5000)]


def test_bytes_come_with_their_value(worker: Worker) -> None:
    replies = list(worker.stream("worker_targets:pictures", b""))
    assert [(reply.value, reply.data) for reply in replies] == [(n, bytes([n]) * 100_000) for n in range(3)]


def test_a_worker_is_replaced_after_so_many_calls() -> None:
    worker = Worker(Limits(calls=2))
    pids = [answers(worker)["pid"] for _ in range(4)]
    worker.close()
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_worker_is_replaced_after_so_many_bytes() -> None:
    worker = Worker(Limits(given_mb=1))
    first, second = (worker.call("worker_targets:echo", bytes(700_000)) for _ in range(2))
    worker.close()
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert first["pid"] != second["pid"]


def test_a_worker_that_was_closed_starts_again(worker: Worker) -> None:
    first = answers(worker)["pid"]
    worker.close()
    assert worker.pid is None
    assert answers(worker)["pid"] != first


def test_a_library_that_prints_does_not_disturb_the_answer(worker: Worker) -> None:
    assert worker.call("worker_targets:shout", b"") == ""
    assert answers(worker)["bytes"] == 3


def test_the_current_folder_is_no_place_to_import_from(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.close()
    (tmp_path / "json.py").write_text("raise SystemExit('a hostile module')")
    monkeypatch.chdir(tmp_path)
    assert answers(worker)["bytes"] == 3


def test_threads_take_turns(worker: Worker) -> None:
    counts: list[int] = []

    def ask() -> None:
        counts.append(len(list(worker.stream("worker_targets:count", b"", {"to": 300}))))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert counts == [300] * 4


def test_a_worker_cannot_be_asked_within_its_own_answer(worker: Worker) -> None:
    for _ in worker.stream("worker_targets:count", b"", {"to": 2}):
        with pytest.raises(RuntimeError, match="wait for itself"):
            worker.call("worker_targets:echo", b"")


def test_an_answer_that_is_left_early_ends_the_process(worker: Worker) -> None:
    replies = worker.stream("worker_targets:count", b"", {"to": 100_000})
    next(replies)
    before = worker.pid
    replies.close()  # type: ignore[attr-defined]
    assert worker.pid is None
    assert answers(worker)["pid"] != before


@posix
def test_a_worker_that_was_killed_while_idle_is_replaced(worker: Worker) -> None:
    answers(worker)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
    assert answers(worker)["bytes"] == 3


@posix
def test_ctrl_c_is_not_for_the_worker(worker: Worker) -> None:
    before = answers(worker)["pid"]
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGINT)
    assert answers(worker)["pid"] == before


@posix
def test_a_worker_ends_with_its_owner() -> None:
    import subprocess
    import sys

    script = (
        "from kebab.parse.worker import Worker\n"
        "worker = Worker()\n"
        "print(worker.call('worker_targets:echo', b'')['pid'], flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
