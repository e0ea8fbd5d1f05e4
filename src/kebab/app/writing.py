"""The commands that write: each takes the writer lock, opens the index, runs, records, and lets go."""

import secrets
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kebab.app import external
from kebab.app.assemble import assemble
from kebab.app.filling import Filling
from kebab.app.ingest import Ingest, IngestRequest
from kebab.app.originals import Originals
from kebab.app.process import FileProcessor, Options
from kebab.app.scope import Scope, ScopeRequest, all_sources, owner_of, refuse_other_roots, replaced, resolve
from kebab.config import Config
from kebab.core.asset import Source
from kebab.core.clock import now
from kebab.core.errors import InvalidInput, IoFailure, KebabError, NotIndexed
from kebab.core.events import AssetFinished, IngestEvent, IngestFinished, TuningStarted
from kebab.source import ScanRequest, ScanResult, media_type, scan
from kebab.store.lock import WriterLock
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.app.facade import App


@contextmanager
def writer(config: Config) -> Iterator[Store]:
    """The index, open for writing and ours alone. A full text made by another analyser is made anew first."""
    try:
        config.storage.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise IoFailure(
            f"cannot create {config.storage.data_dir}: {error.strerror}",
            hint="set storage.data_dir to a folder you can write to",
            path=str(config.storage.data_dir),
            op="create",
        ) from error
    with WriterLock(config.storage.lock), Store.writer(config.storage.sqlite) as store:
        version = store.fulltext.analyser.version
        if store.runs.meta("analyser") != version:
            store.health.rebuild_full_text()
            store.runs.set_meta("analyser", version)
        yield store


def ingest(
    app: "App", request: ScopeRequest, flags: Mapping[str, bool], cancel: threading.Event | None
) -> Iterator[IngestEvent]:
    """`flags` are fields of Options."""
    config = app.config
    options = Options(**flags, max_file_bytes=_limit(config))
    _refuse_narrow_names()
    scope = resolve(config, _remembered(config), request)
    with ExitStack() as stack:
        store = _store_for(config, stack, dry_run=options.dry_run)
        if store is not None:
            refuse_other_roots(scope.sources, store.runs.roots())
        if store is not None and not options.dry_run:
            if scope.subtree is None and not scope.narrowed:
                _forget_replaced(config, store)
            configured = {source.source_id for source in config.sources()}
            for source in scope.sources:
                store.runs.put_source(source.source_id, str(source.root), configured=source.source_id in configured)
        yield from _run(app, store, IngestRequest(scope, options, config.workspace.follow_symlinks), cancel)


def ingest_scope(app: "App", scope: Scope, cancel: threading.Event) -> Iterator[IngestEvent]:
    """Parts of sources that an ingest has met before."""
    with writer(app.config) as store:
        request = IngestRequest(scope, Options(max_file_bytes=_limit(app.config)), app.config.workspace.follow_symlinks)
        yield from _run(app, store, request, cancel)


def known_sources(config: Config) -> tuple[Source, ...]:
    """Those an ingest without a path covers."""
    return resolve(config, _remembered(config), ScopeRequest()).sources


def _refuse_narrow_names() -> None:
    """Under a locale that is not UTF-8 Python misreads file names, and every one of them would look deleted."""
    encoding = sys.getfilesystemencoding()
    if encoding.lower().replace("-", "") != "utf8":
        raise InvalidInput(f"file names are read as {encoding} here, not as UTF-8", hint="set PYTHONUTF8=1")


def _remembered(config: Config) -> Mapping[str, str]:
    """Folders ingested before; asked before anything is created, so that a mistaken PATH leaves no index behind."""
    if not config.storage.sqlite.exists():
        return {}
    try:
        with Store.reader(config.storage.sqlite) as store:
            return store.runs.adhoc_sources()
    except NotIndexed:
        return {}


def _forget_replaced(config: Config, store: Store) -> None:
    """A folder that was ingested by path and is configured now has other paths; the old ones would be stale twins."""
    for source_id in replaced(config, store.runs.adhoc_sources()).values():
        for path in store.shelf.known(source_id):
            store.documents.drop(path)
        store.runs.drop_source(source_id)


def _store_for(config: Config, stack: ExitStack, *, dry_run: bool) -> Store | None:
    if not dry_run:
        return stack.enter_context(writer(config))
    return stack.enter_context(Store.reader(config.storage.sqlite)) if config.storage.sqlite.exists() else None


def _run(
    app: "App",
    store: Store | None,
    request: IngestRequest,
    cancel: threading.Event | None,
    *,
    given: ScanResult | None = None,
) -> Iterator[IngestEvent]:
    config, started_at, run_id = app.config, now(), f"run_{secrets.token_hex(8)}"
    originals = Originals(config.storage.asset_dir, config.storage.copy_threshold_mb)
    filling = _filling(app, None if request.options.dry_run else store, keep_old=request.options.keep_old)
    embedding = filling.chunks if filling else None
    cache = store.derivations if store is not None and not request.options.dry_run else None
    processor = FileProcessor(assemble(config, cache), store, request.options, originals, embedding)
    app.journal.prune()
    app.journal.write("info", "ingest_started", run_id=run_id, roots=[str(s.root) for s in request.scope.sources])
    try:
        for event in Ingest(request, store, processor, cancel or threading.Event(), given, filling).events():
            if filling is not None:
                filling.watch(event)
            if isinstance(event, IngestFinished) and store is not None and not request.options.dry_run:
                yield from _tuned(store, cancel)
                store.runs.record(run_id, event.report, started_at)
                originals.prune(store.shelf.asset_ids())
                store.derivations.prune(config.storage.cache_mb * 1024 * 1024)
            _log(app, run_id, event)
            yield event
    finally:
        processor.close()
        if embedding is not None:
            # Passages take far more room than questions, and a process that stays may not see more of them for hours.
            embedding.release()


def _tuned(store: Store, cancel: threading.Event | None) -> Iterator[IngestEvent]:
    if cancel is not None and cancel.is_set():
        return
    if store.fulltext.is_behind():
        yield TuningStarted(now(), store.fulltext.count())
    store.fulltext.follow(cancel.is_set if cancel is not None else lambda: False)


def _filling(app: "App", store: Store | None, *, keep_old: bool) -> Filling | None:
    """What gives chunks their vectors in this run; None when nothing is to be embedded or written."""
    if store is None or not app.vectors.configured:
        return None
    from kebab.app.embedding import ChunkEmbedder, NoEmbedder
    from kebab.embed.inputs import VERSION

    try:
        embedder = app.vectors.embedder(app.config.embedding)
    except KebabError as error:
        # A model that cannot even be named right must not keep the words from being indexed.
        embedder = NoEmbedder(app.config.embedding.identity(), error)
    model = store.embeddings.adopt(app.config.embedding, VERSION)
    return Filling(store, ChunkEmbedder(embedder, model, store.embeddings), app.vectors.engine, keep_old=keep_old)


def _log(app: "App", run_id: str, event: IngestEvent) -> None:
    if isinstance(event, AssetFinished) and event.result != "unchanged":
        level = "warning" if event.error else "info"
        facts = {"path": event.path, "doc_id": event.doc_id, "result": event.result, "error": event.error}
        app.journal.write(level, "asset_finished", run_id=run_id, **facts)
    elif isinstance(event, IngestFinished):
        app.journal.write("info", f"ingest_{event.kind}", run_id=run_id, duration_ms=event.report.duration_ms)


def ingest_file(app: "App", path: Path) -> Iterator[IngestEvent]:
    """One file: in place when it lies in a known folder, else copied to the workspace's `_external`."""
    if not path.is_file():
        raise InvalidInput(f"{path} is not a file", hint="`kebab ingest PATH` takes folders", path=str(path))
    if media_type(path.name) is None:
        hint = "text, PDF, office files, images, recordings and source code are, by the end of their name"
        raise InvalidInput(f"{path.name}: files of this type are not supported", hint=hint, path=str(path))
    config, path = app.config, path.resolve()
    with writer(config) as store:
        sources = all_sources(config, store.runs.adhoc_sources())
        source = owner_of(path, sources)
        if source is None:
            source = sources[0]
            path = external.bring_in(source, _read(path, _limit(config)), path.suffix.lower())
        yield from _single(app, store, source, path)


def ingest_text(app: "App", text: str, title: str, source_uri: str | None) -> Iterator[IngestEvent]:
    if not text.strip():
        raise InvalidInput("nothing came in on standard input", hint='echo "..." | kebab ingest-stdin --title T')
    source = app.config.sources()[0]
    with writer(app.config) as store:
        path = external.bring_in(source, external.as_note(text, title, source_uri), ".md")
        yield from _single(app, store, source, path.resolve())


def _single(app: "App", store: Store, source: Source, path: Path) -> Iterator[IngestEvent]:
    """A file named outright is taken even where the ignore rules would pass it over; secrets are not."""
    limit = _limit(app.config)
    named = scan(source, ScanRequest(subtree=path, max_file_bytes=limit, honour_ignores=False), None)
    if not named.files:
        reason = ", ".join(named.skips) or "not found"
        raise InvalidInput(f"{path.name} was not taken: {reason}", hint="see workspace.max_file_mb", path=str(path))
    # What a walk of the folder would not meet must not be swept by it either.
    standalone = not scan(source, ScanRequest(subtree=path, max_file_bytes=limit), None).files
    named = replace(named, files=tuple(file._replace(standalone=standalone) for file in named.files))
    yield from _run(app, store, IngestRequest(Scope((source,), path), Options(max_file_bytes=limit)), None, given=named)


def _limit(config: Config) -> int:
    return config.workspace.max_file_mb * 1024 * 1024


def _read(path: Path, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise IoFailure(f"cannot read {path}: {error.strerror}", path=str(path), op="read") from error
    if len(raw) > limit:
        raise InvalidInput(f"{path.name} is too large", hint="raise workspace.max_file_mb", path=str(path))
    return raw
