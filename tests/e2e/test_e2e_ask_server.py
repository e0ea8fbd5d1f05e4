"""`kebab ask` with a model server that answers well, badly, or not at all; the server is a stand-in on this machine."""

import json
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from asking import by_server, check_quotes, prompt_of, recorded
from kebab_process import TIMEOUT, Done, answer, kebab, objects, refusal, side_by_side, start, well

from stand_ins.model_chat import ndjson
from stand_ins.model_server import Exchange, StandInServer
from stand_ins.stream_faults import right_reply, with_packet
from wire_schemas import check

RICE = "how much water does brown rice need?"
GOOD = ("Brown rice ", "needs two cups of water", " for one cup [#", "1].")
NOTHING_FOUND = "llm_self_judge"


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as running:
        yield running


def telling(home: Path, tokens: Sequence[str], *flags: str) -> Done:
    """One question to a server that answers with these tokens."""
    with StandInServer() as server:
        server.tells = tokens
        return kebab(home, "ask", RICE, *flags, env=by_server(server))


def test_a_reply_with_markers_becomes_an_answer_whose_quotes_are_found_by_kebab(
    home: Path, server: StandInServer
) -> None:
    server.tells = GOOD
    given = answer(home, "ask", RICE, "--mode", "lexical", env=by_server(server))
    assert given["answer"] == "Brown rice needs two cups of water for one cup [1]."
    assert given["model"] == {"id": "stand-in", "provider": "ollama"}
    assert check_quotes(given, home / "notes") == 2
    assert given["statements"][0]["quotes"][0]["citation"]["uri"] == "rice.md#L6"
    assert (given["usage"]["prompt_tokens"], given["usage"]["completion_tokens"]) == (17, len(GOOD))


def test_the_server_gets_the_question_and_the_evidence_between_delimiters(home: Path, server: StandInServer) -> None:
    server.tells = GOOD
    flags = ("--temperature", "0.5", "--seed", "7")
    well(kebab(home, "ask", RICE, *flags, env=by_server(server)))
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/api/chat")
    assert (asked.body["options"]["temperature"], asked.body["options"]["seed"]) == (0.5, 7)
    system, user = prompt_of(server)
    assert "[#번호]" in system
    assert user.startswith(f"[질문]\n{RICE}\n\n[근거]\n[#1 doc=rice.md heading=Rice span=L")
    key = user.partition("\n<data-")[2].partition(">")[0]
    body = user.partition(f"<data-{key}>\n")[2].partition(f"\n</data-{key}>")[0]
    assert "One cup of brown rice needs two cups of water." in body
    assert user.count(f"<data-{key}>") == user.count(f"</data-{key}>") == user.count("[#") >= 1


def test_replies_that_are_no_answers_are_refusals(home: Path) -> None:
    replies = {
        "unknown": ("It needs two cups [#", "9]."),
        "unmarked": ("It needs two cups of water.",),
        "empty": (" \n", "\n"),
        "nothing": ("근거가 부족하다 [#1]",),
        "thoughts": ("<think>Two cups [#1].", "</think>"),
    }
    got = side_by_side(lambda name: well(telling(home, replies[name], "--json"), 1), replies)
    for name, done in got.items():
        (refused,) = objects(done)
        assert (refused["grounded"], refused["refusal_reason"]) == (False, NOTHING_FOUND), name
        assert {cited["marker"] for cited in refused["citations"]} == {None}, name
        assert refused["answer"].startswith("Not enough evidence."), name
    assert len(recorded(home)) == len(replies)


def test_a_reply_that_was_cut_says_so(home: Path) -> None:
    long = [f"Brown rice needs {count} cups [#1]. " for count in range(40)]
    done = well(telling(home, long, "--set", "models.llm.max_tokens=16"))
    assert "hint: the reply was cut at its limit; raise models.llm.max_tokens\n" in done.err


def test_an_error_within_a_reply_ends_the_question_without_an_answer(home: Path, server: StandInServer) -> None:
    server.tells = GOOD
    server.always(with_packet(2, b'{"error":"out of memory"}\n'))
    env = by_server(server)
    got = side_by_side(lambda flags: kebab(home, "ask", RICE, *flags.split(), env=env), ("--json", "--json --stream"))
    assert "out of memory" in refusal(got["--json"], "model_invalid")["message"]
    streamed = well(got["--json --stream"], 2)
    assert [event["kind"] for event in objects(streamed)] == ["retrieval_done", "token", "token"]
    assert json.loads(streamed.err)["code"] == "model_invalid"
    assert recorded(home) == []


def test_a_server_that_is_down_or_lacks_the_model_is_named_with_what_to_do(home: Path, server: StandInServer) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        down = refusal(kebab(home, "ask", RICE, "--json", env=by_server(address)), "model_unreachable")
    assert address in down["message"]
    assert "ollama serve" in down["hint"]
    env = by_server(server, KEBAB_MODELS_LLM_MODEL="absent")
    assert refusal(kebab(home, "ask", RICE, "--json", env=env), "model_not_pulled")["hint"] == "ollama pull absent"
    # A question that the documents cannot answer needs no server.
    assert answer(home, "ask", "quokka zeppelin", status=1, env=by_server(address))["refusal_reason"] == "no_chunks"


def test_the_key_goes_to_the_server_and_nowhere_else(home: Path) -> None:
    key = "sk-secret-31415926"
    with StandInServer(key=key) as server:
        server.tells = GOOD
        env = by_server(server, KEBAB_MODELS_LLM_PROVIDER="openai", KEBAB_MODELS_LLM_API_KEY_ENV="MY_KEY", MY_KEY=key)
        good = well(kebab(home, "ask", RICE, "--explain", "--verbose", env=env))
        assert server.requests[-1].headers["authorization"] == f"Bearer {key}"
        server.always(lambda exchange: exchange.send({"error": {"message": f"bad key {key}"}}, 401))
        bad = well(kebab(home, "ask", RICE, "--debug", "--json", env=env), 2)
    shown = well(kebab(home, "config", "show", env=env))
    for done in (good, bad, shown):
        assert key not in done.out + done.err
    for path in (home / ".local").rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("silent", [False, True], ids=["a server that goes on", "a server that is silent"])
def test_ctrl_c_within_a_reply_keeps_what_was_said_and_records_it(
    home: Path, server: StandInServer, *, silent: bool
) -> None:
    server.tells = GOOD
    interrupted = threading.Event()

    def talkative(exchange: Exchange) -> None:
        """Goes on for as long as the client listens, once it was interrupted; or says nothing more."""
        reply = right_reply(exchange)
        exchange.begin_stream(reply)
        exchange.hang_up()
        for packet in reply.packets[: len(GOOD)]:
            exchange.packet(packet)
        interrupted.wait(TIMEOUT)
        if silent:
            exchange.server.closing.wait(TIMEOUT)
        while not exchange.server.closing.wait(0.02):
            exchange.packet(ndjson({"message": {"content": " More."}, "done": False}))

    server.always(talkative)
    process = start(home, "ask", RICE, "--stream", env=by_server(server))
    lines = [process.stdout.readline() for _ in range(len(GOOD) + 1)]
    process.send_signal(signal.SIGINT)
    interrupted.set()
    with process.stdout, process.stderr:
        lines += process.stdout.read().splitlines()
        err = process.stderr.read()
    assert process.wait(TIMEOUT) == 130
    assert b"Traceback" not in err
    events = [json.loads(line) for line in lines]
    for event in events:
        check(event)
    assert [event["kind"] for event in events].count("final") == 1
    said = events[-1]["answer"]
    assert said["refusal_reason"] == "llm_stream_aborted"
    assert said["answer"].startswith("Brown rice needs two cups of water for one cup [1].")
    assert said["citations"][0]["citation"]["path"] == "rice.md"
    (kept,) = recorded(home)
    assert (kept["refusal_reason"], kept["answer"]) == ("llm_stream_aborted", said["answer"])


def test_a_model_is_told_the_turns_before_as_data_and_without_their_markers(home: Path, server: StandInServer) -> None:
    server.tells = GOOD
    asked = (RICE, "and how many cups for rice?", "is the rice brown?")
    for turn, question in enumerate(asked):
        given = answer(home, "ask", question, "--session", "rice", env=by_server(server))
        assert given["turn_index"] == turn
    _, user = prompt_of(server)
    history, _, now = user.partition("[질문]\n")
    assert history.startswith("[이전 대화]\n<data-")
    assert now.startswith(asked[2])
    for question in asked[:2]:
        assert f"Q: {question}\nA: Brown rice needs two cups of water for one cup (#1)." in history
