"""A desk for every test: a home folder, a workspace in it, and an index that is not there yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_bench import Desk
from word_embedder import WordModel

from kebab.app import assemble


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "kb"
    root.mkdir()
    desk = Desk(tmp_path, root)
    with desk.open:
        yield desk


@pytest.fixture
def model(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> WordModel:
    """The desk is configured for a model, and this is it."""
    told = WordModel()
    monkeypatch.setattr(assemble, "embedder_for", told)
    desk.flags |= {"models.embedding.provider": "builtin", "models.embedding.dimensions": 32}
    return told
