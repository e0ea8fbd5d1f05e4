"""`kebab inspect ocr-stats|ocr-failures`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.terminal import printable

if TYPE_CHECKING:
    from kebab.core.recognition import OcrFailure, OcrStats, RecognisedBy

SHOWN = 50


@click.command("ocr-stats", epilog=example("kebab inspect ocr-stats", "kebab inspect ocr-stats --json"))
@shared_options
def ocr_stats() -> int:
    """Say how much text was read in images and scanned pages, by which engine, and how sure it was."""
    session = current()
    with session.app() as app:
        found = app.ocr_stats()
    if session.json:
        from kebab.wire.upkeep import encode_ocr_stats

        session.emit(encode_ocr_stats(found))
        return 0
    for line in _stats(found):
        click.echo(printable(line))
    if not found.readers:
        session.talk("no text was read in images or scanned pages")
    if found.unread_documents:
        session.talk("hint: `kebab inspect ocr-failures` says which pages were not read")
    return 0


def _stats(found: "OcrStats") -> Iterator[str]:
    for reader in found.readers:
        yield f"{reader.media:<7}{_many(reader.documents, 'document')}, {_amount(reader)}  ({reader.engine})"
    if found.unread_documents:
        yield f"{'unread':<7}{_many(found.unread_pages, 'page')} of {_many(found.unread_documents, 'document')}"


def _amount(reader: "RecognisedBy") -> str:
    parts = [_many(reader.pages, "page")]
    if reader.regions:
        parts.append(_many(reader.regions, "region"))
    parts.append(_many(reader.lines, "line"))
    if reader.confidence is not None:
        parts.append(f"{reader.confidence:.0%} sure")
    return ", ".join(parts)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


@click.command("ocr-failures", epilog=example("kebab inspect ocr-failures", "kebab inspect ocr-failures --json"))
@shared_options
def ocr_failures() -> int:
    """List images and scanned pages that the last runs could not read, each with the reason."""
    session = current()
    with session.app() as app:
        found = app.ocr_failures()
    if session.json:
        from kebab.wire.upkeep import encode_ocr_failures

        session.emit(encode_ocr_failures(found))
        return 0
    for failure in found[:SHOWN]:
        click.echo(printable(_failure(failure)))
    if len(found) > SHOWN:
        session.talk(f"and {len(found) - SHOWN} more; `--json` lists them all")
    for hint in dict.fromkeys(failure.hint for failure in found if failure.hint):
        session.talk(f"hint: {hint}")
    if not found:
        session.talk("nothing was left unread")
    return 0


def _failure(failure: "OcrFailure") -> str:
    pages = f" (pages {', '.join(map(str, failure.pages[:10]))}{', ...' if failure.pages[10:] else ''})"
    return f"{failure.doc_path}: {failure.reason}: {failure.message}{pages if failure.pages else ''}"
