"""`kebab serve`, and the command line that asks it: the same bytes with and without a server."""

import json
import re
import shutil
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from kebab_process import Done, kebab, plant, refusal, search, side_by_side, well
from serving import Running, line_with, running, serving

from wire_schemas import check

RICE = "How much water does brown rice need?"
CODE = "def boil(cups: int) -> None:\n    print(cups)\n"
# What no two runs share.
PASSING = re.compile(r'"(?:\w+_ms|sqlite)": \d+|"(?:ts|created_at)": "[^"]+"|ret_[0-9a-f]{16}|\b\w+ \d+ ms')


@pytest.fixture(scope="module")
def home(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = shutil.copytree(small_home, tmp_path_factory.mktemp("served") / "home")
    plant(copied / "notes", {"dev/kettle.py": CODE})
    well(kebab(copied, "ingest", "--quiet"))
    return copied


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Running]:
    with serving(home) as found:
        yield found
        assert found.stop() == (0, "")


BULK = b'{"query": "brown rice"}\n{"query": "", "k": 2}\nnot json\n{"query": "backup", "tag": "cooking"}\n{"k": 0}\n'
SAME = {
    "hits for people": ("search", "brown rice"),
    "explained and traced": ("search", "brown rice", "--explain", "--trace", "--k", "2"),
    "json": ("search", "현미 물", "--json"),
    "json with a trace": ("search", "현미 물", "--json", "--trace"),
    "csv": ("search", "rice", "--format", "csv"),
    "md": ("search", "rice", "--format", "md"),
    "filters": ("search", "rice", "--tag", "cooking", "--lang", "en", "--path-glob", "*.md", "--json"),
    "a definition": ("search", "--symbol", "boil"),
    "limits": ("search", "rice", "--max-tokens", "300", "--max-per-doc", "1", "--snippet-chars", "30", "--json"),
    "no hit": ("search", "zzqqxx", "--mode", "lexical"),
    "an empty query": ("search", " "),
    "bulk": ("search", "--bulk"),
    "bulk as one": ("search", "--bulk", "--json", "--k", "1"),
    "answer": ("ask", RICE),
    "answer explained": ("ask", RICE, "--explain"),
    "answer streamed": ("ask", RICE, "--stream"),
    "answer in korean": ("ask", "현미밥에 물을 얼마나 붓나요?"),
    "refusal": ("ask", "Who won the regatta of 1931?"),
    "documents": ("list", "docs"),
    "documents in json": ("list", "docs", "--json", "--sort", "updated", "--lang", "ko"),
    "definitions": ("symbols", "boil"),
    "definitions in json": ("symbols", "boil", "--json", "--code-lang", "python"),
    "schema": ("schema",),
    "schema in json": ("schema", "--json"),
    "a document": ("fetch", "doc", "쌀/현미밥.md"),
    "a document in json": ("fetch", "doc", "rice.md", "--json"),
    "lines": ("fetch", "span", "rice.md", "4", "6"),
    "no such document": ("fetch", "doc", "nothing.md", "--json"),
    "no such answer": ("verify", "ret_ffff", "--json"),
}


def unlike(done: Done) -> tuple[int, str, str]:
    return done.status, PASSING.sub("…", done.out), done.err


@pytest.fixture(scope="module")
def both(home: Path, server: Running) -> dict[tuple[str, str], Done]:
    def run(case: tuple[str, str]) -> Done:
        name, way = case
        return kebab(home, *SAME[name], *(("--server", server.url) if way == "there" else ()), stdin=BULK)

    return side_by_side(run, [(name, way) for name in SAME for way in ("here", "there")])


@pytest.mark.parametrize("name", SAME)
def test_a_command_prints_the_same_through_a_server(both: dict[tuple[str, str], Done], name: str) -> None:
    here, there = both[name, "here"], both[name, "there"]
    assert unlike(there) == unlike(here)
    assert here.out or here.err


def test_an_answer_of_a_server_can_be_verified_through_it(home: Path, server: Running) -> None:
    answer = json.loads(well(kebab(home, "ask", RICE, "--json", "--server", server.url)).out)
    trace = answer["retrieval"]["trace_id"]
    here, there = (kebab(home, "verify", trace, *more) for more in ((), ("--server", server.url)))
    assert there == here
    assert "1 of 1 intact" in here.out or "intact" in here.out
    as_json = well(kebab(home, "verify", trace, "--json", env={"KEBAB_SERVER": server.url}))
    check(json.loads(as_json.out))


@pytest.mark.parametrize(
    "arguments",
    [("ingest",), ("ingest", "--dry-run"), ("inspect", "doc", "rice.md"), ("doctor",), ("watch",), ("jobs", "list")],
)
def test_what_does_not_go_through_a_server_says_so_in_one_line(
    home: Path, server: Running, arguments: tuple[str, ...]
) -> None:
    told = refusal(kebab(home, *arguments, "--json", "--server", server.url), "invalid_input")
    assert "runs on this machine alone, not through a server" in told["message"]
    assert "KEBAB_SERVER" in told["hint"]


def test_a_server_that_is_not_there_is_named_with_what_to_do(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    told = refusal(kebab(home, "search", "rice", "--json", "--server", f"127.0.0.1:{port}"), "server_unreachable")
    assert str(port) in told["message"]
    assert "kebab serve" in told["hint"]
    refusal(kebab(home, "search", "rice", "--json", "--server", "ftp://x"), "invalid_input")


def test_a_token_is_printed_once_and_kept_for_its_owner_alone(home: Path, tmp_path: Path) -> None:
    own = shutil.copytree(home, tmp_path / "home")
    token = well(kebab(own, "serve", "--new-token")).out.strip()
    kept = own / ".local/share/kebab/server.token"
    assert kept.read_text().strip() == token
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert well(kebab(own, "serve", "--new-token")).out.strip() != token


def test_other_machines_are_served_only_with_a_token(home: Path) -> None:
    told = refusal(kebab(home, "serve", "--host", "192.0.2.1", "--port", "0", "--json"), "invalid_input")
    assert "--new-token" in told["hint"]


def test_a_port_that_is_taken_is_named(home: Path, server: Running) -> None:
    port = server.url.rpartition(":")[2]
    told = refusal(kebab(home, "serve", "--port", port, "--json"), "io_error")
    assert port in told["message"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_in_good_order(home: Path, number: int) -> None:
    with serving(home) as found:
        assert found.stop(number) == (0, "")


def test_a_server_that_watches_finds_what_is_written_while_it_runs(home: Path, tmp_path: Path) -> None:
    own = shutil.copytree(home, tmp_path / "home")
    with running(own, "serve", "--port", "0", "--watch") as process:
        url = line_with(process, "serving http").split()[1]
        line_with(process, "watching")
        plant(own / "notes", {"new.md": "# Birds\n\nA pelican at the harbour.\n"})
        line_with(process, "1 new")
        assert [hit["doc_path"] for hit in search(own, "pelican", "--server", url)] == ["new.md"]
        assert Running(process, url).stop() == (0, "")
