"""Embedding by Ollama: what is asked of `/api/embed`, what its replies may be, and what is said about a server."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from remote_bench import DIMENSIONS, HEAVY, RECIPE, close, embedder, expected, settings

from contracts.embedder_contract import EmbedderContract
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings
from kebab.core.errors import ModelInvalid, ModelNotPulled, ModelUnreachable, TimedOut
from kebab.embed.ollama import API, reachable
from kebab.embed.remote import RemoteEmbedder
from stand_ins.model_faults import edited, says, stall, status
from stand_ins.model_server import MODEL, StandInServer


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer(dimensions=DIMENSIONS) as server:
        yield server


@pytest.fixture
def ollama(server: StandInServer) -> RemoteEmbedder:
    return embedder("ollama", server.url)


class TestContract(EmbedderContract):
    understands = False
    heavy = HEAVY
    recipe = RECIPE.format(module="ollama", name="OllamaEmbedder")

    @pytest.fixture
    def settings(self, server: StandInServer) -> EmbeddingSettings:
        return settings("ollama", server.url)

    @pytest.fixture
    def embedder(self, settings: EmbeddingSettings) -> RemoteEmbedder:
        return embedder("ollama", settings.endpoint)


def rows(change: Callable[[list[Any]], object]) -> Callable[[Any], object]:
    return lambda reply: {**reply, "embeddings": change(reply["embeddings"])}


def test_the_request_is_that_of_the_api(ollama: RemoteEmbedder, server: StandInServer) -> None:
    ollama.embed(["현미밥", "rice"], EmbeddingKind.DOCUMENT)
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/api/embed")
    assert asked.body == {"model": MODEL, "input": ["현미밥", "rice"], "truncate": True}


@pytest.mark.parametrize("end", ["", "/", "/api", "/api/"])
def test_the_address_may_be_written_with_the_path_of_the_api(end: str, server: StandInServer) -> None:
    (given,) = embedder("ollama", server.url + end).embed(["text"], EmbeddingKind.DOCUMENT)
    assert close(given, expected("text"))
    assert server.requests[0].path == "/api/embed"


def test_without_an_address_it_is_ollama_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: tuple[str, int], *arguments: object, **named: object) -> object:
        assert address == ("127.0.0.1", 11434)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("socket.create_connection", refuse)
    with pytest.raises(ModelUnreachable, match=r"http://127\.0\.0\.1:11434: Connection refused$") as raised:
        embedder("ollama", "").embed(["text"], EmbeddingKind.DOCUMENT)
    assert raised.value.hint == "run `ollama serve`, or check models.embedding.endpoint"


def test_a_model_that_is_missing_comes_with_the_command_that_gets_it(server: StandInServer) -> None:
    with pytest.raises(ModelNotPulled, match="has no model bge-m3") as raised:
        embedder("ollama", server.url, model="bge-m3").embed(["text"], EmbeddingKind.DOCUMENT)
    assert raised.value.hint == "ollama pull bge-m3"
    assert raised.value.details == {"endpoint": server.url, "model": "bge-m3"}
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (rows(lambda rows: rows[:-1]), "gave 1 vectors for 2 texts"),
        (rows(lambda rows: [*rows, rows[0]]), "gave 3 vectors for 2 texts"),
        (rows(lambda rows: []), "gave 0 vectors for 2 texts"),
        (rows(lambda rows: [rows[0], []]), "gave vectors of 0 dimensions"),
        (rows(lambda rows: [rows[0], None]), "not a list of numbers"),
        (rows(lambda rows: [rows[0], "AAAAAA=="]), "not a list of numbers"),
        (rows(lambda rows: [rows[0], [str(value) for value in rows[1]]]), "not a list of numbers"),
        (rows(lambda rows: [rows[0], [None, *rows[1][1:]]]), "not a list of numbers"),
        (rows(lambda rows: [rows[0], [True, *rows[1][1:]]]), "not a list of numbers"),
        (rows(lambda rows: [rows[0], [rows[1]]]), "not a list of numbers"),
        (rows(lambda rows: [rows[0], [float("nan"), *rows[1][1:]]]), "no direction"),
        (rows(lambda rows: [rows[0], [float("inf"), *rows[1][1:]]]), "no direction"),
        (rows(lambda rows: [rows[0], [float("inf"), float("nan"), *rows[1][2:]]]), "no direction"),
        (rows(lambda rows: [rows[0], [10**400, *rows[1][1:]]]), "no direction"),
        (rows(lambda rows: [rows[0], [0.0] * DIMENSIONS]), "no direction"),
        (rows(lambda rows: None), "without `embeddings`"),
        (lambda reply: {"embedding": reply["embeddings"][0]}, "without `embeddings`"),
        (lambda reply: reply["embeddings"], "without `embeddings`"),
        (lambda reply: None, "without `embeddings`"),
    ],
)
def test_a_reply_that_holds_no_usable_vectors_is_invalid(
    change: Callable[[Any], object], problem: str, ollama: RemoteEmbedder, server: StandInServer
) -> None:
    server.always(edited(change))
    with pytest.raises(ModelInvalid) as raised:
        ollama.embed(["one", "two"], EmbeddingKind.DOCUMENT)
    assert raised.value.message.startswith(f"{server.url} gave ")
    assert problem in raised.value.message
    assert len(server.requests) == 1


def test_wrong_dimensions_are_named_beside_those_of_the_settings(server: StandInServer) -> None:
    with pytest.raises(ModelInvalid, match=r"8 dimensions, while models\.embedding\.dimensions is 512$") as raised:
        embedder("ollama", server.url, dimensions=512).embed(["text"], EmbeddingKind.DOCUMENT)
    assert "kebab config set models.embedding.dimensions 8" in str(raised.value.hint)


def test_whole_numbers_and_an_error_that_is_null_are_fine(ollama: RemoteEmbedder, server: StandInServer) -> None:
    server.always(says({"embeddings": [[3, 4, 0, 0, 0, 0, 0, 0]], "error": None}))
    (given,) = ollama.embed(["text"], EmbeddingKind.DOCUMENT)
    assert given == b"\x9a\x99\x19\x3f\xcd\xcc\x4c\x3f" + bytes(24)


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("stand-in", "", ""),
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("hf.co/intfloat/Multilingual-E5-large", "query: ", "passage: "),
        ("e5", "query: ", "passage: "),
        ("abcde5f", "", ""),
        ("model:sha-1e57", "", ""),
        (
            "multilingual-e5-large-instruct",
            "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
            "",
        ),
    ],
)
def test_some_models_want_questions_and_passages_marked(
    model: str, query: str, document: str, server: StandInServer
) -> None:
    server.models = (model,)
    ollama = embedder("ollama", server.url, model=model)
    ollama.embed(["rice", ""], EmbeddingKind.QUERY)
    ollama.embed(["rice", ""], EmbeddingKind.DOCUMENT)
    assert server.inputs == [[f"{query}rice", query or " "], [f"{document}rice", document or " "]]


def test_the_doctor_learns_which_ollama_answers(server: StandInServer) -> None:
    assert reachable(settings("ollama", server.url)) == f"Ollama 0.99.1 at {server.url}"
    assert [(asked.method, asked.path) for asked in server.requests] == [("GET", "/api/version")]


def test_the_doctor_learns_of_a_server_that_is_something_else(server: StandInServer) -> None:
    server.routes["/api/version"] = lambda body: {"version": None}
    with pytest.raises(ModelInvalid, match="not as Ollama does"):
        reachable(settings("ollama", server.url))


def test_the_doctor_asks_once_and_does_not_wait_for_long(
    server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(status(503, "busy"))
    with pytest.raises(ModelUnreachable, match="503: busy"):
        reachable(settings("ollama", server.url))
    assert len(server.requests) == 1
    monkeypatch.setattr("kebab.remote.server.PROBE_S", 0.2)
    server.script(stall(30))
    with pytest.raises(TimedOut, match=r"within 0\.2 s"):
        reachable(settings("ollama", server.url, timeout_s=600))


def test_the_doctor_waits_two_seconds_and_no_longer() -> None:
    from kebab.remote.server import PROBE_S

    assert PROBE_S == 2.0
    assert API.endpoint == "http://127.0.0.1:11434"
