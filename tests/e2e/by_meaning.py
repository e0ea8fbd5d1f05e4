"""Searches by words and by meaning in one process, since most of the time of one is the model being loaded."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fluent_notes import QUESTIONS
from kebab_process import Json, kebab, objects, start, well

Env = Mapping[str, str]
MODES = ("vector", "hybrid")
# Below a home.
DATABASE = ".local/share/kebab/kebab.sqlite"
SCAN_FILES = ".local/share/kebab/vectors"


def responses(home: Path, env: Env, queries: Iterable[Json], *arguments: str | Path) -> list[Json]:
    """The response to each query, in order; all of them must have one, of the channels they asked for."""
    lines = "\n".join(json.dumps(query) for query in queries)
    items = objects(well(kebab(home, "search", "--bulk", *arguments, stdin=lines.encode(), env=env)))
    for item in items:
        assert item["error"] is None, item
        assert "degraded" not in item["response"], item
    return [item["response"] for item in items]


def everything(home: Path, env: Env, *arguments: str | Path) -> list[Json]:
    """What every question finds in either mode that asks the model: all of every hit."""
    queries = ({"query": question, "mode": mode, "k": 50} for question in QUESTIONS for mode in MODES)
    found = responses(home, env, queries, *arguments)
    assert all(response["hits"] for response in found)
    return found


def held_back(home: Path, *arguments: str | Path, env: Env) -> Any:
    """A running kebab that gets on only while its lines are read, but for those that a small pipe holds."""
    return start(home, *arguments, env=env, bufsize=0, pipesize=4096)


def paths(response: Json) -> list[str]:
    """The documents of a response, best first and each once."""
    return list(dict.fromkeys(hit["doc_path"] for hit in response["hits"]))


def scan_file(home: Path) -> Path:
    """The one file that the default engine derived."""
    (found,) = (home / SCAN_FILES).glob("*.scan")
    return found


def failing(report: Json) -> dict[str, Any]:
    """The checks of a doctor's report that failed, by name."""
    return {check["name"]: check for check in report["checks"] if not check["ok"]}
