"""An embedder that needs no model: a text's vector points along one axis, chosen by the text."""

from array import array
from collections.abc import Sequence
from zlib import crc32

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, EmbeddingSettings, ModelFolders, Vector


class AxisEmbedder:
    def __init__(self, settings: EmbeddingSettings, folders: ModelFolders) -> None:
        self._settings = settings

    @property
    def model(self) -> EmbeddingModel:
        return self._settings.identity()

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def release(self) -> None:
        pass

    def _vector(self, text: str) -> Vector:
        values = array("f", bytes(4 * self._settings.dimensions))
        values[crc32(text.encode()) % len(values)] = 1.0
        return values.tobytes()
