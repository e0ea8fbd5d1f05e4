"""One server over a small index for all tests that only ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from watch_hand import Hand
from web_bench import Host, hosting, indexed

from kebab.app.facade import App
from kebab.config import Config


@pytest.fixture(scope="session")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return indexed(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="session")
def host(config: Config) -> Iterator[Host]:
    with hosting(config) as running:
        yield running


@pytest.fixture
def own(tmp_path: Path) -> Config:
    """An index of the test's own."""
    return indexed(tmp_path)


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    found = Hand()
    monkeypatch.setattr(App, "watch", lambda _app, stop: found.watch(stop))
    return found
