"""One Chromium for all tests, a page of its own for each, and whatever the page complains about fails the test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser_site import (
    BUILTIN,
    EXAMPLES,
    FLAGS,
    PATIENCE_MS,
    WORDS_ONLY,
    Site,
    chromium,
    plant_library,
    prepare,
    serving,
)

from stand_ins.model_server import MODEL, StandInServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


@pytest.fixture(scope="session")
def driver() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install 'kebab[browser]'")
    if chromium() is None:
        pytest.exit("no Chromium here: apt-get install chromium, or name one with KEBAB_CHROMIUM", 4)
    with playwright.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(driver: Any) -> Iterator["Browser"]:
    launched = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The built-in model's weights are unpacked once."""
    return {**BUILTIN, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, cache: dict[str, str]) -> Iterator[Site]:
    """The example notes, code and a PDF, by words and by meaning, with the built-in model."""
    home = tmp_path_factory.mktemp("site")
    plant_library(home / "notes")
    prepare(home, cache)
    with serving(home, "--allow-ingest", env=cache) as running:
        yield running


@pytest.fixture(scope="session")
def model() -> Iterator[StandInServer]:
    """A language model that says what a test has it say."""
    with StandInServer() as running:
        yield running


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory, model: StandInServer) -> Iterator[Site]:
    """The example notes by words alone, and answers written by the stand-in."""
    home = tmp_path_factory.mktemp("told")
    shutil.copytree(EXAMPLES, home / "notes")
    env = {
        **WORDS_ONLY,
        "KEBAB_MODELS_LLM_PROVIDER": "ollama",
        "KEBAB_MODELS_LLM_MODEL": MODEL,
        "KEBAB_MODELS_LLM_ENDPOINT": model.url,
    }
    prepare(home, env)
    with serving(home, env=env) as running:
        yield running


Opened = Callable[..., "Page"]


@pytest.fixture
def context_of(browser: "Browser") -> Iterator[Callable[..., "BrowserContext"]]:
    """Makes contexts: a browser profile each, in English unless said otherwise."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> "BrowserContext":
        context = browser.new_context(**{"locale": "en-US", "viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(PATIENCE_MS)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def opened(context_of: Callable[..., "BrowserContext"], site: Site) -> Iterator[Opened]:
    """Opens an address of the page; errors the page runs into fail the test."""
    faults: list[str] = []

    def open_page(hash_: str = "", *, at: Site | None = None, **options: Any) -> "Page":
        page = context_of(**options).new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if _is_fault(message) else None)
        page.goto(f"{(at or site).url}/{hash_}")
        return page

    yield open_page
    assert faults == []


def _is_fault(message: Any) -> bool:
    # A request that fails says so in the console too; what the page makes of it is the tests' matter.
    return message.type == "error" and not message.text.startswith("Failed to load resource")


@pytest.fixture
def page(opened: Opened) -> "Page":
    return opened("#/search")


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """Three notes of the test's own, by words alone, where it may change files and update the index."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("one", "two", "three"):
        (notes / f"{name}.md").write_text(f"# Note {name}\n\nThe {name} lantern hangs in the shed.\n", "utf-8")
    prepare(tmp_path, WORDS_ONLY)
    with serving(tmp_path, "--allow-ingest", env=WORDS_ONLY) as running:
        yield running
