"""The built-in model remembers few tokens while only questions come, and more as soon as passages do."""

import os
from pathlib import Path

import numpy as np  # noqa: TID253 - a test compares what a model gave
import pytest

from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders
from kebab.embed.use import embedder as module
from kebab.embed.use.embedder import UseEmbedder
from kebab.embed.use.loading import load_model
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


def test_a_sparing_embedder_holds_nothing_between_calls(tmp_path: Path) -> None:
    texts = ["brown rice", " ".join(f"word{number} 단어{number}" for number in range(200)), "현미밥은 사십 분"]
    usual = UseEmbedder(EmbeddingSettings(), ModelFolders(tmp_path, tmp_path))
    expected = usual.embed(texts, EmbeddingKind.DOCUMENT)
    sparing = UseEmbedder(EmbeddingSettings(), ModelFolders(tmp_path, tmp_path, sparing=True))
    for _ in range(2):
        found = sparing.embed(texts, EmbeddingKind.QUERY)
        assert sparing._loaded is None
        for one, other in zip(found, expected, strict=True):
            assert np.abs(np.frombuffer(one, "<f4") - np.frombuffer(other, "<f4")).max() < 1e-5


def test_what_was_released_is_loaded_again(tmp_path: Path) -> None:
    embedder = UseEmbedder(EmbeddingSettings(), ModelFolders(tmp_path, tmp_path))
    embedder.release()
    before = embedder.embed(["brown rice"], EmbeddingKind.DOCUMENT)
    embedder.release()
    assert embedder._loaded is None
    assert embedder.embed(["brown rice"], EmbeddingKind.DOCUMENT) == before


@pytest.mark.skipif(not hasattr(os, "pread"), reason="rows are taken from the mapping")
def test_questions_read_rows_of_the_table_and_map_none(tmp_path: Path) -> None:
    embedder = UseEmbedder(EmbeddingSettings(), ModelFolders(tmp_path, tmp_path))
    embedder.embed(["brown rice"], EmbeddingKind.DOCUMENT)
    loaded = load_model("use-multilingual-v3", tmp_path, keep=False)
    wanted = np.array([5, 0, 127_999, 5])
    assert loaded.table is not loaded.arrays["table"]
    assert len(loaded.table) == len(loaded.arrays["table"])
    assert np.array_equal(loaded.table[wanted], loaded.arrays["table"][wanted])


def test_a_network_with_room_enough_stays_the_same() -> None:
    network = object.__new__(Network)
    network._rows = 10
    assert network.with_rows(10) is network
