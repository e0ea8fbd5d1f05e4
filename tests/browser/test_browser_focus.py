"""The focus in the browser: what is drawn anew while somebody walks the page by keyboard leaves them where they are."""

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from browser_site import Site
    from conftest import Opened
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser


def focused(page: "Page") -> str:
    """The name of the control that has the focus; the page as a whole has none."""
    found = page.evaluate(
        "(({activeElement: at}) => [at.localName, at.name || at.id || at.textContent.trim()].join(' '))(document)"
    )
    return str(found) if not str(found).startswith("body ") else "nothing"


def unanswered(_route: "Route") -> None:
    """As a server that takes its time."""


def test_a_filter_that_was_ticked_keeps_the_focus(opened: "Opened") -> None:
    page = opened("#/search?q=backup")
    box = page.get_by_role("group", name="Language").get_by_role("checkbox", name="Korean")
    box.focus()
    page.keyboard.press("Space")
    page.wait_for_url("**lang=ko*")
    assert focused(page) == "input lang"
    assert page.evaluate("document.activeElement.value") == "ko"
    page.get_by_role("button", name="Clear").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Clear").wait_for(state="detached")
    assert focused(page).startswith("input ")


def test_more_values_of_a_filter_lead_on_to_the_first_of_them(opened: "Opened") -> None:
    page = opened("#/search?q=backup")
    tags = page.get_by_role("group", name="Tag")
    more = tags.get_by_role("button", name="More")
    more.focus()
    page.keyboard.press("Enter")
    more.wait_for(state="detached")
    assert tags.get_by_role("checkbox").nth(6).evaluate("node => node === document.activeElement")


def test_a_choice_in_the_library_keeps_the_focus(opened: "Opened") -> None:
    page = opened("#/library")
    page.get_by_role("combobox", name="Language").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**lang=*")
    assert focused(page) == "select lang"


@pytest.mark.parametrize("view", ["search", "ask", "library", "doctor"])
def test_the_switch_of_the_language_keeps_the_focus(opened: "Opened", view: str) -> None:
    page = opened(f"#/{view}")
    page.get_by_role("button", name="한국어").or_(page.locator("#lang-switch")).first.focus()
    page.keyboard.press("Enter")
    page.locator("html[lang=ko]").wait_for()
    assert focused(page) == "button lang-switch"


def test_an_ingest_that_was_started_can_be_stopped_with_the_same_key(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/library", at=own_site)
    start, stop = page.get_by_role("button", name="Update the index"), page.get_by_role("button", name="Stop")
    page.route("**/v1/ingest", unanswered)
    start.focus()
    page.keyboard.press("Enter")
    stop.wait_for()
    assert focused(page) == "button Stop"
    page.keyboard.press("Enter")
    start.wait_for()
    assert focused(page) == "button Update the index"


def test_a_question_that_was_sent_by_its_button_can_be_stopped_with_the_same_key(opened: "Opened") -> None:
    page = opened("#/ask")
    page.route("**/v1/ask", unanswered)
    page.get_by_role("textbox", name="Ask your documents").fill("How do I restore the nightly backup?")
    send = page.get_by_role("button", name="Ask", exact=True)
    send.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").wait_for()
    assert focused(page) == "button Stop"
    page.keyboard.press("Enter")
    send.wait_for()
    assert focused(page) == "button Ask"


def test_a_link_to_another_view_does_not_lose_the_focus(opened: "Opened") -> None:
    page = opened("#/doc/cooking%2Fbrown-rice-pressure-cooker.md")
    page.locator("a.tag").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("table.docs")
    assert focused(page) == "main main"


@pytest.mark.parametrize(
    "hash_", ["search?q=backup", "library", "doctor", "doc/cooking%2Fbrown-rice-pressure-cooker.md"]
)
def test_no_level_of_headings_is_left_out(opened: "Opened", hash_: str) -> None:
    page = opened(f"#/{hash_}")
    page.wait_for_selector(".hit, table.docs, .finding, article.doc")
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')]"
        ".filter((each) => each.checkVisibility()).map((each) => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []
