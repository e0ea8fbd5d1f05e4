"""`kebab watch` under 1,000 random edits, moves and deletes: does it end in the state of a fresh ingest, and how soon.

    python benchmarks/watch.py [--operations 1000] [--seconds 60] [--files 200] [--seed 1] [--poll]

Prints one JSON object: whether the states are the same, how long the index lagged behind the last change, how many
runs there were, and the processor time of the watching process.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import apsw

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "tests"), str(REPOSITORY / "tests" / "e2e")]

from index_state import check_database, logical_state  # noqa: E402 - from the tests, found through the line above

from random_edits import Editor  # noqa: E402

DATABASE = "kebab.sqlite"


def kebab(home: Path, data: str, *arguments: str) -> list[str]:
    places = ("--set", f"workspace.root={home / 'notes'}", "--set", f"storage.data_dir={home / data}")
    return [sys.executable, "-m", "kebab", *arguments, *places, "--set", "models.embedding.provider=none"]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), "LANG": "C.UTF-8"}


def fresh(home: Path) -> dict[str, list[str]]:
    """The state of an index made of the files as they are now."""
    data = f"fresh-{time.monotonic_ns()}"
    subprocess.run(kebab(home, data, "ingest", "--quiet"), env=environment(home), check=True)
    return logical_state(home / data / DATABASE)


def edit(editor: Editor, operations: int, seconds: float) -> None:
    started = time.monotonic()
    for number in range(operations):
        time.sleep(max(0.0, started + seconds * number / operations - time.monotonic()))
        editor.step()


def lag(home: Path, wanted: dict[str, list[str]], patience: float) -> float | None:
    """Seconds until the watched index is in the wanted state; None when it does not get there."""
    started = time.monotonic()
    while time.monotonic() - started < patience:
        # While the watching process writes, its state is nobody's to read.
        with suppress(apsw.BusyError):
            if logical_state(home / "watched" / DATABASE) == wanted:
                return time.monotonic() - started
        time.sleep(0.05)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--poll", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "notes").mkdir()
        editor = Editor(home / "notes", given.seed)
        editor.begin(given.files)
        arguments = ("watch", "--json", *(("--poll",) if given.poll else ()))
        reports = home / "reports.jsonl"
        watching = kebab(home, "watched", *arguments)
        with reports.open("wb") as out, subprocess.Popen(watching, env=environment(home), stdout=out) as process:
            while not reports.stat().st_size:
                time.sleep(0.05)
            try:
                edit(editor, given.operations, given.seconds)
                ended = time.monotonic()
                wanted = fresh(home)
                waited = lag(home, wanted, patience=20)
                behind = None if waited is None else time.monotonic() - ended
            finally:
                process.terminate()
                status = process.wait(30)
        check_database(home / "watched" / DATABASE)
        lines = [json.loads(line) for line in reports.read_text(encoding="utf-8").splitlines()]
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = {
            "same_state": waited is not None,
            "documents": len(wanted["documents"]),
            "seconds_behind_at_most": None if behind is None else round(behind, 2),
            "runs": len(lines),
            "longest_run_ms": max(line["duration_ms"] for line in lines),
            "cpu_seconds_with_the_fresh_ingest": round(spent.ru_utime + spent.ru_stime, 2),
            "status": status,
        }
    print(json.dumps(result))
    return 0 if result["same_state"] and status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
