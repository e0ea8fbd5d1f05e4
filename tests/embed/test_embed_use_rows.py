"""The built-in model remembers few tokens while only questions come, and more as soon as passages do."""

from pathlib import Path

import numpy as np  # noqa: TID253 - a test compares what a model gave
import pytest

from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders
from kebab.embed.use import embedder as module
from kebab.embed.use.embedder import UseEmbedder
from kebab.embed.use.network import Network
from kebab.embed.use.tokens import ROWS


def rows_of(embedder: UseEmbedder) -> int:
    assert embedder._loaded is not None
    return embedder._loaded[1]._rows


def test_room_for_tokens_grows_with_what_is_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FEW_ROWS", 20)
    embedder = UseEmbedder(EmbeddingSettings(), ModelFolders(tmp_path, None))
    short, longer = "brown rice", " ".join(f"word{number} 단어{number}" for number in range(30))
    first = embedder.embed([short], EmbeddingKind.QUERY)
    assert rows_of(embedder) == 20
    # A text with more tokens than there is room for must not go round for ever.
    alone = embedder.embed([longer], EmbeddingKind.QUERY)
    assert 20 < rows_of(embedder) < ROWS
    both = embedder.embed([short, longer], EmbeddingKind.DOCUMENT)
    assert rows_of(embedder) == ROWS
    for one, other in zip([*first, *alone], both, strict=True):
        assert np.abs(np.frombuffer(one, "<f4") - np.frombuffer(other, "<f4")).max() < 1e-5


def test_a_network_with_room_enough_stays_the_same() -> None:
    network = object.__new__(Network)
    network._rows = 10
    assert network.with_rows(10) is network
