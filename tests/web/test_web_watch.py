"""The switch of the watch: on and off by whoever may write, once however often, and told to everybody who listens."""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from test_web_streams import listening, told
from watch_hand import Hand
from web_bench import TIMEOUT, Host, Reply, hosting

from kebab.app.facade import App
from kebab.config import Config
from kebab.core.errors import IoFailure
from kebab.ui.serving.sessions import Sessions
from wire_schemas import check

WATCH = "/v1/watch"
TOKEN = "t" * 43


@pytest.fixture
def writable(own: Config) -> Iterator[Host]:
    with hosting(own, allow_ingest=True) as running:
        yield running


def turned(host: Host, *, on: bool) -> Any:
    reply = host.post(WATCH, {"watching": on})
    assert reply.status == 200, reply.body
    check(reply.json)
    assert reply.json["watching"] is on
    return reply.json


def state(host: Host) -> Any:
    reply = host.get(WATCH)
    assert reply.status == 200
    check(reply.json)
    assert reply.json["watching"] is host.get("/v1/facets").json["watching"]
    return reply.json


def refused(reply: Reply, status: int, code: str) -> Any:
    assert reply.status == status, reply
    check(reply.json)
    assert reply.json["code"] == code
    return reply.json


def heard(response: Any, *, watching: bool, words: str | None = None) -> Any:
    """The first news that say so."""
    while True:
        name, value = told(response)
        assert name == "live", "the stream ended"
        assert value["kind"] != "ping", "there are no such news"
        check(value)
        if value["watching"] is watching and (words is None or words in value.get("text", "")):
            return value


def test_what_is_written_while_it_is_on_is_found_and_told_and_then_no_more(own: Config, writable: Host) -> None:
    assert state(writable) == {"schema_version": "watch.v1", "watching": False, "available": True}
    with listening(writable, "GET", "/v1/live") as response:
        assert heard(response, watching=False)["kind"] == "revision"
        assert str(own.workspace.root) in turned(writable, on=True)["text"]
        heard(response, watching=True, words="watching ")
        (Path(own.workspace.root) / "new.md").write_text("# Birds\n\nA pelican at the harbour.\n", encoding="utf-8")
        heard(response, watching=True, words="1 new")
        assert "1 new" in state(writable)["text"]
        hits = writable.post("/v1/search", {"query": "pelican"}).json["hits"]
        assert [hit["doc_path"] for hit in hits] == ["new.md"]
        turned(writable, on=False)
        assert "text" not in heard(response, watching=False)
    assert state(writable) == {"schema_version": "watch.v1", "watching": False, "available": True}


def test_switched_on_by_many_at_once_it_is_one_watch(writable: Host, hand: Hand) -> None:
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: turned(writable, on=True), range(6)))
    assert {reply["text"] for reply in replies} == {"watching 1"}
    turned(writable, on=True)
    assert hand.begun == 1
    turned(writable, on=False)
    turned(writable, on=False)
    assert hand.over.wait(TIMEOUT)


def test_switching_off_what_is_not_on_is_no_mistake(writable: Host, hand: Hand) -> None:
    turned(writable, on=False)
    assert hand.begun == 0


def test_off_is_told_before_the_file_at_hand_is_done_and_on_again_waits_for_it(
    writable: Host, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.may_end.clear()
    monkeypatch.setattr("kebab.ui.web.watching._FIRST_WAIT", 0.01)
    turned(writable, on=True)
    with listening(writable, "GET", "/v1/live") as response:
        heard(response, watching=True)
        turned(writable, on=False)
        heard(response, watching=False)
        for _ in range(3):
            assert writable.post(WATCH, {"watching": True}).json["watching"] is True
            turned(writable, on=False)
        assert hand.begun == 1
        assert writable.post(WATCH, {"watching": True}).json["watching"] is True
        heard(response, watching=True)
        hand.may_end.set()
        assert heard(response, watching=True, words="watching")["text"] == "watching 2"
    assert (hand.begun, hand.most) == (2, 1)


def test_news_after_it_was_switched_off_are_none(writable: Host, hand: Hand) -> None:
    turned(writable, on=True)
    turned(writable, on=False)
    assert hand.over.wait(TIMEOUT)
    assert "text" not in state(writable)


@pytest.mark.parametrize("on", [True, False])
def test_a_server_that_only_reads_refuses_and_says_how_it_would_not(host: Host, hand: Hand, *, on: bool) -> None:
    told = refused(host.post(WATCH, {"watching": on}), 403, "readonly_mode")
    assert "--allow-ingest" in told["hint"]
    assert state(host)["available"] is False
    assert "--allow-ingest" in state(host)["hint"]
    assert hand.begun == 0


def test_without_the_package_it_looks_every_few_seconds(writable: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with listening(writable, "GET", "/v1/live") as response:
        heard(response, watching=False)
        turned(writable, on=True)
        heard(response, watching=True, words="looking every few seconds")


@pytest.mark.parametrize("header", [{"origin": "http://evil.example"}, {"sec_fetch_site": "cross-site"}])
def test_another_site_can_neither_switch_it_nor_see_it(writable: Host, hand: Hand, header: dict[str, str]) -> None:
    for on in (True, False):
        assert writable.post(WATCH, {"watching": on}, **header).status == 403
    assert writable.get(WATCH, **header).status == 403
    assert writable.request("POST", WATCH, '{"watching": true}', content_type="text/plain").status == 415
    assert hand.begun == 0


def test_it_needs_the_token_or_a_session(own: Config, hand: Hand) -> None:
    sessions = Sessions()
    with hosting(own, allow_ingest=True, token=TOKEN, sessions=sessions) as host:
        assert host.post(WATCH, {"watching": True}).status == 401
        assert host.get(WATCH).status == 401
        assert hand.begun == 0
        cookie = f"kebab_session_{host.port}={sessions.begin()}"
        assert host.post(WATCH, {"watching": True}, cookie=cookie).json["watching"] is True
        assert host.get(WATCH, authorization=f"Bearer {TOKEN}").json["watching"] is True


def test_what_is_neither_on_nor_off_is_refused(writable: Host, hand: Hand) -> None:
    for body in ({}, {"watching": None}, {"watching": "yes"}, {"watching": 1}, {"on": True}, {"watching": []}, []):
        refused(writable.post(WATCH, body), 400, "invalid_input")
    assert hand.begun == 0


def test_a_folder_that_is_missing_is_named_and_the_switch_goes_back(own: Config, writable: Host) -> None:
    root = Path(own.workspace.root)
    root.rename(root.with_name("elsewhere"))
    with listening(writable, "GET", "/v1/live") as response:
        heard(response, watching=False)
        reply = writable.post(WATCH, {"watching": True})
        assert 400 <= reply.status <= 500
        check(reply.json)
        assert str(root) in reply.json["message"]
        assert reply.json["message"] in heard(response, watching=False, words=str(root))["text"]
    assert reply.json["message"] in state(writable)["text"]
    root.with_name("elsewhere").rename(root)
    assert str(root) in turned(writable, on=True)["text"]


@pytest.mark.parametrize("error", [IoFailure("the disk is gone", hint="bring it back"), ValueError("the disk is gone")])
def test_a_watch_that_ends_by_itself_says_why_and_can_begin_again(writable: Host, hand: Hand, error: Exception) -> None:
    hand.fails = error
    with listening(writable, "GET", "/v1/live") as response:
        heard(response, watching=False)
        writable.post(WATCH, {"watching": True})
        heard(response, watching=False, words="the disk is gone")
    assert "the disk is gone" in state(writable)["text"]
    hand.fails = None
    turned(writable, on=True)


def test_the_end_of_the_server_is_the_end_of_the_watch(own: Config, hand: Hand) -> None:
    with hosting(own, allow_ingest=True) as host:
        turned(host, on=True)
    assert hand.over.is_set()


def test_a_long_ingest_does_not_hold_back_the_switch(
    writable: Host, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def ingest(_app: App, _request: object, **_: object) -> Iterator[Any]:
        begun.set()
        go_on.wait(TIMEOUT)
        raise IoFailure("the disk is full")
        yield

    monkeypatch.setattr(App, "ingest", ingest)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(writable.post, "/v1/ingest", {})
        assert begun.wait(TIMEOUT)
        turned(writable, on=True)
        turned(writable, on=False)
        go_on.set()
        assert asked.result().status == 500
