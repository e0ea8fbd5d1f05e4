"""Hostile documents in the real browser: nothing of them runs, and only the page's own server is asked."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest
from browser_site import FLAGS, PATIENCE_MS, WORDS_ONLY, Site, chromium, prepare, serving
from hostile_site import NAMES, NEEDLE, TRIPWIRE, asked_of_the_network, plant_hostile

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


class Listener(http.server.BaseHTTPRequestHandler):
    """Somewhere a document may try to call."""

    calls: list[str] = []  # noqa: RUF012 - one listener, one list

    def do_GET(self) -> None:
        self.calls.append(self.path)
        self.send_error(404)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


@pytest.fixture(scope="module")
def outside() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, outside: str) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("hostile")
    plant_hostile(home / "notes", outside)
    prepare(home, WORDS_ONLY)
    with serving(home, env=WORDS_ONLY) as running:
        yield running


GO = """(hash) => new Promise((done) => {
  addEventListener("hashchange", () => done(), { once: true });
  location.hash = hash;
})"""


class Watched:
    """A page with a tripwire; `calls` are the hosts its requests went to."""

    def __init__(self, page: "Page", url: str) -> None:
        self.page = page
        self.url = url
        self.calls: set[str] = set()
        page.context.on("request", lambda request: self.calls.add(urlsplit(request.url).netloc))
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.add_init_script(TRIPWIRE)

    def go(self, hash_: str, until: str) -> "Page":
        """To another view; the tripwire was laid before the first one."""
        if self.page.url == "about:blank":
            self.page.goto(f"{self.url}/{hash_}")
        else:
            self.page.evaluate(GO, hash_)
        self.page.locator(until).first.wait_for()
        return self.page

    def check(self) -> None:
        assert self.page.evaluate("() => globalThis.tripped") == []


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "network.json"


@pytest.fixture(scope="module")
def walked(driver: Any, hostile: Site, log: Path) -> tuple[list[str], Watched]:
    """Every view of every hostile document was looked at, pointed at and stepped through; then the browser ended."""
    browser = driver.chromium.launch(executable_path=chromium(), args=[*FLAGS, f"--log-net-log={log}"])
    try:
        context = browser.new_context(locale="en-US", viewport={"width": 1400, "height": 900})
        context.set_default_timeout(PATIENCE_MS)
        watched = Watched(context.new_page(), hostile.url)
        titles = walk(watched)
    finally:
        browser.close()
    return titles, watched


def walk(watched: Watched) -> list[str]:
    page = watched.go("#/library", "table.docs tbody tr")
    watched.check()
    documents = page.locator("table.docs a.open").evaluate_all("(nodes) => nodes.map((node) => node.hash)")
    titles = []
    for document in documents:
        page = watched.go(document, "article.doc h1:focus")
        page.mouse.move(400, 400)
        page.mouse.wheel(0, 600)
        for _ in range(12):
            page.keyboard.press("Tab")
        titles.append(page.locator("article.doc h1").inner_text())
        watched.check()
    page = watched.go(f"#/search?q={NEEDLE}&tag=%22%3E%3Cscript%3Eowned(1)%3C/script%3E", ".note")
    page = watched.go(f"#/search?q={NEEDLE}", "#hits a.open")
    for hit in page.locator("#hits > li").all():
        hit.hover()
    watched.check()
    page.locator("[data-key=e]").click()
    page.locator("svg.slopes").wait_for()
    watched.check()
    page = watched.go(f"#/ask?q={quote(f'where does the {NEEDLE} grow')}&now=1", "article.answer .tools")
    for marker in page.locator("a.marker").all():
        marker.hover()
    watched.check()
    watched.go(f"#/doc/{quote('../../etc/passwd', safe='')}", "[role=alert]")
    watched.go("#/constructor", ".notice")
    watched.go("#/<img src=x onerror=owned(1)>?q=%00", ".notice")
    watched.check()
    return titles


def test_every_hostile_document_was_shown(walked: tuple[list[str], Watched]) -> None:
    titles, _ = walked
    assert len(titles) >= 4 + len(NAMES) - 1
    assert any("<img src=x onerror=owned(1)> hostile" in title for title in titles)


def test_nothing_was_asked_of_anybody_but_the_own_server(
    walked: tuple[list[str], Watched], hostile: Site, log: Path
) -> None:
    _, watched = walked
    own = urlsplit(hostile.url).netloc
    assert watched.calls <= {own, ""}
    assert Listener.calls == []
    hosts = asked_of_the_network(log)
    assert own in hosts
    assert {host for host in hosts if host.split(":")[0] != "127.0.0.1"} == set()
    assert {host for host in hosts if host.partition(":")[2]} == {own}


def test_links_and_markup_of_a_document_are_inert_elements(hostile: Site, opened: Any) -> None:
    page = opened("#/doc/notes.md", at=hostile)
    page.locator("div.rendered").wait_for()
    found = page.evaluate(
        "() => { const all = [...document.querySelectorAll('#main *')];"
        " return { tags: [...new Set(all.map((node) => node.localName))],"
        " handlers: all.filter((node) => [...node.attributes].some((each) => each.name.startsWith('on'))).length,"
        " ids: all.filter((node) => node.id).map((node) => node.id),"
        " links: all.filter((node) => node.href).map((node) => node.getAttribute('href')) }; }"
    )
    forbidden = {"script", "iframe", "object", "embed", "link", "style", "meta", "base", "form", "svg", "video", "math"}
    assert set(found["tags"]) & forbidden == set()
    assert found["handlers"] == 0
    assert found["ids"] == []
    assert {link.split(":")[0] for link in found["links"] if not link.startswith("#/")} <= {"http", "https"}
    # What a document calls its own cannot stand for a part of the page.
    tags = page.evaluate("() => ['main', 'drawer', 'status'].map((id) => document.getElementById(id).localName)")
    assert tags == ["main", "aside", "p"]


# What a test evaluates itself is let past the policy; what a timer of the page calls is not.
TRIES = """() => new Promise((done) => setTimeout(() => {
  const acts = [
    () => { document.body.innerHTML = "<b>x</b>"; },
    () => { document.createElement("script").text = "globalThis.ran = 1"; },
    () => { globalThis.eval("globalThis.ran = 1"); },
    () => { document.body.setAttribute("onclick", "globalThis.ran = 1"); document.body.click(); },
  ];
  const refused = acts.filter((act) => { try { act(); return false; } catch { return true; } });
  done([refused.length, globalThis.ran ?? 0]);
}))"""


def test_the_policy_of_the_page_allows_no_script_but_its_own(hostile: Site, context_of: Any) -> None:
    page = context_of().new_page()
    page.goto(f"{hostile.url}/#/search")
    page.locator("#q").wait_for()
    refused, ran = page.evaluate(TRIES)
    assert ran == 0
    assert refused >= 3
