"""KebabTui: the screen with its panes, the source and the bars, and every key. Threads do all the work."""

import asyncio
import gc
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input

from kebab.core.inspection import Pulse
from kebab.core.query import SearchMode
from kebab.ui.serving.lanes import Lane
from kebab.ui.tui.ask_pane import AskPane
from kebab.ui.tui.desk import Desk
from kebab.ui.tui.dialogs import help_screen
from kebab.ui.tui.editing import Editing
from kebab.ui.tui.excerpt import Target
from kebab.ui.tui.health_pane import HealthPane
from kebab.ui.tui.ingest_screen import IngestScreen
from kebab.ui.tui.inking import ink
from kebab.ui.tui.library_pane import LibraryPane
from kebab.ui.tui.look import CSS, WIDE
from kebab.ui.tui.pane import Manners, Pane, Tools
from kebab.ui.tui.search_pane import SearchPane
from kebab.ui.tui.source_view import SourceView
from kebab.ui.tui.status import Bar, Pulses, tabs
from kebab.ui.tui.words import Words
from kebab.ui.tui.workers import Pace

PANES: dict[str, type[Pane]] = {pane.title: pane for pane in (SearchPane, AskPane, LibraryPane, HealthPane)}
_MODES = (SearchMode.HYBRID, SearchMode.LEXICAL, SearchMode.VECTOR)
# Some ten searches make so many objects that refer to each other.
_GC_THRESHOLDS = (10_000, 10, 10)
# As a shell counts what a SIGTERM ended.
_TERMINATED = 128 + 15


class Delivery(Message, bubble=False):
    """What a thread has to say, as a function that says it."""

    def __init__(self, deliver: Callable[[], None]) -> None:
        super().__init__()
        self.deliver = deliver


class KebabTui(App[None]):
    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", priority=True, show=False),
        Binding("q", "quit", show=False),
        Binding("question_mark,f1", "help", show=False),
        *(Binding(str(number), f"pane('{name}')", show=False) for number, name in enumerate(PANES, start=1)),
        Binding("slash", "type", show=False),
        Binding("f", "filter", show=False),
        Binding("p", "preview", show=False),
        Binding("m,ctrl+t", "mode", show=False),
        Binding("escape", "leave", show=False),
        Binding("down", "list", show=False),
        Binding("i", "ingest", show=False),
        Binding("ctrl+c", "interrupt", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", priority=True, show=False),
    ]

    def __init__(self, lane: Callable[[Pace], Lane], words: Words, manners: Manners | None = None) -> None:
        no_colour = os.environ.get("NO_COLOR")
        super().__init__(ansi_color=True)
        if no_colour is not None:
            # The framework takes the variable away; an editor that is opened from here is to have it too.
            os.environ["NO_COLOR"] = no_colour
        self.theme, self.animation_level = "ansi-dark", "none"
        self.words, self.manners = words, manners or Manners()
        self.mode = SearchMode.HYBRID
        self.desk = Desk(lane, self._deliver)
        self.source = SourceView(self.desk, words)
        opening = Editing(self, self.desk, words, self.tell).open
        self.tools = Tools(self.desk, words, lambda: self.mode, self._point, self.tell, opening, self.manners)
        self.current: Pane = SearchPane(self.tools)
        self.pulses = Pulses(self.desk, words, self._news, readonly=self.manners.readonly)
        self.tabs, self.message, self.keys = Bar(id="tabs"), Bar(id="message"), Bar(id="keys")

    def compose(self) -> ComposeResult:
        yield self.tabs
        with Container(id="work"):
            with Container(id="panes"):
                yield self.current
            yield self.source
        yield self.message
        yield self.pulses
        yield self.keys

    def on_mount(self) -> None:
        self._draw_bars()
        self.action_type()
        self.pulses.look()
        self.set_interval(self.manners.look_again_seconds, self.pulses.look)
        # Back from the shell, the terminal shows nothing of what was there.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        # A command leaves its garbage to its end; this one may run for days.
        gc.freeze()
        gc.set_threshold(*_GC_THRESHOLDS)
        # Ended without this, the terminal would stay as the app has it. Not every system has it, nor every thread.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._terminated)

    def _terminated(self) -> None:
        self.exit(return_code=_TERMINATED)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#work").set_class(event.size.width >= WIDE, "wide")

    def _deliver(self, deliver: Callable[[], None]) -> None:
        """From any thread. Nothing is delivered to an app that has ended."""
        if self.is_running:
            self.post_message(Delivery(deliver))

    def on_delivery(self, event: Delivery) -> None:
        event.deliver()

    @property
    def fault(self) -> Exception | None:
        """What ended the app, if it was a mistake of ours."""
        return self._exception

    def _fatal_error(self) -> None:
        """The framework would print a traceback; whoever runs the app decides about that."""
        self._close_messages_no_wait()

    def stop_work(self) -> None:
        """Asks what still runs to end in good order."""
        self.desk.stop()

    def tell(self, line: str) -> None:
        self.message.say(ink(line))

    def _news(self, pulse: Pulse | None) -> None:
        if pulse is not None:
            self.current.refresh_found()
        else:
            self._advise()

    def _point(self, target: Target | None) -> None:
        if target is None and self.pulses.missing:
            self._advise()
        else:
            self.source.point(target)

    def _advise(self) -> None:
        steps = ("next_ingest", "next_init") if self.manners.readonly else ("next_here", "next_ingest", "next_init")
        self.source.advise([self.words["no_index"], "", *(f"  {self.words[step]}" for step in steps)])

    # -- keys

    def _draw_bars(self) -> None:
        self.tabs.say(tabs(tuple(PANES), self.current.title, self.words, str(self.mode)))
        typing = isinstance(self.focused, Input)
        self.keys.say(ink(self.words["keys_input" if typing else self.current.keys], "dim"))

    def on_descendant_focus(self) -> None:
        self._draw_bars()

    async def action_pane(self, name: str) -> None:
        if name != self.current.title:
            pane = next(iter(self.query(f"#{name}").results(Pane)), None)
            self.current.display = False
            if pane is None:
                pane = PANES[name](self.tools)
                await self.query_one("#panes").mount(pane)
            pane.display, self.current = True, pane
            self.tell("")
            self._point(pane.target)
            pane.arrive()
        self.current.first.focus()
        self._draw_bars()

    def action_type(self) -> None:
        (self.current.entry or self.current.rows).focus()

    def action_filter(self) -> None:
        (self.current.filter_line or self.current.rows).focus()

    def action_list(self) -> None:
        self.current.rows.focus()

    def action_preview(self) -> None:
        self.source.preview.focus()

    def action_leave(self) -> None:
        if self.current.cancel():
            return
        if isinstance(self.focused, Input):
            self.action_list()
        else:
            self.action_type()

    def action_interrupt(self) -> None:
        """Stops an answer or an ingest, and ends nothing else: who wants out is told how."""
        on_top = self.screen
        if not (on_top.cancel() if isinstance(on_top, IngestScreen) else self.current.cancel()):
            self.tell(self.words["way_out"])

    def action_mode(self) -> None:
        self.mode = _MODES[(_MODES.index(self.mode) + 1) % len(_MODES)]
        self._draw_bars()
        if isinstance(self.current, SearchPane):
            self.current.refresh_found()

    def action_help(self) -> None:
        self.push_screen(help_screen(self.words))

    def action_ingest(self) -> None:
        if self.manners.readonly:
            self.tell(self.words["no_writing"])
        else:
            self.push_screen(IngestScreen(self.tools), lambda _: self.pulses.look())
