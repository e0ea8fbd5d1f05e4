"""An index in a folder of its own, filled through the real parser and chunker."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_bench import Index

from kebab.store.store import Store


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    path = tmp_path / "data" / "kebab.sqlite"
    with Store.writer(path) as store:
        yield Index(path, store)
