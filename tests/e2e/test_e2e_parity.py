"""A hundred queries, asked four ways: on the command line, through a server, over MCP on pipes and over MCP on HTTP."""

import asyncio
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from kebab_process import Json, answer, environment, kebab, plant, well, write_config
from mcp import Client  # noqa: TID253
from mcp_process import agent, listening
from serving import serving

from kebab.app.facade import App
from kebab.ui.cli.main import _status
from kebab.ui.cli.session import Session
from wire_schemas import check

NOTES = {
    "cooking/rice.md": "---\ntags: [cooking, grain]\n---\n# Brown rice\n\nOne cup needs two cups of water.\n\n"
    "## Storing\n\nCooked rice keeps four days in the cold, or a month when it is frozen.\n",
    "요리/현미밥.md": "---\ntags: [cooking]\n---\n# 현미밥\n\n불린 현미 한 컵에 물 1.2컵을 붓는다.\n\n"
    "## 보관\n\n한 공기씩 냉동한다.\n",
    "dev/backup.md": "# Backup\n\nRestore the nightly backup with `pg_restore`.\n\n"
    "## Retention\n\nBackups are kept for ninety days, then deleted by a job.\n",
    "dev/로그.md": "# 로그 정책\n\n로그는 30일 동안 보관한 뒤 지운다. 백업은 90일 동안 보관한다.\n",
    "dev/kettle.py": 'def boil(cups: int) -> int:\n    """Minutes until the water boils."""\n    return cups * 2\n',
    "travel/kyoto.md": "# Kyoto\n\nThe night bus leaves at ten. Water is sold at the station.\n",
}
TEXTS = (
    "rice water",
    "현미밥 물",
    '"two cups"',
    "how long are backups kept?",
    "백업은 얼마나 보관하나요",
    "pg_restore",
    "frozen 냉동",
    "boil",
    "night",
    "zeppelin qqxx",
)
OPTIONS: tuple[Json, ...] = (
    {},
    {"mode": "lexical"},
    {"mode": "vector", "k": 4},
    {"k": 2, "snippet_chars": 40},
    {"tag": ["cooking"]},
    {"lang": ["ko"], "max_per_doc": 1},
    {"path_glob": ["dev/*", "travel/*"]},
    {"code_lang": ["Python"], "mode": "lexical"},
    {"k": 5, "max_tokens": 350},
    {"trust_min": "primary", "ingested_after": "2020-01-01", "media": ["markdown"], "k": 1},
)
QUERIES = [{"query": text, **options} for text, options in product(TEXTS, OPTIONS)]


def words(query: Json) -> list[str]:
    """A query as it is typed."""
    typed = ["search", query["query"]]
    for name, value in query.items():
        if name != "query":
            for each in value if isinstance(value, list) else [value]:
                typed += [f"--{name.replace('_', '-')}", str(each)]
    return typed


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, builtin: dict[str, str]) -> Path:
    home = tmp_path_factory.mktemp("parity") / "home"
    plant(home / "notes", NOTES)
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    well(kebab(home, "ingest", "--quiet", env=builtin))
    return home


class Typed(NamedTuple):
    """The command line in this process. Its model is loaded once: a hundred times would test only patience."""

    capture: pytest.CaptureFixture[str]

    def __call__(self, query: Json, *more: str) -> Json:
        status = _status([*words(query), "--json", *more])
        out, err = self.capture.readouterr()
        value: Json = json.loads(out)
        assert (status, err) == (0 if value["hits"] else 1, "")
        return value


@pytest.fixture
def typed(
    library: Path, builtin: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Typed]:
    for name, value in environment(library, **builtin).items():
        monkeypatch.setenv(name, value)
    app = App(Session().config())
    monkeypatch.setattr(Session, "_open", _opening(app, Session._open))
    yield Typed(capsys)
    monkeypatch.undo()
    app.close()


def _opening(app: App, otherwise: Any) -> Any:
    class Open:
        def __getattr__(self, name: str) -> Any:
            return (lambda: None) if name == "close" else getattr(app, name)

    return lambda session: otherwise(session) if session.server else Open()


@pytest.fixture(scope="module")
def server(library: Path, builtin: dict[str, str]) -> Iterator[str]:
    with serving(library, env=builtin) as found:
        yield found.url


@pytest.fixture(scope="module")
def over_http(library: Path, builtin: dict[str, str]) -> list[Json]:
    async def ask(url: str) -> list[Json]:
        async with Client(url) as client:
            found = [await client.call_tool("search", query) for query in QUERIES]
            return [result.structured_content or {} for result in found]

    with listening(library, "--readonly", env=builtin) as (_, url):
        return asyncio.run(ask(url))


@pytest.fixture(scope="module")
def over_stdio(library: Path, builtin: dict[str, str]) -> list[Json]:
    with agent(library, "--readonly", env=builtin) as client:
        client.greet()
        return [client.call("search", **query) for query in QUERIES]


def test_a_hundred_queries_give_the_same_on_every_way(
    typed: Typed, over_stdio: list[Json], over_http: list[Json], server: str
) -> None:
    through_server = [typed(query, "--server", server) for query in QUERIES]
    here = [typed(query) for query in QUERIES]
    assert len(here) == 100
    for query, *ways in zip(QUERIES, here, through_server, over_stdio, over_http, strict=True):
        for found in ways:
            check(found)
            assert found == ways[0], query
    found = [{hit["doc_path"] for hit in each["hits"]} for each in here]
    assert len({frozenset(each) for each in found}) >= 12, "queries that all find the same would prove nothing"
    assert sum(each["truncated"] for each in here) >= 5
    assert sum(each["next_cursor"] is not None for each in here) >= 20
    assert not any("degraded" in each for each in here), "every channel ran"


@pytest.mark.parametrize("number", [0, 27, 58])
def test_a_process_of_its_own_says_the_same(
    number: int, over_stdio: list[Json], library: Path, builtin: dict[str, str]
) -> None:
    wanted = over_stdio[number]
    assert answer(library, *words(QUERIES[number]), status=0 if wanted["hits"] else 1, env=builtin) == wanted


def test_pages_of_documents_are_the_same_and_whole(
    typed: Typed, library: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed(*more: str) -> Json:
        assert _status(["list", "docs", "--json", *more]) == 0
        value: Json = json.loads(capsys.readouterr().out)
        check(value)
        return value

    with agent(library, "--readonly") as client:
        client.greet()
        found, cursor = [], ""
        while True:
            page = listed("--limit", "4", "--cursor", cursor)
            assert page == listed("--limit", "4", "--cursor", cursor, "--server", server)
            assert page == client.call("list_docs", limit=4, cursor=cursor)
            found += [doc["doc_path"] for doc in page["docs"]]
            if (cursor := page["next_cursor"]) is None:
                break
        assert found == sorted(NOTES)
        whole = listed()
        assert [doc["doc_path"] for doc in whole["docs"]] == found
        assert (whole["total"], whole["next_cursor"]) == (len(NOTES), None)
