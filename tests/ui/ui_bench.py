"""A kebab that runs in the test's own process, in a home of its own."""

from pathlib import Path
from typing import NamedTuple

import pytest

from kebab.ui.cli.main import _status


class Said(NamedTuple):
    status: int
    out: str
    err: str


class Home:
    """Runs commands as `kebab` would, and gives what they said."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = path
        self._capsys = capsys

    @property
    def index(self) -> Path:
        return self.path / ".local/share/kebab/kebab.sqlite"

    def run(self, *arguments: str) -> Said:
        status = _status(list(arguments))
        return Said(status, *self._capsys.readouterr())
