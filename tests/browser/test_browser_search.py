"""Search as you type: results, filters, addresses of every state, and the way back."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Opened
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
RESULTS = "#hits > li"


def test_results_come_while_one_types_and_the_address_says_what_is_shown(page: "Page") -> None:
    page.get_by_role("searchbox", name="Search your documents").press_sequentially("kimchi jjigae", delay=15)
    page.wait_for_selector("#hits .path:has-text('cooking/kimchi-jjigae.md')")
    assert page.url.endswith("#/search?q=kimchi+jjigae")


def test_a_stale_request_is_dropped_for_the_newest_one(page: "Page") -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or "") if "/v1/search" in request.url else None)
    page.fill("#q", "sourdough")
    page.fill("#q", "espresso")
    page.fill("#q", "kyoto temples")
    page.wait_for_selector("#hits .path:has-text('travel/kyoto')")
    assert "kyoto temples" in asked[-1]
    assert len(asked) < 4
    assert page.locator("#hits .path").first.inner_text().startswith("travel/kyoto")


def test_found_words_are_marked_in_the_snippet(opened: "Opened") -> None:
    page = opened("#/search?q=pg_restore+backup&mode=lexical")
    page.wait_for_selector(f"{RESULTS} mark")
    marks = {text.lower() for text in page.locator(f"{RESULTS} mark").all_inner_texts()}
    assert marks & {"restore", "pg_restore", "backup"}


def test_a_filter_narrows_the_results_and_stands_in_the_address(opened: "Opened") -> None:
    page = opened("#/search?q=coffee")
    page.get_by_role("group", name="Language").get_by_label("Korean").check()
    page.wait_for_selector("#hits .path:has-text('에스프레소')")
    assert "lang=ko" in page.url
    page.locator("#hits .path", has_text="pour-over").first.wait_for(state="detached")
    page.get_by_role("button", name="Clear filters").click()
    page.wait_for_selector("#hits .path:has-text('pour-over-coffee')")
    assert "lang=" not in page.url


def test_an_address_with_filters_opens_as_it_was_left(opened: "Opened") -> None:
    page = opened("#/search?q=panels&media=pdf&mode=lexical")
    page.wait_for_selector("#hits .path:has-text('home/solar.pdf')")
    assert page.get_by_role("group", name="Kind").get_by_label("PDF").is_checked()
    assert page.get_by_role("radio", name="Words").is_checked()
    assert page.locator(RESULTS).count() == 1


def test_back_from_a_document_leads_to_the_same_result(opened: "Opened") -> None:
    page = opened("#/search?q=backup+restore")
    third = page.locator(f"{RESULTS} a.open").nth(2)
    third.wait_for()
    words = third.inner_text()
    third.click()
    page.wait_for_selector("article.doc h1")
    page.go_back()
    page.wait_for_selector("#hits a.open:focus")
    assert page.locator(":focus").inner_text() == words


def test_more_results_are_added_below(opened: "Opened") -> None:
    page = opened("#/search?q=water")
    page.wait_for_selector(RESULTS)
    before = page.locator(RESULTS).count()
    page.get_by_role("button", name="More", exact=True).last.click()
    page.locator(RESULTS).nth(before).wait_for()


def test_nothing_found_says_so_and_what_to_try(opened: "Opened") -> None:
    page = opened("#/search?q=zzqxv&mode=lexical")
    page.get_by_role("heading", name="Nothing found for “zzqxv”").wait_for()


def test_a_failure_is_shown_with_its_hint(opened: "Opened") -> None:
    page = opened("#/search")
    page.wait_for_selector(".welcome")
    error = {"schema_version": "error.v1", "code": "index_locked", "message": "the index is busy", "hint": "wait"}
    body = json.dumps(error)
    page.route("**/v1/search", lambda route: route.fulfill(status=409, content_type="application/json", body=body))
    page.fill("#q", "rice")
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "the index is busy" in alert.inner_text()
    assert "wait" in alert.inner_text()
