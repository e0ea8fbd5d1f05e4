"""The listener's own checks: addresses of this machine alone, names it answers to, and clients that take their time."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from mcp_bench import replaced, state
from ui_bench import Home

from kebab.core.errors import InvalidInput
from kebab.ui.mcp import http
from kebab.ui.mcp.http import Address, address_of

SECONDS = 20


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:8765", ("127.0.0.1", 8765)),
        ("127.0.0.2:0", ("127.0.0.2", 0)),
        ("localhost:80", ("localhost", 80)),
        ("[::1]:8765", ("::1", 8765)),
    ],
)
def test_an_address_of_this_machine_is_taken(text: str, address: tuple[str, int]) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize(
    "text",
    [
        *(
            "0.0.0.0:80",
            "192.0.2.1:80",
            "[::]:80",
            "example.org:80",
            "localhost.evil.org:80",
            "80",
            ":80",
            "localhost:",
        ),
        *(
            "localhost:x",
            "localhost:70000",
            "localhost:-1",
            "localhost:٣",
            "",
            "127.0.0.1",
            "127.1:80",
            "2130706433:80",
        ),
    ],
)
def test_any_other_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        address_of(text)


def test_a_request_may_call_the_server_by_its_names_and_its_port_alone() -> None:
    assert Address("127.0.0.1", 81).names == ("127.0.0.1:81", "[::1]:81", "localhost:81")
    assert "localhost" in Address("127.0.0.1", 80).names
    assert "[::1]:81" in Address("::1", 81).names
    assert Address("::1", 81).url == "http://[::1]:81/mcp"


@contextmanager
def listening() -> Iterator[int]:
    """The port of a listener in this process."""
    serving = state()
    with socket.create_server(("127.0.0.1", 0)) as bound:
        server = http.make_listener(serving, Address("127.0.0.1", bound.getsockname()[1]))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([bound])), daemon=True)
        thread.start()
        try:
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(SECONDS)
            assert not thread.is_alive()
            serving.close()


def said(port: int, request: bytes) -> bytes:
    """The first line the server says to a client that sends this and then nothing more; empty when it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
        client.sendall(request)
        with client.makefile("rb") as answer:
            return answer.readline()


def head(port: int, length: int, media: str = "application/json") -> bytes:
    lines = ("POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Content-Type: {media}", f"Content-Length: {length}")
    return "\r\n".join((*lines, "Accept: application/json, text/event-stream", "", "")).encode()


def test_a_head_that_does_not_arrive_is_not_waited_for(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.ui.serving.protocol.HEAD_SECONDS", 0.2)
    with listening() as port:
        for begun in (b"", b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "):
            assert said(port, begun) == b""


def test_a_body_that_does_not_arrive_is_not_waited_for(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.2)
    with listening() as port:
        assert said(port, head(port, 100) + b"{").startswith(b"HTTP/1.1 408 ")


def test_an_answer_may_take_longer_than_a_question(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.2)
    started = threading.Event()

    def slowly(_call: Any) -> Any:
        started.set()
        assert not never.wait(0.4)
        return {"schema_version": "schema.v1"}

    never = threading.Event()
    replaced(monkeypatch, "schema", slowly)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "schema", "_meta": meta}}
    body = json.dumps(call).encode()
    with listening() as port:
        request = head(port, len(body)).replace(
            b"Content-Length",
            b"MCP-Protocol-Version: 2026-07-28\r\nMCP-Method: tools/call\r\nMCP-Name: schema\r\nContent-Length",
        )
        assert said(port, request + body).startswith(b"HTTP/1.1 200 ")
    assert started.is_set()


def test_what_is_too_large_or_no_json_is_refused_before_it_is_read(home: Home) -> None:
    with listening() as port:
        assert said(port, head(port, http.MAX_QUESTION + 1)).startswith(b"HTTP/1.1 413 ")
        assert said(port, head(port, 2, "text/plain")).startswith(b"HTTP/1.1 415 ")
        assert said(port, b"POST /mcp HTTP/1.1\r\nX-A: " + b"a" * 40_000).startswith(b"HTTP/1.1 400 ")
