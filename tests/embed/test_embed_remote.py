"""Embedding by a server, what both APIs share: batches, connections, and what is sent to whom."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from remote_bench import DIMENSIONS, PATHS, close, embedder, expected, numbers, settings

from kebab.core.embedding import EmbeddingKind
from kebab.core.errors import ModelInvalid
from kebab.embed.remote import RemoteEmbedder
from kebab.remote import server as client_side
from stand_ins.model_faults import chunked, status
from stand_ins.model_server import StandInServer

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


def test_a_vector_is_the_server_s_in_unit_length_as_float32(remote: RemoteEmbedder) -> None:
    (given,) = remote.embed(["현미밥"], DOCUMENT)
    assert len(given) == 4 * DIMENSIONS
    assert close(given, expected("현미밥"))
    assert math.isclose(math.hypot(*numbers(given)), 1.0, abs_tol=1e-6)


def test_the_model_is_that_of_the_settings(provider: str) -> None:
    assert embedder(provider, "http://127.0.0.1:1").model == settings(provider, "").identity()


def test_texts_go_out_in_batches_and_come_back_in_order(remote: RemoteEmbedder, server: StandInServer) -> None:
    texts = [f"text {index}" for index in range(7)]
    given = remote.embed(texts, DOCUMENT)
    assert server.inputs == [texts[:3], texts[3:6], texts[6:]]
    assert all(close(one, expected(text)) for one, text in zip(given, texts, strict=True))


def test_no_texts_are_no_request(remote: RemoteEmbedder, server: StandInServer) -> None:
    assert remote.embed([], DOCUMENT) == []
    assert server.requests == []


def test_a_connection_is_kept_for_the_next_request(remote: RemoteEmbedder, server: StandInServer) -> None:
    remote.embed([str(index) for index in range(9)], DOCUMENT)
    remote.embed(["another call"], EmbeddingKind.QUERY)
    assert len(server.requests) == 4
    assert len({asked.connection for asked in server.requests}) == 1


def test_threads_share_one_client_and_get_their_own_vectors(
    remote: RemoteEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    make = client_side.open_client

    def counted(*arguments: object) -> object:
        made.append(arguments)
        return make(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(client_side, "open_client", counted)
    texts = [f"thread {index}" for index in range(24)]
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda text: remote.embed([text], DOCUMENT)[0], texts))
    assert all(close(one, expected(text)) for one, text in zip(given, texts, strict=True))
    assert len(made) == 1


def test_an_embedder_that_nobody_holds_leaves_no_open_connection(provider: str, server: StandInServer) -> None:
    remote = embedder(provider, server.url)
    remote.embed(["text"], DOCUMENT)
    opened = remote._server._opened
    assert opened is not None
    del remote
    assert opened[1].is_closed


def test_chunks_that_end_within_a_character_are_put_together(remote: RemoteEmbedder, server: StandInServer) -> None:
    server.script(chunked(size=2))
    (given,) = remote.embed(["text"], DOCUMENT)
    assert close(given, expected("text"))
    (again,) = remote.embed(["text"], DOCUMENT)
    assert again == given
    assert len({asked.connection for asked in server.requests}) == 1


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(code: int, remote: RemoteEmbedder, server: StandInServer) -> None:
    with StandInServer(dimensions=DIMENSIONS) as elsewhere:
        server.always(status(code, "", location=f"{elsewhere.url}/api/embed?token=abc"))
        with pytest.raises(ModelInvalid, match="points to http://127") as raised:
            remote.embed(["private text"], DOCUMENT)
        assert elsewhere.requests == []
    assert "token" not in raised.value.message
    assert len(server.requests) == 1


def test_a_proxy_of_the_environment_is_not_for_this_machine(
    provider: str, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with StandInServer(dimensions=DIMENSIONS) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        for host in ("127.0.0.1", "localhost", "0.0.0.0"):
            assert len(embedder(provider, server.url.replace("127.0.0.1", host)).embed(["text"], DOCUMENT)) == 1
        assert proxy.requests == []
        # The same variables do hold for another machine, or this test would show nothing.
        with pytest.raises(ModelInvalid, match="answered 404"):
            embedder(provider, "http://models.example").embed(["text"], DOCUMENT)
        assert [asked.path for asked in proxy.requests] == [f"http://models.example{PATHS[provider]}"]


def test_half_a_surrogate_pair_and_an_empty_text_are_sent_as_something_a_server_takes(
    remote: RemoteEmbedder, server: StandInServer
) -> None:
    given = remote.embed(["a\ud800b", "", "\udfff"], DOCUMENT)
    assert server.inputs == [["a\ufffdb", " ", "\ufffd"]]
    assert len(given) == 3


def test_requests_say_who_asks_and_carry_nothing_else(remote: RemoteEmbedder, server: StandInServer) -> None:
    remote.embed(["text"], DOCUMENT)
    headers = server.requests[0].headers
    assert headers["user-agent"] == "kebab"
    assert headers["content-type"] == "application/json"
    assert not {"authorization", "cookie", "referer"} & headers.keys()
