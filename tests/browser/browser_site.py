"""A running page for the tests: a home with documents of several kinds, `kebab serve` on it, and a Chromium."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples" / "kb"
KEBAB = (sys.executable, "-m", "kebab")
PATIENCE_MS = 20_000
_ENDS_WITHIN = 60
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing of the browser's own on the network, so that whatever is on it came from the page.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WORDS_ONLY = {"KEBAB_MODELS_EMBEDDING_PROVIDER": "none"}
BUILTIN = {"KEBAB_MODELS_EMBEDDING_PROVIDER": "builtin"}
CODE = """package ring

// Ring keeps the last values it was given.
type Ring struct {
\tvalues []int
\tnext   int
}

// Push adds a value and forgets the oldest.
func (r *Ring) Push(value int) {
\tr.values[r.next%len(r.values)] = value
\tr.next++
}
"""
SOLAR = (
    ("Solar panels on a shed roof", "Six panels fit on the southern side of the roof."),
    ("Wiring", "The inverter must hang within nine metres of the meter box.", "A fuse of sixteen amperes is enough."),
)


def chromium() -> str | None:
    """The browser of this machine; KEBAB_CHROMIUM names another."""
    named = os.environ.get("KEBAB_CHROMIUM")
    return named or next((found for name in _NAMES if (found := shutil.which(name))), None)


class Site(NamedTuple):
    """`notes` is the folder behind it."""

    url: str
    notes: Path
    home: Path
    env: Mapping[str, str]

    def run(self, *arguments: str) -> None:
        kebab(self.home, *arguments, env=self.env)


def environment(home: Path, env: Mapping[str, str]) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8", **env}


def kebab(home: Path, *arguments: str, env: Mapping[str, str]) -> None:
    done = subprocess.run(
        [*KEBAB, *arguments], env=environment(home, env), capture_output=True, timeout=_ENDS_WITHIN, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]


def write_pdf(path: Path, pages: Sequence[Sequence[str]]) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), pagesize=(420, 595))
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(40, 540 - 24 * number, line)
        canvas.showPage()
    canvas.save()


def plant_library(notes: Path) -> None:
    """The example notes, and what they lack: code and a PDF."""
    shutil.copytree(EXAMPLES, notes)
    (notes / "code").mkdir()
    (notes / "code" / "ring.go").write_text(CODE, "utf-8")
    write_pdf(notes / "home" / "solar.pdf", SOLAR)


def prepare(home: Path, env: Mapping[str, str]) -> Path:
    """A config for `home/notes` and its index."""
    notes = home / "notes"
    config = home / ".config" / "kebab" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('schema_version = 1\n\n[workspace]\nroot = "../../notes"\n', "utf-8")
    kebab(home, "ingest", "--quiet", env=env)
    return notes


@contextmanager
def serving(home: Path, *flags: str, env: Mapping[str, str]) -> Iterator[Site]:
    process = subprocess.Popen(
        [*KEBAB, "serve", "--port", "0", *flags],
        env=environment(home, env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        with process.stderr:
            yield Site(_url(process), home / "notes", home, env)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_ENDS_WITHIN)
        finally:
            process.kill()


def _url(process: Any) -> str:
    while line := process.stderr.readline().decode():
        if "serving http" in line:
            return str(line.split()[1])
    raise AssertionError(f"the server ended: {process.wait(_ENDS_WITHIN)}")
