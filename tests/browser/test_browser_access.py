"""By keyboard alone, on a narrow screen, for a screen reader, in two languages and two themes."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from browser_site import Site
    from conftest import Opened
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
NARROW = {"width": 320, "height": 640}
QUESTION = "How do I restore the nightly backup?"
# Every view, and what it shows once it has all it needs.
PLACES = {
    "#/search": ".tip",
    "#/search?q=backup": "#hits a.open",
    "#/ask": ".askbox",
    "#/ask?q=How+do+I+restore+the+nightly+backup%3F&now=1": ".statement",
    "#/ask?q=당신의+회사+매출은%3F&now=1": ".refusal",
    "#/doc/cooking%2Fbrown-rice-pressure-cooker.md?l=28": ".rendered .cited",
    "#/doc/code%2Fring.go?l=10-13": ".line.cited",
    "#/doc/home%2Fsolar.pdf?p=2": ".page.cited",
    "#/library": "table.docs",
    "#/doctor": ".finding",
}


def test_search_ask_citation_document_and_back_by_keyboard_alone(opened: "Opened") -> None:
    page = opened("#/library")
    page.get_by_role("table").wait_for()
    keys = page.keyboard
    keys.press("/")
    page.wait_for_selector("#q:focus")
    keys.type("restore backup")
    page.wait_for_selector("#hits a.open")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    page.wait_for_selector("#hits li:first-child a.open:focus")
    keys.press("Enter")
    page.wait_for_selector("article.doc h1:focus")
    keys.press("Escape")
    page.wait_for_selector("#hits li:first-child a.open:focus")
    keys.press("a")
    page.wait_for_selector("#question:focus")
    keys.type(QUESTION)
    keys.press("Enter")
    page.wait_for_selector("a.marker")
    keys.press("Escape")
    keys.press("n")
    page.wait_for_selector("a.marker:focus")
    page.get_by_role("tooltip").wait_for()
    keys.press("Enter")
    page.wait_for_selector("article.doc mark.quoted")
    keys.press("Escape")
    page.get_by_role("heading", name=QUESTION).wait_for()


def test_enter_opens_the_first_result_of_what_was_typed(page: "Page") -> None:
    page.locator("#q").press_sequentially("sourdough")
    # Nobody waits for the list to do so.
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="Weekend sourdough").wait_for()


def test_the_keys_are_listed_and_single_ones_can_be_switched_off(page: "Page") -> None:
    page.wait_for_selector(".welcome")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.keyboard.press("l")
    page.reload()
    page.wait_for_selector(".welcome")
    assert page.url.endswith("#/search")


GO = """(hash) => new Promise((done) => {
  if (location.hash === hash) done();
  addEventListener("hashchange", () => done(), { once: true });
  location.hash = hash;
})"""


def visit(page: "Page", place: str) -> None:
    """Another view in a page that is open."""
    page.evaluate(GO, place)
    page.wait_for_selector(PLACES[place], state="attached")


@pytest.mark.parametrize("phone", [False, True], ids=["window", "phone"])
def test_nothing_scrolls_sideways_at_320_pixels(opened: "Opened", phone: bool) -> None:
    # A phone keeps no room for a bar to scroll by, in which something could hide.
    page = opened("#/library", viewport=NARROW, locale="ko-KR", is_mobile=phone, has_touch=phone)
    for place in PLACES:
        visit(page, place)
        assert sideways(page) == [], place


def sideways(page: "Page") -> list[str]:
    found: list[str] = page.evaluate(
        "(width) => [...document.querySelectorAll('body *')]"
        ".filter((node) => node.getBoundingClientRect().right > width"
        " && !node.closest('.unseen, .skip, .tablebox, div.lines, pre, [hidden]')).map((node) => node.className)",
        NARROW["width"],
    )
    if page.evaluate("(width) => document.documentElement.scrollWidth > width", NARROW["width"]):
        found.append("the page itself")
    return found


def test_a_screen_reader_finds_landmarks_headings_and_names(opened: "Opened") -> None:
    page = opened("#/search?q=backup")
    page.wait_for_selector("#hits a.open")
    for role, name in (
        ("banner", None),
        ("navigation", "Views"),
        ("main", None),
        ("search", None),
        ("searchbox", "Search your documents"),
        ("group", "Search by"),
        ("status", None),
    ):
        assert page.get_by_role(role, name=name).first.count() == 1, (role, name)  # type: ignore[arg-type] # a role
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.get_by_role("link", name="Search", exact=True).get_attribute("aria-current") == "page"


def test_every_control_has_a_name_and_there_is_one_first_heading(opened: "Opened") -> None:
    page = opened("#/search")
    for place in PLACES:
        visit(page, place)
        check_names(page)


def check_names(page: "Page") -> None:
    nameless = page.evaluate(
        "() => [...document.querySelectorAll('a[href], button, input, select, textarea')]"
        ".filter((node) => node.checkVisibility() && !(node.textContent.trim() || node.getAttribute('aria-label')"
        " || node.labels?.length)).map((node) => node.outerHTML.slice(0, 120))"
    )
    assert nameless == []
    assert page.locator("main h1").count() == 1
    assert page.locator("img:not([alt])").count() == 0


def test_the_page_speaks_the_language_of_the_browser_and_can_be_switched(opened: "Opened") -> None:
    page = opened("#/search?q=현미밥", locale="ko-KR")
    page.get_by_role("link", name="서재").wait_for()
    assert page.evaluate("() => document.documentElement.lang") == "ko"
    page.get_by_role("button", name="Show in English").click()
    page.get_by_role("link", name="Library").wait_for()
    page.wait_for_selector("#hits a.open")
    page.reload()
    page.get_by_role("link", name="Library").wait_for()
    assert page.evaluate("() => document.documentElement.lang") == "en"


def test_dark_and_light_follow_the_system_and_the_switch(opened: "Opened") -> None:
    page = opened("#/search", color_scheme="dark")
    page.wait_for_selector(".welcome")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.locator("#theme-switch").click()
    light = page.evaluate(ground)
    assert dark != light
    page.reload()
    page.wait_for_selector(".welcome")
    assert page.evaluate(ground) == light
    assert page.locator("#theme-switch").get_attribute("aria-label") == "Theme: Light"


CONTRAST = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((parts(colour)[3] ?? 1) === 1 && colour.startsWith("rgb")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const weak = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    if (!own || !node.checkVisibility() || node.closest(".unseen, .skip, svg, :disabled")) continue;
    const [one, two] = [light(getComputedStyle(node).color), light(ground(node))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) weak.push([node.className || node.tagName, node.textContent.slice(0, 30), ratio.toFixed(2)]);
  }
  return weak;
}"""


def test_text_stands_out_from_its_ground_in_both_themes(opened: "Opened") -> None:
    page = opened("#/search")
    for place in PLACES:
        visit(page, place)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            assert page.evaluate(CONTRAST) == [], (place, scheme)


def test_nothing_moves_for_those_who_asked_for_rest(opened: "Opened", site: "Site") -> None:
    page = opened("#/search?q=backup", reduced_motion="reduce")
    page.get_by_role("button", name="How was this found?").click()
    page.wait_for_selector("svg.slopes")
    assert page.evaluate("() => document.getAnimations().length") == 0
