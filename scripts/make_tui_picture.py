"""Draws docs/images/tui.svg: the real terminal app over the example knowledge base, driven by keys. Needs no network.

`python scripts/make_tui_picture.py [FILE]`. The picture names no font and no address outside itself.
"""

import asyncio
import re
import sys
import tempfile
from html import unescape
from pathlib import Path

from kebab import config as configuration
from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import Config
from kebab.ui.tui.application import KebabTui
from kebab.ui.tui.pane import Manners
from kebab.ui.tui.words import words_in
from kebab.ui.tui.workers import Workers, opener

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/images/tui.svg"
SIZE = (110, 30)
QUESTION = "압력밥솥 현미밥 물 비율은?"
_TURNS = 2000


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    with tempfile.TemporaryDirectory() as home:
        config = _indexed(Path(home))
        picture = asyncio.run(_drawn(config))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(self_contained(picture), encoding="utf-8")


def _indexed(home: Path) -> Config:
    flags = {"workspace.root": str(ROOT / "examples/kb"), "storage.data_dir": str(home / "data")}
    config = configuration.load(flags, path=None, env={"HOME": str(home)})
    app = App(config)
    try:
        for _ in app.ingest(ScopeRequest()):
            pass
    finally:
        app.close()
    return config


async def _drawn(config: Config) -> str:
    workers = Workers(opener(config, readonly=True))
    app = KebabTui(workers.lane, words_in("en"), Manners(debounce=0.001))
    try:
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("escape", "2", *("space" if char == " " else char for char in QUESTION), "enter")
            for _ in range(_TURNS):
                await pilot.pause(0.01)
                if app.source.preview.excerpt is not None and app.pulses.pulse is not None:
                    break
            await pilot.pause()
            return app.export_screenshot(title="kebab tui")
    finally:
        app.stop_work()
        workers.close()


def self_contained(svg: str) -> str:
    """Without the web fonts the framework names: a picture loads nothing."""
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")
    kept = re.sub(r"[ \t]+$", "", _widened(svg), flags=re.MULTILINE)
    addresses = set(re.findall(r"https?://[^\s\"')<]+", kept)) - {"http://www.w3.org/2000/svg"}
    assert not addresses, addresses
    return kept


def _widened(svg: str) -> str:
    """The framework reckons one cell for every letter; a Hangul syllable has two."""
    from rich.cells import cell_len

    def widen(found: re.Match[str]) -> str:
        text = unescape(found["text"])
        width = float(found["width"]) / len(text) * cell_len(text)
        return f"{found['before']}{width:.1f}{found['between']}{found['text']}</text>"

    pattern = r'(?P<before><text[^>]*textLength=")(?P<width>[0-9.]+)(?P<between>"[^>]*>)(?P<text>[^<]+)</text>'
    return re.sub(pattern, widen, svg)


if __name__ == "__main__":
    main()
