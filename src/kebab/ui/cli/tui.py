"""`kebab tui`."""

import importlib.util
import os
import sys

import click

from kebab.core.errors import InvalidInput, MissingExtra
from kebab.ui.cli.session import Session, current, example, shared_options

_LEAST_HITS = 20


@click.command(
    "tui",
    short_help="Search, ask and read in the terminal, by keyboard.",
    epilog=example("kebab tui", "kebab tui --readonly"),
)
@shared_options
def tui() -> int:
    """Search as you type, ask, read the sources and look after the index, in the terminal and by keyboard.

    `?` shows the keys. The language of the interface is that of LC_ALL, LC_MESSAGES or LANG: Korean or English.
    """
    session = current()
    _refuse(session)
    # Read when the framework is loaded: composed letters and slow lines fare better without these.
    os.environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from kebab.ui.tui.application import KebabTui
    from kebab.ui.tui.pane import Manners
    from kebab.ui.tui.words import language_of, words_in
    from kebab.ui.tui.workers import Pace, Workers, opener

    config = session.config()
    workers = Workers(opener(config, readonly=session.readonly))
    manners = Manners(
        readonly=session.readonly,
        k=max(config.search.default_k, _LEAST_HITS),
        passages=config.search.default_k,
        snippet_chars=config.search.snippet_chars,
        # What quotes is done at once, and need not have an index and a dictionary of its own in memory.
        answers=Pace.QUICK if config.llm.quotes else Pace.LONG,
    )
    app = KebabTui(workers.lane, words_in(language_of(os.environ)), manners)
    try:
        app.run(mouse=False)
    finally:
        app.stop_work()
        ended = workers.close()
    if app.fault is not None:
        raise app.fault
    status = app.return_code or 0
    if not ended:
        # A model that is still silent must not hold the terminal; what it was to say is on no record yet.
        sys.stdout.flush()
        os._exit(status)
    return status


def _refuse(session: Session) -> None:
    if session.json or not _has_terminal():
        raise InvalidInput("`kebab tui` needs a terminal", hint="programs use `kebab search --json` and the like")
    if session.server or os.environ.get("KEBAB_SERVER"):
        raise InvalidInput("`kebab tui` reads the index itself", hint="leave --server and KEBAB_SERVER out")
    if importlib.util.find_spec("textual") is None:
        raise MissingExtra("`kebab tui` needs the package textual", hint="pip install 'kebab[tui]'", extra="tui")


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
