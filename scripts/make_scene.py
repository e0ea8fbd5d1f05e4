"""Runs kebab on the example notes in a home that is thrown away, and draws what it printed as docs/images/scene.svg.

`python scripts/make_scene.py --check` fails when the picture no longer says what kebab prints; a test calls it.
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from scene_svg import COLUMNS, Step, draw, text_of

ROOT = Path(__file__).resolve().parent.parent
NOTES = ROOT / "examples" / "kb"
PICTURE = ROOT / "docs" / "images" / "scene.svg"
TITLE = "kebab in a terminal: notes are indexed, two questions answered with citations, one refused"
SCENE = (
    ("ingest",),
    ("ask", "압력밥솥 현미밥의 물 비율은?"),
    ("ask", "UPS는 NAS를 얼마나 버티나?"),
    ("ask", "What is the capital of Mongolia?"),
)
# The one figure that is another each time.
_SECONDS = re.compile(r"[0-9]+\.[0-9] s\b")


def typed(arguments: tuple[str, ...]) -> str:
    """As one would type it: words that need it in quotes."""
    return " ".join(["kebab", *(f'"{word}"' if " " in word else word for word in arguments)])


def on_terminal(home: Path, arguments: tuple[str, ...]) -> str:
    """What kebab prints on a terminal, progress left aside. A refusal ends with 1, and that is well."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (100, COLUMNS))
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "KEBAB_NO_PAGER": "1",
    }
    process = subprocess.Popen(  # noqa: S603 - kebab itself
        [sys.executable, "-m", "kebab", *arguments],
        env=env,
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    shown = _read(ours)
    os.close(ours)
    _, talk = process.communicate()
    if process.returncode not in (0, 1):
        raise SystemExit(f"{typed(arguments)} ended with {process.returncode}: {talk.decode()}")
    return shown.decode().replace("\r\n", "\n")


def _read(end: int) -> bytes:
    shown = b""
    while True:
        try:
            piece = os.read(end, 1 << 16)
        except OSError:  # the other end is closed
            return shown
        if not piece:
            return shown
        shown += piece


def transcript() -> list[Step]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(NOTES, home / "notes")
        on_terminal(home, ("init", "--workspace", "notes", "--yes"))
        return [Step(typed(each), on_terminal(home, each)) for each in SCENE]


def says_the_same(one: str, other: str) -> bool:
    """Whatever the time it took."""
    return _SECONDS.sub("", text_of(one)) == _SECONDS.sub("", text_of(other))


def main() -> None:
    drawing = draw(transcript(), TITLE)
    if "--check" not in sys.argv:
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_text(drawing, encoding="utf-8")
    elif not PICTURE.exists() or not says_the_same(PICTURE.read_text(encoding="utf-8"), drawing):
        sys.exit(f"{PICTURE.relative_to(ROOT)} is stale: run `python scripts/make_scene.py`\n{text_of(drawing)}")


if __name__ == "__main__":
    main()
