"""Who may look: the address that works once, the session it begins, and the form for a token."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser_site import KEBAB, WORDS_ONLY, environment, prepare

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser


@pytest.fixture
def entrance(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """`kebab web` as a person starts it, but for the browser: its address, and the one that opens it once."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "lamp.md").write_text("# Lamp\n\nThe lamp stands by the door.\n", "utf-8")
    prepare(tmp_path, WORDS_ONLY)
    process = subprocess.Popen(
        [*KEBAB, "web", "--no-open", "--port", "0", "--json"],
        env=environment(tmp_path, WORDS_ONLY),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        with process.stdout:
            told = json.loads(process.stdout.readline())
            yield told["url"], told["entrance"]
    finally:
        process.terminate()
        process.wait(60)


def test_the_address_opens_the_page_once_and_nobody_else_gets_in(
    context_of: Callable[..., "BrowserContext"], entrance: tuple[str, str]
) -> None:
    url, once = entrance
    owner = context_of().new_page()
    owner.goto(once)
    owner.locator("#q").fill("lamp")
    owner.wait_for_selector("#hits a.open")
    assert "key=" not in owner.url
    owner.reload()
    owner.wait_for_selector("#hits a.open")
    stranger = context_of().new_page()
    refused = stranger.goto(once)
    assert refused is not None
    assert refused.status == 403
    stranger.goto(url)
    dialog = stranger.get_by_role("dialog", name="This server asks for its token")
    dialog.wait_for()
    dialog.get_by_label("Token").last.fill("not the token")
    dialog.get_by_role("button", name="Go on").click()
    dialog.get_by_text("That is not the token.").wait_for()
    assert stranger.locator("#hits li").count() == 0
