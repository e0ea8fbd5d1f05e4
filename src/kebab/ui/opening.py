"""Runs what an `Opening` says, for every interface: an editor in the terminal, or a viewer beside it."""

import subprocess

from kebab.core.errors import IoFailure
from kebab.core.fetching import Opening

# A viewer that cannot show the file says so at once; one that can stays, and is left alone.
_PATIENCE_SECONDS = 1.0


def run_opening(opening: Opening) -> None:
    """Without a shell: the words reach the program as they are. Raises IoFailure."""
    program = opening.command[0]
    try:
        status = _edit(opening.command) if opening.waits else _view(opening.command)
    except OSError as error:
        raise IoFailure(
            f"cannot run {program}: {error.strerror}",
            hint="set VISUAL or EDITOR to a program that is there, or use `kebab open --print`",
            op="run",
        ) from error
    if status:
        raise IoFailure(
            f"{program} ended with status {status}", hint="`kebab open --print` shows the command", op="run"
        )


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
