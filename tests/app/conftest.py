"""A desk for every test: a home folder, a workspace in it, and an index that is not there yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_bench import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "kb"
    root.mkdir()
    desk = Desk(tmp_path, root)
    with desk.open:
        yield desk
