"""`kebab mcp`."""

import importlib.util
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from kebab.core.errors import InvalidInput, MissingExtra
from kebab.ui.cli.interrupt import INTERRUPTED
from kebab.ui.cli.mcp_install import install
from kebab.ui.cli.serving import refuse_contradiction
from kebab.ui.cli.session import Session, example, on_this_machine, shared_options

if TYPE_CHECKING:
    from kebab.ui.serving.state import ServerState

# Searches run beside the thread that talks to clients, which is to have its turn soon.
_SWITCH_SECONDS = 0.001


@click.group(
    "mcp",
    invoke_without_command=True,
    short_help="Serve agents over the Model Context Protocol.",
    epilog=example(
        "kebab mcp",
        "kebab mcp --readonly",
        "kebab mcp --http 127.0.0.1:8765",
        "kebab mcp --allow-ingest",
        "kebab mcp install --client claude-code",
    ),
)
@click.option("--http", "address", metavar="HOST:PORT", help="Listen on this loopback address instead of stdio.")
@click.option("--allow-ingest", is_flag=True, help="Also offer the tools that index files and text.")
@shared_options
@click.pass_context
def mcp(context: click.Context, *, address: str | None, allow_ingest: bool) -> int:
    """Serve agents over the Model Context Protocol: search, ask, fetch and more as tools, documents as resources.

    Without --http one client is served over stdin and stdout, until it leaves. No document is added or changed unless
    --allow-ingest is given; then an agent can index, and so read, any file that you can.
    """
    if context.invoked_subcommand is None:
        _serve(on_this_machine(), address, allow_ingest=allow_ingest)
    if address is not None or allow_ingest:
        raise InvalidInput("--http and --allow-ingest stand after install", hint="see `kebab mcp install --help`")
    return 0


mcp.add_command(install)


def _serve(session: Session, address: str | None, *, allow_ingest: bool) -> NoReturn:
    if importlib.util.find_spec("mcp") is None:
        raise MissingExtra("`kebab mcp` needs the package mcp", hint="pip install 'kebab[mcp]'", extra="mcp")
    refuse_contradiction(session, allow_ingest=allow_ingest)
    if not session.debug:
        for library in ("mcp", "uvicorn", "sse_starlette"):
            logging.getLogger(library).setLevel(logging.CRITICAL)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.setswitchinterval(_SWITCH_SECONDS)
    from kebab.ui.serving.state import ServerState

    state = ServerState(session.config(), readonly=session.readonly, allow_ingest=allow_ingest)
    try:
        status = _over_http(session, state, address) if address is not None else _over_stdio(session, state)
    except KeyboardInterrupt:
        status = INTERRUPTED
    state.close()
    _end(status)


def _over_stdio(session: Session, state: "ServerState") -> int:
    from kebab.ui.mcp.opening import claimed, opened

    if sys.stdin.isatty():
        session.talk("waiting for a client on standard input; an agent starts this command itself")
    # Until the loop listens for signals nothing is under way, and an exception among imports may be swallowed there.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(INTERRUPTED))
    client = opened(claimed())
    if client is None:
        return 0
    from kebab.ui.mcp.stdio import serve_stdio

    return INTERRUPTED if serve_stdio(state, client) else 0


def _over_http(session: Session, state: "ServerState", address: str) -> int:
    from kebab.ui.mcp.http import address_of, serve_http

    serve_http(state, address_of(address), lambda url: session.talk(f"listening on {url}"))
    return INTERRUPTED


def _end(status: int) -> NoReturn:
    """Leaves at once: a thread that still waits for a client or a model must not keep the process."""
    sys.stderr.flush()
    os._exit(status)
