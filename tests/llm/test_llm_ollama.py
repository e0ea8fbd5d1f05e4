"""Replies by Ollama: what is asked of `/api/chat`, what its lines may be, and what the doctor learns of a server."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from llm_bench import FINISHED, HEAVY, PROMPT, RECIPE, REPLY, language_model, reply_of, settings

from contracts.language_model_contract import LanguageModelContract
from kebab.core.answer import Finished, FinishReason, ModelRef
from kebab.core.errors import ModelInvalid, ModelNotPulled, ModelUnreachable, TimedOut
from kebab.llm import LANGUAGE_MODELS
from kebab.llm.ollama import API, OllamaModel, reachable
from kebab.llm.remote import RemoteModel
from stand_ins.model_chat import TOKENS, Streamed, ndjson
from stand_ins.model_faults import says, stall, status
from stand_ins.model_server import MODEL, StandInServer
from stand_ins.stream_faults import ended_after, repacked, with_packet


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        yield server


@pytest.fixture
def ollama(server: StandInServer) -> RemoteModel:
    return language_model("ollama", server.url)


class TestContract(LanguageModelContract):
    heavy = HEAVY
    recipe = RECIPE.format(provider="ollama")

    @pytest.fixture
    def language_model(self, server: StandInServer) -> RemoteModel:
        return language_model("ollama", server.url)


def lines(*values: object) -> Streamed:
    return Streamed(tuple(ndjson(value) for value in values), "application/x-ndjson")


def piece(text: object, **more: object) -> dict[str, object]:
    return {"message": {"role": "assistant", "content": text}, "done": False, **more}


def test_it_is_the_model_of_its_settings(ollama: RemoteModel) -> None:
    assert LANGUAGE_MODELS["ollama"] is OllamaModel
    assert ollama.model == ModelRef(MODEL, "ollama")
    assert ollama.context_tokens == 4096


def test_the_request_is_that_of_the_api(ollama: RemoteModel, server: StandInServer) -> None:
    asked_for = PROMPT._replace(temperature=0.5, seed=3, max_tokens=99, stop=("Q:", "\n\n\n"))
    assert reply_of(ollama, asked_for) == (REPLY, FINISHED)
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/api/chat")
    assert asked.body == {
        "model": MODEL,
        "messages": [{"role": "system", "content": PROMPT.system}, {"role": "user", "content": PROMPT.user}],
        "stream": True,
        "options": {"temperature": 0.5, "seed": 3, "num_predict": 99, "num_ctx": 4096, "stop": ["Q:", "\n\n\n"]},
    }


def test_what_a_prompt_leaves_open_is_left_to_the_settings_and_the_model(
    ollama: RemoteModel, server: StandInServer
) -> None:
    reply_of(ollama, PROMPT._replace(system=""))
    body = server.requests[0].body
    assert body["messages"] == [{"role": "user", "content": PROMPT.user}]
    assert body["options"] == {"temperature": 0.0, "seed": 7, "num_predict": 1024, "num_ctx": 4096}


@pytest.mark.parametrize("end", ["", "/", "/api", "/api/"])
def test_the_address_may_be_written_with_the_path_of_the_api(end: str, server: StandInServer) -> None:
    assert reply_of(language_model("ollama", server.url + end))[0] == REPLY
    assert server.requests[0].path == "/api/chat"


def test_without_an_address_it_is_ollama_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: tuple[str, int], *arguments: object, **named: object) -> object:
        assert address == ("127.0.0.1", 11434)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("socket.create_connection", refuse)
    with pytest.raises(ModelUnreachable, match=r"http://127\.0\.0\.1:11434: Connection refused$") as raised:
        reply_of(language_model("ollama", ""))
    assert raised.value.hint == "run `ollama serve`, or check models.llm.endpoint"


def test_a_model_that_is_missing_comes_with_the_command_that_gets_it(server: StandInServer) -> None:
    with pytest.raises(ModelNotPulled, match=r"has no model qwen3:8b$") as raised:
        reply_of(language_model("ollama", server.url, model="qwen3:8b"))
    assert raised.value.hint == "ollama pull qwen3:8b"
    assert raised.value.details == {"endpoint": server.url, "model": "qwen3:8b"}
    assert len(server.requests) == 1


def test_a_reply_that_reached_its_limit_says_so(ollama: RemoteModel) -> None:
    limited = reply_of(ollama, PROMPT._replace(max_tokens=2))
    assert limited == ("".join(TOKENS[:2]), Finished(FinishReason.LENGTH, 17, 2))


@pytest.mark.parametrize(
    ("end", "finished"),
    [
        ({}, Finished(FinishReason.STOP)),
        ({"done_reason": None, "eval_count": None}, Finished(FinishReason.STOP)),
        ({"done_reason": "load", "eval_count": "9"}, Finished(FinishReason.STOP)),
        ({"done_reason": "length", "prompt_eval_count": 5}, Finished(FinishReason.LENGTH, 5)),
        ({"message": None, "eval_count": 2.5, "prompt_eval_count": True}, Finished(FinishReason.STOP)),
        ({"message": {"content": " 밥"}, "eval_count": 1}, Finished(FinishReason.STOP, 0, 1)),
    ],
)
def test_the_last_line_may_say_little(end: dict[str, Any], finished: Finished, server: StandInServer) -> None:
    server.routes["/api/chat"] = lambda body: lines(piece("rice"), {"done": True, **end})
    text = "rice" + ((end.get("message") or {}).get("content") or "")
    assert reply_of(language_model("ollama", server.url)) == (text, finished)


def test_what_comes_after_the_end_is_not_read(ollama: RemoteModel, server: StandInServer) -> None:
    server.script(repacked(lambda packets: [*packets, b"garbage\n", ndjson({"error": "late"})]))
    assert reply_of(ollama) == (REPLY, FINISHED)


def test_thoughts_are_left_out_of_the_reply(server: StandInServer) -> None:
    thought = {"message": {"role": "assistant", "content": "", "thinking": "how long?"}, "done": False}
    server.routes["/api/chat"] = lambda body: lines(
        thought, piece("<thi"), piece("nk>hm"), piece("</think>\n"), piece("\nrice"), {"done": True}
    )
    assert reply_of(language_model("ollama", server.url))[0] == "rice"


def test_an_empty_reply_is_for_the_caller_to_judge(ollama: RemoteModel, server: StandInServer) -> None:
    server.tells = ()
    assert list(ollama.generate(PROMPT)) == [Finished(FinishReason.STOP, 17, 0)]
    server.tells = ("<think>", "so many thoughts")
    assert list(ollama.generate(PROMPT)) == [Finished(FinishReason.STOP, 17, 2)]


def test_lines_may_be_blank_end_as_elsewhere_or_not_at_all(ollama: RemoteModel, server: StandInServer) -> None:
    server.script(
        repacked(lambda packets: [b"\n \r\n", *(packet.replace(b"\n", b"\r\n\r\n") for packet in packets)]),
        repacked(lambda packets: [*packets[:-1], packets[-1].rstrip()]),
        repacked(lambda packets: [json.dumps(json.loads(packet)).encode() + b"\n" for packet in packets]),
    )
    assert [reply_of(ollama) for _ in range(3)] == [(REPLY, FINISHED)] * 3


def test_a_server_that_does_not_stream_gives_the_whole_at_once(ollama: RemoteModel, server: StandInServer) -> None:
    server.script(says({"message": {"content": "rice"}, "done": True, "done_reason": "stop", "eval_count": 3}))
    assert reply_of(ollama) == ("rice", Finished(FinishReason.STOP, 0, 3))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (piece(1), "`content` is not text"),
        (piece(["rice"]), "`content` is not text"),
        ({"message": "rice", "done": False}, "`content` is not text"),
        ({"response": "rice", "done": False}, "without `message`"),
        ({"done": False}, "without `message`"),
        ({"done": "yes"}, "without `message`"),
        (["rice"], "without `message`"),
        (None, "without `message`"),
        ("done", "without `message`"),
    ],
)
def test_a_line_that_is_no_piece_of_a_reply_is_invalid(
    line: object, problem: str, ollama: RemoteModel, server: StandInServer
) -> None:
    server.always(with_packet(2, ndjson(line)))
    with pytest.raises(ModelInvalid) as raised:
        reply_of(ollama)
    assert raised.value.message.startswith(f"{server.url} gave a reply ")
    assert problem in raised.value.message
    assert len(server.requests) == 1


def test_a_reply_that_ends_before_it_is_done_is_an_error_however_politely(
    ollama: RemoteModel, server: StandInServer
) -> None:
    for packets in range(len(TOKENS) + 1):
        server.script(ended_after(packets))
        with pytest.raises(ModelInvalid, match=r"broke off: the reply ended in the middle$"):
            reply_of(ollama)


def test_the_doctor_learns_which_ollama_answers_and_that_it_has_the_model(server: StandInServer) -> None:
    assert reachable(settings("ollama", server.url)) == f"Ollama 0.99.1 at {server.url}; it has {MODEL}"
    assert [(asked.method, asked.path) for asked in server.requests] == [("GET", "/api/version"), ("GET", "/api/tags")]


@pytest.mark.parametrize(
    ("model", "listed"),
    [
        ("qwen3", "qwen3:latest"),
        ("qwen3:latest", "qwen3"),
        ("Qwen3:8B", "qwen3:8b"),
        ("library/qwen3", "qwen3:latest"),
        ("registry.ollama.ai/library/qwen3:8b", "qwen3:8b"),
        ("hf.co/someone/Rice-GGUF:Q4_K_M", "hf.co/someone/Rice-GGUF:Q4_K_M"),
        ("host:5000/someone/rice", "host:5000/someone/rice:latest"),
    ],
)
def test_the_doctor_knows_a_model_by_all_its_names(model: str, listed: str, server: StandInServer) -> None:
    server.models = ("another", listed)
    assert reachable(settings("ollama", server.url, model=model)).endswith(f"; it has {model}")


@pytest.mark.parametrize("listed", [(), ("qwen3:14b",), ("someone/qwen3",), ("qwen30", "qwen3:8b-instruct")])
def test_the_doctor_learns_of_a_model_that_is_not_pulled(listed: tuple[str, ...], server: StandInServer) -> None:
    server.models = listed
    with pytest.raises(ModelNotPulled, match=r"has no model qwen3:8b$") as raised:
        reachable(settings("ollama", server.url, model="qwen3:8b"))
    assert raised.value.hint == "ollama pull qwen3:8b"


def test_the_doctor_learns_of_a_server_that_is_something_else(server: StandInServer) -> None:
    server.routes["/api/tags"] = lambda body: {"models": None}
    with pytest.raises(ModelInvalid, match="not with a list of models"):
        reachable(settings("ollama", server.url))
    server.routes["/api/tags"] = lambda body: {"models": [None, {}, {"name": 1}]}
    with pytest.raises(ModelNotPulled):
        reachable(settings("ollama", server.url))
    server.routes["/api/version"] = lambda body: ["0.99.1"]
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
    assert API.endpoint == "http://127.0.0.1:11434"
