"""The document view in each of its shapes: Markdown, code, text, PDF pages, images, recordings."""

import io
import json
import wave
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from browser_site import Site
    from conftest import Opened
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
DOC = {
    "schema_version": "doc_summary.v1",
    "doc_id": "0" * 32,
    "doc_path": "made/up",
    "title": "Made up",
    "tags": [],
    "stale": False,
}
BARE = {"schema_version": "doc_view.v1", "doc": DOC, "freshness": "fresh", "line_count": 0, "symbols": []}
# A picture of one point.
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63fccfc0500f0004850180"
    "84a98c210000000049454e44ae426082"
)


def shown(opened: "Opened", view: dict[str, Any], words: str, media: tuple[str, bytes]) -> "Page":
    """A document that only the test knows, its file sent by the test."""
    page = opened("#/search")
    body = json.dumps({**BARE, **view})
    page.route("**/v1/view?*", lambda route: route.fulfill(content_type="application/json", body=body))
    page.route("**/v1/media?*", lambda route: route.fulfill(**part(route.request.headers.get("range"), *media)))
    page.goto(f"{page.url.partition('#')[0]}#/doc/made?{words}")
    page.wait_for_selector("article.doc")
    return page


def part(wanted: str | None, media: str, raw: bytes) -> dict[str, Any]:
    """What a server that knows ranges sends; without them a browser cannot go to a time."""
    first = int((wanted or "bytes=0-").removeprefix("bytes=").partition("-")[0])
    headers = {"content-type": media, "accept-ranges": "bytes"}
    if wanted is None:
        return {"headers": headers, "body": raw}
    return {
        "status": 206,
        "headers": {**headers, "content-range": f"bytes {first}-{len(raw) - 1}/{len(raw)}"},
        "body": raw[first:],
    }


def test_markdown_is_rendered_beside_its_source_lines(opened: "Opened") -> None:
    page = opened("#/doc/cooking%2Fbrown-rice-pressure-cooker.md?l=28", viewport={"width": 1400, "height": 900})
    page.get_by_role("heading", level=1, name="압력밥솥 현미밥").wait_for()
    assert page.locator("div.rendered table td").count() > 4
    line = page.locator('div.lines .line[data-line="28"]')
    assert "cited" in (line.get_attribute("class") or "")
    assert line.is_visible()
    assert page.locator("div.rendered .cited").count() >= 1


def test_one_may_choose_to_see_the_source_only(opened: "Opened") -> None:
    page = opened("#/doc/cooking%2Fsourdough.md", viewport={"width": 900, "height": 800})
    page.get_by_text("Reading view").wait_for()
    assert not page.locator("div.lines").is_visible()
    page.get_by_role("radio", name="Source").check()
    page.locator("div.lines").wait_for()
    assert not page.locator("div.rendered").is_visible()


def test_a_link_to_another_note_opens_it(opened: "Opened", site: "Site") -> None:
    page = opened("#/doc/README.md")
    inside = page.locator("div.rendered a[href^='#/doc/']").first
    inside.click()
    page.wait_for_url(f"{site.url}/#/doc/**")
    page.wait_for_selector("article.doc h1")
    assert not page.url.endswith("README.md")


def test_code_has_numbered_lines_and_its_definitions(opened: "Opened") -> None:
    page = opened("#/doc/code%2Fring.go")
    page.get_by_role("navigation", name="Definitions").get_by_role("link", name="Push").click()
    page.wait_for_selector(".line.cited")
    numbers = [node.get_attribute("data-line") for node in page.locator(".line.cited").all()]
    assert numbers[-1] == "13"
    assert page.locator(".code-keyword", has_text="func").count() == 1
    assert page.locator(".code-comment").count() == 2


def test_a_page_of_a_pdf_is_a_picture_with_the_quote_boxed(opened: "Opened") -> None:
    words = "The inverter must hang within nine metres of the meter box."
    page = opened(f"#/doc/home%2Fsolar.pdf?p=2&quote={quote(words)}")
    picture = page.get_by_role("img", name="Page 2")
    picture.wait_for()
    page.wait_for_selector(".page.cited .box.quoted")
    assert picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 400
    sheet, box = page.locator(".page.cited .sheet").bounding_box(), page.locator(".box.quoted").first.bounding_box()
    assert sheet is not None
    assert box is not None
    # It is the second line of its page: high up, left, and no taller than a line.
    assert 0.02 < (box["y"] - sheet["y"]) / sheet["height"] < 0.25
    assert box["height"] / sheet["height"] < 0.1
    assert page.locator(".page.cited mark.quoted").text_content() == words


def test_text_in_an_image_is_boxed_where_it_stands(opened: "Opened") -> None:
    regions = [
        {"x": 10, "y": 10, "w": 80, "h": 20, "text": "Boiler service card", "start": 0, "end": 19},
        {"x": 10, "y": 60, "w": 80, "h": 20, "text": "Pressure 1.5 bar", "start": 20, "end": 36},
    ]
    view = {"kind": "image", "regions": regions, "width": 100, "height": 100}
    page = shown(opened, view, "r=10,60,80,20", ("image/png", DOT))
    assert page.locator(".box").count() == 2
    cited = page.locator(".box.quoted")
    assert cited.get_attribute("title") == "Pressure 1.5 bar"
    assert page.locator(".regions li.cited").inner_text() == "Pressure 1.5 bar"


def test_a_recording_stands_at_the_cited_time(opened: "Opened") -> None:
    segments = [
        {"start_ms": 0, "end_ms": 1000, "text": "Good morning."},
        {"start_ms": 1000, "end_ms": 3000, "text": "The meeting is on Tuesday."},
    ]
    page = shown(opened, {"kind": "audio", "segments": segments}, "t=1.5", ("audio/wav", silence(3)))
    player = page.locator("audio")
    page.wait_for_selector(".segmentlist li.cited")
    assert page.locator(".segmentlist li.cited .said").inner_text() == "The meeting is on Tuesday."
    at = player.evaluate(
        "(audio) => new Promise((done) => { if (audio.readyState) done(audio.currentTime);"
        " else audio.addEventListener('seeked', () => done(audio.currentTime)); })"
    )
    assert at == pytest.approx(1.5, abs=0.1)


def silence(seconds: int) -> bytes:
    raw = io.BytesIO()
    with wave.open(raw, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(1)
        writer.setframerate(8000)
        writer.writeframes(b"\x80" * 8000 * seconds)
    return raw.getvalue()


def test_words_beyond_the_first_plane_are_marked_at_their_place(opened: "Opened") -> None:
    line = "𝒜 🥙 kebab with 🧄 garlic"
    lines = {"first": 1, "start": 0, "items": ["🥙🥙", line], "more": False}
    page = shown(opened, {"kind": "text", "lines": lines, "line_count": 2}, "l=2&q=14-18", ("text/plain", b""))
    # Offsets count code points: three for the first line and its end, eleven more up to the word.
    assert page.locator("mark.quoted").text_content() == line.encode("utf-32-le")[44:60].decode("utf-32-le")


def test_a_quote_that_is_gone_is_said_to_be_gone(opened: "Opened") -> None:
    page = opened("#/doc/cooking%2Fsourdough.md?l=3&quote=words+that+never+stood+here")
    page.get_by_text("The cited words are not in the text as it is indexed now.").first.wait_for()


def test_a_document_that_is_not_there_is_a_plain_message(opened: "Opened") -> None:
    page = opened("#/doc/no%2Fsuch.md")
    page.get_by_role("alert").wait_for()
    assert "no/such.md" in page.get_by_role("alert").inner_text()
