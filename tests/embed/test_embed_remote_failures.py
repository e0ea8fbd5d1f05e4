"""Embedding by a server that is busy, slow, gone or confused: how often it is asked, and what is said about it."""

import gzip
import socket
from collections.abc import Iterator

import pytest
from remote_bench import DIMENSIONS, PATHS, close, embedder, expected

from kebab.core.embedding import EmbeddingKind
from kebab.core.errors import ModelInvalid, ModelUnreachable, TimedOut
from kebab.embed.remote import RemoteEmbedder
from kebab.remote import server as client_side
from stand_ins.model_faults import cut, endless, reset, says, stall, status, trickle
from stand_ins.model_server import Fault, StandInServer

DOCUMENT = EmbeddingKind.DOCUMENT


@pytest.fixture(params=["ollama", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer(dimensions=DIMENSIONS) as server:
        yield server


@pytest.fixture
def remote(provider: str, server: StandInServer) -> RemoteEmbedder:
    return embedder(provider, server.url)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have slept between attempts."""
    slept: list[float] = []
    monkeypatch.setattr("kebab.remote.attempts.time.sleep", slept.append)
    return slept


@pytest.mark.parametrize("code", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(
    code: int, remote: RemoteEmbedder, server: StandInServer, pauses: list[float]
) -> None:
    server.script(status(code, "busy"), status(code, "busy"))
    (given,) = remote.embed(["text"], DOCUMENT)
    assert close(given, expected("text"))
    assert len(server.requests) == 3
    assert pauses == [0.2, 0.6]


def test_a_server_that_stays_busy_is_asked_three_times(
    remote: RemoteEmbedder, server: StandInServer, pauses: list[float]
) -> None:
    server.always(status(503, {"error": {"message": "Loading model", "code": 503}}))
    with pytest.raises(ModelUnreachable, match=r"503: Loading model$") as raised:
        remote.embed(["text"], DOCUMENT)
    assert len(server.requests) == 3
    assert raised.value.details["endpoint"] == server.url


def test_a_server_may_say_how_long_to_wait(remote: RemoteEmbedder, server: StandInServer, pauses: list[float]) -> None:
    server.script(status(429, "slow down", retry_after="3"))
    assert len(remote.embed(["text"], DOCUMENT)) == 1
    assert pauses == [3.0]


def test_a_server_that_wants_a_long_wait_is_not_waited_for(
    remote: RemoteEmbedder, server: StandInServer, pauses: list[float]
) -> None:
    server.always(status(429, "quota used up", retry_after="60"))
    with pytest.raises(ModelUnreachable, match="quota used up"):
        remote.embed(["text"], DOCUMENT)
    assert len(server.requests) == 1
    assert pauses == []


@pytest.mark.parametrize("fault", [reset(), cut(after=40), cut(after=0)], ids=["reset", "cut", "empty"])
def test_a_dropped_connection_is_made_anew(
    fault: Fault, remote: RemoteEmbedder, server: StandInServer, pauses: list[float]
) -> None:
    server.script(fault)
    (given,) = remote.embed(["text"], DOCUMENT)
    assert close(given, expected("text"))
    assert len({asked.connection for asked in server.requests}) == 2


def test_a_server_that_keeps_dropping_connections_is_given_up(
    remote: RemoteEmbedder, server: StandInServer, pauses: list[float]
) -> None:
    server.always(reset())
    with pytest.raises(ModelUnreachable, match="cannot reach http://127"):
        remote.embed(["text"], DOCUMENT)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("provider", "fault"),
    [("ollama", stall(30)), ("openai", stall(30)), ("ollama", trickle(0.2))],
    ids=["ollama-stall", "openai-stall", "trickle"],
)
def test_a_server_that_takes_too_long_is_not_asked_again(fault: Fault, provider: str, server: StandInServer) -> None:
    server.always(fault)
    with pytest.raises(TimedOut, match="within 1 s") as raised:
        embedder(provider, server.url, timeout_s=1).embed(["text"], DOCUMENT)
    assert "models.embedding.timeout_s" in str(raised.value.hint)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_unreachable_at_once(provider: str, pauses: list[float]) -> None:
    with socket.socket() as deaf:
        # Bound and not listening: the port is taken, and every connection to it is refused.
        deaf.bind(("127.0.0.1", 0))
        port = deaf.getsockname()[1]
        with pytest.raises(ModelUnreachable, match=r"(?i)connection refused$") as raised:
            embedder(provider, f"http://127.0.0.1:{port}").embed(["text"], DOCUMENT)
    assert pauses == []
    hint = str(raised.value.hint)
    assert ("ollama serve" in hint) is (provider == "ollama")
    assert "models.embedding.endpoint" in hint


def test_an_unknown_host_is_unreachable_at_once(
    provider: str, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*arguments: object, **named: object) -> object:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    monkeypatch.setenv("NO_PROXY", "*")
    with pytest.raises(ModelUnreachable, match=r"http://models\.invalid: Name or service not known"):
        embedder(provider, "http://models.invalid").embed(["text"], DOCUMENT)
    assert pauses == []


def test_a_connection_that_is_not_made_in_time_is_unreachable(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*arguments: object, **named: object) -> object:
        assert arguments[1] == 2.0
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", silent)
    with pytest.raises(ModelUnreachable, match="no connection within 2 s"):
        embedder(provider, "http://127.0.0.1:9").embed(["text"], DOCUMENT)


@pytest.mark.parametrize("code", [400, 413, 422, 500])
def test_what_a_server_says_is_shown_in_one_short_line(
    code: int, remote: RemoteEmbedder, server: StandInServer
) -> None:
    server.always(status(code, {"error": "\x1b[31mthe input\nis\u202e too\x00 long " + "x" * 5000}))
    with pytest.raises(ModelInvalid) as raised:
        remote.embed(["text"], DOCUMENT)
    head, _, said = raised.value.message.partition(f"{code}: ")
    assert head == f"{server.url} answered "
    assert said.startswith("[31mthe input is too long xxx")
    assert len(said) == 200
    assert said.isprintable()
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ({"error": {"message": "no such thing"}}, "no such thing"),
        ({"detail": "Not Found"}, "Not Found"),
        ({"detail": [{"msg": "field required"}]}, '[{"msg": "field required"}]'),
        ({"message": "bad token"}, "bad token"),
        ({"other": 1}, '{"other": 1}'),
        ("404 page not found", "404 page not found"),
        ("<html><body>Bad request</body></html>", "a web page"),
        (b"\xff\xfe", "��"),
        ("[" * 100_000, "[" * 199 + "…"),
    ],
)
def test_servers_say_what_is_wrong_in_different_forms(
    reply: object, said: str, remote: RemoteEmbedder, server: StandInServer
) -> None:
    server.always(status(400, reply))
    with pytest.raises(ModelInvalid) as raised:
        remote.embed(["text"], DOCUMENT)
    assert raised.value.message == f"{server.url} answered 400: {said}"


def test_a_failure_without_words_is_its_status(remote: RemoteEmbedder, server: StandInServer) -> None:
    server.always(status(500))
    with pytest.raises(ModelInvalid, match=r"answered 500$"):
        remote.embed(["text"], DOCUMENT)


def test_a_path_the_server_does_not_know_is_no_missing_model(provider: str, server: StandInServer) -> None:
    del server.routes[PATHS[provider]]
    with pytest.raises(ModelInvalid, match="answered 404: 404 page not found"):
        embedder(provider, server.url).embed(["text"], DOCUMENT)


@pytest.mark.parametrize(
    "reply", ["<!doctype html><title>Sign in</title>", "", "{", "[" * 200_000, b"\xff\xff", "1" * 5000]
)
def test_a_reply_that_is_not_json_is_invalid(reply: object, remote: RemoteEmbedder, server: StandInServer) -> None:
    server.always(says(reply))
    with pytest.raises(ModelInvalid, match="not JSON"):
        remote.embed(["text"], DOCUMENT)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [("out of memory\n", "out of memory"), ({"message": "unloaded"}, "unloaded"), ({"code": 7}, '{"code": 7}')],
)
def test_an_error_under_status_200_is_an_error(
    error: object, said: str, remote: RemoteEmbedder, server: StandInServer
) -> None:
    server.always(says({"error": error}))
    with pytest.raises(ModelInvalid) as raised:
        remote.embed(["text"], DOCUMENT)
    assert raised.value.message == f"{server.url} answered with an error: {said}"


@pytest.mark.parametrize("code", [200, 400])
def test_a_reply_without_end_is_not_read_to_its_end(
    code: int, remote: RemoteEmbedder, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_side, "MAX_REPLY", 100 * 1024)
    server.script(endless(code))
    with pytest.raises(ModelInvalid, match="more than 100 KB" if code == 200 else "answered 400: xxx"):
        remote.embed(["text"], DOCUMENT)
    assert len(remote.embed(["text"], DOCUMENT)) == 1


def test_a_small_reply_that_unfolds_into_a_large_one_is_too_large(
    remote: RemoteEmbedder, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_side, "MAX_REPLY", 100 * 1024)
    server.always(status(200, gzip.compress(b" " * 1024 * 1024), content_encoding="gzip"))
    with pytest.raises(ModelInvalid, match="more than 100 KB"):
        remote.embed(["text"], DOCUMENT)


def test_a_reply_that_is_not_compressed_as_it_says_is_invalid(remote: RemoteEmbedder, server: StandInServer) -> None:
    server.always(status(200, b"not gzip", content_encoding="gzip"))
    with pytest.raises(ModelInvalid, match="cannot be decompressed"):
        remote.embed(["text"], DOCUMENT)


def test_the_limit_is_a_quarter_of_a_gigabyte() -> None:
    assert client_side.MAX_REPLY == 256 * 1024 * 1024
