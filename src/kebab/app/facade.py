"""App: open once, then ask it for anything. Every interface goes through here and adds nothing to it.

Each use case is imported when it is first asked for, so that a search does not pay for what ingests.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from kebab.app.journal import Journal
from kebab.app.looking import Looking
from kebab.app.upkeep import Upkeep
from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.errors import NotIndexed, ReadonlyMode
from kebab.core.query import Filters, Query, SearchMode, SearchResult
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.app.archive import Conversation
    from kebab.app.ask import Asker
    from kebab.app.evaluate import Evaluation
    from kebab.app.scope import ScopeRequest
    from kebab.app.search import Searcher
    from kebab.app.watch import WatchEvent
    from kebab.core.answer import AnswerEvent, Question
    from kebab.core.archive import AnswerSummary, ChatSession, RecordedAnswer, VerifyReport
    from kebab.core.events import IngestEvent
    from kebab.core.fetching import FetchRequest, FetchResult, Opening
    from kebab.core.inspection import (
        ChunkView,
        DocPage,
        DocSummary,
        DoctorReport,
        DocView,
        Pulse,
        ResetReport,
        SchemaReport,
        SymbolRow,
    )
    from kebab.wire.value import Json


class App(Upkeep, Looking):
    """Holds one configuration and, once something is read, one open index."""

    def __init__(
        self, config: Config, *, readonly: bool = False, vectors: VectorSide | None = None, sparing: bool = False
    ) -> None:
        """`vectors` may be that of another App of the same configuration, so that both use one model in memory.

        `sparing` uses little memory, for a process that stays.
        """
        self.config = config
        self.readonly = readonly
        folder = None if readonly else config.logging.dir
        self.journal = Journal(folder, config.logging.level, config.logging.keep_days)
        self._resources = ExitStack()
        self._store: Store | None = None
        self._searcher: Searcher | None = None
        self._asker: Asker | None = None
        self._sparing = sparing
        self.vectors = vectors or VectorSide(config, readonly=readonly, sparing=sparing)

    def close(self) -> None:
        self._resources.close()
        self._store = self._searcher = self._asker = None
        self.journal.close()

    def _reader(self) -> Store:
        if self._store is None:
            reader = Store.reader(self.config.storage.sqlite, sparing=self._sparing)
            self._store = self._resources.enter_context(reader)
        return self._store

    def _must_write(self, command: str) -> None:
        if self.readonly:
            raise ReadonlyMode(f"{command} writes, and --readonly was given", hint="run it without --readonly")

    # -- writing

    def ingest(
        self,
        request: "ScopeRequest",
        *,
        force: bool = False,
        checksum: bool = False,
        dry_run: bool = False,
        keep_old: bool = False,
        cancel: threading.Event | None = None,
    ) -> "Iterator[IngestEvent]":
        from kebab.app.writing import ingest

        if not dry_run:
            self._must_write("ingest")
        return ingest(
            self, request, {"force": force, "checksum": checksum, "dry_run": dry_run, "keep_old": keep_old}, cancel
        )

    def ingest_file(self, path: Path) -> "Iterator[IngestEvent]":
        from kebab.app.writing import ingest_file

        self._must_write("ingest-file")
        return ingest_file(self, path)

    def ingest_text(self, text: str, title: str, source_uri: str | None) -> "Iterator[IngestEvent]":
        from kebab.app.writing import ingest_text

        self._must_write("ingest-stdin")
        return ingest_text(self, text, title, source_uri)

    def watch(self, stop: threading.Event, *, poll: bool = False) -> "Iterator[WatchEvent]":
        from kebab.app.watch import watch

        self._must_write("watch")
        return watch(self, stop, poll=poll)

    def reset(self, scope: str) -> "ResetReport":
        from kebab.app import reset as resetting
        from kebab.app.writing import writer

        self._must_write("reset")
        self.close()
        if scope == "config_only":
            return resetting.reset(self.config, scope)
        if scope == "orphans_only" or (scope == "vector_only" and self.config.storage.sqlite.exists()):
            with writer(self.config) as store:
                purge = resetting.purge_orphans if scope == "orphans_only" else resetting.purge_vectors
                return purge(self.config, store)
        with resetting.exclusive(self.config):
            return resetting.reset(self.config, scope)

    def reset_targets(self, scope: str) -> list[str]:
        from kebab.app import reset as resetting

        return [str(path) for path in resetting.targets(self.config, scope)]

    def delete_session(self, session_id: str) -> "Conversation":
        from kebab.app.archive import delete_session

        self._must_write("session delete")
        return delete_session(self.config, session_id)

    # -- reading

    def _search(self, query: Query) -> SearchResult:
        from kebab.app.search import Searcher

        if self._searcher is None:
            self._searcher = Searcher(self._reader(), self.vectors, self.config.search)
        return self._searcher.search(query)

    def warm_up(self) -> None:
        """Loads what the first search would wait for. For a process that lives on; leaves no record."""
        # Long, because the built-in model loads its whole vocabulary only when there is much to read.
        self._search(Query("kebab " * 400, SearchMode.HYBRID, 1))

    def search(self, query: Query) -> SearchResult:
        result = self._search(query)
        self.journal.write(
            "info", "search", query=query.text, mode=str(result.mode), chunk_ids=[hit.chunk_id for hit in result.hits]
        )
        return result

    def bulk_search(self, lines: Iterable[bytes], defaults: Query) -> "Iterator[Json]":
        from kebab.app.bulk import answer

        return answer(lines, defaults, self.search)

    def ask(self, question: "Question", cancel: threading.Event | None = None) -> "Iterator[AnswerEvent]":
        from kebab.app.ask import ask

        return ask(self, question, cancel)

    def asker(self) -> "tuple[Asker, Store]":
        """What answers questions, and the index it answers from. Raises NotIndexed."""
        from kebab.app.ask import Asker

        store = self._reader()
        if self._asker is None:
            self._asker = Asker(store, self.vectors, self.config)
        return self._asker, store

    def evaluation(self) -> "Evaluation":
        from kebab.app.evaluate import Evaluation

        return Evaluation(self)

    def list_answers(self, limit: int, *, grounded: bool | None = None) -> "list[AnswerSummary]":
        from kebab.app.archive import list_answers

        return list_answers(self._reader(), limit, grounded=grounded)

    def find_answer(self, reference: str) -> "RecordedAnswer":
        from kebab.app.archive import find_answer

        return find_answer(self._reader(), reference)

    def verify(self, reference: str) -> "VerifyReport":
        from kebab.app.rereading import rereader
        from kebab.app.verify import verify

        limit = self.config.workspace.max_file_mb * 1024 * 1024
        return verify(self._reader(), self.find_answer(reference), limit, rereader(self.config))

    def list_sessions(self) -> "list[ChatSession]":
        from kebab.app.archive import list_sessions

        return list_sessions(self._reader())

    def find_session(self, session_id: str) -> "Conversation":
        from kebab.app.archive import find_session

        return find_session(self._reader(), session_id)

    def list_docs(self, filters: Filters, sort: str) -> "list[DocSummary]":
        return list(self.page_of_docs(filters, sort).docs)

    def page_of_docs(self, filters: Filters, sort: str, limit: int = 0, cursor: str = "") -> "DocPage":
        from kebab.app.library import Listing, page_of_docs

        listing = Listing(filters, sort, limit, cursor)
        return page_of_docs(self._reader(), listing, self.config.search.stale_threshold_days)

    def docs_after(self, path: str, limit: int) -> "list[DocSummary]":
        from kebab.app.library import docs_after

        return docs_after(self._reader(), path, limit, self.config.search.stale_threshold_days)

    def find_symbols(self, query: str, filters: Filters, limit: int) -> "list[SymbolRow]":
        return self._reader().symbols.find(query.strip(), filters, limit)

    def inspect_doc(self, reference: str) -> "DocView":
        from kebab.app.library import inspect_doc

        return inspect_doc(self._reader(), reference, self.config.search.stale_threshold_days)

    def inspect_chunk(self, reference: str) -> "ChunkView":
        from kebab.app.library import inspect_chunk

        return inspect_chunk(self._reader(), reference)

    def fetch(self, request: "FetchRequest") -> "FetchResult":
        from kebab.app.fetch import Fetcher

        return Fetcher(self._reader(), self.config.search.stale_threshold_days).fetch(request)

    def find_opening(self, reference: str) -> "Opening":
        from kebab.app.opening import find_opening

        return find_opening(self._reader(), reference, self.config.sources())

    def pulse(self, before: "Pulse | None" = None) -> "Pulse":
        from kebab.app.pulse import pulse

        return pulse(self.config, self._reader(), self.vectors, before)

    def schema(self) -> "SchemaReport":
        from kebab.app.introspect import introspect

        try:
            store: Store | None = self._reader()
        except NotIndexed:
            store = None
        return introspect(self.config, store, self.vectors)

    def doctor(self, *, repair: bool = False) -> "DoctorReport":
        from kebab.app import doctor
        from kebab.core.inspection import DoctorReport

        repaired: tuple[str, ...] = ()
        if repair:
            from kebab.app.writing import writer

            self._must_write("doctor --repair")
            with writer(self.config) as store:
                repaired = doctor.repair(store, self.vectors)
        report = doctor.check(self.config, lambda: Store.reader(self.config.storage.sqlite), self.vectors)
        return DoctorReport(report.checks, repaired)
