"""Arguments in, exit codes out: finds the command, runs it, and turns what went wrong into one line and a status."""

import gc
import importlib
import json
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from kebab import __version__
from kebab.core.errors import Canceled, InvalidInput, IoFailure, KebabError
from kebab.ui.cli.commands import COMMANDS
from kebab.ui.cli.overview import sections, with_whole_summaries
from kebab.ui.cli.session import Session, example, on_this_machine, shared_options
from kebab.ui.cli.streams import prepare_streams, silence_stdout

# Starting up makes tens of thousands of objects that all stay; looking through them for garbage is a tenth of the time.
gc.set_threshold(500_000, 20, 20)


class LazyGroup(click.Group):
    """Imports a command's module when it is called; the overview comes from the table alone."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return with_whole_summaries(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        summaries = {name: summary for name, (_, summary) in COMMANDS.items()}
        width = max(map(len, summaries))
        for title, rows in sections(summaries):
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in rows])


def _print_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not context.resilient_parsing:
        if "--json" in sys.argv:
            from kebab.wire.introspection import encode_version

            click.echo(json.dumps(encode_version(__version__)))
        else:
            click.echo(f"kebab {__version__}")
        context.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example("kebab ingest ~/notes", 'kebab ask "압력밥솥 현미밥 물 비율은?"', "kebab doctor"),
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Print the version."
)
@shared_options
@click.pass_context
def kebab(context: click.Context) -> int:
    """A local knowledge base that answers with evidence, in Korean and English."""
    session = context.ensure_object(Session)
    if context.invoked_subcommand is not None:
        return 0
    if session.json:
        raise InvalidInput("a command is missing", hint="see `kebab --help`")
    return _greeting(on_this_machine())


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """The `kebab` command."""
    prepare_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(flushed(_status(given), as_json=_wants_json(given)))


def _wants_json(arguments: list[str]) -> bool:
    return "--json" in (arguments[: arguments.index("--")] if "--" in arguments else arguments)


def _status(arguments: list[str]) -> int:
    as_json, debug = _wants_json(arguments), "--debug" in arguments
    try:
        result = _greeting(Session()) if _is_alone(arguments) else _run(arguments)
    except click.exceptions.NoArgsIsHelpError as error:
        return _no_command(error, as_json=as_json)
    except KebabError as error:
        return _report(error, as_json=as_json, debug=debug)
    except click.ClickException as error:
        from kebab.ui.cli.mistyped import as_error

        return _report(as_error(error), as_json=as_json, debug=debug)
    except (KeyboardInterrupt, click.Abort):
        return _report(Canceled("interrupted"), as_json=as_json, debug=False)
    except SystemExit as error:
        # The reader left (`kebab list docs | head`): click says 1 and wraps stdout, but nothing went wrong.
        return 0 if type(sys.stdout).__name__.endswith("PacifyFlushWrapper") else int(error.code or 0)
    except OSError as error:
        silence_stdout()
        return _report(IoFailure(str(error), op="access"), as_json=as_json, debug=debug)
    except Exception as error:  # the last door: a user never sees a traceback unasked
        if debug:
            raise
        return _unexpected(error, as_json=as_json)
    return result if isinstance(result, int) else 0


def _is_alone(arguments: list[str]) -> bool:
    """`kebab` without a word; a shell that completes one calls it so, too."""
    return not arguments and "_KEBAB_COMPLETE" not in os.environ


def _greeting(session: Session) -> int:
    from kebab.ui.cli.start import greet

    return greet(session)


def _run(arguments: list[str]) -> object:
    _refuse_stray_bytes(arguments)
    return kebab.main(arguments, prog_name="kebab", standalone_mode=False, obj=Session())


def _refuse_stray_bytes(arguments: list[str]) -> None:
    """Words that are not text can be neither searched for nor stored."""
    for argument in arguments:
        if any("\ud800" <= char <= "\udfff" for char in argument):
            shown = argument.encode("utf-8", "backslashreplace").decode("utf-8")
            raise InvalidInput(f"not valid UTF-8: {shown}", hint="name it in UTF-8; a file can be renamed")


def flushed(status: int, *, as_json: bool) -> int:
    """`status`, unless what was written cannot be delivered."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        silence_stdout()
        return _report(
            IoFailure(f"cannot write the output: {error.strerror}", op="write"), as_json=as_json, debug=False
        )
    return status


def _no_command(error: click.UsageError, *, as_json: bool) -> int:
    """A command is missing after a group."""
    if as_json:
        return _report(InvalidInput("a command is missing", hint="see `kebab --help`"), as_json=True, debug=False)
    click.echo(error.format_message(), err=True)
    return 2


def _report(error: KebabError, *, as_json: bool, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    if as_json:
        from kebab.wire.error import encode_error

        click.echo(json.dumps(encode_error(error), ensure_ascii=False), err=True)
    else:
        click.echo(f"error: {_one_line(error.message)}", err=True)
        if error.hint:
            click.echo(f"  hint: {_one_line(error.hint)}", err=True)
        if error.__cause__ is not None and not {"--verbose", "-v"}.isdisjoint(sys.argv):
            click.echo(_one_line(f"caused by: {type(error.__cause__).__name__}: {error.__cause__}"), err=True)
    return error.exit_status


def _unexpected(error: Exception, *, as_json: bool) -> int:
    message = _one_line(f"{type(error).__name__}: {error}")
    if as_json:
        from kebab.wire.error import encode_unexpected

        click.echo(json.dumps(encode_unexpected(message, [message]), ensure_ascii=False), err=True)
    else:
        click.echo(f"error: {message}", err=True)
        click.echo("  hint: this is a fault in kebab; --debug shows where", err=True)
    return 2


def _one_line(text: str) -> str:
    """Nothing of a document or a file name may drive the terminal, in an error either."""
    from kebab.ui.terminal import printable

    return printable(" ".join(text.split()))
