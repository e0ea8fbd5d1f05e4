"""Many tabs of one browser at once: a browser has six connections to a server, and nobody may be left without one."""

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from browser_site import Site

from stand_ins.model_chat import Streamed
from stand_ins.model_server import Exchange, StandInServer

if TYPE_CHECKING:
    from conftest import Opened
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser
TABS = 8
QUESTION = "#/ask?q=How+do+I+restore+the+nightly+backup%3F&now=1"


@pytest.fixture
def held(model: StandInServer) -> Iterator[threading.Event]:
    """The model says one word and waits for the event before it says the rest."""
    go_on = threading.Event()
    model.tells = ("Never ", "restore over the live database [#1].")

    def slowly(exchange: Exchange) -> None:
        reply = exchange.server.answer(exchange.asked)
        if not isinstance(reply, Streamed):
            exchange.send(reply)
            return
        exchange.begin_stream(reply)
        exchange.packet(reply.packets[0])
        go_on.wait(60)
        for packet in reply.packets[1:]:
            exchange.packet(packet)
        exchange.end_stream()

    model.always(slowly)
    yield go_on
    go_on.set()
    model.always(Exchange.answer)


def test_eight_tabs_that_stream_leave_room_for_a_search_and_all_are_answered(
    context_of: Callable[..., "BrowserContext"], told: Site, held: threading.Event
) -> None:
    context = context_of()
    tabs = [context.new_page() for _ in range(TABS)]
    for tab in tabs:
        tab.goto(f"{told.url}/{QUESTION}")
    for tab in tabs:
        tab.wait_for_selector(".streaming .lines:has-text('Never'), .working:has-text('Other tabs')")
    streaming = [tab for tab in tabs if tab.locator(".streaming .lines:has-text('Never')").count()]
    assert 1 <= len(streaming) < TABS
    other = context.new_page()
    other.goto(f"{told.url}/#/search?q=sourdough")
    other.wait_for_selector("#hits a.open")
    other.locator("#hits a.open").first.click()
    other.wait_for_selector("article.doc h1")
    held.set()
    for tab in tabs:
        tab.wait_for_selector(".statement.quoted a.marker")


def test_an_answer_appears_while_it_is_written_and_can_be_stopped(
    opened: "Opened", told: Site, model: StandInServer, held: threading.Event
) -> None:
    page = opened(QUESTION, at=told)
    page.wait_for_selector(".streaming .lines:has-text('Never')")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Ask", exact=True).wait_for()
    assert page.locator(".streaming").count() == 0
