"""A search by meaning while another process writes vectors: it always answers, and never with half a state."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fluent_notes
from by_meaning import MODES, held_back, responses, scan_file
from fatal_moments import Waiting
from kebab_process import TIMEOUT, Json, answer, kebab, objects, plant, start, well, write_config

NOTES = 100
STEPS = 2


def ingesting(home: Path, config: Path, env: dict[str, str], *arguments: str) -> Any:
    return held_back(home, "ingest", "--json", *arguments, "--config", config, env=env)


def stepwise(process: Any) -> Iterator[int]:
    """Lets the ingest go on step by step, and gives how many files it has said to be finished with."""
    finished = 0
    for step in range(1, STEPS + 1):
        while finished < step * NOTES // (STEPS + 2):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            finished += json.loads(line)["kind"] == "asset_finished"
        assert process.poll() is None
        yield finished


def ranked(response: Json) -> list[tuple[str, float]]:
    return [(hit["chunk_id"], round(hit["score"], 6)) for hit in response["hits"]]


def test_searches_by_meaning_answer_at_every_step_of_an_ingest(tmp_path: Path, builtin: dict[str, str]) -> None:
    config = write_config(tmp_path / "kebab.toml")
    plant(tmp_path / "notes", {"000.md": "# Weekend bread\n\nLet the dough rise until it has doubled.\n"})
    others = {
        f"{number:03}.md": f"# Note {number}\n\nShelf {number} holds {number * 7} screws.\n"
        for number in range(1, NOTES)
    }
    plant(tmp_path / "notes", others)
    asked = [{"query": "빵 반죽 발효", "mode": mode, "k": 2 * NOTES} for mode in MODES]

    def ask() -> list[Json]:
        return responses(tmp_path, builtin, asked, "--config", config)

    process = ingesting(tmp_path, config, builtin)
    for finished in stepwise(process):
        for response in ask():
            assert response["hits"][0]["doc_path"] == "000.md"
            assert finished <= len(response["hits"]) <= NOTES
    wait_for(process, ask)
    whole = ask()
    assert [len(response["hits"]) for response in whole] == [NOTES] * 2

    # Every vector is removed and put back, and at the end there is a new file of them.
    process = ingesting(tmp_path, config, builtin, "--force-reingest")
    seen = [ask() for _ in stepwise(process)]
    seen += wait_for(process, ask)
    for responses_ in (*seen, ask()):
        assert [ranked(response) for response in responses_] == [ranked(response) for response in whole]
    assert answer(tmp_path, "doctor", "--config", config, env=builtin)["ok"] is True


def wait_for(process: Any, ask: Callable[[], list[Json]]) -> list[list[Json]]:
    """Searches, one after the other, while the ingest goes on unhindered to its end."""
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(process.communicate, timeout=TIMEOUT)
        found = [ask()]
        while process.poll() is None:
            found.append(ask())
        _, said = reading.result()
    assert (process.returncode, said) == (0, b"")
    return found


def test_a_search_that_began_before_everything_was_replaced_finds_all_of_it(
    fluent: Path, builtin: dict[str, str], tmp_path: Path
) -> None:
    """It goes on seeing the state it began with, of which the new file holds nothing any more."""
    asked = ("search", "빵 반죽 발효", "--mode", "vector", "--k", "50", "--json")
    before = objects(well(kebab(fluent, *asked, env=builtin)))[0]
    waiting = Waiting(tmp_path / "trap")
    searching = start(fluent, *asked, env={**builtin, **waiting.env})
    try:
        waiting.until_there(searching)
        file = scan_file(fluent)
        old = file.read_bytes()
        assert answer(fluent, "ingest", "--force-reingest", env=builtin)["updated"] == len(fluent_notes.NOTES)
        assert file.read_bytes() != old
    finally:
        waiting.go()
        out, err = searching.communicate(timeout=TIMEOUT)
    assert (searching.returncode, err) == (0, b"")
    assert ranked(json.loads(out)) == ranked(before)
