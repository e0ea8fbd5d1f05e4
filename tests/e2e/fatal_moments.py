"""A kebab that dies, or waits, at a chosen moment: when it touches a file that is derived from its vectors."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kebab_process import environment

# Python tells its audit hooks of every file before it is opened, renamed or removed.
SELF_KILL = """
import os, signal, sys, threading, time

event, endings, delay = os.environ["FATAL_MOMENT"].split()

def end():
    time.sleep(float(delay))
    os.kill(os.getpid(), signal.SIGKILL)

def writes(mode, flags):
    return "+" in (mode or "") or bool(flags & (os.O_WRONLY | os.O_RDWR))

def watch(name, arguments):
    if name != event or not str(arguments[0]).endswith(tuple(endings.split("|"))):
        return
    if name == "open" and not writes(*arguments[1:3]):
        return
    if float(delay):
        threading.Thread(target=end, daemon=True).start()
    else:
        end()

sys.addaudithook(watch)
"""
WAIT = """
import os, sys, time

reached, go = os.environ["REACHED"], os.environ["GO"]

def watch(name, arguments):
    if name == "open" and str(arguments[0]).endswith(".scan") and not os.path.exists(reached):
        open(reached, "w").close()
        while not os.path.exists(go):
            time.sleep(0.01)

sys.addaudithook(watch)
"""

# A scan file is extended or a new one begun; a new one is put in its place; one is removed.
FILE_OPENED = "open .scan|.draft"
DRAFT_FINISHED = "os.rename .draft"
FILE_REMOVED = "os.remove .scan"


def dying(folder: Path, moment: str, delay: float = 0) -> Mapping[str, str]:
    """Variables under which a kebab dies `delay` seconds after the moment; `folder` is where the trap is laid."""
    return {**trap(folder, SELF_KILL), "FATAL_MOMENT": f"{moment} {delay:.4f}"}


class Waiting:
    """A kebab that stops before it opens its scan file, until it is let go."""

    def __init__(self, folder: Path) -> None:
        self._reached, self._go = folder / "reached", folder / "go"
        self.env = {**trap(folder, WAIT), "REACHED": str(self._reached), "GO": str(self._go)}

    def until_there(self, process: Any) -> None:
        while not self._reached.exists():
            assert process.poll() is None
            time.sleep(0.01)

    def go(self) -> None:
        self._go.touch()


def trap(folder: Path, code: str) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(code, encoding="utf-8")
    return {"PYTHONPATH": ":".join(filter(None, (str(folder), environment(folder).get("PYTHONPATH"))))}
