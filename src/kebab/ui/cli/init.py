"""`kebab init`."""

from pathlib import Path

import click

from kebab.core.errors import ReadonlyMode
from kebab.ui.cli.session import current, example, shared_options

PROFILES = ("builtin", "full")


@click.command(
    short_help="Write a commented config file and create the folders.",
    epilog=example("kebab init", "kebab init --workspace ~/notes", "kebab init --profile full --force"),
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="builtin",
    show_default=True,
    help="builtin needs no server and no download; full names larger models.",
)
@click.option("--workspace", type=click.Path(path_type=Path), metavar="DIR", help="The folder that holds your notes.")
@click.option("--force", is_flag=True, help="Replace a config file that is there.")
@shared_options
def init(*, profile: str, workspace: Path | None, force: bool) -> int:
    """Write a commented config file and create the folders. What is there is kept."""
    from kebab.app.settings import InitRequest, initialise

    session = current()
    if session.readonly:
        raise ReadonlyMode("init writes, and --readonly was given", hint="run it without --readonly")
    request = InitRequest(session.config_path, "full" if profile == "full" else "builtin", workspace, force)
    done = initialise(request)
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
    session.talk(f"hint     {hint}")
    return 0


def _home(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
