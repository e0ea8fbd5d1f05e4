"""One file into the index: read, parse, chunk, store. Whatever goes wrong with it becomes its own item."""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from kebab.app.assemble import Parts
from kebab.app.embedding import ChunkEmbedder
from kebab.app.originals import Originals
from kebab.app.timing import NO_TIME, Stopwatch, Timings
from kebab.core.asset import Asset, FileStamp, FoundFile, Source
from kebab.core.chunk import Chunk
from kebab.core.clock import from_timestamp, now
from kebab.core.document import Document
from kebab.core.errors import KebabError, LeftAside
from kebab.core.events import Aside, IngestItem
from kebab.core.ids import asset_id, content_hash, doc_id, short_hash
from kebab.core.phases import PhaseKind, Steps
from kebab.core.ports import Chunker, ParseContext, Parser, Repository
from kebab.source import Repositories, family, generated_reason, is_binary, read_stable
from kebab.store.documents import Placement
from kebab.store.embeddings import Embedded
from kebab.store.shelf import KnownFile
from kebab.store.store import Store

# A file written this shortly before it was read may change again within one time stamp, so it is read again next time.
_RACY_NS = 2_000_000_000
MOST_EMBEDDED_AT_ONCE = 2000
# From these on the model and the Korean dictionary make room for a file and its text: they are loaded again in a
# fraction of a second, and so large a file takes several to read.
LARGE_BYTES, LARGE_TEXT = 8 * 1024 * 1024, 4_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """How a run treats files it knows; `keep_old` keeps the vectors of a model that is no longer used."""

    force: bool = False
    checksum: bool = False
    dry_run: bool = False
    keep_old: bool = False
    max_file_bytes: int = 50 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Outcome:
    item: IngestItem
    timings: Timings = NO_TIME

    @property
    def chunks(self) -> int:
        return self.item.chunk_count or 0


class FileProcessor:
    """Processes files of one run. `store` is None on a dry run over an index that does not exist yet."""

    def __init__(
        self,
        parts: Parts,
        store: Store | None,
        options: Options,
        originals: Originals,
        embedding: ChunkEmbedder | None = None,
    ) -> None:
        self._parts = parts
        self._store = store
        self._options = options
        self._originals = originals
        self._embedding = embedding
        self._repositories = Repositories()
        self._fresh: dict[tuple[str, str, str], str] = {}

    def process(self, source: Source, file: FoundFile, known: KnownFile | None) -> Steps[Outcome]:
        """What went wrong with the file is its own affair; an index that cannot be written ends the run."""
        try:
            return (yield from self._process(source, file, known))
        except _IndexFailed as failed:
            raise failed.error from failed
        except LeftAside as aside:
            return self._left(file, known, aside)
        except KebabError as error:
            return _failed(file, error.message)
        except Exception as error:  # noqa: BLE001 - one bad file never stops an ingest; the report says what happened
            return _failed(file, f"{type(error).__name__}: {error}")

    def _process(self, source: Source, file: FoundFile, known: KnownFile | None) -> Steps[Outcome]:
        parser, chunker = self._parts.parsers[file.media_type], self._parts.chunkers[file.media_type]
        fresh = self.fresh_key_of(source, file)
        current = known is not None and known.fresh_key == fresh and not self._options.force
        if known and current and known.stamp == file.stamp and not self._options.checksum:
            self._touch(file, known)
            return _unchanged(file, known)
        if (unavailable := getattr(parser, "unavailable", None)) is not None:
            raise unavailable
        raw, stamp = read_stable(file.path, file.stamp, self._options.max_file_bytes)
        _look_into(file, raw)
        asset = _asset(file, raw)
        if known and current and known.asset_id == asset.asset_id:
            self._touch(file._replace(stamp=_settled(stamp)), known)
            return _unchanged(file, known)
        placement = Placement(
            source_id=source.source_id,
            file_path=str(file.path),
            stamp=_settled(stamp),
            fresh_key=fresh,
            chunker_version=chunker.version,
            policy_hash=self._parts.policy.policy_hash(),
            standalone=file.standalone,
        )
        return (yield from self._store_file(source, file, known, _Input(raw, asset, placement, parser, chunker)))

    def _left(self, file: FoundFile, known: KnownFile | None, aside: LeftAside) -> Outcome:
        """What is not for the index leaves it; what only lacks a program to read it stays as it was."""
        notes: tuple[str, ...] = ()
        if known is not None and aside.hint is None and self._store is not None and not self._options.dry_run:
            self._store.documents.drop(file.workspace_path)
            notes = (f"{aside.message}; what was indexed of it was removed",)
        why = Aside(aside.reason, aside.message, aside.hint)
        return Outcome(IngestItem("skipped", file.workspace_path, byte_len=file.stamp.size, warnings=notes, aside=why))

    def close(self) -> None:
        """Ends what parsers have started."""
        for parser in self._parts.parsers.values():
            getattr(parser, "close", lambda: None)()

    def is_outdated(self, source: Source, file: FoundFile, known: KnownFile | None) -> bool:
        """Whether the file was processed under other settings."""
        return known is not None and known.fresh_key != self.fresh_key_of(source, file)

    def fresh_key_of(self, source: Source, file: FoundFile) -> str:
        repository = self._repositories.repository_of(file.path, source.root)
        # Names in code begin at the repository, and filters ask for it. Its branch and commit are those a file was read
        # under: they move with every commit, and what did not change has nothing new to say.
        place = f"{repository.root}\n{repository.name}" if repository else ""
        kind = (source.source_id, file.media_type, place)
        if kind not in self._fresh:
            parser, chunker = self._parts.parsers[file.media_type], self._parts.chunkers[file.media_type]
            self._fresh[kind] = self.fresh_key(source, parser, chunker, place)
        return self._fresh[kind]

    def fresh_key(self, source: Source, parser: Parser, chunker: Chunker, repository: str = "") -> str:
        """Every setting that shapes what is stored for a file of this source."""
        placed = {"repository": repository} if repository else {}
        return short_hash(
            {
                "parser": parser.version,
                "chunker": chunker.version,
                "variant": getattr(parser, "variant", ""),
                "policy": self._parts.policy.policy_hash(),
                "trust_level": source.trust_level or "",
                "source_type": source.source_type or "",
                **placed,
            }
        )

    def _in_place(self, file: FoundFile, known: KnownFile) -> bool:
        """The very file that was indexed, by its name on disk and its stamp, under the same protection from sweeps."""
        same_place = known.file_path == str(file.path) and known.standalone == file.standalone
        return same_place and known.stamp == file.stamp

    def _touch(self, file: FoundFile, known: KnownFile) -> None:
        if self._store is not None and not self._options.dry_run and not self._in_place(file, known):
            self._store.documents.touch(file)

    def _store_file(self, source: Source, file: FoundFile, known: KnownFile | None, given: "_Input") -> Steps[Outcome]:
        kind = "updated" if known else "new"
        if self._options.dry_run or self._store is None:
            item = IngestItem(kind, file.workspace_path, asset_id=given.asset.asset_id, byte_len=given.asset.byte_len)
            return Outcome(item)
        started = time.perf_counter()
        context = _context(source, file, given.asset, self._repositories.repository_of(file.path, source.root))
        watch = Stopwatch()
        self._make_room(large=len(given.raw) >= LARGE_BYTES)
        document = yield from watch.timed(_read(given, context))
        self._make_room(large=len(document.source_text) >= LARGE_TEXT)
        parsed = time.perf_counter()
        chunks = given.chunker.chunk(document, self._parts.policy)
        chunked = time.perf_counter()
        embedded = self._embed(document.title, chunks)
        measured = time.perf_counter()
        copy = self._originals.keep(given.asset, given.raw)
        # A parser may find that a simpler way of cutting fits a file better.
        chunker = chunks[0].chunker_version if chunks else given.chunker.version
        placement = replace(given.placement, storage_path=str(copy) if copy else None, chunker_version=chunker)
        try:
            self._store.documents.put(given.asset, document, chunks, placement, embedded)
        except KebabError as error:
            raise _IndexFailed(error) from error
        stored = time.perf_counter()
        item = IngestItem(
            kind=kind,
            doc_path=file.workspace_path,
            doc_id=doc_id(file.workspace_path, given.asset.asset_id, document.parser_version),
            asset_id=given.asset.asset_id,
            byte_len=given.asset.byte_len,
            block_count=len(document.blocks),
            chunk_count=len(chunks),
            parser_version=document.parser_version,
            chunker_version=chunker,
            warnings=document.warnings,
        )
        took = [_ms(*each) for each in ((started, parsed), (parsed, chunked), (measured, stored), (chunked, measured))]
        return Outcome(item, Timings(*took, *map(watch.ms, (PhaseKind.OCR, PhaseKind.CAPTION))))

    def _make_room(self, *, large: bool) -> None:
        if large and self._store is not None:
            self._store.fulltext.analyser.release()
        if large and self._embedding is not None:
            self._embedding.release()

    def _embed(self, title: str, chunks: list[Chunk]) -> Embedded | None:
        # A very long document is stored first and embedded afterwards: its text and vectors are never held at once.
        if self._embedding is None or len(chunks) > MOST_EMBEDDED_AT_ONCE:
            return None
        return self._embedding.embed((title, chunk.heading_path, chunk.text) for chunk in chunks)


class _IndexFailed(Exception):
    """Carries what the store said past the net that catches what is wrong with a file."""

    def __init__(self, error: KebabError) -> None:
        super().__init__(error.message)
        self.error = error


@dataclass(frozen=True, slots=True)
class _Input:
    raw: bytes
    asset: Asset
    placement: Placement
    parser: Parser
    chunker: Chunker


def _read(given: _Input, context: ParseContext) -> Steps[Document]:
    """Parsers that take long say what they are at."""
    steps = getattr(given.parser, "steps", None)
    if steps is None:
        return given.parser.parse(given.raw, context)
    document: Document = yield from steps(given.raw, context)
    return document


def _look_into(file: FoundFile, raw: bytes) -> None:
    """Raises LeftAside for what its name promised in vain."""
    kind = family(file.media_type)
    if not raw and kind in ("office", "web"):
        raise LeftAside("empty", "the file is empty")
    if kind in ("markdown", "code", "text") and is_binary(raw):
        raise LeftAside("binary", "it is binary, whatever its name says")
    if not file.standalone and (generated := generated_reason(raw, file.path.name)):
        raise LeftAside("generated", generated)


def _ms(start: float, end: float) -> int:
    return round((end - start) * 1000)


def _settled(stamp: FileStamp) -> FileStamp:
    racy = time.time_ns() - stamp.mtime_ns < _RACY_NS
    return stamp._replace(mtime_ns=0) if racy else stamp


def _asset(file: FoundFile, raw: bytes) -> Asset:
    checksum = content_hash(raw)
    return Asset(
        asset_id=asset_id(checksum),
        checksum=checksum,
        byte_len=len(raw),
        media_type=file.media_type,
        workspace_path=file.workspace_path,
        source_uri=Path(file.path).absolute().as_uri(),
        discovered_at=now(),
    )


def _context(source: Source, file: FoundFile, asset: Asset, repository: Repository | None) -> ParseContext:
    written = from_timestamp(file.stamp.mtime_ns / 1e9)
    return ParseContext(
        asset=asset,
        workspace_path=file.workspace_path,
        file_created_at=written,
        file_updated_at=written,
        trust_level=source.trust_level,
        source_type=source.source_type,
        repository=repository and repository._replace(root=source.workspace_path(repository.root).rstrip("/")),
    )


def _unchanged(file: FoundFile, known: KnownFile) -> Outcome:
    item = IngestItem(
        "unchanged",
        file.workspace_path,
        doc_id=known.doc_id,
        asset_id=known.asset_id,
        byte_len=file.stamp.size,
        chunk_count=known.chunk_count,
    )
    return Outcome(item)


def _failed(file: FoundFile, error: str) -> Outcome:
    return Outcome(IngestItem("error", file.workspace_path, byte_len=file.stamp.size, error=error))
