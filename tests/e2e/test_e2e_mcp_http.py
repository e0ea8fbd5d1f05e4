"""`kebab mcp --http`: the same answers as on the command line, for many clients, and none for a page that pretends."""

import asyncio
import http.client
import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from kebab_process import TIMEOUT, answer, kebab, refusal
from mcp import Client  # noqa: TID253
from mcp_process import initialize, listening

from wire_schemas import check

QUERIES = ("brown rice", "현미밥 보관", "pg_restore", "nightly backup water", "zeppelin", "물 1.2컵")
ACCEPTED = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
ERAS = ("legacy", "2026-07-28")


@pytest.fixture(scope="module")
def url(small_home: Path) -> Iterator[str]:
    with listening(small_home, "--readonly") as (_, url):
        yield url


def post(url: str, body: bytes | None = None, path: str = "/mcp", **headers: str) -> int:
    """The status of an `initialize` sent with these headers."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=TIMEOUT)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("POST", path, body or json.dumps(initialize()), ACCEPTED | given)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("era", ERAS)
def test_every_query_finds_the_same_as_on_the_command_line(era: str, url: str, small_home: Path) -> None:
    async def work() -> list[Any]:
        async with Client(url, mode=era) as client:
            found = [await client.call_tool("search", {"query": query, "k": 3}) for query in QUERIES]
            return [result.structured_content for result in found]

    for query, theirs in zip(QUERIES, asyncio.run(work()), strict=True):
        check(theirs)
        assert theirs == answer(small_home, "search", query, "--k", "3", status=0 if theirs["hits"] else 1)


def test_eight_clients_at_once_get_each_their_own_answer(url: str) -> None:
    async def one(query: str) -> list[str]:
        async with Client(url, mode="legacy") as client:
            found = [await client.call_tool("search", {"query": query}) for _ in range(3)]
            return [json.dumps(result.structured_content) for result in found]

    async def work() -> list[list[str]]:
        return await asyncio.gather(*map(one, ["brown rice", "현미밥", "pg_restore", "zeppelin"] * 2))

    answers = asyncio.run(work())
    assert all(len(set(each)) == 1 for each in answers)
    assert answers[:4] == answers[4:]
    assert len({each[0] for each in answers}) == 4


def test_a_request_by_the_server_s_own_name_is_answered(url: str) -> None:
    port = urlsplit(url).port
    assert post(url) == 200
    assert post(url, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") == 200


@pytest.mark.parametrize(
    "host", ["evil.org", "evil.org:{port}", "127.0.0.1.evil.org:{port}", "localhost:1", "localhost"]
)
def test_a_request_by_another_name_is_refused(host: str, url: str) -> None:
    assert post(url, Host=host.format(port=urlsplit(url).port)) == 421


@pytest.mark.parametrize(
    "origin",
    ["http://evil.org", "https://localhost:{port}", "http://localhost:{port}.evil.org", "null", "http://localhost:1"],
)
def test_a_page_from_elsewhere_is_refused(origin: str, url: str) -> None:
    assert post(url, Origin=origin.format(port=urlsplit(url).port)) == 403


@pytest.mark.parametrize("headers", [{"Host": "evil.org"}, {"Origin": "http://evil.org"}])
def test_the_protocol_without_a_handshake_is_no_way_around_it(headers: dict[str, str], url: str) -> None:
    assert post(url, MCP_Protocol_Version="2026-07-28", **headers) in {403, 421}


def test_a_request_that_is_too_large_is_refused(url: str) -> None:
    assert post(url, b" ", Content_Length=str(4 * 1024 * 1024 + 1)) == 413, "before it is sent"


def test_there_is_nothing_beside_the_endpoint(url: str) -> None:
    for path in ("/", "/mcp/", "/mcp/../etc/passwd", "/healthz"):
        assert post(url, path=path) == 404


def test_what_is_no_request_is_refused(url: str) -> None:
    assert post(url, b"hello") == 400
    assert post(url, b"[]") == 400
    assert post(url, Content_Type="text/plain") in {400, 415}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_while_a_client_listens(number: int, small_home: Path) -> None:
    with listening(small_home, "--readonly") as (process, url):
        place = urlsplit(url)
        connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=TIMEOUT)
        connection.request("POST", "/mcp", json.dumps(initialize()), ACCEPTED)
        response = connection.getresponse()
        session = {"mcp-session-id": str(response.getheader("mcp-session-id"))}
        response.read()
        connection.request("GET", "/mcp", headers=session | {"Accept": "text/event-stream"})
        assert connection.getresponse().status == 200
        process.send_signal(number)
        assert process.wait(TIMEOUT) == 130
        connection.close()
        assert process.stderr.read() == b""
        assert process.stdout.read() == b""


def test_a_port_that_is_taken_is_told(small_home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = kebab(small_home, "mcp", "--http", f"127.0.0.1:{taken.getsockname()[1]}", "--json")
    refusal(done, "io_error")
