"""What every command shares: the options that stand before or after it, the loaded config, and the way to stdout."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.config import Config

from kebab.core.errors import InvalidInput

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """The shared options, as given so far; an option may stand before the command or after it."""

    config_path: Path | None = None
    json: bool = False
    readonly: bool = False
    quiet: bool = False
    verbose: bool = False
    debug: bool = False
    server: str | None = None
    flags: dict[str, object] = field(default_factory=dict)

    @contextmanager
    def app(self) -> "Iterator[App]":
        """The application under this session's config, closed at the end. It may be that of a running server."""
        app = self._open()
        try:
            yield app
        finally:
            app.close()

    def _open(self) -> "App":
        if url := self.server or os.environ.get("KEBAB_SERVER"):
            from kebab.ui.cli.remote import RemoteApp

            return cast("App", RemoteApp(self.config(), url))
        from kebab.app.facade import App

        return App(self.config(), readonly=self.readonly)

    def config(self) -> "Config":
        from kebab.app.settings import load

        config = load(self.flags, self.config_path)
        for warning in config.warnings:
            self.talk(f"warning: {warning}")
        return config

    def emit(self, value: Mapping[str, object]) -> None:
        """One JSON object on one line of stdout."""
        # Escaped where the terminal's encoding could not carry the text.
        click.echo(json.dumps(value, ensure_ascii=not is_utf8()))

    def talk(self, text: str) -> None:
        """A line for a person; silent under --json and --quiet, whose readers are programs."""
        if not (self.json or self.quiet):
            from kebab.ui.terminal import printable

            click.echo(printable(text), err=True)


def say(line: str) -> None:
    """A line of data: exact for a program, harmless on a terminal whatever a document or a file name holds."""
    from kebab.ui.terminal import printable

    click.echo(printable(line) if sys.stdout.isatty() else line)


def current() -> Session:
    return click.get_current_context().ensure_object(Session)


def on_this_machine() -> Session:
    """The session of a command that asks no server: whoever named one must not believe that it did."""
    session = current()
    if session.server:
        what = f"`{click.get_current_context().command_path}`"
        raise InvalidInput(f"{what} runs on this machine alone, not through a server", hint="leave --server out")
    return session


def _note(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def callback(context: click.Context, _parameter: click.Parameter, value: Any) -> Any:  # noqa: ANN401 - click's own
        if value:
            setattr(context.ensure_object(Session), name, value)
        return value

    return callback


def _note_variable(name: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    """An option that means what a variable means; libraries and child processes hear it too."""

    def callback(_context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's own
        if value:
            os.environ[name] = "1"

    return callback


def _note_setting(context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> None:
    for text in values:
        key, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"--set wants KEY=VALUE, not {text}")
        context.ensure_object(Session).flags[key.strip()] = value


_SHARED = (
    click.option(
        "--config",
        "config_path",
        type=click.Path(path_type=Path),
        metavar="FILE",
        expose_value=False,
        callback=_note("config_path"),
        help="Use this config file (also KEBAB_CONFIG).",
    ),
    click.option(
        "--json",
        "as_json",
        is_flag=True,
        expose_value=False,
        callback=_note("json"),
        help="JSON on stdout, errors as JSON on stderr.",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        expose_value=False,
        callback=_note_setting,
        help="A setting for this run only, such as search.default_k=5.",
    ),
    click.option(
        "--server",
        metavar="URL",
        expose_value=False,
        callback=_note("server"),
        help="Ask a running `kebab serve` (also KEBAB_SERVER).",
    ),
    click.option(
        "--readonly", is_flag=True, expose_value=False, callback=_note("readonly"), help="Refuse anything that writes."
    ),
    click.option(
        "--no-color",
        is_flag=True,
        expose_value=False,
        callback=_note_variable("NO_COLOR"),
        help="No colours and no links (also NO_COLOR).",
    ),
    click.option(
        "--no-pager",
        is_flag=True,
        expose_value=False,
        callback=_note_variable("KEBAB_NO_PAGER"),
        help="Print long text at once (also KEBAB_NO_PAGER).",
    ),
    click.option(
        "--quiet", "-q", is_flag=True, expose_value=False, callback=_note("quiet"), help="Only data and errors."
    ),
    click.option(
        "--verbose", "-v", is_flag=True, expose_value=False, callback=_note("verbose"), help="Say more about errors."
    ),
    click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_note("debug"),
        help="Show a traceback when something breaks.",
    ),
)


def shared_options(command: Command) -> Command:
    """Adds the shared options, so that they may stand on either side of the command's name."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def example(*lines: str) -> str:
    """The epilog every command has."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def many(values: tuple[str, ...]) -> tuple[str, ...]:
    """Repeated and comma-separated values as one list."""
    return tuple(dict.fromkeys(part.strip() for value in values for part in value.split(",") if part.strip()))


def colour_wanted() -> bool:
    """Colour and links only for a person at a terminal who did not decline."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def is_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def read_stdin(limit: int) -> str:
    from kebab.core.text import decode

    raw = sys.stdin.buffer.read(limit + 1)
    if len(raw) > limit:
        raise InvalidInput(
            f"standard input is larger than {limit // (1024 * 1024)} MB", hint="save it as a file instead"
        )
    return decode(raw).text
