"""One writer at a time, said at once; readers go on meanwhile."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kebab_process import (
    answer,
    environment,
    kebab,
    objects,
    plant,
    refusal,
    search,
    side_by_side,
    start,
    well,
    write_config,
)

from kebab.core.job import JobKind
from kebab.store.store import Store

HOLD = """
import sys
from pathlib import Path
from kebab.store.lock import WriterLock
with WriterLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

WRITERS = (
    ("ingest",),
    ("ingest-file", "notes/rice.md"),
    ("ingest-stdin", "--title", "T"),
    ("reset", "--data-only", "--yes"),
    ("reset", "--orphans-only"),
    ("doctor", "--repair"),
    ("vectors", "rebuild"),
)


@contextmanager
def held(home: Path) -> Iterator[int]:
    """Somebody else writes to the index of `home`; gives the process id."""
    lock = home / ".local/share/kebab/kebab.sqlite.lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock)],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin
    assert holder.stdout
    try:
        assert holder.stdout.readline() == "held\n"
        yield holder.pid
    finally:
        holder.stdin.close()
        holder.wait(30)
        holder.stdout.close()


def test_a_second_writer_is_told_at_once_who_writes(home: Path) -> None:
    before = answer(home, "schema")
    with held(home) as pid:
        began = time.monotonic()
        refused = side_by_side(lambda command: kebab(home, *command, "--json", stdin=b"text"), WRITERS)
        assert time.monotonic() - began < 2 * len(WRITERS), "nobody waits for the other to finish"
        for done in refused.values():
            error = refusal(done, "index_locked")
            assert error["details"]["pid"] == pid
            assert error["hint"]
        spoken = kebab(home, "ingest")
        assert spoken.status == 2
        assert f"process {pid}" in spoken.err
        assert answer(home, "schema") == before
    assert (home / ".config/kebab/config.toml").exists()
    assert not (home / "notes/_external").exists()
    well(kebab(home, "ingest", "--quiet"))


def test_readers_do_not_mind_a_writer(home: Path) -> None:
    readers = (
        ("search", "brown rice"),
        ("list", "docs"),
        ("inspect", "doc", "rice.md"),
        ("schema",),
        ("doctor",),
        ("ingest", "--dry-run"),
    )
    with held(home):
        assert all(side_by_side(lambda command: answer(home, *command), readers).values())


def test_a_job_is_canceled_past_the_lock_of_whoever_writes(home: Path) -> None:
    with Store.writer(home / ".local/share/kebab/kebab.sqlite") as store:
        job = store.jobs.begin(JobKind.EMBED, {"model": "m"}, 3)
    with held(home):
        assert answer(home, "jobs", "cancel", job.job_id)["status"] == "canceled"
        assert answer(home, "jobs", "show", job.job_id)["status"] == "canceled"


def test_a_lock_whose_holder_died_is_no_lock(home: Path) -> None:
    lock = home / ".local/share/kebab/kebab.sqlite.lock"
    lock.write_text("999999", encoding="ascii")
    assert answer(home, "ingest")["unchanged"] == 3


def test_searches_succeed_during_an_ingest(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    body = "".join(f"## Part {part}\n\n" + "pelican harbour lantern 강물 항구 " * 30 + "\n\n" for part in range(6))
    plant(tmp_path / "notes", {f"{number}.md": f"# Note {number} pelican\n\n{body}" for number in range(300)})
    log = tmp_path / "progress"
    with log.open("wb") as out:
        process = start(tmp_path, "ingest", "--json", "--summary-only", "--config", config, stdout=out)
        while b"asset_finished" not in log.read_bytes():
            assert process.poll() is None
            time.sleep(0.005)
        during = 0
        while process.poll() is None:
            assert len(search(tmp_path, "pelican", "--k", "5", "--config", str(config))) == 5
            during += process.poll() is None
            time.sleep(0.1)
        _, said = process.communicate()
    assert (process.returncode, said) == (0, b"")
    assert during >= 2, "the ingest was long enough to search in it"
    assert objects_of(log)[-1]["new"] == 300
    everything = search(tmp_path, "pelican", "--k", "1000", "--config", str(config))
    assert len({hit["doc_id"] for hit in everything}) == 300


def objects_of(log: Path) -> list[dict[str, object]]:
    from kebab_process import Done

    return objects(Done(0, log.read_text(encoding="utf-8"), ""))


def test_of_two_ingests_at_once_both_end_well_or_one_is_locked_out(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    plant(tmp_path / "notes", {f"{number}.md": f"# Note {number}\n\nText {number}.\n" for number in range(60)})
    both = [start(tmp_path, "ingest", "--quiet", "--json", "--config", config) for _ in range(2)]
    ended = [(process.communicate(), process.returncode) for process in both]
    statuses = sorted(status for _, status in ended)
    assert statuses in ([0, 0], [0, 2])
    for (_, err), status in ended:
        assert (b"index_locked" in err) is (status == 2)
    assert len(answer(tmp_path, "list", "docs", "--config", config)["docs"]) == 60
    assert answer(tmp_path, "doctor", "--config", config)["ok"] is True
