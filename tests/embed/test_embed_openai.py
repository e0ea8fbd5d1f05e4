"""Embedding by a server with OpenAI's API: its request, replies in any order, its key, and its address."""

import logging
import random
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from remote_bench import DIMENSIONS, HEAVY, RECIPE, close, embedder, expected, settings

from contracts.embedder_contract import EmbedderContract
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings
from kebab.core.errors import ConfigInvalid, KebabError, ModelInvalid, ModelNotPulled, ModelUnreachable
from kebab.embed.openai import reachable
from kebab.embed.remote import RemoteEmbedder
from stand_ins.model_faults import edited, says, status
from stand_ins.model_server import MODEL, StandInServer

KEY = "sk-a-very-secret-key-that-nobody-may-see"
VARIABLE = "TEST_EMBED_KEY"


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer(dimensions=DIMENSIONS) as server:
        yield server


@pytest.fixture
def guarded() -> Iterator[StandInServer]:
    """A server that wants a key."""
    with StandInServer(dimensions=DIMENSIONS, key=KEY) as server:
        yield server


@pytest.fixture
def openai(server: StandInServer) -> RemoteEmbedder:
    return embedder("openai", server.url)


class TestContract(EmbedderContract):
    understands = False
    heavy = HEAVY
    recipe = RECIPE.format(module="openai", name="OpenAiEmbedder")

    @pytest.fixture
    def settings(self, server: StandInServer) -> EmbeddingSettings:
        return settings("openai", server.url)

    @pytest.fixture
    def embedder(self, settings: EmbeddingSettings) -> RemoteEmbedder:
        return embedder("openai", settings.endpoint)


def data(change: Callable[[list[Any]], object]) -> Callable[[Any], object]:
    return lambda reply: {**reply, "data": change(reply["data"])}


def everything_said(error: BaseException) -> str:
    """All that could reach a person, a log or a program from an error."""
    shown = "".join(traceback.format_exception(error))
    return shown + (repr((error.message, error.hint, error.details)) if isinstance(error, KebabError) else "")


def test_the_request_is_that_of_the_api(openai: RemoteEmbedder, server: StandInServer) -> None:
    openai.embed(["현미밥", "rice"], EmbeddingKind.QUERY)
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/v1/embeddings")
    assert asked.body == {"model": MODEL, "input": ["현미밥", "rice"], "encoding_format": "float"}


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
def test_the_address_may_be_written_with_the_path_of_the_api(end: str, server: StandInServer) -> None:
    (given,) = embedder("openai", server.url + end).embed(["text"], EmbeddingKind.DOCUMENT)
    assert close(given, expected("text"))
    assert server.requests[0].path == "/v1/embeddings"


def test_a_server_may_live_under_a_path(server: StandInServer) -> None:
    server.routes["/models/v1/embeddings"] = server.routes["/v1/embeddings"]
    for end in ("/models", "/models/v1"):
        assert len(embedder("openai", server.url + end).embed(["text"], EmbeddingKind.DOCUMENT)) == 1


def test_without_an_address_it_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: tuple[str, int], *arguments: object, **named: object) -> object:
        assert address == ("127.0.0.1", 8080)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("socket.create_connection", refuse)
    with pytest.raises(ModelUnreachable, match=r"cannot reach http://127\.0\.0\.1:8080") as raised:
        embedder("openai", "").embed(["text"], EmbeddingKind.DOCUMENT)
    assert raised.value.hint == "start the server, or check models.embedding.endpoint"


def test_vectors_belong_to_the_texts_their_index_names(server: StandInServer) -> None:
    def shuffled(items: list[Any]) -> list[Any]:
        random.Random(3).shuffle(items)
        assert [item["index"] for item in items] != sorted(item["index"] for item in items)
        return items

    server.always(edited(data(shuffled)))
    texts = [f"text {index}" for index in range(10)]
    given = embedder("openai", server.url, batch_size=10).embed(texts, EmbeddingKind.DOCUMENT)
    assert all(close(one, expected(text)) for one, text in zip(given, texts, strict=True))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (data(lambda items: items[:1]), "gave 1 vectors for 2 texts"),
        (data(lambda items: []), "gave 0 vectors for 2 texts"),
        (data(lambda items: items[1:]), "`index`"),
        (data(lambda items: [items[0], items[0]]), "`index`"),
        (data(lambda items: [items[0], {"embedding": items[1]["embedding"]}]), "`index`"),
        (data(lambda items: [items[0], {**items[1], "index": "1"}]), "`index`"),
        (data(lambda items: [items[0], {**items[1], "index": True}]), "`index`"),
        (data(lambda items: [items[0], {**items[1], "index": [1]}]), "`index`"),
        (data(lambda items: [items[0], {"index": 1}]), "not a list of numbers"),
        (data(lambda items: [items[0], {"index": 1, "embedding": "AACAPwAAAAA="}]), "not a list of numbers"),
        (data(lambda items: [items[0], {"index": 1, "embedding": [0] * DIMENSIONS}]), "no direction"),
        (data(lambda items: [items[0], {"index": 1, "embedding": [1.0] * 3}]), "3 dimensions"),
        (data(lambda items: [items[0], items[1]["embedding"]]), "without `data`"),
        (data(lambda items: {"0": items[0]}), "without `data`"),
        (lambda reply: reply["data"], "without `data`"),
        (lambda reply: "ok", "without `data`"),
    ],
)
def test_a_reply_that_holds_no_usable_vectors_is_invalid(
    change: Callable[[Any], object], problem: str, openai: RemoteEmbedder, server: StandInServer
) -> None:
    def fault(reply: Any) -> object:
        changed = change(reply)
        return f'"{changed}"'.encode() if isinstance(changed, str) else changed

    server.always(edited(fault))
    with pytest.raises(ModelInvalid) as raised:
        openai.embed(["one", "two"], EmbeddingKind.DOCUMENT)
    assert problem in raised.value.message


def test_a_model_the_server_does_not_have_is_not_pulled(server: StandInServer) -> None:
    with pytest.raises(ModelNotPulled, match="has no model text-embedding-x") as raised:
        embedder("openai", server.url, model="text-embedding-x").embed(["text"], EmbeddingKind.DOCUMENT)
    assert raised.value.hint == "load text-embedding-x in the server, or check models.embedding.model"


def test_the_key_comes_from_the_variable_that_is_named(guarded: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, f" {KEY}\n")
    openai = embedder("openai", guarded.url, api_key_env=VARIABLE)
    assert len(openai.embed(["text"], EmbeddingKind.DOCUMENT)) == 1
    assert guarded.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert guarded.requests[0].body.keys() == {"model", "input", "encoding_format"}


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_variable_that_is_not_set_is_a_fault_of_the_configuration(
    value: str | None, guarded: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ConfigInvalid, match=f"api_key_env names the variable {VARIABLE}, which is not set") as raised:
        embedder("openai", guarded.url, api_key_env=VARIABLE).embed(["text"], EmbeddingKind.DOCUMENT)
    assert raised.value.details == {"key": "models.embedding.api_key_env"}
    assert guarded.requests == []


@pytest.mark.parametrize("value", [f"{KEY}\nX-Other: 1", f"{KEY}\x7f", f"{KEY}é"])
def test_a_key_that_no_header_can_carry_is_not_sent_and_not_shown(
    value: str, guarded: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ConfigInvalid, match="characters that no key has") as raised:
        embedder("openai", guarded.url, api_key_env=VARIABLE).embed(["text"], EmbeddingKind.DOCUMENT)
    assert KEY not in everything_said(raised.value)
    assert guarded.requests == []


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_is_named_by_its_variable(
    code: int, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    server.always(status(code, {"error": {"message": f"Incorrect API key provided: {KEY}."}}))
    with pytest.raises(ModelInvalid, match=rf"refused the key in {VARIABLE} \({code}\)") as raised:
        embedder("openai", server.url, api_key_env=VARIABLE).embed(["text"], EmbeddingKind.DOCUMENT)
    assert VARIABLE in str(raised.value.hint)
    assert raised.value.message.endswith("Incorrect API key provided: [key].")
    assert KEY not in everything_said(raised.value)


def test_a_server_that_wants_a_key_when_none_is_named_says_where_to_name_it(guarded: StandInServer) -> None:
    with pytest.raises(ModelInvalid, match="wants a key") as raised:
        embedder("openai", guarded.url).embed(["text"], EmbeddingKind.DOCUMENT)
    assert "models.embedding.api_key_env" in str(raised.value.hint)


@pytest.mark.parametrize(
    "fault",
    [
        status(400, {"error": f"{'x' * 190} {KEY}"}),
        status(500, f"header Authorization: Bearer {KEY}"),
        says({"error": f"bad key {KEY}"}),
        status(302, "", location=f"/login/{KEY}"),
    ],
    ids=["where-it-is-cut", "500", "under-200", "redirect"],
)
def test_a_key_the_server_repeats_is_not_shown(
    fault: Any, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    server.always(fault)
    with pytest.raises(ModelInvalid) as raised:
        embedder("openai", server.url, api_key_env=VARIABLE).embed(["text"], EmbeddingKind.DOCUMENT)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY[:8] not in everything_said(raised.value)


def test_no_log_and_no_representation_holds_the_key(
    guarded: StandInServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    openai = embedder("openai", guarded.url, api_key_env=VARIABLE)
    with caplog.at_level(logging.DEBUG):
        openai.embed(["text"], EmbeddingKind.DOCUMENT)
    assert "/v1/embeddings" in caplog.text, "the library does log"
    assert KEY not in caplog.text
    held = [openai, openai._server, openai._service, *vars(openai._server).values()]
    assert KEY not in repr([(repr(each), vars(each) if hasattr(each, "__dict__") else "") for each in held])


@pytest.mark.parametrize(
    "endpoint",
    [
        *("localhost:8080", "127.0.0.1:8080", "ftp://127.0.0.1", "http://", "http:///v1", "not an address"),
        *("http://127.0.0.1:99999", "http://127.0.0.1:port", "http://[::1", "http://a..b", f"http://{'a' * 64}.b"),
        *("http://me:secret@127.0.0.1", "http://127.0.0.1/?key=secret", "http://127.0.0.1/#secret", "http://a\nb/"),
        *("http://me:secret@[::1", "http://me:secret@127.0.0.1:secret", "http://me:secret@a..b"),
    ],
)
def test_an_address_that_cannot_be_one_is_a_fault_of_the_configuration(endpoint: str) -> None:
    openai = embedder("openai", endpoint)
    with pytest.raises(ConfigInvalid, match=r"^models\.embedding\.endpoint ") as raised:
        openai.embed(["text"], EmbeddingKind.DOCUMENT)
    assert raised.value.details == {"key": "models.embedding.endpoint"}
    assert "secret" not in everything_said(raised.value)


def test_a_proxy_that_cannot_be_used_is_a_fault_of_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    for proxy in ("gopher://127.0.0.1", "http://[::1"):
        monkeypatch.setenv("ALL_PROXY", proxy)
        with pytest.raises(ConfigInvalid, match="a proxy or the certificates"):
            embedder("openai", "http://models.example").embed(["text"], EmbeddingKind.DOCUMENT)


def test_the_doctor_learns_whether_the_model_is_listed(server: StandInServer) -> None:
    assert reachable(settings("openai", server.url)) == f"{server.url} answers; {MODEL} is one of its models"
    assert reachable(settings("openai", f"{server.url}/v1", model="x")).endswith("answers; it lists 1 models")
    assert [(asked.method, asked.path) for asked in server.requests] == [("GET", "/v1/models")] * 2


def test_the_doctor_learns_of_a_server_that_lists_nothing(server: StandInServer) -> None:
    server.script(says({"data": None}), status(404, {"detail": "Not Found"}))
    with pytest.raises(ModelInvalid, match="not with a list of models"):
        reachable(settings("openai", server.url))
    with pytest.raises(ModelInvalid, match="answered 404: Not Found"):
        reachable(settings("openai", server.url))


def test_the_doctor_sends_the_key_too(guarded: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    assert MODEL in reachable(settings("openai", guarded.url, api_key_env=VARIABLE))
    monkeypatch.setenv(VARIABLE, "another")
    with pytest.raises(ModelInvalid, match=f"refused the key in {VARIABLE}"):
        reachable(settings("openai", guarded.url, api_key_env=VARIABLE))
