"""`kebab open`."""

import shlex
import subprocess
from typing import TYPE_CHECKING

import click

from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.query import Freshness
from kebab.ui.cli.session import current, example, say, shared_options

if TYPE_CHECKING:
    from kebab.core.fetching import Opening

# A viewer that cannot show the file says so at once; one that can stays, and is left alone.
_PATIENCE_SECONDS = 1.0


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
        _run(opening)
    return 0


def _run(opening: "Opening") -> None:
    """Without a shell: the words reach the program as they are."""
    program = opening.command[0]
    try:
        status = _edit(opening.command) if opening.waits else _view(opening.command)
    except OSError as error:
        raise IoFailure(
            f"cannot run {program}: {error.strerror}",
            hint="set VISUAL or EDITOR to a program that is there, or use --print",
            op="run",
        ) from error
    if status:
        raise IoFailure(f"{program} ended with status {status}", hint="--print shows the command", op="run")


def _edit(command: tuple[str, ...]) -> int:
    return subprocess.run(command, check=False).returncode  # noqa: S603 - the person's own editor


def _view(command: tuple[str, ...]) -> int:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(  # noqa: S603 - see above
        command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        return process.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        return 0
