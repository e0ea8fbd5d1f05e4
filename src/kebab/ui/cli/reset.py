"""`kebab reset`."""

import sys

import click

from kebab.core.errors import InvalidInput
from kebab.core.inspection import ResetReport
from kebab.ui.cli.session import current, example, say, shared_options


@click.command(
    short_help="Remove the index, the config, or documents whose files are gone.",
    epilog=example("kebab reset --orphans-only", "kebab reset --data-only --yes", "kebab reset --all"),
)
@click.option("--all", "scope", flag_value="all", help="The index and the config file.")
@click.option("--data-only", "scope", flag_value="data_only", help="The index.")
@click.option("--vector-only", "scope", flag_value="vector_only", help="The vectors.")
@click.option("--config-only", "scope", flag_value="config_only", help="The config file.")
@click.option(
    "--orphans-only", "scope", flag_value="orphans_only", help="Documents whose file or folder is gone, nothing else."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared_options
def reset(*, scope: str | None, yes: bool) -> int:
    """Remove what kebab made, at the paths of the config in use. Your own files are never touched."""
    session = current()
    if scope is None:
        raise click.UsageError("say what to remove: --all, --data-only, --vector-only, --config-only or --orphans-only")
    with session.app() as app:
        if not yes and scope != "orphans_only":
            _ask(app.reset_targets(scope), as_json=session.json)
        report = app.reset(scope)
    if session.json:
        from kebab.wire.introspection import encode_reset

        session.emit(encode_reset(report))
    else:
        _print(report)
    return 0


def _ask(targets: list[str], *, as_json: bool) -> None:
    if as_json or not sys.stdin.isatty():
        raise InvalidInput("reset removes files and nobody is here to ask", hint="add --yes")
    if targets:
        click.echo("this removes:\n" + "\n".join(f"  {target}" for target in targets), err=True)
        click.confirm("go on?", abort=True, err=True)


def _print(report: ResetReport) -> None:
    for path in (*report.removed_paths, *report.purged_paths):
        say(f"removed {path}")
    if not report.removed_paths and not report.purged_paths:
        click.echo("nothing to remove")
