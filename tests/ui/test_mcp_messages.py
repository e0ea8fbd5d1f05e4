"""Lines of clients over stdio: what can be understood is, and every request that cannot is answered."""

import asyncio
import io
import json

import pytest

from kebab.ui.mcp.messages import understood
from kebab.ui.mcp.opening import Opened, Wire, opened
from kebab.ui.mcp.stdio import _Lines

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
WITHOUT = b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": []}'
INVALID_REQUEST = -32600


def test_a_request_is_handed_on_as_it_came() -> None:
    assert understood(PING + b"\n") == (PING.decode() + "\n", "")


def test_half_an_emoji_in_a_query_is_no_reason_to_leave_a_client_waiting() -> None:
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "'
    found = understood(call + rb'rice \ud83c"}}}')
    assert found.answer == ""
    assert json.loads(found.message)["params"]["arguments"] == {"query": "rice ?"}
    whole = call + rb'\ud83c\udf5a \\ud83c"}}}'
    assert understood(whole) == (whole.decode(), "")


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (WITHOUT, 8),
        (b'{"jsonrpc": "2.0", "id": "a", "method": 5}', "a"),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": 5}', "?"),
        (b'{"jsonrpc": "1.0", "id": 3, "method": "ping"}', 3),
    ],
)
def test_a_request_that_cannot_be_understood_is_answered(line: bytes, request_id: object) -> None:
    found = understood(line)
    assert found.message == ""
    answer = json.loads(found.answer)
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", request_id, INVALID_REQUEST)


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"no JSON",
        b"\0\xff",
        b"[" * 100_000,
        b"[]",
        b"null",
        b"{}",
        b'{"jsonrpc": "1.0", "id": true, "method": "ping"}',
        b'{"jsonrpc": "2.0", "method": "notifications/x", "params": 5}',
    ],
)
def test_what_nobody_waits_on_is_passed_over(line: bytes) -> None:
    assert understood(line) == ("", "")


def test_an_answer_to_what_cannot_be_understood_goes_out_and_the_rest_goes_on() -> None:
    said = io.BytesIO()
    client = opened(Wire(io.BytesIO(b"what?\n\n" + PING + b"\n" + WITHOUT + b"\n" + PING + b"\n"), said))
    assert client is not None

    async def read(client: Opened) -> list[str]:
        return [line async for line in _Lines(client, asyncio.get_running_loop())]

    assert [line.strip() for line in asyncio.run(read(client))] == [PING.decode()] * 2
    assert [json.loads(line)["id"] for line in said.getvalue().splitlines()] == [8]
