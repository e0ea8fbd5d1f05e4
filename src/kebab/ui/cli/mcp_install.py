"""`kebab mcp install`."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import click

from kebab.app.mcp_clients import CLIENTS
from kebab.core.errors import InvalidInput, ReadonlyMode
from kebab.core.installation import Connection, Installation
from kebab.ui.cli.session import Session, example, on_this_machine, say, shared_options


@click.command(
    "install",
    short_help="Add kebab to the MCP servers of an agent's program.",
    epilog=example(
        "kebab mcp install --client claude-code",
        "kebab mcp install --client cursor --dry-run",
        "kebab mcp install --client vscode --path .vscode/mcp.json",
        "kebab mcp install --client codex --http http://127.0.0.1:7787/mcp",
    ),
)
@click.option("--client", required=True, metavar="NAME", help=f"Which program: {', '.join(CLIENTS)}.")
@click.option("--dry-run", is_flag=True, help="Print what its settings have to hold, and change nothing.")
@click.option(
    "--path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to this file instead, such as that of a project.",
)
@click.option("--print-path", is_flag=True, help="Print where its settings are, and change nothing.")
@click.option("--http", "url", metavar="URL", help="Let it ask a running server there instead of starting one.")
@click.option("--allow-ingest", is_flag=True, help="Let it also index files and text.")
@shared_options
def install(
    *, client: str, dry_run: bool, path: Path | None, print_path: bool, url: str | None, allow_ingest: bool
) -> int:
    """Add kebab to the MCP servers of an agent's program, in the file that program keeps them in.

    Everything else in the file stays as it is, and the file as it was before stays beside it. The program starts this
    kebab, with the config file that is in use now if --config or KEBAB_CONFIG names one.
    """
    from kebab.app.mcp_install import InstallRequest, proposal
    from kebab.app.mcp_install import install as write

    session = on_this_machine()
    connection = Connection(_command(session, allow_ingest=allow_ingest), _url(url, allow_ingest=allow_ingest))
    request = InstallRequest(client, connection, None if path is None else path.absolute())
    if dry_run or print_path:
        _print(session, proposal(request, os.environ), path_alone=print_path)
        return 0
    if session.readonly:
        raise ReadonlyMode("mcp install writes, and --readonly was given", hint="look at it with --dry-run")
    done = write(request, os.environ)
    if url is not None and url.count("/") == 2:
        session.talk("note: a kebab that serves has its MCP endpoint at /mcp, and this address names no path")
    if session.json:
        _print(session, done, path_alone=False)
    else:
        _talk_about(session, done)
    return 0


def _command(session: Session, *, allow_ingest: bool) -> tuple[str, ...]:
    """This kebab, as another program can start it from anywhere."""
    named = session.config_path or os.environ.get("KEBAB_CONFIG")
    config: tuple[str, ...] = ()
    if named:
        session.config()
        config = ("--config", str(Path(named).expanduser().absolute()))
    settings = tuple(word for name, value in session.flags.items() for word in ("--set", f"{name}={value}"))
    return (*_program(sys.argv[0]), *config, *settings, "mcp", *(("--allow-ingest",) if allow_ingest else ()))


def _program(called: str) -> tuple[str, ...]:
    """A link to the program is as good as the program, and lives through its updates."""
    found = shutil.which(called)
    if found is not None and Path(found).stem == "kebab":
        return (str(Path(found).absolute()),)
    return (sys.executable, "-m", "kebab")


def _url(url: str | None, *, allow_ingest: bool) -> str | None:
    if url is None:
        return None
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        # A port that is none raises, like an address that cannot be parsed.
        named = parts.hostname is not None and parts.port != 0
        usable = parts.scheme in ("http", "https") and named and url.isprintable()
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput(f"--http: {url} is not an address", hint="such as http://127.0.0.1:7787/mcp")
    if allow_ingest:
        raise InvalidInput("--allow-ingest is for the server to be started with", hint="leave one of them out")
    return url


def _print(session: Session, installation: Installation, *, path_alone: bool) -> None:
    if session.json:
        from kebab.wire.installation import encode_installation

        session.emit(encode_installation(installation))
    elif path_alone:
        say(installation.path)
    else:
        for line in installation.snippet.splitlines():
            say(line)
        session.talk(f"belongs into {installation.path}")


def _talk_about(session: Session, done: Installation) -> None:
    if done.state == "unchanged":
        session.talk(f"nothing to do: {done.path} has it")
    else:
        kept = f"; as it was before: {done.backup}" if done.backup else ""
        session.talk(f"{done.state} {done.path}{kept}")
        session.talk(f"restart {done.title} to use it")
    if importlib.util.find_spec("mcp") is None:
        session.talk("note: `kebab mcp` needs the package mcp: pip install 'kebab[mcp]'")
