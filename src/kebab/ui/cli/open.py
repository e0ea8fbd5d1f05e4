"""`kebab open`."""

import shlex

import click

from kebab.core.errors import InvalidInput
from kebab.core.query import Freshness
from kebab.ui.cli.session import current, example, say, shared_options


@click.command(
    "open",
    short_help="Open a file at the line or page of a citation.",
    epilog=example("kebab open notes/a.md#L5-L9", "kebab open 9b4a8c1e7d3f", "kebab open paper.pdf#p=13 --print"),
)
@click.argument("reference", metavar="URI|CHUNK_ID|DOC")
@click.option("--print", "printed", is_flag=True, help="Print the command as shell words instead of running it.")
@shared_options
def open_file(reference: str, *, printed: bool) -> int:
    """Open a file at the line or page of a citation, of a chunk, or at its start.

    Text opens in the editor that VISUAL or EDITOR names, everything else in the system's viewer. With --json the
    command is only printed, so --print must be given too.
    """
    session = current()
    if session.json and not printed:
        raise InvalidInput("an editor and JSON cannot share stdout", hint="add --print")
    with session.app() as app:
        opening = app.find_opening(reference)
    if opening.freshness is not Freshness.FRESH:
        verb = "has" if opening.freshness is Freshness.CHANGED else "may have"
        session.talk(f"{opening.doc_path} {verb} changed since it was indexed; the place may have moved")
    if session.json:
        from kebab.wire.fetch import encode_opening

        session.emit(encode_opening(opening))
    elif printed:
        say(shlex.join(opening.command))
    else:
        from kebab.ui.opening import run_opening

        run_opening(opening)
    return 0
