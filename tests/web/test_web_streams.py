"""Streams: an ingest with its progress, news of the index, and a word at once for whoever has to wait."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from web_bench import TIMEOUT, Host, hosting

from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import Config
from kebab.core.answer import AnswerEvent, RetrievalDone
from kebab.core.errors import IoFailure
from kebab.core.events import IngestEvent, ScanStarted
from kebab.ui.web.live import Live
from wire_schemas import check

STREAM = "text/event-stream"
NOW = "2026-04-27T15:42:11Z"
QUESTION = {"question": "How much water does brown rice need?"}


@contextmanager
def listening(host: Host, method: str, path: str, body: object = None) -> Iterator[HTTPResponse]:
    connection = HTTPConnection("127.0.0.1", host.port, timeout=TIMEOUT)
    headers = {"accept": STREAM, "content-type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body).encode(), headers)
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def told(response: HTTPResponse) -> tuple[str, Any]:
    """The next event; a comment has no name."""
    name, value = "", None
    while line := response.readline().decode().rstrip("\n"):
        key, _, text = line.partition(": ")
        if key == "event":
            name = text
        elif key == "data":
            value = json.loads(text)
        elif not key:
            value = text
    return name, value


def every(response: HTTPResponse) -> list[tuple[str, Any]]:
    found = []
    while (event := told(response)) != ("", None):
        found.append(event)
    return found


def test_an_ingest_tells_how_far_it_is_and_ends_with_its_report(own: Config) -> None:
    for number in range(5):
        (Path(own.workspace.root) / f"new{number}.md").write_text(f"# {number}\n", encoding="utf-8")
    with hosting(own, allow_ingest=True) as host, listening(host, "POST", "/v1/ingest", {}) as response:
        assert response.status == 200
        assert (response.getheader("content-type") or "").startswith(STREAM)
        found = [event for event in every(response) if event[0]]
    for _, value in found:
        check(value)
    assert {name for name, _ in found[:-1]} == {"progress"}
    assert (found[-1][0], found[-1][1]["schema_version"]) == ("done", "ingest_report.v1")
    assert found[-1][1]["new"] == 5


def test_the_head_of_a_stream_without_end_is_all_of_its_answer(host: Host) -> None:
    connection = HTTPConnection("127.0.0.1", host.port, timeout=TIMEOUT)
    try:
        for path in ("/v1/live", "/healthz"):
            connection.request("HEAD", path)
            response = connection.getresponse()
            assert (response.status, response.read()) == (200, b"")
            if path == "/v1/live":
                assert (response.getheader("content-type") or "").startswith(STREAM)
    finally:
        connection.close()


def test_an_ingest_that_is_not_allowed_or_not_understood_has_a_status(own: Config, host: Host) -> None:
    with listening(host, "POST", "/v1/ingest", {}) as response:
        assert response.status == 403
    with hosting(own, allow_ingest=True) as writable, listening(writable, "POST", "/v1/ingest", {"a": 1}) as response:
        assert response.status == 400


def test_an_ingest_that_fails_says_so_at_its_end(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    def ingest(_app: App, _request: object, **_: object) -> Iterator[IngestEvent]:
        yield ScanStarted(NOW, "/kb")
        raise IoFailure("the disk is full", op="write")

    monkeypatch.setattr(App, "ingest", ingest)
    with hosting(own, allow_ingest=True) as host, listening(host, "POST", "/v1/ingest", {}) as response:
        found = every(response)
    assert [name for name, _ in found] == ["progress", "error"]
    check(found[-1][1])


def test_closing_the_connection_cancels_an_ingest(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def ingest(_app: App, _request: object, *, cancel: threading.Event, **_: object) -> Iterator[IngestEvent]:
        yield ScanStarted(NOW, "/kb")
        if cancel.wait(TIMEOUT):
            stopped.set()

    monkeypatch.setattr(App, "ingest", ingest)
    with hosting(own, allow_ingest=True) as host:
        with listening(host, "POST", "/v1/ingest", {}) as response:
            assert told(response)[0] == "progress"
        assert stopped.wait(TIMEOUT)


def test_whoever_has_to_wait_hears_so_and_is_answered_in_turn(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def ask(_app: App, _question: object, _cancel: object) -> Iterator[AnswerEvent]:
        begun.release()
        go_on.wait(TIMEOUT)
        yield RetrievalDone(NOW)

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host:
        ways = [listening(host, "POST", "/v1/ask", QUESTION) for _ in range(8)]
        with ThreadPoolExecutor(8) as pool:
            responses = list(pool.map(lambda way: way.__enter__(), ways))
        # Every one is connected and knows it, though three are answered at a time.
        assert [told(response) for response in responses] == [("", "waiting")] * 8
        assert host.post("/v1/search", {"query": "rice"}).json["hits"]
        assert host.get("/v1/view?doc=rice.md").status == 200
        assert all(begun.acquire(timeout=TIMEOUT) for _ in range(3))
        assert not begun.acquire(blocking=False)
        go_on.set()
        for response in responses:
            assert [name for name, _ in every(response) if name] == ["retrieval_done"]
        for way in ways:
            way.__exit__(None, None, None)


def test_what_fails_after_a_wait_is_an_event(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def ask(_app: App, _question: object, _cancel: object) -> Iterator[AnswerEvent]:
        go_on.wait(TIMEOUT)
        raise IoFailure("the disk is gone")
        yield  # a generator all the same

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host, listening(host, "POST", "/v1/ask", QUESTION) as response:
        assert told(response) == ("", "waiting")
        go_on.set()
        assert [name for name, _ in every(response) if name] == ["error"]


def test_news_begin_with_the_revision_and_tell_of_the_next(own: Config) -> None:
    with hosting(own) as host, listening(host, "GET", "/v1/live") as response:
        name, first = told(response)
        assert (name, first["kind"]) == ("live", "revision")
        check(first)
        (Path(own.workspace.root) / "new.md").write_text("# New\n", encoding="utf-8")
        app = App(own)
        list(app.ingest(ScopeRequest()))
        app.close()
        _, later = told(response)
        assert later["kind"] == "revision"
        assert later["corpus_revision"] > first["corpus_revision"]


def test_news_of_a_watch_reach_every_listener(own: Config) -> None:
    live = Live(watching=True)
    with (
        hosting(own, live=live) as host,
        listening(host, "GET", "/v1/live") as one,
        listening(host, "GET", "/v1/live") as two,
    ):
        assert told(one)[1]["watching"] is told(two)[1]["watching"] is True
        live.tell("1 new (0.1 s)")
        for response in (one, two):
            _, value = told(response)
            check(value)
            assert (value["kind"], value["text"]) == ("watch", "1 new (0.1 s)")
        assert host.get("/v1/facets").json["watching"] is True


def test_a_stream_without_end_ends_with_the_server(own: Config) -> None:
    live = Live()
    with hosting(own, live=live) as host, listening(host, "GET", "/v1/live") as response:
        told(response)
        live.end()
        assert told(response) == ("", None)
        with listening(host, "GET", "/v1/live") as late:
            assert every(late) == []


def test_there_are_news_before_there_is_an_index(own: Config) -> None:
    own.storage.sqlite.unlink()
    with hosting(own) as host, listening(host, "GET", "/v1/live") as response:
        assert told(response)[1]["corpus_revision"] == 0


def test_an_index_that_cannot_be_read_ends_no_news(own: Config) -> None:
    own.storage.sqlite.unlink()
    own.storage.sqlite.write_bytes(b"no index at all " * 1000)
    with hosting(own) as host, listening(host, "GET", "/v1/live") as response:
        assert told(response)[1]["corpus_revision"] == 0
