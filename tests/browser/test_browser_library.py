"""Library, doctor and the explain drawer."""

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from browser_site import Site
    from conftest import Opened

pytestmark = pytest.mark.browser


def test_documents_are_listed_with_their_state_and_filtered(opened: "Opened") -> None:
    page = opened("#/library")
    page.get_by_role("table").wait_for()
    everything = page.get_by_role("row").count()
    page.get_by_role("searchbox", name="Filter by title or path").fill("sourdough")
    page.get_by_text("1 of").wait_for()
    assert page.get_by_role("row").count() == 2 < everything
    assert "q=sourdough" in page.url
    page.reload()
    page.get_by_text("1 of").wait_for()
    assert page.get_by_role("row").last.get_by_text("current").is_visible()


def test_back_from_a_document_leads_to_the_same_row(opened: "Opened") -> None:
    page = opened("#/library", viewport={"width": 1280, "height": 400})
    row = page.locator("table a.open").nth(15)
    row.focus()
    name = row.inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("article.doc")
    page.go_back()
    page.get_by_role("table").wait_for()
    assert page.evaluate("document.activeElement.innerText") == name
    assert page.evaluate("scrollY") > 0


def test_a_filter_by_tag_is_a_link_from_a_document(opened: "Opened") -> None:
    page = opened("#/doc/dev%2Fpostgres-backup-restore.md")
    page.get_by_role("link", name="#postgres").click()
    page.get_by_role("table").wait_for()
    assert page.get_by_role("combobox", name="Tag").input_value() == "postgres"
    assert page.get_by_role("row").count() == 3


def test_changed_and_missing_files_are_told_apart_and_taken_in(opened: "Opened", own_site: "Site") -> None:
    (own_site.notes / "one.md").write_text("# Note one\n\nThe lamp was moved to the attic.\n", "utf-8")
    (own_site.notes / "two.md").unlink()
    page = opened("#/library", at=own_site)
    page.get_by_role("link", name=re.compile(r"1\s*changed since")).wait_for()
    page.get_by_role("link", name=re.compile(r"1\s*file is gone")).click()
    page.get_by_text("1 of 3").wait_for()
    page.get_by_role("button", name="Update the index").click()
    page.get_by_text("0 new, 1 updated, 1 unchanged").wait_for()
    page.get_by_text("0 of 2").wait_for()
    page.get_by_role("link", name=re.compile(r"2\s*current")).wait_for()


def test_a_file_that_fails_is_named_with_the_reason(opened: "Opened", own_site: "Site") -> None:
    (own_site.notes / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a PDF follows")
    page = opened("#/library", at=own_site)
    page.get_by_role("button", name="Update the index").click()
    page.get_by_role("heading", name="Files that failed").first.wait_for()
    assert page.locator(".notice.bad .path").first.inner_text() == "broken.pdf"


def test_the_page_shows_a_change_that_was_made_elsewhere(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/library", at=own_site)
    page.get_by_text("3 of 3").wait_for()
    (own_site.notes / "four.md").write_text("# Note four\n\nA fourth lantern.\n", "utf-8")
    own_site.run("ingest", "--quiet")
    page.get_by_text("4 of 4").wait_for()


def test_the_doctor_shows_what_is_wrong_first_with_the_command_that_mends_it(opened: "Opened") -> None:
    page = opened("#/search")
    checks = [
        {"name": "config_loaded", "ok": True, "detail": "fine"},
        {"name": "disk_space", "ok": False, "detail": "3 MB free", "hint": "kebab cache prune"},
    ]
    body = json.dumps({"schema_version": "doctor.v1", "ok": False, "checks": checks})
    page.route("**/v1/doctor", lambda route: route.fulfill(content_type="application/json", body=body))
    page.get_by_role("link", name="Doctor").click()
    page.get_by_text("1 of 2 checks need a look.").first.wait_for()
    first = page.locator(".finding").first
    assert first.get_by_role("img").get_attribute("aria-label") == "needs a look"
    assert first.locator("code.command").inner_text() == "kebab cache prune"


def test_the_real_doctor_answers(opened: "Opened") -> None:
    page = opened("#/doctor")
    page.wait_for_selector(".finding")
    assert page.locator(".finding").count() > 5


def test_the_drawer_shows_both_channels_the_blend_and_the_time(opened: "Opened") -> None:
    page = opened("#/search?q=restore+a+backup")
    page.get_by_role("button", name="How was this found?").click()
    drawer = page.get_by_role("complementary", name="How this was found")
    drawer.locator("svg.slopes").wait_for()
    assert "words 1" in (drawer.locator("svg.slopes").get_attribute("aria-label") or "")
    assert drawer.locator(".scores li").count() >= 5
    assert drawer.locator(".barrow.time").count() == 4
    page.keyboard.press("Escape")
    drawer.wait_for(state="hidden")
    assert page.locator(":focus").inner_text() == "How was this found?"


def test_the_drawer_of_an_answer_shows_the_gate_and_what_the_model_was_given(opened: "Opened") -> None:
    page = opened("#/ask?q=How+do+I+restore+the+nightly+backup%3F&now=1")
    page.get_by_role("button", name="How was this found?").click()
    drawer = page.get_by_role("complementary", name="How this was found")
    gate = drawer.locator(".scale.passed svg")
    gate.wait_for()
    assert "needed 0.30" in (gate.get_attribute("aria-label") or "")
    assert drawer.locator(".scores li").count() >= 1
    assert drawer.get_by_role("heading", name="What the gate looks at").is_visible()
