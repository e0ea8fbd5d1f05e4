"""Opens a source at its line: an editor of the terminal gets the whole screen until it ends, a viewer runs beside."""

import shlex
from collections.abc import Callable
from typing import Any

from textual.app import App, SuspendNotSupported

from kebab.core.errors import KebabError
from kebab.core.fetching import Opening
from kebab.ui.opening import run_opening
from kebab.ui.tui.desk import Desk
from kebab.ui.tui.excerpt import Target
from kebab.ui.tui.inking import trouble
from kebab.ui.tui.words import Words
from kebab.ui.tui.workers import Pace


class Editing:
    def __init__(self, app: App[Any], desk: Desk, words: Words, tell: Callable[[str], None]) -> None:
        self._app, self._desk, self._words, self._tell = app, desk, words, tell

    def open(self, target: Target) -> None:
        self._desk.run(Pace.QUICK, lambda app: _begun(app.find_opening(target.address)), self._edit, self._failed)

    def _edit(self, opening: Opening) -> None:
        if not opening.waits:
            return
        try:
            with self._app.suspend():
                run_opening(opening)
        except SuspendNotSupported:
            self._tell(self._words["cannot_suspend"].format(command=shlex.join(opening.command)))
        except KebabError as error:
            self._failed(error)
        self._app.refresh(layout=True)

    def _failed(self, error: KebabError) -> None:
        self._tell(trouble(error, self._words["hint"]))


def _begun(opening: Opening) -> Opening:
    """A viewer is started by the thread: it may take a moment to say that it cannot."""
    if not opening.waits:
        run_opening(opening)
    return opening
