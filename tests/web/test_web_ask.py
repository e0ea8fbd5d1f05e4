"""Questions over HTTP: one answer, or the events on the way to it; whoever hangs up stops the work."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from web_bench import TIMEOUT, Host, hosting

from kebab.app.facade import App
from kebab.config import Config
from kebab.core.answer import AnswerEvent, RetrievalDone, TokenArrived
from kebab.core.errors import ModelUnreachable
from kebab.core.query import SearchMode, SearchResult
from wire_schemas import check

QUESTION = {"question": "How much water does brown rice need?"}
STREAM = "text/event-stream"
NOW = "2026-04-27T15:42:11Z"


def events(body: bytes) -> list[tuple[str, Any]]:
    blocks = body.decode().strip().split("\n\n")
    pairs = [block.split("\n") for block in blocks]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


def test_a_question_has_one_answer_or_the_events_that_lead_to_it(host: Host) -> None:
    whole = host.post("/v1/ask", QUESTION).json
    check(whole)
    reply = host.post("/v1/ask", QUESTION, accept=STREAM)
    assert reply.headers["content-type"].startswith(STREAM)
    found = events(reply.body)
    for kind, value in found:
        check(value)
        assert value["kind"] == kind
    assert [found[0][0], found[-1][0]] == ["retrieval_done", "final"]
    assert found[-1][1]["answer"]["answer"] == whole["answer"]
    assert "two cups" in whole["answer"]
    assert "evidence" not in whole


def test_the_evidence_comes_along_when_it_is_asked_for(host: Host) -> None:
    whole = host.post("/v1/ask", {**QUESTION, "evidence": True}).json
    check(whole)
    assert whole["evidence"][0]["hit"]["doc_path"] == "rice.md"
    assert "brown rice" in whole["evidence"][0]["text"]


def test_a_refusal_is_an_answer(host: Host) -> None:
    reply = host.post("/v1/ask", {"question": "Who won the regatta of 1931?"})
    assert reply.status == 200
    assert reply.json["grounded"] is False


def test_what_fails_at_once_has_a_status_and_what_fails_later_an_event(
    own: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = [True]

    def ask(_app: App, _question: object, _cancel: object) -> Iterator[AnswerEvent]:
        if began[0]:
            yield RetrievalDone(NOW)
        raise ModelUnreachable("the model is away")

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host:
        found = events(host.post("/v1/ask", QUESTION, accept=STREAM).body)
        assert [kind for kind, _ in found] == ["retrieval_done", "error"]
        assert found[-1][1]["code"] == "model_unreachable"
        check(found[-1][1])
        began[0] = False
        for accept in (STREAM, "application/json"):
            reply = host.post("/v1/ask", QUESTION, accept=accept)
            assert (reply.status, reply.json["code"]) == (502, "model_unreachable")


@pytest.mark.parametrize("accept", [STREAM, "application/json"])
def test_hanging_up_stops_the_work(own: Config, monkeypatch: pytest.MonkeyPatch, accept: str) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def ask(_app: App, _question: object, cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield TokenArrived(NOW, "one ")
        begun.set()
        if cancel.wait(TIMEOUT):
            stopped.set()
        yield TokenArrived(NOW, "two")

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host, host.connect() as raw:
        body = json.dumps(QUESTION).encode()
        head = f"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {accept}\r\n"
        raw.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert begun.wait(TIMEOUT)
        raw.close()
        assert stopped.wait(TIMEOUT)


def test_a_long_answer_does_not_hold_up_a_search(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def ask(_app: App, _question: object, _cancel: object) -> Iterator[AnswerEvent]:
        begun.set()
        go_on.wait(TIMEOUT)
        yield RetrievalDone(NOW)

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host:
        waiting = threading.Thread(target=lambda: host.post("/v1/ask", QUESTION, accept=STREAM))
        waiting.start()
        assert begun.wait(TIMEOUT)
        assert host.post("/v1/search", {"query": "rice"}).json["hits"]
        go_on.set()
        waiting.join(TIMEOUT)


def test_what_is_under_way_may_end_before_the_server_does(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, replies = threading.Event(), []

    def search(_app: App, _query: object) -> Any:
        begun.set()
        threading.Event().wait(0.3)
        return SearchResult((), SearchMode.LEXICAL)

    monkeypatch.setattr(App, "search", search)
    with hosting(own) as host:
        asked = threading.Thread(target=lambda: replies.append(host.post("/v1/search", {"query": "rice"})))
        asked.start()
        assert begun.wait(TIMEOUT)
    asked.join(TIMEOUT)
    assert [reply.status for reply in replies] == [200]


def test_an_answer_without_end_is_stopped_when_the_server_ends(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.ui.web.server.GRACE_SECONDS", 0.2)
    begun, stopped = threading.Event(), threading.Event()

    def ask(_app: App, _question: object, cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield RetrievalDone(NOW)
        begun.set()
        if cancel.wait(TIMEOUT):
            stopped.set()

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host, host.connect() as raw:
        body = json.dumps(QUESTION).encode()
        head = f"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {STREAM}\r\n"
        raw.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert begun.wait(TIMEOUT)
    assert stopped.wait(TIMEOUT)


def test_a_client_that_takes_nothing_is_left(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.ui.serving.protocol.TAKE_SECONDS", 0.2)
    stopped = threading.Event()

    def ask(_app: App, _question: object, cancel: threading.Event) -> Iterator[AnswerEvent]:
        for _ in range(500):
            if cancel.is_set():
                break
            yield TokenArrived(NOW, "more " * 20_000)
        if cancel.wait(TIMEOUT):
            stopped.set()

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host, host.connect() as raw:
        body = json.dumps(QUESTION).encode()
        head = f"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {STREAM}\r\n"
        raw.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert stopped.wait(TIMEOUT)
