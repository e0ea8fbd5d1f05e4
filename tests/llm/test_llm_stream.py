"""A reply that comes piece by piece from a server that is slow, cut off or confused."""

import socket
from collections.abc import Iterator
from threading import Event

import pytest
from llm_bench import FINISHED, PATHS, PROMPT, REPLY, language_model, reply_of

from kebab.core.answer import Delta, Finished, FinishReason
from kebab.core.errors import ModelInvalid, ModelUnreachable, TimedOut
from kebab.llm.remote import RemoteModel
from kebab.remote import server as client_side
from stand_ins.model_chat import TOKENS, Streamed, event, ndjson
from stand_ins.model_faults import endless, reset, says, stall, status
from stand_ins.model_server import Fault, StandInServer
from stand_ins.stream_faults import (
    after,
    again_and_again,
    begun,
    half_a_packet,
    hang_up,
    in_packets_of,
    in_two,
    silence,
    with_packet,
)

# As short as a reply can be, because it is asked for once for each of its bytes.
BRIEF = {
    "ollama": (
        ndjson({"message": {"content": "밥🍚"}, "done": False}),
        ndjson({"done": True, "done_reason": "length"}),
    ),
    "openai": (
        event({"choices": [{"delta": {"content": "밥🍚"}}]}),
        event({"choices": [{"finish_reason": "length"}]}),
        b"data: [DONE]\n\n",
    ),
}


@pytest.fixture(params=["ollama", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        yield server


@pytest.fixture
def remote(provider: str, server: StandInServer) -> RemoteModel:
    return language_model(provider, server.url)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have slept between attempts."""
    slept: list[float] = []
    monkeypatch.setattr("kebab.remote.attempts.time.sleep", slept.append)
    return slept


def test_a_reply_may_be_cut_at_every_byte(provider: str, remote: RemoteModel, server: StandInServer) -> None:
    server.routes[PATHS[provider]] = lambda body: Streamed(BRIEF[provider], "text/plain")
    for place in range(1, len(b"".join(BRIEF[provider]))):
        server.script(in_two(place))
        assert reply_of(remote) == ("밥🍚", Finished(FinishReason.LENGTH))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_reply_may_come_in_packets_of_any_size(size: int, remote: RemoteModel, server: StandInServer) -> None:
    server.always(in_packets_of(size))
    assert reply_of(remote) == (REPLY, FINISHED)


def test_a_busy_server_is_asked_again_before_a_reply_has_begun(
    remote: RemoteModel, server: StandInServer, pauses: list[float]
) -> None:
    server.script(status(503, "busy"), reset())
    assert reply_of(remote) == (REPLY, FINISHED)
    assert len(server.requests) == 3
    assert pauses == [0.2, 0.6]


def test_a_server_that_stays_busy_is_asked_three_times(
    remote: RemoteModel, server: StandInServer, pauses: list[float]
) -> None:
    server.always(status(503, {"error": {"message": "Loading model", "code": 503}}))
    with pytest.raises(ModelUnreachable, match=r"503: Loading model$"):
        reply_of(remote)
    assert len(server.requests) == 3


def test_a_server_that_is_not_there_is_unreachable_at_once(provider: str, pauses: list[float]) -> None:
    with socket.socket() as deaf:
        # Bound and not listening: the port is taken, and every connection to it is refused.
        deaf.bind(("127.0.0.1", 0))
        with pytest.raises(ModelUnreachable, match=r"(?i)connection refused$") as raised:
            reply_of(language_model(provider, f"http://127.0.0.1:{deaf.getsockname()[1]}"))
    assert pauses == []
    assert ("`ollama serve`" in str(raised.value.hint)) is (provider == "ollama")
    assert "models.llm.endpoint" in str(raised.value.hint)


def test_a_connection_that_is_not_made_in_time_is_unreachable(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*arguments: object, **named: object) -> object:
        assert arguments[1] == 2.0
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", silent)
    with pytest.raises(ModelUnreachable, match="no connection within 2 s"):
        reply_of(language_model(provider, "http://127.0.0.1:9", timeout_s=300))


@pytest.mark.parametrize("packets", [0, 1, 3, len(TOKENS)])
@pytest.mark.parametrize("end", [hang_up, half_a_packet], ids=["hung-up", "half-a-packet"])
def test_a_connection_that_ends_within_a_reply_is_an_error_and_the_reply_is_not_asked_for_again(
    packets: int, end: Fault, remote: RemoteModel, server: StandInServer, pauses: list[float]
) -> None:
    server.always(begun(packets, then=end))
    with pytest.raises(ModelInvalid, match=r"broke off: the reply ended in the middle$") as raised:
        reply_of(remote)
    assert (len(server.requests), pauses) == (1, [])
    assert raised.value.details["endpoint"] == server.url


def test_what_came_before_the_connection_ended_was_given(remote: RemoteModel, server: StandInServer) -> None:
    server.always(begun(4, then=hang_up))
    given: list[Delta | Finished] = []
    with pytest.raises(ModelInvalid):
        given.extend(remote.generate(PROMPT))
    assert given[:3] == [Delta(token) for token in TOKENS[:3]]


def test_a_connection_that_is_reset_within_a_reply_is_an_error(remote: RemoteModel, server: StandInServer) -> None:
    told = Event()
    server.always(begun(4, then=after(told, reset())))
    reply = remote.generate(PROMPT)
    assert [next(reply) for _ in range(3)] == [Delta(token) for token in TOKENS[:3]]
    told.set()
    with pytest.raises(ModelInvalid, match=r"broke off: the reply ended in the middle$"):
        list(reply)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "fault",
    [stall(30), begun(0, then=silence), begun(3, then=silence)],
    ids=["no-answer", "no-reply", "within"],
)
def test_a_server_that_falls_silent_has_timed_out(fault: Fault, provider: str, server: StandInServer) -> None:
    server.always(fault)
    with pytest.raises(TimedOut, match=r"did not (answer|go on with its reply) within 0\.3 s$") as raised:
        reply_of(language_model(provider, server.url, timeout_s=0.3))
    assert raised.value.hint == "raise models.llm.timeout_s, or choose a smaller model"
    assert len(server.requests) == 1


def test_silence_within_a_reply_is_told_from_no_answer(remote: RemoteModel, monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx2

    def silent(response: httpx2.Response) -> Iterator[bytes]:
        yield b"\n"
        raise httpx2.ReadTimeout("timed out", request=response.request)

    monkeypatch.setattr(httpx2.Response, "iter_bytes", silent)
    with pytest.raises(TimedOut, match=r"did not go on with its reply within 10 s$"):
        reply_of(remote)


@pytest.mark.parametrize(
    ("provider", "packet"),
    [
        ("ollama", b"\n"),
        ("ollama", ndjson({"message": {"thinking": "hm"}})),
        ("openai", b": ping\n\n"),
        ("openai", event({"choices": []})),
        ("openai", b":"),
    ],
)
def test_a_trickle_does_not_go_on_for_ever(
    provider: str, packet: bytes, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_side, "TIMEOUTS_PER_STREAM", 0.02)
    server.always(begun(2, then=again_and_again(packet, every_s=0.02)))
    with pytest.raises(TimedOut, match=r"did not end its reply within 0\.2 s$") as raised:
        reply_of(language_model(provider, server.url))
    assert "models.llm.timeout_s" in str(raised.value.hint)
    assert len(server.requests) == 1


def test_a_whole_reply_may_take_four_times_the_longest_silence() -> None:
    assert client_side.TIMEOUTS_PER_STREAM == 4
    assert (client_side.MAX_LINE, client_side.MAX_STREAM) == (1024**2, 64 * 1024**2)


def test_a_reader_who_takes_a_break_is_not_the_server_s_fault(
    remote: RemoteModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("kebab.remote.server.time.monotonic", lambda: now[0])
    told = []
    for piece in remote.generate(PROMPT):
        now[0] += 3600.0
        told.append(piece)
    assert told[-1] == FINISHED
    # The same clock does stop a reply, or this test would show nothing.
    monkeypatch.setattr("kebab.remote.server.time.monotonic", iter(range(0, 10**6, 3600)).__next__)
    with pytest.raises(TimedOut, match="did not end its reply within 40 s"):
        reply_of(remote)


@pytest.mark.parametrize(
    "line", [b"garbage\n", b"<!doctype html>\n", b"{\n", b"\xff\xfe\n", b"data: {\n", b"[" * 10**5]
)
@pytest.mark.parametrize("place", [0, 3])
def test_a_line_that_is_not_json_is_invalid(
    line: bytes, place: int, remote: RemoteModel, server: StandInServer
) -> None:
    server.always(with_packet(place, line))
    with pytest.raises(ModelInvalid, match="something that is not JSON"):
        reply_of(remote)
    assert len(server.requests) == 1


def test_a_web_page_is_no_reply(remote: RemoteModel, server: StandInServer) -> None:
    server.always(says("<html><body>Sign in</body></html>"))
    with pytest.raises(ModelInvalid, match="something that is not JSON"):
        reply_of(remote)


def test_an_error_under_status_200_is_an_error(remote: RemoteModel, server: StandInServer) -> None:
    for place in (0, 3, len(TOKENS)):
        server.script(with_packet(place, ndjson({"error": "\x1b[31mout of\nmemory"})))
        with pytest.raises(ModelInvalid) as raised:
            reply_of(remote)
        assert raised.value.message == f"{server.url} answered with an error: [31mout of memory"
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", [begun(2, then=again_and_again(b"x" * 1000)), endless()], ids=["chunked", "plain"])
def test_a_line_without_end_is_not_read_to_its_end(
    fault: Fault, remote: RemoteModel, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_side, "MAX_LINE", 100 * 1024)
    server.script(fault)
    with pytest.raises(ModelInvalid, match="a line of more than 100 KB"):
        reply_of(remote)
    assert reply_of(remote) == (REPLY, FINISHED)


def test_a_huge_line_is_too_long_even_if_it_ends(
    remote: RemoteModel, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_side, "MAX_LINE", 1000)
    server.tells = ("rice " * 1000,)
    with pytest.raises(ModelInvalid, match="a line of more than 0 KB"):
        reply_of(remote)


def test_a_reply_without_end_is_not_read_to_its_end(
    remote: RemoteModel, server: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_side, "MAX_STREAM", 100 * 1024)
    server.script(begun(2, then=again_and_again(b"\n" * 1000)))
    with pytest.raises(ModelInvalid, match="a reply of more than 100 KB"):
        reply_of(remote)
