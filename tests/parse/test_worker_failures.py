"""A worker survives whatever its functions do, and says in one line what that was."""

import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab.core.errors import KebabError
from kebab.parse.worker import Limits, Worker, WorkerFailed
from kebab.parse.worker.running import _Deadline

TESTS = Path(__file__).resolve().parents[1]
posix = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals and limits are those of POSIX")


@pytest.fixture(autouse=True)
def targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(Limits(memory_mb=512, cpu_s=20, wall_s=20, result_mb=8), "PDF reader")
    yield made
    made.close()


def failure(worker: Worker, target: str, **arguments: object) -> str:
    with pytest.raises(WorkerFailed) as caught:
        worker.call(f"worker_targets:{target}", b"", arguments)  # type: ignore[arg-type]
    assert isinstance(caught.value, KebabError)
    return caught.value.message


def answers(worker: Worker) -> dict[str, object]:
    told = worker.call("worker_targets:echo", b"abc", {"a": [1, "둘"]})
    assert isinstance(told, dict)
    return told


@posix
def test_a_crash_is_told_and_the_next_call_works(worker: Worker) -> None:
    assert failure(worker, "crash") == f"the PDF reader crashed (signal {signal.SIGSEGV.value})"
    assert answers(worker)["bytes"] == 3


def test_what_came_before_a_crash_is_there(worker: Worker) -> None:
    replies = worker.stream("worker_targets:count", b"", {"to": 9, "crash_at": 4}, together=False)
    assert [next(replies).value for _ in range(4)] == [[number, "한글"] for number in range(4)]
    with pytest.raises(WorkerFailed):
        next(replies)


def test_a_function_that_hangs_is_given_up() -> None:
    worker = Worker(Limits(wall_s=0.5), "PDF reader")
    assert failure(worker, "hang") == "the PDF reader took longer than 0.5 s"
    worker.close()


def test_only_waiting_counts_as_time() -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    deadline = _Deadline(process)
    with deadline.running(0.3):
        pass
    time.sleep(0.7)
    assert process.poll() is None
    with deadline.running(0.3):
        process.wait(30)
    assert deadline.passed


@posix
def test_a_function_that_only_computes_is_given_up() -> None:
    worker = Worker(Limits(cpu_s=1, wall_s=60), "PDF reader")
    assert failure(worker, "spin") == "the PDF reader used more than 1 s of processor time"
    worker.close()


@posix
def test_processor_time_is_counted_anew_for_each_call() -> None:
    worker = Worker(Limits(cpu_s=1))
    pids = {answers(worker)["pid"] for _ in range(3)}
    worker.close()
    assert len(pids) == 1


@posix
def test_a_function_that_takes_all_memory_is_given_up() -> None:
    worker = Worker(Limits(memory_mb=200, wall_s=60), "PDF reader")
    assert failure(worker, "hoard") == "the PDF reader needed more than 200 MB of memory"
    assert answers(worker)["bytes"] == 3
    worker.close()


def test_an_exception_is_one_line(worker: Worker) -> None:
    assert failure(worker, "refuse") == "the PDF reader failed: ValueError: no sense in two lines"


def test_a_process_that_leaves_is_told_with_its_last_words(worker: Worker) -> None:
    assert failure(worker, "leave") == "the PDF reader ended unexpectedly (status 7): last words"


def test_a_function_that_is_not_there_is_told(worker: Worker) -> None:
    assert "ModuleNotFoundError" in failure(worker, "echo:x").replace("AttributeError", "ModuleNotFoundError")


def test_an_answer_beyond_the_limit_is_refused(worker: Worker) -> None:
    assert failure(worker, "babble", size=9_000_000) == "the PDF reader gave more than 8 MB"
    assert answers(worker)["bytes"] == 3


def test_many_small_answers_beyond_the_limit_are_refused_too(worker: Worker) -> None:
    with pytest.raises(WorkerFailed, match="gave more than 8 MB"):
        list(worker.stream("worker_targets:count", b"", {"to": 2000, "size": 1000}))


@posix
@pytest.mark.parametrize(
    "told",
    [
        b"I" + struct.pack(">Q", 5) + b"[1,2,",
        b"I" + struct.pack(">Q", 4) + b"1234",
        b"Z" + struct.pack(">Q", 2) + b"[]",
        b"I" + struct.pack(">Q", 1 << 60),
        b"I" + struct.pack(">Q", 20_000) + b"[" * 20_000,
        b"E" + struct.pack(">Q", 2) + b"[]",
        b"garbage that is no frame at all",
        b"",
    ],
    ids=["not-json", "not-a-list", "unknown", "endless", "deep", "odd-error", "garbage", "nothing"],
)
def test_a_process_that_lies_does_no_harm(worker: Worker, told: bytes) -> None:
    assert failure(worker, "lie", bytes=told.decode("latin-1")).startswith("the PDF reader ")
