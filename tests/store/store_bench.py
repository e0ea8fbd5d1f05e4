"""Notes made by the real parser and chunker, and an index to put them in."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kebab.chunk import CHUNKERS
from kebab.core.asset import Asset, FileStamp
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.core.query import Filters
from kebab.parse import PARSERS
from kebab.store.documents import Placement
from kebab.store.sql import Database
from kebab.store.store import Store

MOMENT = "2020-01-01T00:00:00Z"
STAMP = FileStamp(10, 1_600_000_000_000_000_000, 7)


@dataclass(frozen=True)
class Made:
    """A note on its way into the index."""

    asset: Asset
    document: Document
    chunks: list[Chunk]


def make(path: str, text: str, policy: ChunkPolicy | None = None, *, media: str = "markdown", **context: Any) -> Made:
    raw = text.encode()
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), media, path, f"file:///{path}", MOMENT)
    facts = {"file_created_at": MOMENT, "file_updated_at": MOMENT, "trust_level": None, "source_type": None, **context}
    document = PARSERS[media].parse(raw, ParseContext(asset, path, **facts))
    return Made(asset, document, CHUNKERS[media].chunk(document, policy or ChunkPolicy()))


def placement(path: str, **changes: Any) -> Placement:
    values = {
        "source_id": "default",
        "file_path": f"/kb/{path}",
        "stamp": STAMP,
        "fresh_key": "f" * 32,
        "chunker_version": CHUNKERS["markdown"].version,
        "policy_hash": ChunkPolicy().policy_hash(),
        **changes,
    }
    return Placement(**values)


@dataclass(frozen=True)
class Index:
    path: Path
    store: Store

    @property
    def database(self) -> Database:
        return self.store._db

    def put(self, path: str, text: str, *, policy: ChunkPolicy | None = None, **options: Any) -> Made:
        """`options` go to the parser's context or to the placement, whichever knows them."""
        given = ("trust_level", "source_type", "repository", "media")
        context = {name: options.pop(name) for name in given if name in options}
        made = make(path, text, policy, **context)
        self.store.documents.put(made.asset, made.document, made.chunks, placement(path, **options))
        return made

    def count(self, table: str) -> int:
        return int(self.database.scalar(f"SELECT count(*) FROM {table}"))

    def counts(self) -> dict[str, int]:
        """Rows of everything that belongs to documents, the full-text tables by the rows they index."""
        tables = "assets documents document_texts document_tags blocks chunks chunks_fts_docsize chunks_grams_docsize"
        return {table: self.count(table) for table in tables.split()}

    def key(self, path: str) -> int:
        return int(self.database.scalar("SELECT doc_key FROM documents WHERE workspace_path = ?", (path,)))

    def search(self, question: str, *, limit: int = 10, filters: Filters | None = None) -> list[str]:
        """The paths of the documents whose chunks match, best first, each once."""
        full = self.store.fulltext
        found = full.match(full.analyse(question), filters or Filters(), limit)
        passages = self.store.shelf.passages([candidate.chunk_key for candidate in found])
        keys = [passages[candidate.chunk_key].doc_key for candidate in found]
        rows = self.store.shelf.row_at(keys)
        return list(dict.fromkeys(rows[key].workspace_path for key in keys))
