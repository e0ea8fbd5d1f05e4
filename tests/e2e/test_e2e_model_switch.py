"""Another model: searches go on with the old vectors until the new ones are complete, whatever comes in between."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from by_meaning import DATABASE, SCAN_FILES, held_back, paths, responses
from fatal_moments import FILE_REMOVED, dying
from index_state import check_database, query_rows
from kebab_process import TIMEOUT, Json, answer, kebab, plant, well, write_config

from wire_schemas import check

MODELS = "SELECT version FROM embedding_models ORDER BY version"
QUESTION = {"query": "빵 반죽 발효", "mode": "vector", "k": 1}
# Many chunks of few texts: long to fill, quick to embed. A pipe of 4096 bytes holds the lines of half of them.
TWINS, PARTS = 64, 24


def version(env: dict[str, str], name: str) -> dict[str, str]:
    return {**env, "KEBAB_MODELS_EMBEDDING_VERSION": name}


@pytest.fixture
def large(tmp_path: Path, builtin: dict[str, str]) -> Path:
    """A home whose vectors take many batches to make."""
    home = tmp_path / "large"
    body = "".join(f"## Part {part}\n\nThe dough of loaf {part}.\n\n" for part in range(PARTS))
    plant(home / "notes", {f"{number:02}.md": f"# Bread\n\n{body}" for number in range(TWINS)})
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    well(kebab(home, "ingest", "--quiet", env=builtin))
    return home


def begin_filling(home: Path, env: dict[str, str]) -> Any:
    """An ingest that has filled its first batch, and cannot run far ahead of who reads its lines."""
    process = held_back(home, "ingest", "--json", env=env)
    line: Json = {}
    while line.get("kind") != "embed_batch_finished":
        raw = process.stdout.readline()
        assert raw, process.stderr.read()
        line = json.loads(raw)
        check(line)
    return process


def finish(process: Any) -> tuple[Json, bytes]:
    """The report and what was said on stderr."""
    with process.stdout, process.stderr:
        out, err = process.stdout.read(), process.stderr.read()
    process.wait(TIMEOUT)
    lines = [json.loads(line) for line in out.splitlines()]
    for line in lines:
        check(line)
    return lines[-1], err


def only_job(home: Path) -> Json:
    (job,) = answer(home, "jobs", "list")["jobs"]
    return dict(job)


def test_an_interrupted_switch_leaves_the_old_model_in_use_and_the_next_run_completes_it(
    large: Path, builtin: dict[str, str]
) -> None:
    total = TWINS * PARTS
    new = version(builtin, "v2")
    process = begin_filling(large, new)
    process.send_signal(signal.SIGINT)
    report, err = finish(process)
    assert (process.returncode, report["aborted"], err) == (130, True, b"")

    job = only_job(large)
    assert (job["kind"], job["status"], job["total"]) == ("embed", "pending", total)
    assert 64 <= job["done"] < total
    assert query_rows(large / DATABASE, MODELS) == [("v1",), ("v2",)]
    (half_way,) = responses(large, new, [QUESTION])
    assert half_way["hits"]
    assert "@v1" in half_way["hint"]
    hybrid = well(kebab(large, "search", "dough", "--k", "1", env=new))
    assert hybrid.out.endswith("1 hit  hybrid  index v1.0  bm25+use-multilingual-v3/blend\n")
    assert hybrid.err.startswith("note: vectors are still those of builtin/use-multilingual-v3@v1 (512)")
    check_database(large / DATABASE, embedded=True)

    report = answer(large, "ingest", env=new)
    assert (report["aborted"], report["unchanged"], report["warnings"]) == (False, TWINS, [])
    after = only_job(large)
    assert (after["job_id"], after["status"], after["done"]) == (job["job_id"], "succeeded", total - job["done"])
    assert query_rows(large / DATABASE, MODELS) == [("v2",)]
    (switched,) = responses(large, new, [QUESTION])
    assert "hint" not in switched
    assert ids(switched) == ids(half_way)
    assert len(list((large / SCAN_FILES).iterdir())) == 1
    assert answer(large, "doctor", env=new)["ok"] is True
    check_database(large / DATABASE, embedded=True)


def ids(response: Json) -> list[str]:
    return [hit["chunk_id"] for hit in response["hits"]]


def test_a_filling_that_another_process_cancels_ends_well_and_keeps_what_it_did(
    large: Path, builtin: dict[str, str]
) -> None:
    new = version(builtin, "v2")
    process = begin_filling(large, new)
    canceled = answer(large, "jobs", "cancel", only_job(large)["job_id"])
    report, err = finish(process)
    assert (canceled["status"], only_job(large)["status"]) == ("canceled", "canceled")
    assert (process.returncode, err, report["aborted"]) == (0, b"", False)
    assert "canceled" in report["warnings"][0]
    assert query_rows(large / DATABASE, MODELS) == [("v1",), ("v2",)]
    well(kebab(large, "ingest", "--quiet", env=new))
    assert sorted(job["status"] for job in answer(large, "jobs", "list")["jobs"]) == ["canceled", "succeeded"]
    assert query_rows(large / DATABASE, MODELS) == [("v2",)]


def test_old_vectors_are_kept_on_request_and_make_the_way_back_free(fluent: Path, builtin: dict[str, str]) -> None:
    second = version(builtin, "v2")
    before, kept = (spoken(fluent, second), answer(fluent, "ingest", "--keep-old", env=second))
    assert "@v1" in before
    assert kept["warnings"] == []
    assert query_rows(fluent / DATABASE, MODELS) == [("v1",), ("v2",)]
    assert spoken(fluent, second) == ""
    made = "SELECT max(embedding_key) FROM embeddings"
    last = query_rows(fluent / DATABASE, made)
    well(kebab(fluent, "ingest", "--keep-old", "--quiet", env=builtin))
    assert query_rows(fluent / DATABASE, made) == last, "nothing was embedded again"
    assert spoken(fluent, builtin) == ""
    assert "@v1" in spoken(fluent, second)
    well(kebab(fluent, "ingest", "--quiet", env=builtin))
    assert query_rows(fluent / DATABASE, MODELS) == [("v1",)]
    assert len(list((fluent / SCAN_FILES).iterdir())) == 1
    assert paths(responses(fluent, builtin, [QUESTION])[0]) == ["bread.md"]
    check_database(fluent / DATABASE, embedded=True)


def spoken(home: Path, env: dict[str, str]) -> str:
    """What a search tells a person besides its hits, which it has either way."""
    done = well(kebab(home, "search", "빵 반죽 발효", "--k", "1", env=env))
    assert "bread.md" in done.out
    return done.err


def test_a_run_that_dies_at_the_switch_leaves_no_file_of_the_old_model_for_good(
    fluent: Path, builtin: dict[str, str], tmp_path: Path
) -> None:
    new = version(builtin, "v2")
    done = kebab(fluent, "ingest", "--quiet", env={**new, **dying(tmp_path / "trap", FILE_REMOVED)})
    assert done.status == -signal.SIGKILL
    assert paths(responses(fluent, new, [QUESTION])[0]) == ["bread.md"]
    well(kebab(fluent, "ingest", "--quiet", env=new))
    assert query_rows(fluent / DATABASE, MODELS) == [("v2",)]
    assert len(list((fluent / SCAN_FILES).iterdir())) == 1
