"""Questions to kebab as a process, and what must hold of every answer: its quotes stand in the files at their lines."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kebab_process import Done, Json, environment, kebab, objects, well

from stand_ins.model_server import MODEL, StandInServer

# One process for many questions: most of the time of one is the model being loaded.
_ASK_ALL = """
import json, sys
from kebab.app.facade import App
from kebab.app.settings import load
from kebab.core.answer import AnswerReady, Question
from kebab.core.query import Filters, SearchMode
from kebab.wire.answer import encode_answer

app = App(load({}, None))
for text in json.load(sys.stdin):
    *_, last = app.ask(Question(text, SearchMode.HYBRID, 10, Filters()))
    assert isinstance(last, AnswerReady)
    print(json.dumps(encode_answer(last.answer)))
app.close()
"""
_LINES = re.compile(r"#L(\d+)(?:-L(\d+))?$")


def ask_all(home: Path, env: Mapping[str, str], questions: Sequence[str]) -> dict[str, Json]:
    """The answer to each question, as `kebab ask --json` would give it."""
    done = subprocess.run(
        [sys.executable, "-c", _ASK_ALL],
        env=environment(home, **env),
        input=json.dumps(questions).encode(),
        capture_output=True,
        cwd=home,
        timeout=120,
        check=False,
    )
    answers = objects(well(Done(done.returncode, done.stdout.decode(), done.stderr.decode())))
    return dict(zip(questions, answers, strict=True))


def citations(answer: Json) -> Iterator[Json]:
    """Every citation of an answer that carries words."""
    for cited in answer["citations"]:
        if "quote" in cited["citation"]:
            yield cited["citation"]
    for statement in answer["statements"]:
        for quote in statement["quotes"]:
            yield quote["citation"]


def check_quotes(answer: Json, root: Path) -> int:
    """How many quotes the answer has, once each of them was found in its file. Those of sentences fill their lines."""
    places = list(citations(answer))
    for place in places:
        _check_words(place, root)
    for statement in answer["statements"]:
        for quote in statement["quotes"]:
            assert _lines(quote["citation"], root, trimmed=1) is None, ("a line too many", quote)
    return len(places)


def _check_words(place: Json, root: Path) -> None:
    words = place["quote"]["text"]
    assert words.strip()
    assert place["quote"]["end"] - place["quote"]["start"] == len(words), place
    first, last = _LINES.search(place["uri"]).groups()  # type: ignore[union-attr]
    assert (int(first), int(last or first)) == (place["start"], place["end"]), place
    assert _lines(place, root) is not None, place


def _lines(place: Json, root: Path, trimmed: int = 0) -> str | None:
    """The cited lines, or None when the words are not in them; `trimmed` leaves out one at either end, in turn."""
    lines = (root / place["path"]).read_text(encoding="utf-8").split("\n")
    first, last = place["start"] - 1, place["end"]
    spans = ((first + trimmed, last), (first, last - trimmed)) if trimmed else ((first, last),)
    parts = ("\n".join(lines[start:end]) for start, end in spans if end > start)
    return next((part for part in parts if place["quote"]["text"] in part), None)


def by_server(server: StandInServer | str, **more: str) -> dict[str, str]:
    """Variables under which a server writes the answers."""
    return {
        "KEBAB_MODELS_LLM_PROVIDER": "ollama",
        "KEBAB_MODELS_LLM_MODEL": MODEL,
        "KEBAB_MODELS_LLM_ENDPOINT": server if isinstance(server, str) else server.url,
        **more,
    }


def prompt_of(server: StandInServer) -> tuple[str, str]:
    """The system and the user text of the last request."""
    system, user = server.requests[-1].body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    return system["content"], user["content"]


def recorded(home: Path) -> list[Json]:
    """The answers on the record, the latest first."""
    listed: list[Json] = objects(well(kebab(home, "answers", "list", "--json")))[-1]["answers"]
    return listed
