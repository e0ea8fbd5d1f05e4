"""What a watch did, in words: lines for a terminal, and one line of news for a page. Silent where nothing changed."""

from typing import TYPE_CHECKING

from kebab.core.events import IngestReport

if TYPE_CHECKING:
    from kebab.app.watch import Ingested, WatchEvent

SHOWN_NOTES = 3


def news(event: "WatchEvent") -> str | None:
    """In one line; None for a run that nobody needs to hear of."""
    from kebab.app.watch import Noted, Working

    if isinstance(event, Noted):
        return event.text
    if isinstance(event, Working):
        return f"{event.done}/{event.total} {event.path}".rstrip()
    return lines(event)[0] if is_worth_telling(event) else None


def is_worth_telling(event: "Ingested") -> bool:
    counts = event.report.counts
    changed = counts.new or counts.updated or event.report.purged_deleted_files
    return bool(changed or counts.errors or event.report.warnings)


def lines(event: "Ingested") -> list[str]:
    report = event.report
    told = f"{event.told} change{'' if event.told == 1 else 's'}: " if event.told else ""
    found = [f"{told}{_counted(report)} ({report.duration_ms / 1000:.1f} s)"]
    notable = report.notable()
    found += [f"  {item.doc_path}: {item.error or item.warnings[0]}" for item in notable[:SHOWN_NOTES]]
    if len(notable) > SHOWN_NOTES:
        found.append(f"  and {len(notable) - SHOWN_NOTES} more files with notes")
    return found + [f"warning: {warning}" for warning in report.warnings]


def _counted(report: IngestReport) -> str:
    counts = report.counts
    parts = {
        "new": counts.new,
        "updated": counts.updated,
        "removed": report.purged_deleted_files,
        "failed": counts.errors,
        "vectors": counts.embeddings_indexed,
    }
    return ", ".join(f"{count} {name}" for name, count in parts.items() if count) or "nothing changed"
