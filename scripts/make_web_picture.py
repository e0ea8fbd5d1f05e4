"""Makes docs/images/web.png: the page of `kebab web` with an answer from the example notes, as Chromium shows it.

Usage: python scripts/make_web_picture.py [--dark] [FILE]

Needs `pip install -e '.[web,browser]'` and a Chromium.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[1]
PICTURE = REPOSITORY / "docs/images/web.png"
QUESTIONS = ("압력밥솥 현미밥의 물 비율은?", "How do I restore the nightly backup?")
SIZE = (1280, 720)
LARGEST = 150 * 1024
COLOURS = 256
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


@contextmanager
def example_server() -> Iterator[str]:
    """The address of a server for the example notes in a home of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(REPOSITORY / "examples/kb", home / "notes")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("KEBAB_", "XDG_"))}
        env = {**kept, "HOME": folder}
        kebab = [sys.executable, "-m", "kebab"]
        for words in (["init", "--yes", "--workspace", str(home / "notes")], ["ingest", "--quiet"]):
            subprocess.run([*kebab, *words], env=env, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
        server = subprocess.Popen([*kebab, "serve", "--port", "0"], env=env, stderr=subprocess.PIPE, text=True)  # noqa: S603
        try:
            assert server.stderr is not None
            while "serving http" not in (line := server.stderr.readline()):
                assert line, "the server ended"
            yield line.split()[1]
        finally:
            server.terminate()
            server.wait()


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox", name="Ask your documents").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("heading", name=question).wait_for()
    page.wait_for_selector("article.answer .tools")


def taken(url: str, *, dark: bool) -> bytes:
    """The last answer with its drawer open and a quote shown."""
    chromium = os.environ.get("KEBAB_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("there is no Chromium here: apt-get install chromium, or set KEBAB_CHROMIUM")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(
            locale="en-US",
            viewport={"width": SIZE[0], "height": SIZE[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        page.goto(f"{url}/#/ask")
        for question in QUESTIONS:
            ask(page, question)
        page.get_by_role("button", name="How was this found?").click()
        page.wait_for_selector("svg.slopes")
        page.locator("a.marker").first.hover()
        page.get_by_role("tooltip").wait_for()
        raw = page.screenshot()
        browser.close()
    return raw


def shrunk(raw: bytes) -> bytes:
    """With as many colours as a page of text needs."""
    small = io.BytesIO()
    picture = Image.open(io.BytesIO(raw)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=PICTURE)
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    with example_server() as url:
        raw = shrunk(taken(url, dark=given.dark))
    if len(raw) > LARGEST:
        raise SystemExit(f"the picture has {len(raw)} bytes, more than {LARGEST}")
    given.file.parent.mkdir(parents=True, exist_ok=True)
    given.file.write_bytes(raw)


if __name__ == "__main__":
    main()
