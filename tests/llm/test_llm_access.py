"""Who may be asked for a reply and with which key: what is sent to a server, and what is never shown of it."""

import logging
from collections.abc import Iterator

import pytest
from llm_bench import PATHS, REPLY, everything_said, language_model, reply_of, settings

from kebab.core.errors import ConfigInvalid, ModelInvalid
from kebab.llm.openai import reachable
from kebab.llm.remote import RemoteModel
from stand_ins.model_chat import event
from stand_ins.model_faults import status
from stand_ins.model_server import MODEL, Fault, StandInServer
from stand_ins.stream_faults import with_packet

KEY = "sk-a-very-secret-key-that-nobody-may-see"
VARIABLE = "TEST_LLM_KEY"


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        yield server


@pytest.fixture(params=["ollama", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def remote(provider: str, server: StandInServer) -> RemoteModel:
    return language_model(provider, server.url)


@pytest.fixture
def guarded() -> Iterator[StandInServer]:
    """A server that wants a key."""
    with StandInServer(key=KEY) as server:
        yield server


def test_the_key_comes_from_the_variable_that_is_named(guarded: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, f" {KEY}\n")
    assert reply_of(language_model("openai", guarded.url, api_key_env=VARIABLE))[0] == REPLY
    assert guarded.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("value", "problem"), [("", "is not set"), (f"{KEY}\nX-Other: 1", "characters that no key has")]
)
def test_a_variable_without_a_key_is_a_fault_of_the_configuration(
    value: str, problem: str, guarded: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ConfigInvalid, match=rf"^models\.llm\.api_key_env names .* {problem}") as raised:
        reply_of(language_model("openai", guarded.url, api_key_env=VARIABLE))
    assert raised.value.details == {"key": "models.llm.api_key_env"}
    assert KEY not in everything_said(raised.value)
    assert guarded.requests == []


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_is_named_by_its_variable(
    code: int, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    server.always(status(code, {"error": {"message": f"Incorrect API key provided: {KEY}."}}))
    with pytest.raises(ModelInvalid, match=rf"refused the key in {VARIABLE} \({code}\)") as raised:
        reply_of(language_model("openai", server.url, api_key_env=VARIABLE))
    assert raised.value.hint == f"put a valid key into the variable {VARIABLE}"
    assert KEY not in everything_said(raised.value)


def test_a_server_that_wants_a_key_when_none_is_named_says_where_to_name_it(guarded: StandInServer) -> None:
    with pytest.raises(ModelInvalid, match=r"wants a key \(401\), and models\.llm\.api_key_env names none") as raised:
        reply_of(language_model("openai", guarded.url))
    assert "`kebab config set models.llm.api_key_env NAME`" in str(raised.value.hint)


@pytest.mark.parametrize(
    "fault",
    [
        status(500, f"header Authorization: Bearer {KEY}"),
        with_packet(1, event({"error": f"{'x' * 190} {KEY}"})),
        with_packet(1, b'error: {"message": "bad key %s"}\n\n' % KEY.encode()),
        status(302, "", location=f"/login/{KEY}"),
    ],
    ids=["500", "within-the-reply", "llama.cpp", "redirect"],
)
def test_a_key_the_server_repeats_is_not_shown(
    fault: Fault, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    server.always(fault)
    with pytest.raises(ModelInvalid) as raised:
        reply_of(language_model("openai", server.url, api_key_env=VARIABLE))
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY[:8] not in everything_said(raised.value)


def test_no_log_and_no_representation_holds_the_key(
    guarded: StandInServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    openai = language_model("openai", guarded.url, api_key_env=VARIABLE)
    with caplog.at_level(logging.DEBUG):
        reply_of(openai)
    assert "/v1/chat/completions" in caplog.text, "the library does log"
    assert KEY not in caplog.text
    assert KEY not in repr([vars(openai), vars(openai._server)])


@pytest.mark.parametrize(
    "endpoint", ["localhost:8080", "ftp://127.0.0.1", "http://me:secret@127.0.0.1", "http://127.0.0.1/?key=secret"]
)
def test_an_address_that_cannot_be_one_is_a_fault_of_the_configuration(endpoint: str) -> None:
    with pytest.raises(ConfigInvalid, match=r"^models\.llm\.endpoint ") as raised:
        reply_of(language_model("openai", endpoint))
    assert raised.value.details == {"key": "models.llm.endpoint"}
    assert "secret" not in everything_said(raised.value)


def test_the_doctor_learns_of_a_key_that_is_refused(guarded: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "another")
    with pytest.raises(ModelInvalid, match=f"refused the key in {VARIABLE}"):
        reachable(settings("openai", guarded.url, api_key_env=VARIABLE))
    monkeypatch.setenv(VARIABLE, KEY)
    assert MODEL in reachable(settings("openai", guarded.url, api_key_env=VARIABLE))


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(code: int, provider: str, remote: RemoteModel, server: StandInServer) -> None:
    with StandInServer() as elsewhere:
        server.always(status(code, "", location=f"{elsewhere.url}{PATHS[provider]}?token=abc"))
        with pytest.raises(ModelInvalid, match="points to http://127") as raised:
            reply_of(remote)
        assert elsewhere.requests == []
    assert "token" not in raised.value.message
    assert "`kebab config set models.llm.endpoint URL`" in str(raised.value.hint)


def test_a_proxy_of_the_environment_is_not_for_this_machine(
    provider: str, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with StandInServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert reply_of(language_model(provider, server.url))[0] == REPLY
        assert proxy.requests == []
        # The same variables do hold for another machine, or this test would show nothing.
        with pytest.raises(ModelInvalid, match="answered 404"):
            reply_of(language_model(provider, "http://models.example"))
        assert [asked.path for asked in proxy.requests] == [f"http://models.example{PATHS[provider]}"]


def test_a_path_the_server_does_not_know_is_no_missing_model(provider: str, server: StandInServer) -> None:
    del server.routes[PATHS[provider]]
    with pytest.raises(ModelInvalid, match="answered 404: 404 page not found"):
        reply_of(language_model(provider, server.url))


def test_lines_are_asked_for_uncompressed(remote: RemoteModel, server: StandInServer) -> None:
    reply_of(remote)
    headers = server.requests[0].headers
    assert headers["accept-encoding"] == "identity"
    assert headers["user-agent"] == "kebab"
    assert not {"authorization", "cookie", "referer"} & headers.keys()
