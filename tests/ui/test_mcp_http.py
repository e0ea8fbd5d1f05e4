"""The listener's own checks: addresses of this machine alone, names it answers to, and clients that take their time."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from kebab.core.errors import InvalidInput
from kebab.ui.mcp import http
from kebab.ui.mcp.http import Address, address_of, timely

Message = MutableMapping[str, Any]


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


async def read_all(_scope: Any, receive: Any, send: Any) -> None:
    """Answers once the whole request is here, and then waits for the client to leave."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})
    assert (await receive())["type"] == "http.disconnect"


def statuses(messages: list[Message], waits: list[float]) -> list[int]:
    """What is answered to a client that sends these messages, each after its wait."""
    sent: list[Message] = []
    coming = iter(zip(messages, waits, strict=True))

    async def receive() -> Message:
        message, wait = next(coming)
        await asyncio.sleep(wait)
        return message

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(timely(read_all, {"type": "http"}, receive, send))
    return [message["status"] for message in sent if message["type"] == "http.response.start"]


def body(*, more: bool) -> Message:
    return {"type": "http.request", "body": b"{", "more_body": more}


def test_a_client_that_does_not_finish_its_request_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.0)
    assert statuses([body(more=True), body(more=False)], [0.0, 60.0]) == [408]


def test_an_answer_may_take_longer_than_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.05)
    assert statuses([body(more=False), {"type": "http.disconnect"}], [0.0, 0.1]) == [200]
