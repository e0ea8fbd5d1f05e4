"""`kebab export`, `kebab import` and `kebab backup`."""

from pathlib import Path

import click

from kebab.core.transfer import BackupRequest, ExportRequest, ImportRequest, TransferReport
from kebab.ui.cli.pull_progress import in_bytes
from kebab.ui.cli.session import Session, current, example, say, shared_options
from kebab.ui.cli.transfer_progress import follow

_FILE = click.argument("file", type=click.Path(path_type=Path))
_FORCE = click.option("--force", is_flag=True, help="Replace a file that is there.")


@click.command(
    "export",
    short_help="Write the whole knowledge base to one file.",
    epilog=example("kebab export notes.kebab", "kebab export notes.kebab --without-answers --force"),
)
@_FILE
@click.option("--without-answers", is_flag=True, help="Leave out what was asked and answered, and the sessions.")
@_FORCE
@shared_options
def export(*, file: Path, without_answers: bool, force: bool) -> int:
    """Write the whole knowledge base to one file, for another machine. Safe while an ingest runs.

    In the file: the text of every document as it was indexed, the index, its vectors, answers and sessions, the paths
    of the folders on this machine, and copies of original files if storage.copy_threshold_mb had them made. Not in it:
    other original files, models, the configuration, and addresses or keys of model servers.
    """
    session = current()
    with session.app() as app:
        report = follow(session, app.export(ExportRequest(file, not without_answers, force)))
    _show(session, report)
    return 0


@click.command(
    "import",
    short_help="Take over an export or a backup as the index.",
    epilog=example(
        "kebab import notes.kebab",
        "kebab import notes.kebab --as readonly --to ~/team-notes",
        "kebab import ~/backups/kebab-20260301T080000Z.sqlite --force",
    ),
)
@_FILE
@click.option("--to", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Into this data directory.")
@click.option(
    "--as",
    "kind",
    type=click.Choice(("copy", "readonly")),
    default="copy",
    show_default=True,
    help="An index of your own, or one that only answers and that no ingest may change.",
)
@click.option("--force", is_flag=True, help="Replace the index that is there.")
@shared_options
def import_(*, file: Path, folder: Path | None, kind: str, force: bool) -> int:
    """Take over an export or a backup as the index. Everything is checked before it takes its place.

    Original files are not part of an export, so documents of folders that are not on this machine are shown as missing;
    their text can be searched, cited and fetched. The hashes in a file tell damage and not who made it: import what
    comes from people you trust.
    """
    session = current()
    with session.app() as app:
        report = follow(session, app.import_file(ImportRequest(file, folder, kind == "readonly", force)))
    _show(session, report)
    if folder is not None:
        session.talk(f"hint: use it with --set storage.data_dir={Path(report.database).parent}")
    return 0


@click.command(
    "backup",
    short_help="Copy the index to a file, also while it is being written.",
    epilog=example("kebab backup", "kebab backup /mnt/disk/kebab --keep 7", "kebab backup before-upgrade.sqlite"),
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--keep", type=int, metavar="N", help="Remove older backups, but for the last N.")
@_FORCE
@shared_options
def backup(*, file: Path | None, keep: int | None, force: bool) -> int:
    """Copy the index to a file, also while it is being written, and check the copy.

    Without FILE it goes to `backups` in the data directory, under a name made of the time; FILE may also be a folder.
    The copy is a plain SQLite database. `kebab import FILE --force` brings it back.
    """
    session = current()
    with session.app() as app:
        report = follow(session, app.backup(BackupRequest(file, keep, force)))
    _show(session, report)
    return 0


def _show(session: Session, report: TransferReport) -> None:
    if session.json:
        from kebab.wire.transfer import encode_transfer

        session.emit(encode_transfer(report))
        return
    facts = report.facts
    place = report.database if report.kind == "import" else report.file
    say(f"{place}  {in_bytes(report.bytes)}")
    held = f"{facts.documents:,} documents, {facts.chunks:,} chunks, {facts.vectors:,} vectors"
    kind = ", read only" if report.readonly else ""
    session.talk(f"{held}, revision {facts.corpus_revision}{kind}")
    for check in report.checks:
        if not check.ok:
            session.talk(f"warning: {check.name}: {check.detail}")
        if not check.ok and check.hint:
            session.talk(f"  hint: {check.hint}")
    for note in report.notes:
        session.talk(f"note: {note}")
    for path in report.removed:
        session.talk(f"removed {path}")
