"""What was ingested when, the index's own counters, and the folders that were ingested without being configured."""

import json
from typing import TYPE_CHECKING

from kebab.core.clock import now
from kebab.store.sql import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kebab.core.events import IngestReport
    from kebab.core.recognition import RunNote

KEPT_RUNS = 200
# Without an engine every picture of a workspace is left aside by every run; a run lists so many of each sort.
KEPT_UNREAD = 100


class Runs:
    """The tables `ingest_runs`, `schema_meta` and `sources`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, run_id: str, report: "IngestReport", started_at: str) -> None:
        source, counts = report.source, report.counts
        scope = {"root": str(source.root), "include": source.include, "exclude": source.exclude}
        notable: list[list[object]] = [
            [item.kind, item.doc_path, item.error, item.warnings, *(item.aside or ())]
            for item in dict.fromkeys((*report.notable(), *report.unread(KEPT_UNREAD)))
        ]
        with self._db.transaction():
            self._db.run(
                "INSERT INTO ingest_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    run_id,
                    json.dumps(scope, ensure_ascii=False),
                    counts.scanned,
                    counts.new,
                    counts.updated,
                    counts.skipped,
                    counts.unchanged,
                    counts.errors,
                    report.purged_deleted_files,
                    int(report.aborted),
                    report.duration_ms,
                    started_at,
                    now(),
                    json.dumps(notable, ensure_ascii=False),
                ),
            )
            self._db.run(
                "DELETE FROM ingest_runs WHERE run_id NOT IN "
                "(SELECT run_id FROM ingest_runs ORDER BY finished_at DESC LIMIT ?)",
                (KEPT_RUNS,),
            )

    def notes(self) -> "Iterator[RunNote]":
        """What the kept runs wrote down of files, the last run first."""
        from kebab.core.recognition import RunNote

        rows = self._db.stream("SELECT finished_at, items_json FROM ingest_runs ORDER BY finished_at DESC, run_id DESC")
        for finished_at, items in rows:
            for _kind, path, error, _warnings, *aside in json.loads(items or "[]"):
                yield RunNote(path, finished_at, error, *aside)

    def meta(self, key: str) -> str | None:
        value: str | None = self._db.scalar("SELECT value FROM schema_meta WHERE key = ?", (key,))
        return value

    def set_meta(self, key: str, value: str) -> None:
        self._db.run("INSERT OR REPLACE INTO schema_meta VALUES (?, ?)", (key, value))

    def corpus_revision(self) -> int:
        return int(self.meta("corpus_revision") or 0)

    def adhoc_sources(self) -> dict[str, str]:
        """Root to source id of the folders that are remembered here alone."""
        return dict(self._db.rows("SELECT root, source_id FROM sources WHERE NOT configured"))

    def roots(self) -> dict[str, str]:
        """Source id to the root it was last indexed from."""
        return dict(self._db.rows("SELECT source_id, root FROM sources"))

    def put_source(self, source_id: str, root: str, *, configured: bool) -> None:
        self._db.run("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", (source_id, root, int(configured), now()))

    def drop_source(self, source_id: str) -> None:
        self._db.run("DELETE FROM sources WHERE source_id = ?", (source_id,))

    def counts(self) -> dict[str, int]:
        tables = ("documents", "chunks", "assets")
        return {name: self._db.scalar(f"SELECT count(*) FROM {name}") for name in tables}

    def last_ingest_at(self) -> str | None:
        moment: str | None = self._db.scalar("SELECT max(updated_at) FROM documents")
        return moment

    def breakdown(self, column: str) -> dict[str, int]:
        """Documents by one of their columns; those that have nothing there are left out."""
        assert column in ("media_type", "lang", "source_id", "source_type", "code_lang", "repo")
        sql = f"SELECT {column}, count(*) FROM documents WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1"
        return dict(self._db.rows(sql))

    def tags(self) -> dict[str, int]:
        """Documents by tag."""
        return dict(self._db.rows("SELECT tag, count(*) FROM document_tags GROUP BY 1 ORDER BY 2 DESC, 1"))

    def chunks_by_code_lang(self) -> dict[str, int]:
        sql = """SELECT code_lang, sum(chunk_count) FROM documents WHERE code_lang IS NOT NULL
                 GROUP BY 1 ORDER BY 2 DESC, 1"""
        return dict(self._db.rows(sql))
