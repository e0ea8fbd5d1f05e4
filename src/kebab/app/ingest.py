"""`kebab ingest`: folders into the index, as a stream of events whose last one carries the report."""

import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kebab.app.external import with_external
from kebab.app.filling import Filling
from kebab.app.process import FileProcessor, Options, Outcome
from kebab.app.rechunking import Rechunking
from kebab.app.scope import Scope
from kebab.app.sweep import find_gone
from kebab.app.tally import Tally
from kebab.core.asset import FoundFile, Source
from kebab.core.clock import now
from kebab.core.errors import KebabError
from kebab.core.events import (
    AssetChunked,
    AssetFinished,
    AssetPhase,
    AssetStarted,
    AssetTimings,
    IngestEvent,
    IngestFinished,
    PdfOcrFinished,
    PdfOcrStarted,
    ScanCompleted,
    ScanStarted,
)
from kebab.core.phases import Phase, Step, Steps
from kebab.source import ScanRequest, ScanResult, scan, usable_root
from kebab.store.shelf import KnownFile
from kebab.store.store import Store

# A source, the part of it that was scanned (None: all of it), and what was found there.
_Scanned = tuple[Source, Path | None, ScanResult]


@dataclass(frozen=True, slots=True)
class IngestRequest:
    scope: Scope
    options: Options
    follow_symlinks: bool = True


def _event_of(step: Step, place: tuple[int, int], path: str) -> IngestEvent:
    if isinstance(step, Phase):
        return AssetPhase(now(), *place, path, step.kind, step.model)
    event = PdfOcrFinished if step.finished else PdfOcrStarted
    return event(now(), *place, path, step.page, step.pages)


class Ingest:
    """One run. Iterate over `events()`; set `cancel` to stop after the file at hand."""

    def __init__(
        self,
        request: IngestRequest,
        store: Store | None,
        processor: FileProcessor,
        cancel: threading.Event,
        given: ScanResult | None = None,
        filling: Filling | None = None,
    ) -> None:
        """`given` is a single file that needs no scan and sweeps nothing."""
        self._request = request
        self._store = store
        self._processor = processor
        self._cancel = cancel
        self._given = given
        self._filling = filling
        self._tally = Tally()

    def events(self) -> Iterator[IngestEvent]:
        scope, dry_run = self._request.scope, self._request.options.dry_run
        scans = yield from self._scan(self._usable(scope.sources))
        todo = [(source, file) for source, _, result in scans for file in result.files]
        yield ScanCompleted(now(), len(todo), sum(file.stamp.size for _, file in todo))
        known = {source.source_id: self._known(source) for source in dict.fromkeys(source for source, _, _ in scans)}
        yield from self._files([(*each, known[each[0].source_id].get(each[1].workspace_path)) for each in todo])
        if not self._cancel.is_set():
            for source, subtree, result in scans:
                self._sweep(source, subtree, result, known[source.source_id])
        if self._filling is not None:
            if self._given is None:
                yield from self._filling.events(self._cancel)
            self._tally.counts["embeddings_indexed"] = self._filling.chunks.embedded
            self._tally.warnings += self._filling.warnings()
        aborted = self._cancel.is_set()
        report = self._tally.report(scope, aborted=aborted, dry_run=dry_run)
        yield IngestFinished(now(), report.counts, report, aborted)

    def _usable(self, sources: tuple[Source, ...]) -> list[Source]:
        """The sources whose folder is there. One that is gone stops the others only if there are none."""
        if self._given is not None:
            return list(sources)
        usable: list[Source] = []
        for source in sources:
            try:
                usable_root(source.root)
            except KebabError as error:
                if len(sources) == 1:
                    raise
                self._tally.warnings.append(f"{error.message}; its documents were kept")
            else:
                usable.append(source)
        return usable

    def _scan(self, sources: list[Source]) -> Generator[IngestEvent, None, list[_Scanned]]:
        found: list[_Scanned] = []
        for source in sources:
            yield ScanStarted(now(), str(source.root))
            for subtree in self._request.scope.subtrees(source):
                request = ScanRequest(
                    subtree=subtree,
                    max_file_bytes=self._request.options.max_file_bytes,
                    follow_symlinks=self._request.follow_symlinks,
                )
                result = self._given or with_external(source, scan(source, request, self._cancel), request)
                self._tally.add_scan(result)
                found.append((source, subtree, result))
        return found

    def _files(self, todo: list[tuple[Source, FoundFile, KnownFile | None]]) -> Iterator[IngestEvent]:
        rechunking = self._rechunking(todo)
        for index, (source, file, known) in enumerate(todo, start=1):
            if self._cancel.is_set():
                break
            yield from self._one(source, file, known, (index, len(todo)))
            if rechunking is not None and self._processor.is_outdated(source, file, known) and not rechunking.step():
                self._cancel.set()
        if rechunking is not None:
            rechunking.finish(aborted=self._cancel.is_set())

    def _rechunking(self, todo: list[tuple[Source, FoundFile, KnownFile | None]]) -> Rechunking | None:
        """A job when settings changed since files were cut."""
        if self._store is None or self._request.options.dry_run:
            return None
        outdated = [each for each in todo if self._processor.is_outdated(*each)]
        if not outdated:
            return None
        settings = self._processor.fresh_key_of(*outdated[0][:2])
        return Rechunking(self._store.jobs, settings, len(outdated))

    def _known(self, source: Source) -> dict[str, KnownFile]:
        return self._store.shelf.known(source.source_id) if self._store is not None else {}

    def _one(
        self, source: Source, file: FoundFile, known: KnownFile | None, place: tuple[int, int]
    ) -> Iterator[IngestEvent]:
        path = file.workspace_path
        yield AssetStarted(now(), *place, path, file.media_type, file.stamp.size)
        outcome = yield from self._told(self._processor.process(source, file, known), place, path)
        self._tally.add(outcome)
        item = outcome.item
        if item.block_count is not None:
            yield AssetChunked(now(), *place, path, outcome.chunks)
            parse, chunk, store, embed, ocr, caption = outcome.timings
            yield AssetTimings(now(), *place, path, parse, chunk, store, embed, ocr, caption)
        yield AssetFinished(now(), *place, path, item.kind, outcome.chunks, item.error, item.doc_id)

    def _told(self, steps: Steps[Outcome], place: tuple[int, int], path: str) -> Generator[IngestEvent, None, Outcome]:
        """The steps of reading a file as events."""
        while True:
            try:
                step = next(steps)
            except StopIteration as done:
                outcome: Outcome = done.value
                return outcome
            yield _event_of(step, place, path)

    def _sweep(self, source: Source, subtree: Path | None, result: ScanResult, known: dict[str, KnownFile]) -> None:
        if self._store is None or result.canceled or self._given is not None:
            return
        sweep = find_gone(source, replace(self._request.scope, subtree=subtree), result, known)
        if sweep.warning:
            self._tally.warnings.append(sweep.warning)
        for path in sweep.paths:
            if not self._request.options.dry_run:
                self._store.documents.drop(path)
            self._tally.purged.append(path)
