"""The command line's way to a server: the same values as without one, and one clear error for everything in between."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from web_bench import TIMEOUT, Host, hosting

from kebab.app.facade import App
from kebab.app.tokens import new_token
from kebab.config import Config
from kebab.core.answer import AnswerEvent, AnswerReady, Question, RetrievalDone, TokenArrived
from kebab.core.errors import Canceled, DocNotFound, InvalidInput, ServerUnreachable
from kebab.core.fetching import FetchKind, FetchRequest
from kebab.core.query import Filters, Query, SearchMode
from kebab.ui.cli import remote
from kebab.ui.cli.remote import RemoteApp

QUERY = Query("brown rice", SearchMode.HYBRID, 5, Filters(tags=("cooking",)), trace=True)
QUESTION = Question("How much water does brown rice need?")
NOW = "2026-04-27T15:42:11Z"


@pytest.fixture
def app(host: Host, config: Config) -> Iterator[RemoteApp]:
    found = RemoteApp(config, f"http://127.0.0.1:{host.port}")
    yield found
    found.close()


def hits(config: Config, url: str) -> object:
    with closing(RemoteApp(config, url)) as asked:
        return asked.search(QUERY).hits


@pytest.fixture
def local(config: Config) -> Iterator[App]:
    found = App(config)
    yield found
    found.close()


def test_hits_are_the_same_but_for_where_the_files_lie(app: RemoteApp, local: App) -> None:
    there, here = app.search(QUERY), local.search(QUERY)
    assert there.hits
    assert there.hits == tuple(replace(hit, file="") for hit in here.hits)
    assert there.trace is not None
    assert here.trace is not None
    assert there._replace(hits=(), trace=None) == here._replace(hits=(), trace=None)
    assert there.trace._replace(timing=here.trace.timing) == here.trace


def test_lists_and_texts_are_the_same(app: RemoteApp, local: App) -> None:
    assert app.list_docs(Filters(langs=("ko", "en")), "title") == local.list_docs(Filters(langs=("ko", "en")), "title")
    assert app.find_symbols("boil", Filters(), 5) == local.find_symbols("boil", Filters(), 5)
    request = FetchRequest(FetchKind.SPAN, "rice.md", start=4, end=6)
    assert app.fetch(request) == local.fetch(request)
    assert app.schema().stats.doc_count == local.schema().stats.doc_count


def test_an_answer_comes_with_its_evidence(app: RemoteApp, local: App) -> None:
    *_, there = app.ask(QUESTION)
    *_, here = local.ask(QUESTION)
    assert isinstance(there, AnswerReady)
    assert isinstance(here, AnswerReady)
    assert there.answer.statements == here.answer.statements
    assert [each.text for each in there.answer.evidence] == [each.text for each in here.answer.evidence]


def test_a_failure_there_is_the_same_failure_here(app: RemoteApp, local: App) -> None:
    request = FetchRequest(FetchKind.DOC, "nothing.md")
    with pytest.raises(DocNotFound) as here:
        local.fetch(request)
    with pytest.raises(DocNotFound) as there:
        app.fetch(request)
    assert (there.value.message, there.value.hint) == (here.value.message, here.value.hint)
    assert there.value.details == here.value.details


def test_what_only_a_local_app_can_do_is_refused(app: RemoteApp) -> None:
    with pytest.raises(InvalidInput, match="inspect doc runs on this machine alone"):
        app.inspect_doc("rice.md")


def test_a_connection_that_was_closed_meanwhile_is_opened_again(app: RemoteApp) -> None:
    assert app.search(QUERY).hits
    app._server._open.sock.close()  # type: ignore[union-attr] # as a server does after a while
    assert app.search(QUERY).hits


def test_an_index_of_another_version_is_not_shown_as_ours(app: RemoteApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "INDEX_VERSION", "v0.9")
    with pytest.raises(ServerUnreachable, match="another version"):
        app.search(QUERY)


def test_the_token_is_that_of_the_variable_or_of_this_machine(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEBAB_SERVER_TOKEN", raising=False)
    with hosting(own, token="t" * 43) as host:
        url = f"http://127.0.0.1:{host.port}"
        with pytest.raises(ServerUnreachable, match="wants a token"):
            hits(own, url)
        monkeypatch.setenv("KEBAB_SERVER_TOKEN", "t" * 43)
        assert hits(own, url)
    monkeypatch.delenv("KEBAB_SERVER_TOKEN")
    with hosting(own, token=new_token(own)) as host:
        assert hits(own, f"http://127.0.0.1:{host.port}")


def test_the_token_of_this_machine_goes_to_no_other(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEBAB_SERVER_TOKEN", raising=False)
    token = new_token(own)
    assert remote._token(own, "http://localhost:1") == token
    assert remote._token(own, "https://kebab.example") is None


@pytest.mark.parametrize("url", ["ftp://x", "http://", "http://a:port", "http://a/?q=1", "http://[::"])
def test_an_address_that_is_none_is_refused(config: Config, url: str) -> None:
    with pytest.raises(InvalidInput, match="not an address"):
        RemoteApp(config, url)


@contextmanager
def stranger(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(TIMEOUT)


def saying(body: bytes, status: int = 200, *, length: int | None = None) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("content-length", str(len(body) if length is None else length))
        handler.send_header("connection", "close")
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = True

    return answer


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"[]", b"{}", b'{"schema_version": "search_response.v1", "hits": [{}]}', b"[" * 100_000, b"\xff"],
)
def test_what_does_not_answer_as_kebab_does_is_named(config: Config, body: bytes) -> None:
    for status in (200, 500):
        with stranger(saying(body, status)) as url, pytest.raises(ServerUnreachable):
            hits(config, url)


def test_an_answer_that_is_cut_is_an_error(config: Config) -> None:
    with stranger(saying(b'{"schema_version": "sea', length=900)) as url, pytest.raises(ServerUnreachable):
        hits(config, url)
    line = b'event: token\ndata: {"kind": "token", "ts": "t", "delta": "one"}\n\n'
    for length in (len(line), 900):
        with stranger(saying(line, length=length)) as url, pytest.raises(ServerUnreachable, match="no kebab answers"):
            list(RemoteApp(config, url).ask(QUESTION))


def test_an_error_in_the_middle_of_an_answer_is_raised(config: Config) -> None:
    error = {"schema_version": "error.v1", "code": "doc_not_found", "message": "gone", "details": {}}
    with stranger(saying(f"event: error\ndata: {json.dumps(error)}\n\n".encode())) as url, pytest.raises(DocNotFound):
        list(RemoteApp(config, url).ask(QUESTION))


def test_setting_cancel_hangs_up_and_stops_the_work_there(own: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def ask(_app: App, _question: object, cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield RetrievalDone(NOW)
        yield TokenArrived(NOW, "one ")
        if cancel.wait(TIMEOUT):
            stopped.set()

    monkeypatch.setattr(App, "ask", ask)
    with hosting(own) as host:
        cancel = threading.Event()
        events: Any = RemoteApp(own, f"http://127.0.0.1:{host.port}").ask(QUESTION, cancel)
        assert [type(next(events)) for _ in range(2)] == [RetrievalDone, TokenArrived]
        cancel.set()
        with pytest.raises(Canceled):
            next(events)
        assert stopped.wait(TIMEOUT)
