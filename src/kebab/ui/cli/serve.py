"""`kebab serve`."""

from typing import TYPE_CHECKING

import click

from kebab.core.errors import InvalidInput
from kebab.ui.cli.serving import refuse_contradiction, serve_until_stopped
from kebab.ui.cli.session import example, on_this_machine, shared_options

if TYPE_CHECKING:
    from kebab.config import Config

PORT = 7787


@click.command(
    short_help="Serve the index over HTTP, to programs and to agents.",
    epilog=example(
        "kebab serve",
        "kebab serve --watch --port 8080",
        "kebab serve --new-token",
        "kebab --server http://127.0.0.1:7787 search backup",
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0: any.")
@click.option("--allow-ingest", is_flag=True, help="Offer what writes: ingest, ingest_file, ingest_stdin.")
@click.option("--watch", "watching", is_flag=True, help="Keep the index current while files change.")
@click.option("--new-token", is_flag=True, help="Make the token that other machines need, print it, and end.")
@shared_options
def serve(*, host: str, port: int, allow_ingest: bool, watching: bool, new_token: bool) -> int:
    """Serve the index over HTTP: a page at /, a JSON API under /v1, described by /openapi.json, and MCP at /mcp.

    Only this machine can ask unless --host says otherwise; then every request needs the token. Other commands use a
    running server with --server URL or KEBAB_SERVER.
    """
    session = on_this_machine()
    if new_token:
        from kebab.app.tokens import new_token as make

        click.echo(make(session.config()))
        return 0
    if not host.strip():
        raise InvalidInput("--host names no address", hint="--host 127.0.0.1 for this machine alone")
    refuse_contradiction(session, allow_ingest=allow_ingest)
    from kebab.ui.web.server import Served, listener, refuse_missing_extra, url_of

    refuse_missing_extra()
    from kebab.ui.mcp.http import mcp_asgi
    from kebab.ui.serving.guard import Policy
    from kebab.ui.serving.state import ServerState
    from kebab.ui.web.live import Live

    config = session.config()
    policy = Policy(host, _token(host, config))
    with listener(host, port) as bound:
        state = ServerState(config, readonly=session.readonly, allow_ingest=allow_ingest)
        served = Served(state, policy, mcp_asgi(state), Live(watching=watching))
        serve_until_stopped(session, served, bound, lambda: session.talk(f"serving {url_of(host, bound)} until Ctrl-C"))
    return 0


def _token(host: str, config: "Config") -> str | None:
    from kebab.app.tokens import stored_token
    from kebab.ui.serving.guard import is_loopback

    if is_loopback(host):
        return None
    token = stored_token(config)
    if token is None:
        raise InvalidInput(
            f"{host} can be reached from other machines, and there is no token", hint="run `kebab serve --new-token`"
        )
    return token
