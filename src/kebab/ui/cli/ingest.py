"""`kebab ingest`, `kebab ingest-file`, `kebab ingest-stdin`."""

from collections.abc import Iterator
from pathlib import Path

import click

from kebab.core.events import IngestEvent, IngestReport
from kebab.ui.cli.interrupt import INTERRUPTED, cancel_on_interrupt
from kebab.ui.cli.progress import renderer
from kebab.ui.cli.session import Session, current, example, many, read_stdin, shared_options
from kebab.ui.terminal import printable

STDIN_LIMIT = 50 * 1024 * 1024
SHOWN_NOTES = 10


def _folder(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Path | None:
    """`kebab ingest "$UNSET"` must not mean the current folder."""
    if value == "":
        raise click.UsageError("PATH is empty")
    return None if value is None else Path(value)


@click.command(
    short_help="Index a folder: new and changed files in, deleted files out.",
    epilog=example(
        "kebab ingest",
        "kebab ingest ~/notes",
        "kebab ingest ~/notes/work --dry-run",
        "kebab ingest --json --summary-only",
    ),
)
@click.argument("path", required=False, callback=_folder)
@click.option("--root", callback=_folder, metavar="DIR", help="The same as PATH.")
@click.option("--include", multiple=True, metavar="GLOB", help="Only files that match; gitignore syntax, repeatable.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match, repeatable.")
@click.option("--force-reingest", is_flag=True, help="Process every file again.")
@click.option("--checksum", is_flag=True, help="Read every file instead of trusting its size and time.")
@click.option("--dry-run", is_flag=True, help="Say what would happen and change nothing.")
@click.option("--keep-old", is_flag=True, help="Keep the vectors of an earlier embedding model for now.")
@click.option("--summary-only", is_flag=True, help="Leave the list of files out of the report.")
@shared_options
def ingest(  # noqa: PLR0913 - one parameter per option
    *,
    path: Path | None,
    root: Path | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    force_reingest: bool,
    checksum: bool,
    dry_run: bool,
    keep_old: bool,
    summary_only: bool,
) -> int:
    """Index a folder: new and changed files in, deleted files out.

    Without PATH the folders of the config and those ingested before are brought up to date. A folder that is not
    part of them becomes a source of its own and is remembered.
    """
    from kebab.app.scope import ScopeRequest

    if path is not None and root is not None:
        raise click.UsageError("give PATH or --root, not both")
    session = current()
    request = ScopeRequest(path or root, many(include), many(exclude))
    with session.app() as app, cancel_on_interrupt() as cancel:
        flags = {"force": force_reingest, "checksum": checksum, "dry_run": dry_run, "keep_old": keep_old}
        events = app.ingest(request, **flags, cancel=cancel)
        return _finish(session, events, summary_only=summary_only)


@click.command(
    "ingest-file",
    short_help="Index a single file, from anywhere.",
    epilog=example("kebab ingest-file ~/Downloads/paper.md"),
)
@click.argument("path", type=click.Path(path_type=Path))
@shared_options
def ingest_file(path: Path) -> int:
    """Index a single file, from anywhere.

    A file inside a known folder is indexed in place; any other is copied to `_external` in the workspace and kept
    by later runs.
    """
    session = current()
    with session.app() as app:
        return _finish(session, app.ingest_file(path), summary_only=False)


@click.command(
    "ingest-stdin",
    short_help="Index text from standard input.",
    epilog=example('pbpaste | kebab ingest-stdin --title "Meeting 12 March"'),
)
@click.option("--title", required=True, help="The document's title.")
@click.option("--source-uri", metavar="URI", help="Where the text came from.")
@shared_options
def ingest_stdin(title: str, source_uri: str | None) -> int:
    """Index text from standard input as a note in `_external`, kept by later runs."""
    session = current()
    with session.app() as app:
        return _finish(session, app.ingest_text(read_stdin(STDIN_LIMIT), title, source_uri), summary_only=False)


def _finish(session: Session, events: Iterator[IngestEvent], *, summary_only: bool) -> int:
    report = renderer(session).show(events)
    if session.json:
        from kebab.wire.ingest import encode_report

        session.emit(encode_report(report, summary_only=summary_only))
    elif not session.quiet:
        _print_summary(report)
        if _found_nothing(report):
            session.talk("hint: there is nothing here that kebab reads; `kebab ingest FOLDER` names another folder")
    return _status(report)


def _found_nothing(report: IngestReport) -> bool:
    counts = report.counts
    return not (counts.scanned or counts.skipped or report.purged_deleted_files or report.aborted)


def _status(report: IngestReport) -> int:
    if report.aborted:
        return INTERRUPTED
    done = report.counts.new + report.counts.updated + report.counts.unchanged
    return 2 if report.counts.errors and not done else 0


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _print_summary(report: IngestReport) -> None:
    counts = report.counts
    verb = "would be " if report.dry_run else ""
    parts = [f"{counts.new} {verb}new", f"{counts.updated} {verb}updated", f"{counts.unchanged} unchanged"]
    if report.purged_deleted_files:
        parts.append(f"{report.purged_deleted_files} {verb}removed")
    if counts.skipped or report.skipped_by_extension:
        reasons = ", ".join(f"{skip.count} {reason.replace('_', ' ')}" for reason, skip in report.skips.items())
        parts.append(f"{counts.skipped} skipped: {reasons}" if reasons else f"{counts.skipped} skipped")
    if counts.errors:
        parts.append(f"{counts.errors} failed")
    state = "stopped" if report.aborted else "done"
    made = [_counted(counts.chunks_indexed, "chunk"), f"{report.duration_ms / 1000:.1f} s"]
    if counts.embeddings_indexed:
        made.insert(1, _counted(counts.embeddings_indexed, "vector"))
    click.echo(f"{state}: {', '.join(parts)} ({', '.join(made)})")
    notable = report.notable()
    for item in notable[:SHOWN_NOTES]:
        for note in (item.error, *item.warnings):
            if note:
                click.echo(f"  {printable(item.doc_path)}: {printable(note)}", err=True)
    if len(notable) > SHOWN_NOTES:
        click.echo(f"  and {len(notable) - SHOWN_NOTES} more files with notes; `--json` lists them all", err=True)
    for warning in report.warnings:
        click.echo(f"warning: {warning}", err=True)
