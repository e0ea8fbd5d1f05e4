"""`kebab verify`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from kebab.core.archive import CitationCheck, CitationStatus
from kebab.ui.cli.session import colour_wanted, current, example, shared_options
from kebab.ui.terminal import Style, printable

if TYPE_CHECKING:
    from kebab.core.archive import VerifyReport


@click.command(
    short_help="Check an answer's citations against today's files.",
    epilog=example("kebab verify ret_4a8b2c1e", "kebab verify 4a8b --json"),
)
@click.argument("trace_id", metavar="TRACE_ID")
@shared_options
def verify(trace_id: str) -> int:
    """Check an answer's citations against today's files.

    Each quote is intact, moved to other lines, changed (no longer in the file), or its file is missing. Exits 0 only if
    all are intact. `kebab answers list` shows trace ids.
    """
    session = current()
    with session.app() as app:
        report = app.verify(trace_id)
    if session.json:
        from kebab.wire.archive import encode_verify_report

        session.emit(encode_verify_report(report))
    else:
        for line in _lines(report, Style(on=colour_wanted())):
            click.echo(line)
    return 0 if report.ok else 1


def _lines(report: "VerifyReport", style: Style) -> Iterator[str]:
    for check in report.checks:
        yield from _entry(check, style)
    intact = sum(check.status is CitationStatus.INTACT for check in report.checks)
    total = len(report.checks)
    yield style.dim(f"{intact} of {total} intact" if total else "the answer cites nothing")


def _entry(check: CitationCheck, style: Style) -> Iterator[str]:
    from kebab.core.markers import shown

    cited = check.cited
    place = cited.quote.citation if cited.quote is not None else cited.citation
    paint = {CitationStatus.INTACT: style.good, CitationStatus.MOVED: style.warn}.get(check.status, style.bad)
    moved = f" → {printable(check.found.to_uri())}" if check.found is not None else ""
    marker = shown(cited.marker) if cited.marker else "·"
    yield f"{marker} {paint(f'{check.status:<7}')}  {style.bold(printable(place.to_uri()))}{moved}"
    yield f"    {printable(check.detail)}"
    if cited.quote is not None:
        yield style.dim(f"    「{printable(' '.join(cited.quote.text.split()))}」")
