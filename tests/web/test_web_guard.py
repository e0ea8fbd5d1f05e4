"""Who is let in: hosts and origins of this machine, tokens, and requests that are small, quick and few."""

import errno
import os
import socket
import threading
from contextlib import ExitStack

import pytest
from web_bench import Host, hosting

from kebab.config import Config
from kebab.core.errors import IoFailure
from kebab.ui.serving.guard import Limits, Policy, is_loopback
from kebab.ui.web.server import listener
from wire_schemas import check

TOKEN = "t" * 43


def refused(status: int, reply: object) -> None:
    assert reply.status == status, reply  # type: ignore[attr-defined]
    check(reply.json)  # type: ignore[attr-defined]
    assert reply.json["schema_version"] == "error.v1"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "a@127.0.0.1", "", "[::"]
)
@pytest.mark.parametrize("path", ["/v1/docs", "/healthz", "/mcp", "/openapi.json"])
def test_a_request_for_another_host_is_refused(host: Host, name: str, path: str) -> None:
    assert host.get(path, host=name).status in (400, 421)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost:{port}", "[::1]:99", "LOCALHOST"])
def test_a_request_for_this_machine_is_let_in(host: Host, name: str) -> None:
    assert host.get("/v1/docs", host=name.format(port=host.port)).status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "file://", "https://127.0.0.1.evil.example", "http://127.0.0.1:1"]
)
def test_a_page_of_another_site_is_refused(host: Host, origin: str) -> None:
    refused(403, host.post("/v1/search", {"query": "rice"}, origin=origin))
    assert host.post("/mcp", {}, origin=origin).status == 403


def test_a_page_of_this_server_is_let_in(host: Host) -> None:
    reply = host.post("/v1/search", {"query": "rice"}, origin=f"http://127.0.0.1:{host.port}")
    assert reply.status == 200


def test_a_form_of_a_page_is_not_taken_for_a_request(host: Host) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        refused(415, host.request("POST", "/v1/search", '{"query": "rice"}', content_type=kind))
    refused(415, host.request("POST", "/v1/search", '{"query": "rice"}'))


def test_no_other_site_is_told_that_it_may_read(host: Host) -> None:
    reply = host.request("OPTIONS", "/v1/search", origin=f"http://127.0.0.1:{host.port}")
    assert reply.status == 405
    assert not any(name.startswith("access-control") for name in reply.headers)


def test_an_answer_is_not_kept_anywhere_and_names_no_server(host: Host) -> None:
    for reply in (host.get("/healthz"), host.get("/v1/docs"), host.get("/nowhere"), host.get("/v1/docs", host="x")):
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "server" not in reply.headers


def test_without_the_token_nothing_but_a_sign_of_life_is_given(config: Config) -> None:
    with hosting(config, token=TOKEN) as host:
        for path in ("/v1/docs", "/openapi.json", "/mcp", "/nowhere"):
            for given in (
                {},
                {"authorization": "Bearer " + "u" * 43},
                {"authorization": TOKEN},
                {"authorization": "Bearer "},
            ):
                reply = host.get(path, **given)
                refused(401, reply)
                assert reply.headers["www-authenticate"] == "Bearer"
        assert host.get("/healthz").json == {"ok": True}
        assert host.get("/v1/docs", authorization=f"bearer {TOKEN}").status == 200


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(config: Config) -> None:
    with hosting(config, limits=Limits(body=1000)) as host:
        refused(413, host.post("/v1/search", {"query": "x" * 1000}))
        with host.connect() as raw:
            head = "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            raw.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            raw.sendall(b"800\r\n" + b" " * 0x800 + b"\r\n0\r\n\r\n")
            assert raw.recv(100).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_does_not_arrive_is_not_waited_for(config: Config) -> None:
    with hosting(config, limits=Limits(read_seconds=0.2)) as host, host.connect() as raw:
        raw.sendall(b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n")
        raw.sendall(b"Content-Length: 9\r\n\r\n{")
        assert raw.recv(100).startswith(b"HTTP/1.1 408 ")


def test_a_head_that_does_not_arrive_is_not_waited_for(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.ui.serving.protocol.HEAD_SECONDS", 0.2)
    with hosting(config) as host:
        for begun in (b"", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "):
            with host.connect() as raw:
                raw.sendall(begun)
                assert raw.recv(100) == b""


def test_a_second_head_that_does_not_arrive_is_not_waited_for_either(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kebab.ui.serving.protocol.HEAD_SECONDS", 0.2)
    with hosting(config) as host, host.connect() as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        first = raw.recv(2000)
        while b"true}" not in first:
            first += raw.recv(2000)
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        assert raw.recv(100) == b""


def test_a_head_that_is_too_large_is_refused(host: Host) -> None:
    with host.connect() as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: " + b"a" * 40_000)
        assert raw.recv(100).startswith(b"HTTP/1.1 400 ")


def test_more_requests_than_are_served_at_once_are_sent_away(config: Config) -> None:
    with hosting(config, limits=Limits(requests=1, read_seconds=20)) as host, host.connect() as raw:
        held = threading.Event()
        raw.sendall(b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n")
        raw.sendall(b"Content-Length: 17\r\n\r\n")
        while not held.is_set():
            # The first request is under way as soon as the second one is refused.
            reply = host.get("/v1/docs")
            if reply.status == 503:
                held.set()
                refused(503, reply)
        raw.sendall(b'{"query": "rice"}')
        assert raw.recv(100).startswith(b"HTTP/1.1 200 ")


def test_who_has_no_token_cannot_use_up_what_the_others_share(config: Config) -> None:
    bearer = f"Bearer {TOKEN}"

    def begin(path: str) -> None:
        """A request whose body is waited for."""
        raw = slow.enter_context(host.connect())
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {bearer}\r\nExpect: 100-continue\r\n"
        raw.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 100 ")

    with hosting(config, token=TOKEN, limits=Limits(requests=1, read_seconds=20)) as host, ExitStack() as slow:
        begin("/enter")
        assert host.get("/v1/docs", authorization=bearer).status == 200
        begin("/v1/search")
        refused(503, host.get("/v1/docs", authorization=bearer))
        # A server at its limit is alive.
        assert host.get("/healthz").status == 200


def test_who_has_no_token_can_send_little(config: Config) -> None:
    with hosting(config, token=TOKEN) as host:
        assert host.post("/enter", {"token": "x" * 4096}).status == 413
        assert host.post("/enter", {"token": TOKEN}).status == 200


def test_a_stray_protocol_is_not_spoken(host: Host) -> None:
    with host.connect() as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        raw.shutdown(socket.SHUT_WR)
        assert raw.recv(100)[:12] in (b"", b"HTTP/1.1 400")


def test_which_addresses_are_this_machine_alone() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.2", "example.com", "")))


def test_on_every_address_a_name_needs_the_token_behind_it() -> None:
    assert Policy("0.0.0.0", TOKEN).knows("nas.local")
    assert not Policy("0.0.0.0").knows("nas.local")
    assert Policy("192.168.1.2", TOKEN).knows("192.168.1.2")
    assert not Policy("192.168.1.2", TOKEN).knows("evil.example")


def test_a_host_is_known_however_it_was_written() -> None:
    assert Policy("Den.local", TOKEN).knows("den.local")


def test_a_port_that_is_taken_is_told_in_the_words_of_the_system() -> None:
    with listener("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
        with pytest.raises(IoFailure) as told:
            listener("127.0.0.1", port)
    assert told.value.message == f"cannot listen on 127.0.0.1:{port}: {os.strerror(errno.EADDRINUSE)}"
