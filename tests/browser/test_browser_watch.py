"""The switch of the watch in the library: what changes while it is on appears by itself, in every tab."""

from typing import TYPE_CHECKING

import pytest
from browser_site import WORDS_ONLY, prepare, serving

if TYPE_CHECKING:
    from pathlib import Path

    from browser_site import Site
    from conftest import Opened
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def knob(page: "Page", name: str = "Watch for changes") -> "Locator":
    return page.get_by_role("switch", name=name)


def stands(page: "Page", checked: str) -> None:
    page.locator(f"[role=switch][aria-checked={checked}]").wait_for()


def write(site: "Site", name: str) -> None:
    (site.notes / f"{name}.md").write_text(f"# Note {name}\n\nThe {name} lantern hangs in the shed.\n", "utf-8")


def test_what_is_written_while_it_is_on_appears_without_reloading(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/library", at=own_site)
    page.get_by_text("3 of 3").wait_for()
    knob(page).wait_for()
    assert knob(page).get_attribute("aria-checked") == "false"
    # By keyboard, as everything else.
    page.get_by_role("button", name="Update the index").focus()
    page.keyboard.press("Tab")
    page.wait_for_selector("[role=switch]:focus")
    page.keyboard.press("Space")
    stands(page, "true")
    write(own_site, "four")
    page.get_by_role("link", name="Note four").wait_for()
    page.get_by_text("4 of 4").wait_for()
    page.locator(".watch [role=status]", has_text="1 new").wait_for()
    knob(page).click()
    stands(page, "false")
    write(own_site, "five")
    page.get_by_role("button", name="Update the index").click()
    # Nobody but this run has taken it in.
    page.get_by_text("1 new, 0 updated, 4 unchanged").wait_for()
    page.get_by_text("5 of 5").wait_for()


def test_every_tab_shows_how_it_stands_also_one_that_comes_later(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/library", at=own_site)
    other = page.context.new_page()
    other.goto(f"{own_site.url}/#/library")
    stands(other, "false")
    knob(page).click()
    stands(page, "true")
    stands(other, "true")
    late = page.context.new_page()
    late.goto(f"{own_site.url}/#/library")
    stands(late, "true")
    late.locator(".watch [role=status]", has_text="notes").wait_for()
    knob(late).click()
    for each in (page, other, late):
        stands(each, "false")


def test_a_folder_that_is_gone_is_named_and_the_switch_goes_back(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/library", at=own_site)
    stands(page, "false")
    own_site.notes.rename(own_site.home / "elsewhere")
    knob(page).click()
    page.get_by_role("alert").filter(has_text=str(own_site.notes)).wait_for()
    stands(page, "false")
    page.reload()
    page.get_by_role("alert").filter(has_text=str(own_site.notes)).wait_for()
    (own_site.home / "elsewhere").rename(own_site.notes)
    knob(page).click()
    stands(page, "true")
    page.get_by_role("alert").wait_for(state="detached")


def test_where_the_package_is_missing_it_says_what_to_install(opened: "Opened", own_site: "Site") -> None:
    page = opened("#/search", at=own_site, locale="ko-KR")
    hint = "pip install 'kebab[watch]'"
    state = {"schema_version": "watch.v1", "watching": False, "available": False, "hint": hint}
    page.route("**/v1/watch", lambda route: route.fulfill(json=state))
    page.get_by_role("link", name="서재").click()
    page.locator(".watch code.command", has_text=hint).wait_for()
    switch = knob(page, "변경 지켜보기")
    assert switch.get_attribute("aria-disabled") == "true"
    # It can still be reached, so that somebody who cannot see it hears why.
    switch.focus()
    page.keyboard.press("Enter")
    assert switch.get_attribute("aria-checked") == "false"
    assert hint in (page.locator(f"#{switch.get_attribute('aria-describedby')}").inner_text())


def test_a_server_that_only_reads_shows_that_it_watches_and_no_switch(opened: "Opened", tmp_path: "Path") -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.md").write_text("# Note one\n\nA lantern.\n", "utf-8")
    prepare(tmp_path, WORDS_ONLY)
    with serving(tmp_path, "--watch", env=WORDS_ONLY) as site:
        page = opened("#/library", at=site)
        page.get_by_text("Watching for changes").wait_for()
        page.get_by_text("1 of 1").wait_for()
        assert page.get_by_role("switch").count() == 0
        write(site, "two")
        page.get_by_text("2 of 2").wait_for()
