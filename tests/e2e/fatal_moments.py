"""A kebab that dies by SIGKILL at a chosen moment: when it touches a file derived from vectors, or shortly after."""

from collections.abc import Mapping
from pathlib import Path

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

# A scan file is extended or a new one begun; a new one is put in its place; one is removed.
FILE_OPENED = "open .scan|.draft"
DRAFT_FINISHED = "os.rename .draft"
FILE_REMOVED = "os.remove .scan"


def dying(folder: Path, moment: str, delay: float = 0) -> Mapping[str, str]:
    """Variables under which a kebab dies `delay` seconds after the moment; `folder` is where the trap is laid."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SELF_KILL, encoding="utf-8")
    path = ":".join(filter(None, (str(folder), environment(folder).get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "FATAL_MOMENT": f"{moment} {delay:.4f}"}
