"""A workspace on disk with its own home, configuration and index."""

import os
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kebab import config as configuration
from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import Config
from kebab.core.events import IngestEvent, IngestFinished, IngestReport
from kebab.core.query import Filters, Query, SearchMode, SearchResult
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

# Older than what an ingest takes for just written, so that stamps are believed.
OLD = 1_700_000_000


def report(events: Iterable[IngestEvent]) -> IngestReport:
    """The report that the last event carries."""
    *_, last = events
    assert isinstance(last, IngestFinished)
    return last.report


def results(found: IngestReport) -> dict[str, str]:
    """What became of each file."""
    return {item.doc_path: item.kind for item in found.items or ()}


@dataclass
class Desk:
    home: Path
    root: Path
    flags: dict[str, object] = field(default_factory=dict)
    file: Path | None = None
    open: ExitStack = field(default_factory=ExitStack)

    @property
    def config(self) -> Config:
        """By words only, unless `flags` name a model: most of what an app does has nothing to do with it."""
        flags = {
            "workspace.root": str(self.root),
            "storage.data_dir": str(self.home / "data"),
            "models.embedding.provider": "none",
            **self.flags,
        }
        return configuration.load(flags, path=self.file, env={"HOME": str(self.home)})

    @property
    def index(self) -> Path:
        return self.config.storage.sqlite

    def app(self, **options: Any) -> App:
        app = App(self.config, **options)
        self.open.callback(app.close)
        return app

    def configure(self, text: str) -> None:
        """A config file; what it says of the root and of the data directory is overruled."""
        self.file = self.home / "config.toml"
        self.file.write_text(text, encoding="utf-8")

    def write(
        self, path: str, text: str | bytes = "# Note\n\nwords\n", *, at: int = OLD, root: Path | None = None
    ) -> Path:
        file = (root or self.root) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        os.utime(file, (at, at))
        return file

    def ingest(
        self,
        path: Path | None = None,
        include: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
        **options: Any,
    ) -> IngestReport:
        return report(self.app().ingest(ScopeRequest(path, include, exclude), **options))

    def ingest_file(self, path: Path) -> IngestReport:
        return report(self.app().ingest_file(path))

    def ingest_text(self, text: str, title: str = "T", source_uri: str | None = None) -> IngestReport:
        return report(self.app().ingest_text(text, title, source_uri))

    def search(self, text: str, **query: Any) -> SearchResult:
        return self.app().search(Query(text, SearchMode.LEXICAL, 10, **query))

    def found(self, text: str) -> list[str]:
        return [hit.doc_path for hit in self.search(text).hits]

    def rows(self) -> dict[str, DocumentRow]:
        if not self.index.exists():
            return {}
        with Store.reader(self.index) as store:
            return {row.workspace_path: row for row in store.shelf.rows(Filters())}

    def paths(self) -> list[str]:
        return sorted(self.rows())

    def revision(self) -> int:
        with Store.reader(self.index) as store:
            return store.runs.corpus_revision()
