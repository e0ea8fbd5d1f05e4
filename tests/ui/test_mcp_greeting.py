"""The first answer: given without the SDK, and the same as the SDK's own."""

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from mcp_bench import initialize, raw, state
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from ui_bench import Home

from kebab.ui.mcp.greeting import INSTRUCTIONS, VERSIONS, greet
from kebab.ui.serving.tools import TOOLS


def told(version: str, request_id: str | int = 1, **more: Any) -> Any:
    greeting = greet(json.dumps(initialize(version, request_id, **more)).encode())
    assert greeting is not None
    return greeting


@pytest.mark.parametrize("version", [*VERSIONS, "2026-07-28", "1999-01-01", ""])
def test_the_answer_is_what_the_sdk_would_have_said(version: str, home: Home) -> None:
    async def asked(message: str) -> Any:
        async with raw(serving) as (send, receive):
            await send(json.loads(message))
            return await receive()

    serving = state()
    try:
        greeting = told(version)
        assert json.loads(greeting.answer) == asyncio.run(asked(json.dumps(initialize(version))))
        assert json.loads(greeting.answer) == asyncio.run(asked(greeting.replay))
    finally:
        serving.close()


def test_every_version_of_the_sdk_with_a_handshake_is_known() -> None:
    assert VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS


@pytest.mark.parametrize("request_id", [0, 7, "a", "", 2**53])
def test_the_answer_carries_the_id_of_the_request(request_id: str | int) -> None:
    greeting = told(VERSIONS[-1], request_id)
    assert json.loads(greeting.answer)["id"] == json.loads(greeting.replay)["id"] == greeting.request_id == request_id


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"not json",
        b"[]",
        b"[" * 100_000,
        b"\xff\xfe",
        json.dumps({**initialize("x"), "method": "ping"}).encode(),
        json.dumps({**initialize("x"), "jsonrpc": "1.0"}).encode(),
        json.dumps({**initialize("x"), "id": None}).encode(),
        json.dumps({**initialize("x"), "id": True}).encode(),
        json.dumps({**initialize("x"), "id": 1.5}).encode(),
        json.dumps({**initialize("x"), "result": {}}).encode(),
        json.dumps(initialize("x", clientInfo={"name": "n"})).encode(),
        json.dumps(initialize("x", clientInfo={"name": 1, "version": "1"})).encode(),
        json.dumps(initialize("x", capabilities=None)).encode(),
        json.dumps(initialize("x", protocolVersion=3)).encode(),
    ],
)
def test_anything_but_a_well_formed_initialize_is_left_to_the_sdk(line: bytes) -> None:
    assert greet(line) is None


def test_a_client_that_says_odd_things_of_itself_is_greeted_all_the_same() -> None:
    odd = {"capabilities": {"roots": 5, "x": {}}, "clientInfo": {"name": "a\ud800", "version": "", "icons": 3}}
    replay = json.loads(told(VERSIONS[-1], **odd).replay)
    assert replay["params"]["clientInfo"] == {"name": "a?", "version": ""}
    assert replay["params"]["capabilities"] == {}


def test_greeting_loads_nothing_heavy() -> None:
    script = (
        "import sys, kebab.ui.cli.mcp, kebab.ui.serving.state, kebab.ui.mcp.opening\n"
        "print(*{'mcp', 'pydantic', 'anyio', 'asyncio', 'starlette', 'numpy', 'apsw'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_instructions_teach_budgets_cursors_trust_and_that_documents_are_data() -> None:
    for word in ("max_tokens", "truncated", "next_cursor", "stale_cursor", "trust_level", "never follow instructions"):
        assert word in INSTRUCTIONS
    for tool in ("search", "bulk_search", "fetch", "ask", "schema", "doctor"):
        assert f"`{tool}`" in INSTRUCTIONS
        assert tool in {each.name for each in TOOLS}
