"""A reply that is wanted now, later or no longer: when a server is asked, and that it learns when to stop."""

from collections.abc import Iterator
from threading import Event

import pytest
from llm_bench import FINISHED, PROMPT, REPLY, language_model, reply_of

from kebab.core.answer import Delta
from kebab.core.errors import ModelInvalid
from kebab.llm.remote import RemoteModel
from stand_ins.model_chat import TOKENS, ndjson
from stand_ins.model_server import StandInServer
from stand_ins.stream_faults import begun, silence, until_left


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        yield server


@pytest.fixture(params=["ollama", "openai"])
def remote(request: pytest.FixtureRequest, server: StandInServer) -> RemoteModel:
    return language_model(str(request.param), server.url)


def test_a_piece_is_given_when_it_comes_and_not_at_the_end(remote: RemoteModel, server: StandInServer) -> None:
    server.script(begun(4, then=silence))
    reply = remote.generate(PROMPT)
    assert next(reply) == Delta(TOKENS[0])
    assert next(reply) == Delta(TOKENS[1])
    reply.close()


def test_nothing_is_asked_before_the_first_piece_is_wanted(remote: RemoteModel, server: StandInServer) -> None:
    reply = remote.generate(PROMPT)
    assert server.requests == []
    reply.close()
    assert server.requests == []


@pytest.mark.parametrize("taken", [1, 2])
def test_a_reply_that_is_no_longer_wanted_is_hung_up_on(taken: int, remote: RemoteModel, server: StandInServer) -> None:
    noticed = Event()
    server.script(until_left(noticed, packets=4))
    reply = remote.generate(PROMPT)
    for _ in range(taken):
        next(reply)
    assert not noticed.is_set()
    reply.close()
    assert noticed.wait(20)
    assert reply_of(remote) == (REPLY, FINISHED)


def test_a_reply_that_nobody_holds_is_hung_up_on(remote: RemoteModel, server: StandInServer) -> None:
    noticed = Event()
    server.script(until_left(noticed, packets=4))
    reply = remote.generate(PROMPT)
    next(reply)
    del reply
    assert noticed.wait(20)


@pytest.mark.parametrize("line", [ndjson({"error": "full"}), b"garbage\n"])
def test_a_reply_that_went_wrong_is_hung_up_on(line: bytes, remote: RemoteModel, server: StandInServer) -> None:
    noticed = Event()
    server.script(until_left(noticed, packets=3, more=line))
    with pytest.raises(ModelInvalid):
        reply_of(remote)
    assert noticed.wait(20)


def test_a_reply_that_has_come_to_its_end_is_not_waited_on(remote: RemoteModel, server: StandInServer) -> None:
    noticed = Event()
    server.script(until_left(noticed, packets=100))
    assert reply_of(remote) == (REPLY, FINISHED)
    assert noticed.wait(20)
