"""Grammars run in a process of their own: one for all languages, and whatever becomes of it, the file is a document."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from code_samples.reading import LANGUAGES, read_code, read_sample, sample

from kebab.core.asset import Asset
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext, Parser
from kebab.parse import Tools, readers
from kebab.parse.code import fetching
from kebab.parse.worker import Limits, Worker, WorkerFailed
from stand_ins.readers import InProcess

TESTS = Path(__file__).resolve().parents[1]
MOMENT = "2020-01-01T00:00:00Z"
SOURCE = "def f():\n    return 1\n\n\nclass A:\n    pass\n"
posix = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals and limits are those of POSIX")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    made = Worker(Limits(memory_mb=300, cpu_s=20, wall_s=60, result_mb=8), fetching.NAME)
    yield made
    made.close()


def check_plain(document: Document, problem: str) -> None:
    """All of it in one block, with a word about why."""
    assert document.warnings == (f"structure not read: the code reader {problem}",)
    assert [block.text for block in document.blocks] == [SOURCE.rstrip("\n")]
    assert (document.parser_version, document.symbols, document.metadata.code_lang) == ("none-v1", (), "python")


@posix
@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("crash", f"crashed (signal {signal.SIGSEGV.value})"),
        ("leave", "ended unexpectedly (status 7): last words"),
        ("refuse", "failed: ValueError: no sense in two lines"),
        ("hoard", "needed more than 300 MB of memory"),
        ("echo", "gave an answer that makes no sense"),
    ],
)
def test_a_file_that_is_too_much_for_the_worker_is_one_plain_block_and_the_next_is_read(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, target: str, problem: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(fetching, "_READ", f"worker_targets:{target}")
        check_plain(read_code(SOURCE, "python", worker=worker), problem)
    assert len(read_code(SOURCE, "python", worker=worker).symbols) == 2


def test_a_file_that_would_take_for_ever_is_one_plain_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    monkeypatch.setattr(fetching, "_READ", "worker_targets:hang")
    hasty = Worker(Limits(wall_s=0.5), fetching.NAME)
    check_plain(read_code(SOURCE, "python", worker=hasty), "took longer than 0.5 s")
    hasty.close()


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_worker_and_this_process_make_the_same_document(name: str, shared: Worker) -> None:
    assert read_code(sample(name), LANGUAGES[name], f"src/lib/{name}", worker=shared) == read_sample(name)


@pytest.fixture(scope="module")
def shared() -> Iterator[Worker]:
    made = Worker(fetching.LIMITS, fetching.NAME)
    yield made
    made.close()


def parse(parser: Parser, source: str, path: str) -> Document:
    raw = source.encode()
    asset = Asset(asset_id(content_hash(raw)), content_hash(raw), len(raw), "code", path, "file:///a", MOMENT)
    return parser.parse(raw, ParseContext(asset, path, MOMENT, MOMENT, None, None))


@posix
def test_all_languages_are_read_by_one_process_which_any_of_them_ends() -> None:
    parsers = {name: parser for name, parser in readers(Tools()).items() if name.startswith("code/")}
    pids = []
    for parser in parsers.values():
        parse(parser, "int f() { return 1; }\n", "a.txt")
        pids.append(parser._worker.pid)  # type: ignore[attr-defined]
    assert len(pids) == 9
    assert len(set(pids)) == 1
    parsers["code/go"].close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_nothing_starts_for_a_file_without_a_word_or_one_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.parse.code.parser.MAX_BYTES", 100)
    idle = Worker()
    for source in ("", "\n \t\n\x0c", "int a;\n" * 20):
        read_code(source, "c", worker=idle)
    assert idle.pid is None


@posix
def test_a_worker_that_was_killed_between_two_files_is_replaced(shared: Worker) -> None:
    read_code(SOURCE, "python", worker=shared)
    assert shared.pid is not None
    os.kill(shared.pid, signal.SIGKILL)
    os.waitid(os.P_PID, shared.pid, os.WEXITED | os.WNOWAIT)
    assert len(read_code(SOURCE, "python", worker=shared).symbols) == 2


class Tired(InProcess):
    """Fails once, as a process may that has read too much."""

    def __init__(self, pid: int | None) -> None:
        self.pid = pid  # type: ignore[assignment]
        self.asked = 0

    def call(self, target: str, raw: bytes, arguments: Mapping[str, Any]) -> Any:
        self.asked += 1
        if self.asked == 1:
            raise WorkerFailed("the code reader crashed (signal 6)")
        return super().call(target, raw, arguments)


def test_a_file_is_not_blamed_for_what_others_left_behind() -> None:
    tired = Tired(pid=7)
    assert len(read_code(SOURCE, "python", worker=tired).symbols) == 2
    assert tired.asked == 2


def test_a_file_that_fails_in_a_new_process_is_not_tried_again() -> None:
    tired = Tired(pid=None)
    check_plain(read_code(SOURCE, "python", worker=tired), "crashed (signal 6)")
    assert tired.asked == 1


def test_a_file_that_took_long_to_fail_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_WORTH_ANOTHER_S", -1.0)
    tired = Tired(pid=7)
    read_code(SOURCE, "python", worker=tired)
    assert tired.asked == 1


UNIT = [[["f", 4, None, None]], "function", 1, 2, -1, None, True]


class Liar(InProcess):
    def __init__(self, told: Any) -> None:
        self.told = told
        self.closed = False

    def call(self, target: str, raw: bytes, arguments: Mapping[str, Any]) -> Any:
        return self.told

    def close(self) -> None:
        self.closed = True


def unit(**changed: Any) -> list[Any]:
    fields = ("names", "kind", "first", "last", "owner", "body", "has_block")
    return [changed.get(field, value) for field, value in zip(fields, UNIT, strict=True)]


@pytest.mark.parametrize(
    "told",
    [
        None,
        "python",
        [],
        {"language": "python"},
        ["cobol", "", None, []],
        [["python"], "", None, []],
        ["python", 1, None, []],
        ["python", "", 1, []],
        ["python", "", None, None],
        ["python", "", None, [None]],
        ["python", "", None, [UNIT[:-1]]],
        ["python", "", None, [unit(names=[])]],
        ["python", "", None, [unit(names="f")]],
        ["python", "", None, [unit(names=[["f", 4]])]],
        ["python", "", None, [unit(names=[["f", 10_000, None, None]])]],
        ["python", "", None, [unit(names=[["f", "4", None, None]])]],
        ["python", "", None, [unit(kind=None)]],
        ["python", "", None, [unit(first=0)]],
        ["python", "", None, [unit(last=1.5)]],
        ["python", "", None, [unit(last=7)]],
        ["python", "", None, [unit(first=3)]],
        ["python", "", None, [unit(owner=0)]],
        ["python", "", None, [unit(owner=-2)]],
        ["python", "", None, [unit(body="x")]],
        ["python", "", None, [unit(has_block=1)]],
    ],
    ids=lambda value: ascii(value)[:60],
)
def test_a_process_that_lies_does_no_harm_and_is_ended(told: Any) -> None:
    liar = Liar(told)
    check_plain(read_code(SOURCE, "python", worker=liar), "gave an answer that makes no sense")
    assert liar.closed


def test_units_that_stand_in_no_order_still_make_a_document() -> None:
    rows = [unit(first=5, last=6), unit(first=1, last=6, body=0), unit(first=2, last=2, owner=1), unit(first=1, last=1)]
    document = read_code(SOURCE, "python", worker=Liar(["python", "", None, rows]))
    assert "".join(block.text for block in document.blocks)


def test_no_grammar_is_loaded_here_and_no_other_parser_there() -> None:
    script = (
        "import sys\n"
        "from parse.code_samples.reading import read_code\n"
        "from kebab.parse.worker import Worker\n"
        "worker = Worker()\n"
        "assert read_code('def f(): pass', 'python', worker=worker).symbols\n"
        "assert 'tree_sitter' not in sys.modules\n"
        "there = worker.call('worker_targets:modules', b'')\n"
        "print(sorted({'tree_sitter', 'kebab.parse.formats', 'kebab.parse.building', 'yaml'} & set(there)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    assert (done.stdout, done.stderr) == ("['tree_sitter']\n", "")
