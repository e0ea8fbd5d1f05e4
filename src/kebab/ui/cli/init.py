"""`kebab init`."""

import sys
from pathlib import Path
from typing import NamedTuple

import click

from kebab.core.errors import ReadonlyMode
from kebab.ui.cli.session import Session, example, on_this_machine, shared_options

PROFILES = ("builtin", "full")


class Choice(NamedTuple):
    workspace: Path | None
    profile: str


@click.command(
    short_help="Write a commented config file and create the folders.",
    epilog=example("kebab init", "kebab init --workspace ~/notes --yes", "kebab init --profile full --force"),
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    help="builtin, the default, needs no server and no download; full names larger models.",
)
@click.option("--workspace", type=click.Path(path_type=Path), metavar="DIR", help="The folder that holds your notes.")
@click.option("--force", is_flag=True, help="Replace a config file that is there.")
@click.option("--yes", is_flag=True, help="Ask nothing and take the defaults.")
@shared_options
def init(*, profile: str | None, workspace: Path | None, force: bool, yes: bool) -> int:
    """Write a commented config file and create the folders. What is there is kept.

    At a terminal it asks for what was not given: the folder, the models, and whether to index at once.
    """
    from kebab.app.settings import InitRequest, initialise, path_in_use

    session = on_this_machine()
    if session.readonly:
        raise ReadonlyMode("init writes, and --readonly was given", hint="run it without --readonly")
    asking = not yes and _is_somebody_there(session) and (force or not path_in_use(session.config_path).exists())
    chosen = _ask(workspace, profile) if asking else Choice(workspace, profile or PROFILES[0])
    done = initialise(
        InitRequest(session.config_path, "full" if chosen.profile == "full" else "builtin", chosen.workspace, force)
    )
    hint = f"edit {_home(done.config)}, then run `kebab ingest`"
    if session.json:
        from kebab.wire.introspection import encode_init

        session.emit(encode_init(done.config, created=done.created, kept=done.kept, database=done.database, hint=hint))
        return 0
    for path in done.created:
        click.echo(f"created  {_home(path)}")
    for path in done.kept:
        click.echo(f"kept     {_home(path)}")
    click.echo(f"opened   {_home(done.database)} (schema v{done.schema})")
    if done.config in done.kept and workspace is not None:
        session.talk("note: the config was kept as it is; --force replaces it")
    if asking and _wants_ingest(session):
        return _ingest()
    session.talk(f"hint     {hint}")
    return 0


def _is_somebody_there(session: Session) -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and not (session.json or session.quiet)


def _ask(workspace: Path | None, profile: str | None) -> Choice:
    """What was not said on the command line. Nothing is written before the last answer."""
    from kebab.app.settings import suggested_root

    if workspace is None:
        text = click.prompt("Which folder holds your notes?", default=_home(suggested_root()), err=True)
        workspace = Path(text.strip()).expanduser()
    if profile is None:
        click.echo("builtin needs no server and no download; full names larger models.", err=True)
        profile = click.prompt("Which models?", type=click.Choice(PROFILES), default=PROFILES[0], err=True)
    return Choice(workspace, profile)


def _wants_ingest(session: Session) -> bool:
    """Asked only where there is something to index."""
    root = session.config().workspace.root
    return root.is_dir() and any(root.iterdir()) and click.confirm(f"Index {_home(root)} now?", default=True, err=True)


def _ingest() -> int:
    from kebab.ui.cli.ingest import ingest

    status: int = click.get_current_context().invoke(ingest)
    return status


def _home(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
