"""Questions in the browser: answers with their evidence, refusals, checks, history and conversations."""

import re
from typing import TYPE_CHECKING

import pytest

from stand_ins.model_server import StandInServer

if TYPE_CHECKING:
    from browser_site import Site
    from conftest import Opened
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
RICE = "압력밥솥 현미밥의 물 비율은?"
NIGHTLY = "How do I restore the nightly backup?"
QUOTE = "압력밥솥 현미밥의 물 비율은 **불린 현미 1컵에 물 1.2컵**(부피로 1 : 1.2)이다."


def ask(page: "Page", question: str) -> None:
    page.get_by_role("textbox", name="Ask your documents").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_selector("article.answer .tools")


@pytest.fixture
def answered(opened: "Opened") -> "Page":
    page = opened("#/ask")
    ask(page, RICE)
    return page


def test_every_sentence_carries_its_marker_and_the_answer_has_an_address(answered: "Page") -> None:
    statements = answered.locator(".statement")
    assert statements.count() >= 1
    assert all(each.locator("a.marker").count() for each in statements.all())
    assert re.search(r"#/ask/ret_[0-9a-f]+$", answered.url)
    answered.reload()
    answered.get_by_role("heading", name=RICE).wait_for()
    assert answered.locator(".statement a.marker").count() >= 1


def test_pointing_at_a_marker_shows_its_quote_and_leaving_hides_it(answered: "Page") -> None:
    marker = answered.locator("a.marker").first
    marker.hover()
    card = answered.get_by_role("tooltip")
    card.wait_for()
    assert "불린 현미 1컵에 물 1.2컵" in card.inner_text()
    assert "cooking/brown-rice-pressure-cooker.md" in card.inner_text()
    assert marker.get_attribute("aria-describedby") == card.get_attribute("id")
    answered.mouse.move(2, 2)
    card.wait_for(state="hidden")


def test_a_marker_leads_to_the_very_words_in_the_text_and_in_its_source(answered: "Page") -> None:
    answered.locator("a.marker").first.click()
    answered.wait_for_selector("article.doc mark.quoted")
    source = "".join(answered.locator("div.lines mark.quoted").all_text_contents())
    assert source == QUOTE
    read = "".join(answered.locator("div.rendered mark.quoted").all_text_contents())
    assert read == QUOTE.replace("**", "")
    first = answered.locator("div.rendered mark.quoted").first
    box = first.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 800
    answered.go_back()
    answered.get_by_role("heading", name=RICE).wait_for()


def test_a_refusal_says_why_and_shows_the_nearest_candidates(opened: "Opened") -> None:
    page = opened("#/ask")
    ask(page, "당신의 회사 매출은?")
    assert "Nothing in your documents is near enough" in page.locator(".refusal").inner_text()
    nearest = page.get_by_role("heading", name="The nearest there is").locator("xpath=..")
    assert nearest.get_by_role("listitem").count() >= 1
    nearest.get_by_role("link").first.click()
    page.wait_for_selector("article.doc")


def test_verify_finds_the_quotes_in_place(answered: "Page") -> None:
    answered.get_by_role("button", name="Check the quotes again").click()
    answered.wait_for_selector(".verdict.good")
    assert "stand where the answer says" in answered.locator(".verdict").inner_text()
    assert set(answered.locator(".verdict .badge").all_inner_texts()) == {"in place"}


def test_verify_finds_a_quote_that_was_edited_away(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/ask?q=where+does+the+two+lantern+hang&now=1", at=own_site)
    page.wait_for_selector(".statement a.marker")
    for note in own_site.notes.glob("*.md"):
        note.write_text("# Empty\n\nNothing of it is left.\n", "utf-8")
    page.get_by_role("button", name="Check the quotes again").click()
    page.wait_for_selector(".verdict.bad")
    assert "changed" in page.locator(".verdict .badge").first.inner_text()


def test_answers_given_before_are_listed_and_open_again(answered: "Page") -> None:
    past = answered.get_by_role("navigation", name="Answers so far")
    if not past.is_visible():
        answered.get_by_text("Answers so far").click()
    past.locator("a[aria-current]").wait_for()
    assert RICE in past.locator("a[aria-current]").inner_text()
    answered.get_by_role("link", name="Ask", exact=True).click()
    past.get_by_role("link", name=RICE).first.click()
    answered.get_by_role("heading", name=RICE).wait_for()


def test_what_was_searched_for_can_be_asked(page: "Page") -> None:
    page.fill("#q", RICE)
    page.get_by_role("button", name="Ask this").click()
    page.wait_for_selector(".statement a.marker")
    page.get_by_role("heading", name=RICE).wait_for()


def test_a_sentence_that_is_not_borne_out_is_marked_in_words(
    opened: "Opened", told: "Site", model: StandInServer
) -> None:
    model.tells = (
        "Never restore over the live database [#1]. ",
        "The emperor planted purple bananas on Mars in 1823 [#1]. ",
        "Load the dump into a database on a sunny day with a friendly colleague [#1]. ",
        "This is easy.",
    )
    page = opened("#/ask?q=How+do+I+restore+the+nightly+backup%3F&now=1", at=told)
    page.wait_for_selector("article.answer .tools")
    assert page.locator(".statement").count() == 4
    assert page.locator(".statement.quoted .support").count() == 0
    said = page.locator(".statement .support").all_inner_texts()
    assert said == ["not borne out", "weakly borne out", "without a source"]


def test_a_conversation_goes_on_and_shows_what_was_said_before(
    opened: "Opened", told: "Site", model: StandInServer
) -> None:
    model.tells = ("Never restore over the live database [#1].",)
    page = opened("#/ask", at=told)
    page.get_by_role("combobox", name="Conversation").select_option("A new conversation")
    ask(page, NIGHTLY)
    page.get_by_role("heading", name=NIGHTLY).wait_for()
    ask(page, "and what must one never do with the live database?")
    page.get_by_role("heading", name="and what must one never do").wait_for()
    page.reload()
    page.get_by_text("Earlier in this conversation").wait_for()
    assert page.locator(".turn summary").all_inner_texts() == [NIGHTLY]
