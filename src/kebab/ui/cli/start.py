"""`kebab` alone: what it is in a line, how things stand, and the next commands."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from kebab import __version__
from kebab.core.errors import ConfigNotFound
from kebab.ui.cli.session import Session, colour_wanted
from kebab.ui.terminal import Style, printable

if TYPE_CHECKING:
    from kebab.app.standing import Standing

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
Commands = Sequence[tuple[str, str]]

_HELP = ("kebab --help", "every command")
_FIRST: Commands = (
    ("kebab init", "choose the folder of your notes"),
    ("kebab ingest FOLDER", "or index a folder as it is"),
    _HELP,
)
_CONFIGURED: Commands = (
    ("kebab ingest", "index the folders of your config"),
    ("kebab config show", "see which those are"),
    _HELP,
)
_EMPTY: Commands = (
    ("kebab ingest FOLDER", "index a folder"),
    ("kebab doctor", "see whether all is well"),
    _HELP,
)
_INDEXED: Commands = (
    ('kebab search "WORDS"', "find passages, each with a citation"),
    ('kebab ask "QUESTION"', "an answer that quotes your documents"),
    ("kebab ingest", "bring the index up to date"),
)
_NO_FILE: Commands = (("kebab init", "write it, with an index of its own"), _HELP)
_BROKEN: Commands = (
    ("kebab doctor", "see what is wrong and how to mend it"),
    ("kebab config path", "find the config file"),
    _HELP,
)


def greet(session: Session) -> int:
    from kebab.app.standing import standing

    style = Style(on=colour_wanted())
    found = standing(session.config_path, session.flags)
    click.echo(f"{style.bold(f'kebab {__version__}')}  a local knowledge base that answers with evidence\n")
    said, commands = _state(found)
    for line in said:
        click.echo(printable(line))
    click.echo()
    width = max(len(command) for command, _ in commands)
    for command, purpose in commands:
        click.echo(f"  {style.section(command)}{' ' * (width - len(command))}   {purpose}")
    if session.config_path is not None:
        import shlex

        click.echo(printable(f"  each with --config {shlex.quote(str(session.config_path))}"))
    return 0


def _state(found: "Standing") -> tuple[list[str], Commands]:
    if found.problem is not None:
        if isinstance(found.problem, ConfigNotFound):
            return [f"Something is wrong: {found.problem.message}. Next:"], _NO_FILE
        hint = [f"Hint: {found.problem.hint}"] if found.problem.hint else []
        return [f"Something is wrong: {found.problem.message}", *hint], _BROKEN
    if found.documents is None:
        if found.config_exists:
            return ["There is a config and no index yet. Next:"], _CONFIGURED
        return ["There is no index yet. Begin with one of these:"], _FIRST
    if not found.documents:
        return ["The index is empty. Next:"], _EMPTY
    count = f"{found.documents:,} document{'s' if found.documents != 1 else ''}"
    return [f"{count} in the index, the last one indexed {age(found.updated_at or '', datetime.now(UTC))}."], _INDEXED


def age(moment: str, now: datetime) -> str:
    """How long ago, in the largest unit that fits."""
    try:
        seconds = (now - datetime.fromisoformat(moment)).total_seconds()
    except (ValueError, TypeError):
        return "some time ago"
    for size, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count:,} {name}{'s' if count != 1 else ''} ago"
    return "just now"
