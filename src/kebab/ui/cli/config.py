"""`kebab config show|get|set|path|migrate`."""

import json
from pathlib import Path

import click

from kebab.core.errors import ReadonlyMode
from kebab.ui.cli.session import Session, example, on_this_machine, say, shared_options
from kebab.ui.terminal import hung_on_screen


@click.group("config", short_help="Show, change and migrate settings.", epilog=example("kebab config show"))
@shared_options
def config_group() -> None:
    """Show, change and migrate settings."""


@config_group.command("show", epilog=example("kebab config show", "kebab config show --json"))
@shared_options
def show() -> int:
    """Show every setting with where its value comes from."""
    from kebab.app import settings

    session = on_this_machine()
    config = session.config()
    rows = [(row.key, row.value, row.origin) for row in settings.show(config)]
    if session.json:
        from kebab.wire.introspection import encode_config_show

        file = config.file if config.file_exists else None
        session.emit(encode_config_show(file, rows, config.warnings))
        return 0
    width = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        for line in hung_on_screen(f"{key:<{width}}  ", f"{_text(value)}  ({origin})"):
            say(line)
    return 0


@config_group.command("get", epilog=example("kebab config get workspace.root"))
@click.argument("key")
@shared_options
def get(key: str) -> int:
    """Print one setting."""
    from kebab.app import settings

    session = on_this_machine()
    value, origin = settings.value(session.config(), key)
    if session.json:
        from kebab.wire.introspection import encode_config_value

        session.emit(encode_config_value(key, value, origin))
    else:
        click.echo(_text(value))
    return 0


@config_group.command(
    "set", epilog=example("kebab config set workspace.root ~/notes", "kebab config set search.default_k 5")
)
@click.argument("key")
@click.argument("value")
@shared_options
def set_(key: str, value: str) -> int:
    """Change one setting in the config file, keeping its comments."""
    from kebab.app import settings

    session = _writable(on_this_machine())
    change = settings.change(session.config_path, key, value)
    if session.json:
        from kebab.wire.introspection import encode_config_set

        session.emit(encode_config_set(change.path, key, old=change.old, new=change.new))
    else:
        click.echo(f"{key} = {_text(change.new)}  ({change.path})")
    return 0


@config_group.command("path", epilog=example("kebab config path"))
@shared_options
def path() -> int:
    """Print where the config file is, or would be."""
    from kebab.app import settings

    session = on_this_machine()
    file = settings.path_in_use(session.config_path)
    if session.json:
        from kebab.wire.introspection import encode_config_path

        session.emit(encode_config_path(file, exists=file.exists()))
    else:
        click.echo(str(file))
    return 0


@config_group.command("migrate", epilog=example("kebab config migrate --dry-run", "kebab config migrate"))
@click.option("--dry-run", is_flag=True, help="Say what would change and change nothing.")
@shared_options
def migrate(*, dry_run: bool) -> int:
    """Bring the config file up to this version, keeping comments and a backup."""
    from kebab.app import settings

    session = on_this_machine() if dry_run else _writable(on_this_machine())
    done = settings.migrate(session.config_path, dry_run=dry_run)
    if session.json:
        from kebab.wire.introspection import encode_migration

        session.emit(
            encode_migration(
                config_path=done.config_path,
                dry_run=done.dry_run,
                from_schema_version=done.from_schema_version,
                to_schema_version=done.to_schema_version,
                changes=[(change.kind, change.path, change.detail) for change in done.changes],
                backup_path=done.backup_path,
            )
        )
        return 0
    for change in done.changes:
        click.echo(f"{change.kind}  {change.path}  {change.detail}")
    click.echo(
        "nothing to change" if not done.changes else f"{'would change' if dry_run else 'changed'} {done.config_path}"
    )
    if done.backup_path:
        session.talk(f"the old file is {done.backup_path}")
    return 0


def _writable(session: Session) -> Session:
    if session.readonly:
        raise ReadonlyMode("this writes the config file, and --readonly was given", hint="run it without --readonly")
    return session


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return json.dumps([_text(part) for part in value], ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float | Path) else repr(value)
