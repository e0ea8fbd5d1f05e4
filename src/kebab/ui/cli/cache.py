"""`kebab cache status|prune`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from kebab.ui.cli.pull_progress import in_bytes
from kebab.ui.cli.session import Session, current, example, shared_options

if TYPE_CHECKING:
    from kebab.core.inspection import CacheStatus


@click.group(
    "cache",
    short_help="Show and prune what is kept of slow readings.",
    epilog=example("kebab cache status", "kebab cache prune --max-mb 100"),
)
@shared_options
def cache_group() -> None:
    """Show and prune what is kept of slow readings: text in images and scanned pages, captions and transcripts."""


@cache_group.command("status", epilog=example("kebab cache status", "kebab cache status --json"))
@shared_options
def status() -> int:
    """Say how much is kept, of what kind, and since when the oldest of it was not used."""
    session = current()
    with session.app() as app:
        found = app.cache_status()
    _show(session, found)
    return 0


@cache_group.command(
    "prune", epilog=example("kebab cache prune", "kebab cache prune --max-mb 100", "kebab cache prune --all")
)
@click.option("--max-mb", type=click.IntRange(min=0), metavar="N", help="Keep at most so many megabytes.")
@click.option("--all", "everything", is_flag=True, help="Keep nothing.")
@shared_options
def prune(*, max_mb: int | None, everything: bool) -> int:
    """Drop what was not used for longest, down to storage.cache_mb or to --max-mb.

    No document changes. What was dropped is read again when its file is next cut anew. The index keeps the room for
    later.
    """
    if everything and max_mb is not None:
        raise click.UsageError("give --max-mb or --all, not both")
    session = current()
    with session.app() as app:
        found = app.prune_cache(0 if everything else max_mb)
    _show(session, found)
    return 0


def _show(session: Session, found: "CacheStatus") -> None:
    if session.json:
        from kebab.wire.upkeep import encode_cache_status

        session.emit(encode_cache_status(found))
        return
    if found.dropped is not None:
        click.echo(f"dropped {_results(found.dropped)}")
    for line in _table(found):
        click.echo(line)


def _table(found: "CacheStatus") -> Iterator[str]:
    for kind in found.kinds:
        since = f"oldest use {kind.oldest}"
        yield f"{kind.kind or 'other':<12}{_results(kind.entries):<16}{in_bytes(kind.bytes):<10}{since}"
    yield f"{'all':<12}{_results(found.entries):<16}{in_bytes(found.bytes)} of {in_bytes(found.most_bytes)}"


def _results(count: int) -> str:
    return f"{count:,} result{'' if count == 1 else 's'}"
