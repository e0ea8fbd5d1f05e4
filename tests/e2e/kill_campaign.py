"""A campaign of kills: an ingest is started and killed over and over, while folder and model go on changing."""

import random
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from by_meaning import Env, responses
from fatal_moments import DRAFT_FINISHED, FILE_OPENED, dying
from index_state import SEARCHED, apart, check_database, logical_state, on_disk, query_rows
from kebab_process import TIMEOUT, answer, kebab, objects, plant, start, well, write_config

FILES = 48
KILLS = 30
QUERIES = (
    "river harbour",
    "강물 항구",
    "lantern",
    "등불을 켜다",
    "note 17",
    "granite window",
    "창문과 화강암",
    "chapter two",
    "pelican -harbour",
    '"copper kettle"',
)
ENGLISH = "river harbour lantern granite window copper kettle orchard velvet thunder pelican saddle".split()
KOREAN = "강물 항구 등불 화강암 창문 구리 주전자 과수원 벨벳 천둥 사다새 안장을 켰다".split()

# Moments at which a run ends itself.
TRAPS = (DRAFT_FINISHED, FILE_OPENED)
# Vectors are kept in half precision, and how a text is rounded may depend on what was embedded together with it.
LAST_DIGIT = 2**-12


def write_note(path: Path, dice: random.Random) -> None:
    """A small note: some with front matter, some with none, some empty, mostly a few sections in either language."""
    words = dice.choice((ENGLISH, KOREAN, ENGLISH + KOREAN))
    head = f"---\ntags: [t{dice.randrange(5)}, all]\n---\n" if dice.random() < 0.5 else ""
    sections = (
        f"## Chapter {number}\n\n{' '.join(dice.choices(words, k=dice.randrange(3, 12)))}.\n\n"
        for number in range(dice.choice((0, 1, 1, 2, 4)))
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}# Note {path.stem}\n\n{''.join(sections)}", encoding="utf-8")


def disturb(notes: Path, dice: random.Random) -> None:
    """Some notes are changed, some removed, some moved, some new."""
    present = sorted(notes.rglob("*.md"))
    for path in dice.sample(present, 14):
        write_note(path, dice)
    for path in dice.sample(present, 3):
        path.unlink()
    for path in dice.sample(sorted(notes.rglob("*.md")), 2):
        path.rename(path.with_name(f"moved-{dice.randrange(10**6)}.md"))
    for _ in range(3):
        write_note(notes / f"d{dice.randrange(8)}" / f"{dice.randrange(10**6)}.md", dice)


class Attempt(NamedTuple):
    """How an ingest is run: over everything again or over what changed, with which model, and when it has to die."""

    whole: bool
    version: str
    moment: str


def plan(number: int, dice: random.Random) -> Attempt:
    """Every fourth dies at its vector file, every fourth while it changes the model, the others anywhere."""
    if number % 4 == 3:
        whole = dice.random() < 0.5
        return Attempt(whole, "v1", dice.choice(TRAPS) if whole else FILE_OPENED)
    if number % 4 == 1:
        # Another version of the model: what is stored gets other vectors, then searches switch to them.
        return Attempt(False, "v2", "batch")
    return Attempt(dice.random() < 0.15, "v1", dice.choice(("start", *["line"] * 5)))


def attempt(home: Path, given: Attempt, env: Env, dice: random.Random) -> int:
    """Runs an ingest to its violent end; gives its status, 0 when it was done before."""
    if not given.whole:
        disturb(home / "notes", dice)
    force = ("--force-reingest",) if given.whole else ()
    variables = {**env, "KEBAB_MODELS_EMBEDDING_VERSION": given.version}
    by_itself = given.moment in TRAPS
    if by_itself:
        variables |= dying(home / "trap", given.moment, dice.choice((0, 0, 0.003)) * dice.random())
    process = start(home, "ingest", "--json", "--config", home / "kebab.toml", *force, env=variables)
    if not by_itself:
        wait_for(process, given, dice)
        process.send_signal(signal.SIGKILL)
    _, said = process.communicate(timeout=TIMEOUT)
    assert said == b"", said.decode()
    return int(process.returncode)


def wait_for(process: Any, given: Attempt, dice: random.Random) -> None:
    """By what the run says and not by the clock alone, so that a busy machine has its kills at the same places."""
    if given.moment == "line":
        # A file that is unchanged has two lines, one that is processed four.
        for _ in range(dice.randrange((4 if given.whole else 3) * FILES)):
            process.stdout.readline()
    if given.moment == "batch":
        while (line := process.stdout.readline()) and b"embed_batch_started" not in line:
            pass
    time.sleep(dice.random() * dice.choice((0.003, 0.03, 0.3)))


class Kills(NamedTuple):
    all: int
    in_the_middle: int
    between_models: int
    at_the_vector_file: int


def campaign(home: Path, seed: int, env: Env, stop: threading.Event) -> Kills:
    """Kills until enough of them met a running ingest; then a whole run, and a look at what it made."""
    dice = random.Random(seed)
    config, database = write_config(home / "kebab.toml"), home / "data/kebab.sqlite"
    for number in range(FILES):
        write_note(home / f"notes/d{number % 8}/{number}.md", dice)
    attempts = killed = in_the_middle = between_models = at_the_vector_file = 0
    while killed < KILLS and not stop.is_set():
        given = plan(attempts, dice)
        attempts += 1
        assert attempts < 2 * KILLS, "few runs are done before their kill"
        status = attempt(home, given, env, dice)
        stored = check_database(database, embedded=True)
        assert status in (0, -signal.SIGKILL)
        if status:
            if killed % 16 == 3:
                check_in_use(home, config, env)
            killed += 1
            in_the_middle += bool(stored) and stored != on_disk(home / "notes")
            between_models += len(query_rows(database, "SELECT 1 FROM embedding_models")) > 1 if stored else 0
            at_the_vector_file += given.moment in TRAPS
    if not stop.is_set():
        finish(home, config, env, QUERIES[seed % 2 :: 2])
    return Kills(killed, in_the_middle, between_models, at_the_vector_file)


def check_in_use(home: Path, config: Path, env: Env) -> None:
    """Right after a kill: it can be searched by meaning, and the doctor finds nothing wrong but what is unfinished."""
    asked = {"query": QUERIES[0], "mode": "vector", "k": 3}
    found = len(scores(*responses(home, env, [asked], "--config", config)))
    # What was processed anew on the way to another model has no vectors of the one that searches still use.
    assert found == min(3, len(query_rows(home / "data/kebab.sqlite", SEARCHED)))
    report = objects(kebab(home, "doctor", "--json", "--config", config, env=env))[0]
    assert {check["name"] for check in report["checks"] if not check["ok"]} <= {"vectors_complete"}


def finish(home: Path, config: Path, env: Env, queries: Sequence[str]) -> None:
    """One whole run, and the index is what an unkilled ingest of the same folder makes."""
    fresh = write_config(home / "fresh/kebab.toml", home / "notes")
    plant(home / "notes", {"last.md": "# Note 17\n\n## Chapter two\n\nA copper kettle. 구리 주전자.\n"})
    report = answer(home, "ingest", "--config", config, env=env)
    assert (report["errors"], report["aborted"], report["warnings"]) == (0, False, [])
    assert report["scanned"] == len(on_disk(home / "notes"))
    well(kebab(home, "ingest", "--quiet", "--config", fresh, env=env))
    database, unkilled = home / "data/kebab.sqlite", home / "fresh/data/kebab.sqlite"
    check_database(database, embedded=True)
    state = logical_state(database)
    assert state == logical_state(unkilled)
    assert len(state["records"]) >= 2 * len(state["chunks"]) > 0, "a passage and the headings of every chunk"
    assert apart(database, unkilled) <= LAST_DIGIT
    assert answer(home, "doctor", "--config", config, env=env)["ok"] is True
    files = sorted((home / "data/vectors").iterdir())
    assert [file.suffix for file in files] == [".scan"], "nothing is left of what was never finished"
    killed, expected = (found(home, each, env, queries) for each in (config, fresh))
    assert killed.keys() == expected.keys()
    for asked, scores in expected.items():
        assert scores, asked
        assert killed[asked] == pytest.approx(scores, abs=1e-3), asked


def found(home: Path, config: Path, env: Env, queries: Sequence[str]) -> dict[tuple[str, str], dict[str, float]]:
    """The scores of all that each query finds by each mode in the index of a config."""
    asked = [(query, mode) for query in queries for mode in ("lexical", "vector", "hybrid")]
    lines = ({"query": query, "mode": mode, "k": 1000} for query, mode in asked)
    given = responses(home, env, lines, "--config", config)
    return {case: scores(response) for case, response in zip(asked, given, strict=True)}


def scores(response: dict[str, Any]) -> dict[str, float]:
    hits = {f"{hit['chunk_id']} {hit['citation']['uri']}": round(hit["score"], 6) for hit in response["hits"]}
    assert len(hits) == len(response["hits"])
    assert list(hits.values()) == sorted(hits.values(), reverse=True)
    return hits
