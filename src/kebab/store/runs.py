"""What was ingested when, the index's own counters, and the folders that were ingested without being configured."""

import json

import apsw

from kebab.core.clock import now
from kebab.core.events import IngestReport

KEPT_RUNS = 200


class Runs:
    """The tables `ingest_runs`, `schema_meta` and `sources`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._db = connection

    def record(self, run_id: str, report: IngestReport, started_at: str) -> None:
        source, counts = report.source, report.counts
        scope = {"root": str(source.root), "include": source.include, "exclude": source.exclude}
        notable = [[item.kind, item.doc_path, item.error, item.warnings] for item in report.notable()]
        with self._db:
            self._db.execute(
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
            self._db.execute(
                "DELETE FROM ingest_runs WHERE run_id NOT IN "
                "(SELECT run_id FROM ingest_runs ORDER BY finished_at DESC LIMIT ?)",
                (KEPT_RUNS,),
            )

    def meta(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM schema_meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set_meta(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO schema_meta VALUES (?, ?)", (key, value))

    def corpus_revision(self) -> int:
        return int(self.meta("corpus_revision") or 0)

    def adhoc_sources(self) -> dict[str, str]:
        """Root to source id."""
        return dict(self._db.execute("SELECT root, source_id FROM sources"))

    def add_source(self, source_id: str, root: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO sources VALUES (?, ?, ?)", (source_id, root, now()))

    def counts(self) -> dict[str, int]:
        tables = ("documents", "chunks", "assets")
        return {name: int(self._db.execute(f"SELECT count(*) FROM {name}").fetchone()[0]) for name in tables}  # noqa: S608 - ours

    def last_ingest_at(self) -> str | None:
        row = self._db.execute("SELECT max(updated_at) FROM documents").fetchone()
        return str(row[0]) if row and row[0] else None

    def breakdown(self, column: str) -> dict[str, int]:
        """Documents by `media_type`, `lang` or `source_id`."""
        assert column in ("media_type", "lang", "source_id")
        return dict(self._db.execute(f"SELECT {column}, count(*) FROM documents GROUP BY 1 ORDER BY 2 DESC, 1"))  # noqa: S608 - asserted
