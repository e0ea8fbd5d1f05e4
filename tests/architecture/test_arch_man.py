"""The man page says what the commands say, is shipped, and can be typeset."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kebab.ui.cli.commands import COMMANDS

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs/man/kebab.1"


def test_the_man_page_is_current() -> None:
    done = subprocess.run(
        [sys.executable, REPOSITORY / "scripts/make_man.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_man_page_has_every_command() -> None:
    headed = re.findall(r"^\.SS kebab ([a-z\\-]+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert list(dict.fromkeys(name.replace("\\-", "-") for name in headed)) == list(COMMANDS)


def test_the_wheel_carries_it_where_man_looks() -> None:
    pyproject = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    shared = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {"docs/man/kebab.1": "share/man/man1/kebab.1"}


def test_no_line_of_text_is_taken_for_a_request() -> None:
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".RS", ".RE"}
    requests = {
        line.split()[0] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith((".", "'"))
    }
    assert requests <= known


def test_it_can_be_typeset_without_a_warning() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not here")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", str(PAGE)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Restore" in done.stdout or "knowledge base" in done.stdout
