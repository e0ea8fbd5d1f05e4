"""The terminal app on a stage: driven by keys, seen as plain lines, over a real index or a scripted one."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from textual.pilot import Pilot

from kebab import config as configuration
from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.core.inspection import Pulse
from kebab.ui.tui.application import KebabTui
from kebab.ui.tui.pane import Manners
from kebab.ui.tui.words import words_in
from kebab.ui.tui.workers import Pace, Workers

SNAPSHOTS = Path(__file__).with_name("snapshots")
PULSE = Pulse(1, 2, 3, 0, "none", "extractive-v1")
# Older than what an ingest takes for just written, so that stamps are believed.
_OLD = 1_700_000_000
# Turns of the loop until a test gives up, each at least a hundredth of a second.
_PATIENCE = 500


class Notes:
    """A workspace with its own home and index, searched by words only."""

    def __init__(self, home: Path) -> None:
        self.home, self.root = home, home / "kb"
        self.root.mkdir()
        flags = {
            "workspace.root": str(self.root),
            "storage.data_dir": str(home / "data"),
            "models.embedding.provider": "none",
        }
        self.config = configuration.load(flags, path=None, env={"HOME": str(home)})

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        os.utime(file, (_OLD, _OLD))
        return file

    def ingest(self) -> None:
        app = self.open(Pace.WRITE)
        try:
            for _ in app.ingest(ScopeRequest()):
                pass
        finally:
            app.close()

    def open(self, _pace: Pace) -> App:
        return App(self.config)


class Scripted:
    """An App of a few functions. What a test did not give it, nobody may ask of it."""

    def __init__(self, config: Any, **given: Callable[..., Any]) -> None:
        self.config = config
        self.pulse = lambda _before=None: PULSE
        self.__dict__.update(given)

    def close(self) -> None:
        pass

    def open(self, _pace: Pace) -> App:
        return cast("App", self)


class Scene:
    def __init__(self, app: KebabTui, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def lines(self) -> list[str]:
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def until(self, holds: Callable[[], object]) -> None:
        for _ in range(_PATIENCE):
            await self.pilot.pause()
            if holds():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"it never came to this:\n{self.text}")

    async def shows(self, *words: str) -> None:
        await self.until(lambda: all(word in self.text for word in words))

    async def settled(self, pace: Pace = Pace.QUICK) -> None:
        """All that the threads of this pace were asked to do so far is done, and was delivered."""
        passed: list[object] = []
        self.app.desk.run(pace, lambda _: None, passed.append, passed.append)
        await self.until(lambda: passed)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """As a terminal sends composed letters: one after another, each whole."""
        await self.press(*("space" if char == " " else char for char in text))


@asynccontextmanager
async def on_stage(
    open_app: Callable[[Pace], App], language: str = "en", size: tuple[int, int] = (80, 24), **manners: Any
) -> AsyncIterator[Scene]:
    patient: dict[str, Any] = {"debounce": 0.001, "look_again_seconds": 3600.0, **manners}
    workers = Workers(open_app)
    app = KebabTui(workers.lane, words_in(language), Manners(**patient))
    try:
        async with app.run_test(size=size) as pilot:
            yield Scene(app, pilot)
    finally:
        app.stop_work()
        assert workers.close(), "a thread did not end"


def play(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def is_same(name: str, lines: list[str]) -> bool:
    """Whether there is nothing to wait for any more."""
    file = SNAPSHOTS / f"{name}.txt"
    return bool(os.environ.get("KEBAB_UPDATE_SNAPSHOTS")) or file.read_text(encoding="utf-8") == _page(lines)


def assert_same(name: str, lines: list[str]) -> None:
    """The screen is that of the file; KEBAB_UPDATE_SNAPSHOTS=1 writes it anew."""
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("KEBAB_UPDATE_SNAPSHOTS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(_page(lines), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == _page(lines), f"another screen than {file.name}:\n{_page(lines)}"


def _page(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
