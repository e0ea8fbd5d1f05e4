"""An App whose index is elsewhere: what a running `kebab serve` answers, as the values the commands print.

So every command prints the same through a server as without one, and needs to know nothing of it.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from kebab.config import Config
from kebab.core.errors import InvalidInput, ServerUnreachable
from kebab.core.query import Filters, Query, SearchResult
from kebab.core.versions import INDEX_VERSION
from kebab.ui.cli.remote_connection import Connection, Given, is_this_machine, parsed
from kebab.ui.options import FILTERS

if TYPE_CHECKING:
    from kebab.core.answer import AnswerEvent, Question
    from kebab.core.archive import VerifyReport
    from kebab.core.fetching import FetchRequest, FetchResult
    from kebab.core.inspection import DocPage, DocSummary, SchemaReport, SymbolRow
    from kebab.wire.value import Json

Value = TypeVar("Value")


def _token(config: Config, url: str) -> str | None:
    """That of this machine's own server goes to this machine only."""
    from kebab.app.tokens import stored_token

    given = os.environ.get("KEBAB_SERVER_TOKEN")
    return given or (stored_token(config) if is_this_machine(parsed(url)) else None)


class RemoteApp:
    def __init__(self, config: Config, url: str) -> None:
        self.config = config
        self._server = Connection(parsed(url), _token(config, url))

    def close(self) -> None:
        self._server.close()

    def __getattr__(self, name: str) -> NoReturn:
        """Everything else an App can do."""
        if name.startswith("_"):
            raise AttributeError(name)
        context = click.get_current_context(silent=True)
        what = f"`{context.command_path}`" if context is not None else name.replace("_", " ")
        raise InvalidInput(
            f"{what} runs on this machine alone, not through a server", hint="leave --server and KEBAB_SERVER out"
        )

    def search(self, query: Query) -> SearchResult:
        from kebab.wire.decode_search import decode_response

        asked = {
            "query": query.text,
            "mode": str(query.mode),
            "k": query.k,
            "snippet_chars": query.snippet_chars,
            "max_per_doc": query.max_per_doc,
            "max_tokens": query.max_tokens,
            "cursor": query.cursor,
            "trace": query.trace,
            **_filters(query.filters),
        }
        value = self._server.post("/v1/search", asked)
        self._refuse_other_index(value)
        return self._read(decode_response, value)

    def bulk_search(self, lines: Iterable[bytes], defaults: Query) -> "Iterator[Json]":
        """One request per query, over one connection: a line is read here as it is without a server."""
        from kebab.app.bulk import answer

        return answer(lines, defaults, self.search)

    def ask(self, question: "Question", cancel: threading.Event | None = None) -> "Iterator[AnswerEvent]":
        from kebab.wire.decode_answer import decode_answer_event

        asked = {
            "question": question.text,
            "mode": str(question.mode),
            "k": question.k,
            "temperature": question.temperature,
            "seed": question.seed,
            "multi_hop": question.multi_hop,
            "session": question.session_id,
            "evidence": True,
            **_filters(question.filters),
        }
        for event in self._server.events("/v1/ask", asked, cancel):
            yield self._read(decode_answer_event, event)

    def fetch(self, request: "FetchRequest") -> "FetchResult":
        from kebab.wire.decode_library import decode_fetch

        return self._read(
            decode_fetch, self._server.post("/v1/fetch", {**request._asdict(), "kind": str(request.kind)})
        )

    def verify(self, reference: str) -> "VerifyReport":
        from kebab.wire.decode_answer import decode_verify_report

        return self._read(decode_verify_report, self._server.post("/v1/verify", {"trace_id": reference}))

    def list_docs(self, filters: Filters, sort: str) -> "list[DocSummary]":
        return list(self.page_of_docs(filters, sort).docs)

    def page_of_docs(self, filters: Filters, sort: str, limit: int = 0, cursor: str = "") -> "DocPage":
        from kebab.wire.decode_library import decode_doc_list

        words = [("sort", sort), ("limit", str(limit)), ("cursor", cursor), *_words(filters)]
        return self._read(decode_doc_list, self._server.get("/v1/docs", words))

    def find_symbols(self, query: str, filters: Filters, limit: int) -> "list[SymbolRow]":
        from kebab.wire.decode_library import decode_symbols

        words = [("query", query), ("limit", str(limit)), *_words(filters)]
        return self._read(decode_symbols, self._server.get("/v1/symbols", words))

    def schema(self) -> "SchemaReport":
        from kebab.wire.decode_library import decode_schema

        return self._read(decode_schema, self._server.get("/v1/schema", []))

    def _read(self, decode: Callable[[Given], Value], value: Given) -> Value:
        try:
            return decode(value)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise self._other_kebab() from error

    def _refuse_other_index(self, value: Given) -> None:
        """What is printed names the version of this kebab's index, so it must be that one."""
        hits = value.get("hits") or [{}]
        if hits[0].get("index_version", INDEX_VERSION) != INDEX_VERSION:
            raise self._other_kebab()

    def _other_kebab(self) -> ServerUnreachable:
        return ServerUnreachable(
            f"{self._server.url} is another version of kebab", hint="run the same version on both sides"
        )


def _filters(filters: Filters) -> dict[str, Any]:
    given = {row.name: getattr(filters, row.field) for row in FILTERS}
    return {name: list(value) if isinstance(value, tuple) else str(value) for name, value in given.items() if value}


def _words(filters: Filters) -> list[tuple[str, str]]:
    pairs = _filters(filters).items()
    return [(name, each) for name, value in pairs for each in (value if isinstance(value, list) else [value])]
