"""`kebab session list|show|delete`."""

from typing import TYPE_CHECKING

import click

from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.terminal import display_width, printable

if TYPE_CHECKING:
    from kebab.app.archive import Conversation


@click.group(
    "session",
    short_help="Show and delete conversations.",
    epilog=example('kebab ask "and then?" --session trip', "kebab session show trip"),
)
@shared_options
def session_group() -> None:
    """Show and delete conversations. `kebab ask --session ID` begins one and goes on with it."""


@session_group.command("list", epilog=example("kebab session list", "kebab session list --json"))
@shared_options
def list_() -> int:
    """List sessions, the one used last first."""
    session = current()
    with session.app() as app:
        found = app.list_sessions()
    if session.json:
        from kebab.wire.archive import encode_session_list

        session.emit(encode_session_list(found))
        return 0
    names = [printable(each.session_id) for each in found]
    width = max(map(display_width, names), default=0)
    for each, name in zip(found, names, strict=True):
        padding = " " * (width - display_width(name))
        click.echo(f"{name}{padding}  {each.updated_at}  {each.turn_count:>3}  {printable(each.title or '-')}")
    if not found:
        session.talk("no sessions; `kebab ask QUESTION --session ID` begins one")
    return 0


@session_group.command("show", epilog=example("kebab session show trip", "kebab session show trip --json"))
@click.argument("session_id", metavar="ID")
@shared_options
def show(session_id: str) -> int:
    """Show a session: every question with its answer and what it cites."""
    session = current()
    with session.app() as app:
        found = app.find_session(session_id)
    if session.json:
        _emit(found)
        return 0
    from kebab.core.markers import shown
    from kebab.ui.cli.answer_render import rows
    from kebab.ui.cli.ask import look_of_stdout

    look = look_of_stdout()
    for turn in found.turns:
        click.echo(look.style.bold(f"{turn.turn_index}  {printable(turn.question)}"))
        for line in rows(shown(turn.answer), look.columns, "   "):
            click.echo(line)
        for cited in turn.citations:
            if cited.marker:
                click.echo(look.style.dim(f"   {shown(cited.marker)} {printable(cited.citation.to_uri())}"))
        click.echo()
    settings = "  ".join(f"{name} {value}" for name, value in found.session.config.items())
    click.echo(look.style.dim(printable(f"{found.session.turn_count} turns  {settings}")))
    return 0


@session_group.command("delete", epilog=example("kebab session delete trip"))
@click.argument("session_id", metavar="ID")
@shared_options
def delete(session_id: str) -> int:
    """Delete a session with its turns. The answers themselves stay in `kebab answers`."""
    session = current()
    with session.app() as app:
        found = app.delete_session(session_id)
    if session.json:
        _emit(found)
    else:
        click.echo(printable(f"deleted {found.session.session_id}, {found.session.turn_count} turns"))
    return 0


def _emit(found: "Conversation") -> None:
    from kebab.wire.archive import encode_session

    current().emit(encode_session(found.session, found.turns))
