"""`kebab mcp` over stdio: as an agent starts it, uses it, and leaves it, in good order or not."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import by_server
from kebab_process import TIMEOUT, answer, kebab, plant, refusal, start, well
from mcp_process import agent, initialize

from stand_ins.model_server import Exchange, Fault, StandInServer

INTERRUPTED = 130
RICE = "how much water does brown rice need?"
QUERIES = ("brown rice", "현미밥 보관", "pg_restore", "nightly backup water", "zeppelin", "물 1.2컵")
_NOISE = """
import ctypes, os, subprocess, sys
from kebab.ui.mcp.opening import claimed
wire = claimed()
print("from python", flush=True)
os.write(1, b"from a descriptor")
subprocess.run(["sh", "-c", "echo from a child; cat"])
ctypes.CDLL(None).puts(b"from a library")
ctypes.CDLL(None).fflush(None)
wire.send("{}")
wire.send(wire.line().decode().strip())
"""


def begun(tell: Callable[[], object]) -> Fault:
    """Silence, and a word to the test that it has begun."""

    def fault(exchange: Exchange) -> None:
        tell()
        exchange.server.closing.wait(TIMEOUT)

    return fault


def test_an_agent_searches_and_reads_on_and_leaves(home: Path) -> None:
    with agent(home) as client:
        greeting = client.greet()
        assert greeting["serverInfo"]["name"] == "kebab"
        assert "max_tokens" in greeting["instructions"]
        assert "ingest" not in {tool["name"] for tool in client.ask("tools/list")["tools"]}
        hit = client.call("search", query="brown rice")["hits"][0]
        assert "two cups" in client.call("fetch", kind="chunk", reference=hit["chunk_id"])["chunk"]["text"]
        assert client.call("ingest")["code"] == "readonly_mode"
        assert client.ask("ping") == {}
        assert client.leave() == 0
        assert client.process.stderr.read() == b""


def test_every_query_finds_the_same_as_on_the_command_line(home: Path) -> None:
    with agent(home, "--readonly") as client:
        client.greet()
        for query in QUERIES:
            theirs = client.call("search", query=query, k=3, snippet_chars=80)
            status = 0 if theirs["hits"] else 1
            assert theirs == answer(home, "search", query, "--k", "3", "--snippet-chars", "80", status=status)
        options = ("--sort", "title", "--lang", "ko")
        assert client.call("list_docs", sort="title", lang=["ko"]) == answer(home, "list", "docs", *options)
        assert client.call("symbols", query="x") == answer(home, "symbols", "x", status=1)


def test_what_another_process_writes_is_found_by_a_server_that_runs(home: Path) -> None:
    with agent(home) as client:
        client.greet()
        assert client.call("search", query="zeppelin")["hits"] == []
        plant(home / "notes", {"air.md": "# Zeppelin\n\nIt floats.\n"})
        well(kebab(home, "ingest", "--quiet"))
        assert [hit["doc_path"] for hit in client.call("search", query="zeppelin")["hits"]] == ["air.md"]


def test_nothing_but_the_protocol_reaches_the_client_whatever_is_printed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _NOISE], input=b'{"mine": 1}\n', capture_output=True, timeout=TIMEOUT, check=True
    )
    assert done.stdout == b'{}\n{"mine": 1}\n'
    for source in ("python", "a descriptor", "a child", "a library"):
        assert f"from {source}".encode() in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_before_and_after_the_client_has_spoken(number: int, home: Path) -> None:
    with agent(home) as client:
        client.greet()
        client.call("schema")
        assert client.stop(number) == INTERRUPTED
        assert client.process.stderr.read() == b""
    with agent(home) as client:
        client.greet()
        assert client.stop(number) == INTERRUPTED


def test_a_client_that_says_nothing_and_leaves_ends_the_server(home: Path) -> None:
    assert well(kebab(home, "mcp")) == (0, "", "")


def test_a_client_that_leaves_while_a_question_is_answered_ends_the_server(home: Path) -> None:
    with StandInServer() as server:
        asked = threading.Event()
        server.always(begun(asked.set))
        with agent(home, env=by_server(server)) as client:
            client.greet()
            client.begin("tools/call", name="ask", arguments={"question": RICE})
            assert asked.wait(TIMEOUT)
            assert client.leave() == 0


def test_cancelled_questions_are_given_up_and_leave_the_server_free_for_others(home: Path) -> None:
    with StandInServer() as server:
        asked = threading.Semaphore(0)
        server.always(begun(asked.release))
        with agent(home, env=by_server(server)) as client:
            client.greet()
            # As many as run at once: the next long call has its turn only if one of them stops.
            numbers = [client.begin("tools/call", name="ask", arguments={"question": RICE}) for _ in range(3)]
            assert all(asked.acquire(timeout=TIMEOUT) for _ in numbers)
            assert client.call("search", query="brown rice")["hits"], "quick calls do not wait for long ones"
            for number in numbers:
                client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
            assert client.call("verify", trace_id="ret_none")["code"] == "trace_not_found"
            assert client.leave() == 0


def test_tokens_are_told_while_they_arrive_to_a_client_that_asks_for_progress(home: Path) -> None:
    with StandInServer() as server, agent(home, env=by_server(server)) as client:
        server.tells = ("Brown rice ", "needs two cups of water", " for one cup [#", "1].")
        client.greet()
        meta = {"progressToken": "t"}
        number = client.begin("tools/call", name="ask", arguments={"question": RICE}, _meta=meta)
        told = []
        while (message := client.receive()).get("id") != number:
            assert (message["method"], message["params"]["progressToken"]) == ("notifications/progress", "t")
            told.append(message["params"])
        assert "".join(each["message"] for each in told).startswith("Brown rice needs two cups of water")
        assert [each["progress"] for each in told] == sorted({each["progress"] for each in told})
        assert message["result"]["structuredContent"]["grounded"] is True


def test_a_client_that_no_longer_reads_ends_the_server(home: Path) -> None:
    with agent(home) as client:
        client.greet()
        client.call("schema")
        client.process.stdout.close()
        client.begin("tools/list")
        assert client.process.wait(TIMEOUT) == 0
        client.process.stdin.close()


def test_a_client_that_closed_its_end_before_the_first_answer_ends_the_server(home: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    process = start(home, "mcp", stdin=subprocess.PIPE, stdout=theirs)
    os.close(theirs)
    _, said = process.communicate(json.dumps(initialize()).encode() + b"\n", timeout=TIMEOUT)
    assert (process.returncode, said) == (0, b"")


def test_lines_that_are_no_requests_do_no_harm(home: Path) -> None:
    with agent(home) as client:
        for line in (b"\n", b"hello\n", b"[]\n", b"\xff\xfe\n", b'{"jsonrpc": "2.0"}\n'):
            client.process.stdin.write(line)
        client.greet()
        for line in (b"\n", b"hello\n", b'{"jsonrpc": "2.0", "method": "no/such"}\n', b"{" * 50_000 + b"\n"):
            client.process.stdin.write(line)
        assert client.call("search", query="brown rice")["hits"]


def test_requests_that_come_before_the_first_answer_are_answered_too(home: Path) -> None:
    with agent(home) as client:
        client.send(initialize(0))
        client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        number = client.begin("tools/list")
        answers = [client.receive(), client.receive()]
        assert [each["id"] for each in answers] == [0, number]
        assert answers[0]["result"]["protocolVersion"] == "2025-11-25"


def test_ingest_is_allowed_by_a_flag_and_not_together_with_readonly(home: Path) -> None:
    with agent(home, "--allow-ingest") as client:
        client.greet()
        assert client.call("ingest_stdin", text="Helium lifts.", title="Balloons")["new"] == 1
        assert client.call("search", query="helium")["hits"]
    refusal(kebab(home, "mcp", "--allow-ingest", "--readonly", "--json"), "invalid_input")


def test_an_address_that_others_can_reach_is_refused(home: Path) -> None:
    error = refusal(kebab(home, "mcp", "--http", "0.0.0.0:0", "--json"), "invalid_input")
    assert "kebab serve" in error["hint"]


def test_a_broken_config_is_told_before_anything_is_served(home: Path) -> None:
    refusal(kebab(home, "mcp", "--json", "--config", str(home / "gone.toml")), "config_not_found")
