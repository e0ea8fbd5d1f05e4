"""A model that cannot be used: files are indexed by words, searches fall back to words, and both say why."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from by_meaning import DATABASE, failing
from index_state import check_database, query_rows
from kebab_process import Done, answer, kebab, plant, refusal, side_by_side, well

# A server that does not answer is given up on long before anybody would give up on kebab.
PROMPTLY = 30


@pytest.fixture
def refusing() -> Iterator[dict[str, str]]:
    """Variables for a server at a port that is taken, so that nobody else listens there, and refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield {
            "KEBAB_MODELS_EMBEDDING_PROVIDER": "ollama",
            "KEBAB_MODELS_EMBEDDING_MODEL": "bge-m3",
            "KEBAB_MODELS_EMBEDDING_DIMENSIONS": "1024",
            "KEBAB_MODELS_EMBEDDING_ENDPOINT": f"http://127.0.0.1:{taken.getsockname()[1]}",
        }


def test_without_its_server_everything_works_by_words_and_says_so(bare: Path, refusing: dict[str, str]) -> None:
    def run(*arguments: str) -> Done:
        return kebab(bare, *arguments, env=refusing, timeout=PROMPTLY)

    done = well(run("ingest"))
    assert done.out.startswith("done: 3 new, ")
    (warning,) = done.err.splitlines()
    assert warning.startswith("warning: indexed by words only: ")
    assert "127.0.0.1" in warning
    commands = {
        "spoken": ("search", "brown rice"),
        "hybrid": ("search", "brown rice", "--json"),
        "vector": ("search", "brown rice", "--mode", "vector", "--json"),
        "lexical": ("search", "brown rice", "--mode", "lexical", "--json"),
        "doctor": ("doctor", "--json"),
        "jobs": ("jobs", "list"),
    }
    got = side_by_side(lambda name: run(*commands[name]), commands)
    assert got["spoken"].out.endswith("lexical  index v1.0  bm25  (no vectors: words only)\n")
    assert got["spoken"].err.startswith("note: ")
    assert got["jobs"].out.split()[1] == "failed"
    assert refusal(got["vector"], "model_unreachable")["hint"]
    assert "degraded" not in got["lexical"].out
    well(got["doctor"], 3)


def test_the_wire_says_that_a_search_was_degraded_and_what_the_doctor_found(
    bare: Path, refusing: dict[str, str]
) -> None:
    report = answer(bare, "ingest", env=refusing, timeout=PROMPTLY)
    assert (report["new"], report["errors"], len(report["warnings"])) == (3, 0, 1)
    response = answer(bare, "search", "brown rice", env=refusing, timeout=PROMPTLY)
    assert response["hits"][0]["doc_path"] == "rice.md"
    assert response["hits"][0]["score_kind"] == "bm25"
    assert response["degraded"].endswith("searched by words only")
    rows = failing(answer(bare, "doctor", status=3, env=refusing, timeout=PROMPTLY))
    assert rows["embedding_server"]["hint"]
    assert rows["vectors_complete"]["hint"] == "kebab ingest"


def test_a_model_that_is_not_on_this_machine_is_named_with_the_command_that_pulls_it(bare: Path) -> None:
    env = {
        "KEBAB_MODELS_EMBEDDING_PROVIDER": "fastembed",
        "KEBAB_MODELS_EMBEDDING_MODEL": "multilingual-e5-small",
        "KEBAB_MODELS_EMBEDDING_DIMENSIONS": "384",
    }
    done = well(kebab(bare, "ingest", env=env, timeout=PROMPTLY))
    assert "kebab models pull multilingual-e5-small" in done.err
    error = refusal(kebab(bare, "search", "rice", "--mode", "vector", "--json", env=env), "model_not_pulled")
    assert "kebab models pull multilingual-e5-small" in error["hint"]
    response = answer(bare, "search", "rice", env=env)
    assert response["degraded"]
    assert "kebab models pull multilingual-e5-small" in response["hint"]
    row = failing(answer(bare, "doctor", status=3, env=env))["embedding_model"]
    assert "kebab models pull multilingual-e5-small" in row["hint"]


def test_what_a_lost_server_left_without_vectors_gets_them_from_the_model_that_comes_next(
    bare: Path, refusing: dict[str, str], builtin: dict[str, str]
) -> None:
    well(kebab(bare, "ingest", "--quiet", env=refusing))
    assert query_rows(bare / DATABASE, "SELECT count(*) FROM embedding_records") == [(0,)]
    well(kebab(bare, "ingest", "--quiet", env=builtin))
    check_database(bare / DATABASE, embedded=True)
    assert query_rows(bare / DATABASE, "SELECT provider FROM embedding_models") == [("builtin",)]
    assert answer(bare, "search", "데이터베이스 복구", env=builtin)["hits"][0]["doc_path"] == "dev/backup.md"


def test_a_server_that_is_lost_later_leaves_the_old_vectors_in_use(
    fluent: Path, refusing: dict[str, str], builtin: dict[str, str]
) -> None:
    plant(fluent / "notes", {"bike.md": "# Bicycle repair\n\nPatch the tyre.\n"})
    report = answer(fluent, "ingest", env=refusing, timeout=PROMPTLY)
    assert (report["new"], len(report["warnings"])) == (1, 1)
    switching = {**refusing, "XDG_CACHE_HOME": builtin["XDG_CACHE_HOME"]}
    response = answer(fluent, "search", "빵 반죽 발효", env=switching)
    assert response["hits"][0]["doc_path"] == "bread.md"
    assert "degraded" not in response
    assert "use-multilingual-v3" in response["hint"]
    assert answer(fluent, "search", "patch the tyre", env=switching)["hits"][0]["doc_path"] == "bike.md"
    well(kebab(fluent, "ingest", "--quiet", env=builtin))
    assert answer(fluent, "search", "자전거 수리", env=builtin)["hits"][0]["doc_path"] == "bike.md"
    assert answer(fluent, "doctor", env=builtin)["ok"] is True
