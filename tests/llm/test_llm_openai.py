"""Replies by a server with OpenAI's API: its request, the dialects of its events, and its refusals."""

from collections.abc import Callable, Iterator

import pytest
from llm_bench import FINISHED, HEAVY, PROMPT, RECIPE, REPLY, language_model, reply_of, settings

from contracts.language_model_contract import LanguageModelContract
from kebab.core.answer import Finished, FinishReason, ModelRef
from kebab.core.errors import ModelInvalid, ModelNotPulled, ModelUnreachable
from kebab.llm import LANGUAGE_MODELS
from kebab.llm.openai import OpenAiModel, reachable
from kebab.llm.remote import RemoteModel
from stand_ins.model_chat import TOKENS, Streamed, event, ndjson
from stand_ins.model_faults import says
from stand_ins.model_server import MODEL, StandInServer
from stand_ins.stream_faults import Packets, ended_after, repacked, with_packet

# The head, the tokens and the reason of the end; the counts and the last line follow.
TOLD = len(TOKENS) + 2


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        yield server


@pytest.fixture
def openai(server: StandInServer) -> RemoteModel:
    return language_model("openai", server.url)


class TestContract(LanguageModelContract):
    heavy = HEAVY
    recipe = RECIPE.format(provider="openai")

    @pytest.fixture
    def language_model(self, server: StandInServer) -> RemoteModel:
        return language_model("openai", server.url)


def events(*values: object) -> Streamed:
    return Streamed((*(event(value) for value in values), b"data: [DONE]\n\n"), "text/event-stream")


def chunk(text: object, finish: object = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


def test_it_is_the_model_of_its_settings(openai: RemoteModel) -> None:
    assert LANGUAGE_MODELS["openai"] is OpenAiModel
    assert openai.model == ModelRef(MODEL, "openai")
    assert openai.context_tokens == 4096


def test_the_request_is_that_of_the_api(openai: RemoteModel, server: StandInServer) -> None:
    asked_for = PROMPT._replace(temperature=0.5, seed=3, max_tokens=99, stop=("Q:",))
    assert reply_of(openai, asked_for) == (REPLY, FINISHED)
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/v1/chat/completions")
    assert asked.body == {
        "model": MODEL,
        "messages": [{"role": "system", "content": PROMPT.system}, {"role": "user", "content": PROMPT.user}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 99,
        "temperature": 0.5,
        "seed": 3,
        "stop": ["Q:"],
    }


def test_what_a_prompt_leaves_open_is_left_to_the_settings_and_the_server(
    openai: RemoteModel, server: StandInServer
) -> None:
    reply_of(openai, PROMPT._replace(system=""))
    body = server.requests[0].body
    assert body["messages"] == [{"role": "user", "content": PROMPT.user}]
    assert (body["seed"], body["temperature"], body["max_tokens"]) == (7, 0.0, 1024)
    assert "stop" not in body


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
def test_the_address_may_be_written_with_the_path_of_the_api(end: str, server: StandInServer) -> None:
    assert reply_of(language_model("openai", server.url + end))[0] == REPLY
    assert server.requests[0].path == "/v1/chat/completions"


def test_without_an_address_it_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: tuple[str, int], *arguments: object, **named: object) -> object:
        assert address == ("127.0.0.1", 8080)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("socket.create_connection", refuse)
    with pytest.raises(ModelUnreachable, match=r"cannot reach http://127\.0\.0\.1:8080") as raised:
        reply_of(language_model("openai", ""))
    assert raised.value.hint == "start the server, or check models.llm.endpoint"


def test_a_model_the_server_does_not_have_is_not_pulled(server: StandInServer) -> None:
    with pytest.raises(ModelNotPulled, match=r"has no model gpt-x$") as raised:
        reply_of(language_model("openai", server.url, model="gpt-x"))
    assert raised.value.hint == "load gpt-x in the server, or check models.llm.model"


def test_a_reply_that_reached_its_limit_says_so(openai: RemoteModel) -> None:
    limited = reply_of(openai, PROMPT._replace(max_tokens=2))
    assert limited == ("".join(TOKENS[:2]), Finished(FinishReason.LENGTH, 17, 2))


@pytest.mark.parametrize(
    "change",
    [
        lambda packets: [b": ping\n\n", *packets[:2], b":\n\n", *packets[2:]],
        lambda packets: [b"event: message\nid: 1\nretry: 10\n" + packet for packet in packets],
        lambda packets: [b"data:\n\ndata: \n\n", *packets],
        lambda packets: [packet.replace(b"data: ", b"data:") for packet in packets],
        lambda packets: [packet.replace(b"\n", b"\r\n") for packet in packets],
        lambda packets: [packet.replace(b"\n\n", b"\n") for packet in packets],
        lambda packets: [*packets[:-1], b"data: [DONE]"],
        lambda packets: packets[:-1],
        lambda packets: [*packets, b"garbage\n"],
    ],
    ids="comments fields empty unspaced crlf unspaced-events unended no-done after-done".split(),
)
def test_servers_speak_in_dialects(
    change: Callable[[Packets], Packets], openai: RemoteModel, server: StandInServer
) -> None:
    server.always(repacked(change))
    assert reply_of(openai) == (REPLY, FINISHED)


@pytest.mark.parametrize(
    ("usage", "finished"),
    [
        (None, Finished(FinishReason.STOP)),
        ({}, Finished(FinishReason.STOP)),
        ({"prompt_tokens": "9", "completion_tokens": None}, Finished(FinishReason.STOP)),
        ({"prompt_tokens": 9, "completion_tokens": 2}, Finished(FinishReason.STOP, 9, 2)),
        ([9, 2], Finished(FinishReason.STOP)),
    ],
)
def test_counts_come_with_any_chunk_or_not_at_all(usage: object, finished: Finished, server: StandInServer) -> None:
    server.routes["/v1/chat/completions"] = lambda body: events({**chunk("rice"), "usage": usage}, chunk(None, "stop"))
    assert reply_of(language_model("openai", server.url)) == ("rice", finished)


def test_a_server_that_counts_nothing_is_fine(openai: RemoteModel, server: StandInServer) -> None:
    server.script(ended_after(TOLD))
    assert reply_of(openai) == (REPLY, Finished(FinishReason.STOP))


@pytest.mark.parametrize("reason", ["stop", "eos", "tool_calls", 7, {}])
def test_whatever_else_ends_a_reply_is_its_end(reason: object, server: StandInServer) -> None:
    server.routes["/v1/chat/completions"] = lambda body: events(chunk("rice"), chunk("", reason))
    assert reply_of(language_model("openai", server.url)) == ("rice", Finished(FinishReason.STOP))


def test_a_reply_that_was_withheld_is_an_error(server: StandInServer) -> None:
    server.routes["/v1/chat/completions"] = lambda body: events(chunk("ri"), chunk(None, "content_filter"))
    with pytest.raises(ModelInvalid, match="content filter"):
        reply_of(language_model("openai", server.url))


def test_thoughts_and_other_choices_are_left_out_of_the_reply(server: StandInServer) -> None:
    def answer(body: object) -> Streamed:
        thought = {"choices": [{"delta": {"reasoning_content": "how long?", "content": None}}]}
        two = {"choices": [{"delta": {"content": "rice"}}, {"delta": {"content": "noodles"}}]}
        return events(thought, chunk("<think>"), chunk("hm</thin"), chunk("k>\n"), two, chunk("", "stop"))

    server.routes["/v1/chat/completions"] = answer
    assert reply_of(language_model("openai", server.url))[0] == "rice"


def test_a_server_that_does_not_stream_gives_the_whole_at_once(openai: RemoteModel, server: StandInServer) -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "rice"}, "finish_reason": "stop"}
    server.script(says({"choices": [choice], "usage": {"prompt_tokens": 4, "completion_tokens": 1}}))
    assert reply_of(openai) == ("rice", Finished(FinishReason.STOP, 4, 1))


def test_an_empty_reply_is_for_the_caller_to_judge(openai: RemoteModel, server: StandInServer) -> None:
    server.tells = ()
    assert list(openai.generate(PROMPT)) == [Finished(FinishReason.STOP, 17, 0)]


@pytest.mark.parametrize("packets", range(TOLD))
def test_a_reply_that_does_not_say_why_it_ended_is_an_error(
    packets: int, openai: RemoteModel, server: StandInServer
) -> None:
    server.script(
        ended_after(packets), repacked(lambda given: [*given[:packets], b"data: [DONE]\n\n"]), ended_after(packets)
    )
    for _ in range(3):
        with pytest.raises(ModelInvalid, match=r"broke off: the reply ended in the middle$"):
            reply_of(openai)


@pytest.mark.parametrize(
    "packet",
    [
        event({"error": {"message": "context is full\n", "code": 400}}),
        b'error: {"code": 400, "message": "context is full"}\n\n',
        ndjson({"error": "context is full"}),
        b'event: error\ndata: {"error": {"message": "context is full"}}\n\n',
    ],
    ids=["data", "llama.cpp", "bare", "event"],
)
def test_an_error_among_the_events_is_an_error(packet: bytes, openai: RemoteModel, server: StandInServer) -> None:
    server.always(with_packet(3, packet))
    with pytest.raises(ModelInvalid) as raised:
        reply_of(openai)
    assert raised.value.message == f"{server.url} answered with an error: context is full"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("packet", "problem"),
    [
        (event({"object": "chat.completion.chunk"}), "without `choices`"),
        (event({"choices": {"0": {}}}), "without `choices`"),
        (event(["rice"]), "without `choices`"),
        (event(None), "without `choices`"),
        (ndjson({"message": {"content": "rice"}, "done": True}), "without `choices`"),
        (event({"choices": ["rice"]}), "gave a choice that is none"),
        (event({"choices": [None]}), "gave a choice that is none"),
        (event(chunk(1)), "`content` is not text"),
        (event(chunk([{"type": "text", "text": "rice"}])), "`content` is not text"),
        (event({"choices": [{"delta": "rice"}]}), "`content` is not text"),
        (b"error: out of memory\n\n", "not JSON"),
    ],
)
def test_an_event_that_is_no_piece_of_a_reply_is_invalid(
    packet: bytes, problem: str, openai: RemoteModel, server: StandInServer
) -> None:
    server.always(with_packet(2, packet))
    with pytest.raises(ModelInvalid) as raised:
        reply_of(openai)
    assert problem in raised.value.message


def test_the_doctor_learns_whether_the_model_is_listed(server: StandInServer) -> None:
    assert reachable(settings("openai", server.url)) == f"{server.url} answers; {MODEL} is one of its models"
    assert reachable(settings("openai", f"{server.url}/v1", model="x")).endswith("answers; it lists 1 models")
    assert [(asked.method, asked.path) for asked in server.requests] == [("GET", "/v1/models")] * 2
