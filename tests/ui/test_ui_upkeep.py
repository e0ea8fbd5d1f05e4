"""`kebab jobs` and `kebab vectors` for people: aligned lines, and a hint exactly when there is something to do."""

from typing import TYPE_CHECKING

import pytest

from app.stand_in_embedder import AxisEmbedder
from kebab.app import assemble
from kebab.core.job import Job, JobKind, JobStatus
from kebab.store.store import Store

if TYPE_CHECKING:
    from ui_bench import Home

REBUILD = "hint: `kebab vectors rebuild` makes the files anew\n"
INGEST = "hint: `kebab ingest` makes the vectors that are missing\n"


@pytest.fixture
def filled(home: "Home", monkeypatch: pytest.MonkeyPatch) -> "Home":
    monkeypatch.setattr(assemble, "embedder_for", AxisEmbedder)
    (home.path / "KnowledgeBase/a.md").write_text("# A\n\nzebra\n", encoding="utf-8")
    assert home.run("ingest", "--quiet").status == 0
    return home


def facts(out: str) -> dict[str, str]:
    return {line[:15].strip(): line[15:] for line in out.splitlines()}


def begin(home: "Home", model: str) -> Job:
    with Store.writer(home.index) as store:
        return store.jobs.begin(JobKind.EMBED, {"model": model, "input": "i"}, 10)


def test_a_sound_index_has_facts_and_no_hints(filled: "Home") -> None:
    said = filled.run("vectors", "status")
    assert (said.status, said.err) == (0, "")
    told = facts(said.out)
    assert told["searched with"] == "builtin/use-multilingual-v3@v1 (512)"
    assert (told["configured"], told["vectors"], told["missing"], told["problem"]) == ("the same", "2", "none", "none")
    assert told["engine"].startswith("scan, ")


def test_a_lost_file_is_a_problem_with_its_remedy(filled: "Home") -> None:
    (file,) = filled.path.rglob("*.scan")
    file.unlink()
    said = filled.run("vectors", "status")
    assert (said.status, said.err) == (0, REBUILD)
    assert facts(said.out)["problem"] == "the scan file is missing"
    rebuilt = filled.run("vectors", "rebuild")
    assert (rebuilt.out.startswith("rebuilt 2 vectors, "), rebuilt.err) == (True, "")
    assert filled.run("vectors", "status").err == ""


def test_missing_vectors_are_a_matter_for_the_next_ingest(filled: "Home") -> None:
    another = "--set=models.embedding.version=v2"
    said = filled.run("vectors", "status", another)
    assert said.err == INGEST
    assert facts(said.out)["configured"] == "builtin/use-multilingual-v3@v2 (512)"
    assert filled.run("vectors", "status", another, "--quiet").err == ""
    assert filled.run("ingest", "--quiet", another).status == 0
    assert filled.run("vectors", "status", another).err == ""


def test_who_wants_no_vectors_gets_no_hint(filled: "Home") -> None:
    nothing = "--set=models.embedding.provider=none"
    (filled.path / "KnowledgeBase/b.md").write_text("# B\n\nokapi\n", encoding="utf-8")
    assert filled.run("ingest", "--quiet", nothing).status == 0
    said = filled.run("vectors", "status", nothing)
    told = facts(said.out)
    assert (told["configured"], told["missing"], said.err) == ("none", "those of 1 chunks", "")


def test_jobs_are_listed_and_shown_without_empty_lines(filled: "Home") -> None:
    assert filled.run("jobs", "list") == (0, "", "no jobs\n")
    old, new = begin(filled, "old\x1b[31m"), begin(filled, "new")
    first, second = filled.run("jobs", "list").out.splitlines()
    assert {first[:16], second[:16]} == {old.job_id, new.job_id}
    listed = {line[:16]: line for line in (first, second)}
    assert listed[new.job_id].split()[1:3] == ["running", "0/10"]
    assert listed[new.job_id].endswith("embed new, input i")
    assert "\x1b" not in listed[old.job_id], "nothing of a name may drive the terminal"
    shown = filled.run("jobs", "show", old.job_id).out.splitlines()
    assert [line.split()[0] for line in shown] == ["job", "status", "aim", "created", "updated", "finished", "error"]
    running = filled.run("jobs", "show", new.job_id[:10]).out
    assert "error" not in running
    assert "finished" not in running


def test_canceling_says_whether_it_was_us(filled: "Home") -> None:
    job = begin(filled, "m")
    first, second = (filled.run("jobs", "cancel", job.job_id) for _ in range(2))
    assert (first.status, first.out) == (0, f"canceled {job.job_id}, 0 of 10 done\n")
    assert "the next `kebab ingest`" in first.err
    assert (second.status, second.out, second.err) == (0, f"{job.job_id} had ended before: canceled\n", "")
    with Store.reader(filled.index) as store:
        assert [found.status for found in store.jobs.list()] == [JobStatus.CANCELED]
