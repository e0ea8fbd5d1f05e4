"""The page when things go badly: slow answers that are overtaken, a server that goes away, names that turn around."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from browser_site import WORDS_ONLY, prepare, serving, write_pdf

if TYPE_CHECKING:
    from conftest import Opened
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser
PAGES = 60
TURNED = "\u202egnp.md"


@pytest.fixture
def odd_home(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / f"lantern{TURNED}").write_text("# Lantern\n\nThe lantern hangs in the shed.\n", "utf-8")
    (notes / "endless.txt").write_text("walrus " * 30_000 + "the end of it\n", "utf-8")
    write_pdf(notes / "ledger.pdf", [(f"Leaf {number} of the ledger.",) for number in range(1, PAGES + 1)])
    prepare(tmp_path, WORDS_ONLY)
    return tmp_path


def unanswered(_route: "Route") -> None:
    """As a server that takes its time."""


def go(page: "Page", hash_: str) -> None:
    page.evaluate("(hash) => { location.hash = hash; }", hash_)


def test_a_document_that_comes_late_does_not_take_the_place_of_the_next_one(opened: "Opened") -> None:
    page = opened("#/library")
    page.wait_for_selector("table.docs")
    page.route(re.compile(r"/v1/view\?.*brown-rice"), unanswered)
    go(page, "#/doc/cooking%2Fbrown-rice-pressure-cooker.md")
    with page.expect_event("requestfailed", lambda request: "brown-rice" in request.url):
        go(page, "#/doc/code%2Fring.go")
    page.get_by_role("heading", name="ring.go", level=1).wait_for()


def test_an_answer_that_comes_late_does_not_take_the_place_of_a_new_question(opened: "Opened") -> None:
    page = opened("#/ask")
    page.route("**/v1/answer?*", unanswered)
    with page.expect_request("**/v1/answer?*"):
        go(page, "#/ask/ret_0000000000000000")
    with page.expect_event("requestfailed", lambda request: "/v1/answer?" in request.url):
        go(page, "#/ask?q=rice")
    page.locator(".hint").wait_for()


def test_what_failed_without_the_server_is_shown_when_it_answers_again(opened: "Opened") -> None:
    page = opened("#/search")
    page.route("**/v1/**", lambda route: route.abort("connectionrefused"))
    page.get_by_role("searchbox").fill("backup")
    page.locator(".notice.unreachable").wait_for()
    page.unroute("**/v1/**")
    # As the tab that listens to the server tells the others.
    page.evaluate("() => new BroadcastChannel('kebab.live').postMessage({ kind: 'back' })")
    page.wait_for_selector(".hit")
    assert page.locator(".notice.unreachable").count() == 0
    assert page.get_by_role("searchbox").input_value() == "backup"


@pytest.mark.parametrize("stream", ["ask", "ingest"])
def test_a_stream_that_breaks_off_is_told_in_our_own_words(opened: "Opened", stream: str) -> None:
    begun = 'event: retrieval_done\ndata: {"hits": [], "kind": "scan_started"}\n\n'
    page = opened("#/library" if stream == "ingest" else "#/ask")
    page.route(f"**/v1/{stream}", lambda route: route.fulfill(content_type="text/event-stream", body=begun))
    if stream == "ask":
        page.get_by_role("textbox", name="Ask your documents").fill("rice?")
        page.keyboard.press("Enter")
    else:
        page.get_by_role("button", name="Update the index").click()
    assert "The server does not answer" in page.get_by_role("alert").inner_text()
    assert page.get_by_role("button", name="Stop").count() == 0


def test_pages_before_a_cited_one_far_in_a_pdf_can_be_read(opened: "Opened", odd_home: Path) -> None:
    with serving(odd_home, env=WORDS_ONLY) as site:
        page = opened("#/doc/ledger.pdf?p=58", at=site)
        page.wait_for_selector(".page.cited")
        assert page.locator(".page").first.get_attribute("data-page") == "56"
        earlier = page.get_by_role("button", name="Earlier pages")
        earlier.click()
        page.wait_for_selector('[data-page="55"]')
        earlier.click()
        page.wait_for_selector('[data-page="1"]')
        numbers = [int(each.get_attribute("data-page") or 0) for each in page.locator(".page").all()]
        assert numbers == list(range(1, PAGES + 1))
        assert earlier.count() == 0


def test_a_name_that_turns_the_reading_direction_is_shown_as_it_is_spelled(opened: "Opened", odd_home: Path) -> None:
    with serving(odd_home, env=WORDS_ONLY) as site:
        page = opened("#/search?q=lantern", at=site)
        page.wait_for_selector(".hit")
        assert page.locator(".hit .path").inner_text().startswith("lantern\ufffdgnp.md:")
        page.goto(f"{site.url}/#/doc/{quote(f'lantern{TURNED}')}")
        page.wait_for_selector("article.doc")
        assert page.locator(".facts .path").inner_text() == "lantern\ufffdgnp.md"


def test_a_line_that_is_cut_is_said_to_be_cut_and_its_words_not_to_be_gone(opened: "Opened", odd_home: Path) -> None:
    with serving(odd_home, env=WORDS_ONLY) as site:
        page = opened("#/doc/endless.txt?l=1&quote=the+end+of+it", at=site)
        page.wait_for_selector("article.doc")
        assert "longer than this page can show" in page.locator(".notice").inner_text()


def test_where_colours_are_forced_the_switch_and_a_quoted_sentence_can_be_read(opened: "Opened") -> None:
    page = opened("#/ask", forced_colors="active", color_scheme="dark")
    page.get_by_role("textbox", name="Ask your documents").fill("압력밥솥 현미밥의 물 비율은?")
    page.keyboard.press("Enter")
    statement = page.locator(".statement.quoted").first
    statement.wait_for()
    colour = "(node) => getComputedStyle(node).color"
    assert statement.evaluate(colour) == page.locator("h2.question").evaluate(colour)
    go(page, "#/library")
    switch = page.get_by_role("switch")
    switch.wait_for()
    assert switch.evaluate("(node) => getComputedStyle(node, '::before').forcedColorAdjust") == "none"
