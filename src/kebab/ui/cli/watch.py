"""`kebab watch`."""

from typing import TYPE_CHECKING

import click

from kebab.core.events import IngestReport
from kebab.ui.cli.interrupt import stop_on_signals
from kebab.ui.cli.session import Session, current, example, shared_options

if TYPE_CHECKING:
    from kebab.app.watch import Ingested, WatchEvent

SHOWN_NOTES = 3


@click.command(
    short_help="Keep the index current while files change.",
    epilog=example("kebab watch", "kebab watch --poll", "kebab watch --json"),
)
@click.option("--poll", is_flag=True, help="Look every few seconds, where the system does not tell of changes.")
@shared_options
def watch(*, poll: bool) -> int:
    """Keep the index current while files change, until Ctrl-C.

    Every folder that `kebab ingest` covers is watched. On network file systems it looks every few seconds instead of
    being told. Under --json each run is one line: its report.
    """
    session = current()
    with session.app() as app, stop_on_signals() as stop:
        for event in app.watch(stop, poll=poll):
            show(session, event)
    return 0


def show(session: Session, event: "WatchEvent") -> None:
    """A line per run that changed something; under --json its report."""
    from kebab.app.watch import Noted

    if isinstance(event, Noted):
        session.talk(event.text)
    elif session.json:
        from kebab.wire.ingest import encode_report

        if is_worth_telling(event):
            session.emit(encode_report(event.report, summary_only=False))
    elif is_worth_telling(event):
        for line in lines(event):
            session.talk(line)


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
