"""What has happened so far in an ingest, file by file, and the report that is made of it."""

import time
from collections import Counter
from dataclasses import dataclass, field

from kebab.app.asides import unread
from kebab.app.process import Outcome
from kebab.app.scope import Scope
from kebab.core.events import Counts, IngestItem, IngestReport, SkipCount
from kebab.source import ScanResult

_EXAMPLES = 5
_RESULT_FIELD = {"new": "new", "updated": "updated", "unchanged": "unchanged", "skipped": "skipped", "error": "errors"}


@dataclass(slots=True)
class Tally:
    """What has happened so far."""

    started: float = field(default_factory=time.monotonic)
    counts: Counter[str] = field(default_factory=Counter)
    items: list[IngestItem] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    skips: dict[str, SkipCount] = field(default_factory=dict)
    extensions: Counter[str] = field(default_factory=Counter)

    def add_scan(self, result: ScanResult) -> None:
        self.counts["scanned"] += result.scanned
        self.extensions.update(result.by_extension)
        for reason, skip in result.skips.items():
            old = self.skips.get(reason, SkipCount())
            self.skips[reason] = SkipCount(old.count + skip.count, (*old.examples, *skip.examples)[:_EXAMPLES])
        for path, message in result.errors:
            self.counts["errors"] += 1
            self.items.append(IngestItem("error", path, error=message))

    def add(self, outcome: Outcome) -> None:
        self.items.append(outcome.item)
        if (aside := outcome.item.aside) is not None:
            old = self.skips.get(aside.reason, SkipCount())
            examples = (*old.examples, outcome.item.doc_path)[:_EXAMPLES]
            self.skips[aside.reason] = SkipCount(old.count + 1, examples)
            return
        self.counts[_RESULT_FIELD[outcome.item.kind]] += 1
        if outcome.item.kind in ("new", "updated"):
            self.counts["chunks_indexed"] += outcome.chunks

    def totals(self) -> Counts:
        # What could not be read is counted among the errors.
        skipped = sum(skip.count for reason, skip in self.skips.items() if reason != "unreadable")
        return Counts(**{**self.counts, "skipped": self.counts["skipped"] + skipped})

    def report(self, scope: Scope, *, aborted: bool, dry_run: bool) -> IngestReport:
        return IngestReport(
            source=scope.sources[0],
            counts=self.totals(),
            duration_ms=round((time.monotonic() - self.started) * 1000),
            skipped_by_extension=dict(sorted(self.extensions.items())),
            skips=dict(sorted(self.skips.items())),
            items=tuple(self.items),
            purged_deleted_files=len(self.purged),
            purged_paths=tuple(self.purged),
            warnings=(*self.warnings, *unread(self.items)),
            aborted=aborted,
            dry_run=dry_run,
        )
