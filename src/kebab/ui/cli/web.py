"""`kebab web`."""

import os
import sys
import threading

import click

from kebab.ui.cli.serving import refuse_contradiction, serve_until_stopped
from kebab.ui.cli.session import Session, example, on_this_machine, shared_options

_HOST = "127.0.0.1"


@click.command(
    short_help="Open the page: search, ask and read in a browser.",
    epilog=example("kebab web", "kebab web --watch --allow-ingest", "kebab web --no-open --port 8080"),
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port (0: any that is free).")
@click.option("--no-open", is_flag=True, help="Print the address instead of opening a browser.")
@click.option("--allow-ingest", is_flag=True, help="Let the page index files.")
@click.option("--watch", "watching", is_flag=True, help="Keep the index current while files change.")
@shared_options
def web(*, port: int, no_open: bool, allow_ingest: bool, watching: bool) -> int:
    """Open the page of this machine's index in a browser: search, ask, read, and see where every answer comes from.

    Nobody else can use it: the address that is opened holds a key that works once, and everything else needs the
    session it begins. It ends with Ctrl-C.
    """
    from kebab.ui.web.server import Served, listener, refuse_missing_extra, url_of

    refuse_missing_extra()
    import secrets

    from kebab.ui.mcp.http import mcp_asgi
    from kebab.ui.serving.guard import Policy
    from kebab.ui.serving.sessions import Sessions
    from kebab.ui.serving.state import ServerState
    from kebab.ui.web.live import Live

    session = on_this_machine()
    refuse_contradiction(session, allow_ingest=allow_ingest)
    sessions = Sessions()
    # Nobody is told the token: what is not the browser that has the key stays out.
    policy = Policy(_HOST, secrets.token_urlsafe(32), sessions=sessions)
    with listener(_HOST, port) as bound:
        state = ServerState(session.config(), readonly=session.readonly, allow_ingest=allow_ingest)
        state.warm_up()
        served = Served(state, policy, mcp_asgi(state), Live(watching=watching))
        url = url_of(_HOST, bound)
        entrance = f"{url}/enter?key={sessions.new_key()}"
        serve_until_stopped(session, served, bound, lambda: _show(session, url, entrance, wanted=not no_open))
    return 0


def _show(session: Session, url: str, entrance: str, *, wanted: bool) -> None:
    """The socket takes in requests already, so a browser that is quick only waits a moment."""
    if session.json:
        from kebab.wire.introspection import encode_web_address

        session.emit(encode_web_address(url, entrance))
    if wanted and _has_screen():
        session.talk(f"opening {url} in a browser; Ctrl-C ends it")
        # A browser that stays in the foreground must not keep its own page from being served.
        threading.Thread(target=_open, args=(session, entrance), daemon=True).start()
    else:
        _tell(session, entrance)


def _tell(session: Session, entrance: str) -> None:
    if not session.json:
        click.echo(entrance)
        session.talk("open this address in a browser of this machine; it works once. Ctrl-C ends it")


def _open(session: Session, entrance: str) -> None:
    import webbrowser

    try:
        opened = webbrowser.open(entrance)
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        _tell(session, entrance)


def _has_screen() -> bool:
    """Without one, a browser for terminals would be opened in this one."""
    shown = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in shown)
