"""The provider `fastembed`: a multilingual-e5 or another ONNX model on this machine, as an `Embedder`.

What is put before a text ("query: ", "passage: ") follows from the name of a known model. For a folder its prompts
decide, and without them its name: one with "e5" in it gets the prefixes of e5.

A large model takes its time: e5-large needs about 0.8 s per passage of 128 tokens in int8 on one core.
"""

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, EmbeddingSettings, ModelFolders, Vector

if TYPE_CHECKING:
    from kebab.embed.onnx.encoder import Encoder


class OnnxEmbedder:
    """`settings.model` is a name of the catalogue or the path of a folder; `model_folder.py` says what that holds."""

    def __init__(self, settings: EmbeddingSettings, folders: ModelFolders) -> None:
        self._settings = settings
        self._folders = folders
        self._lock = Lock()
        self._loaded: Encoder | None = None

    @property
    def model(self) -> EmbeddingModel:
        return self._settings.identity()

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """Raises ModelNotPulled, ModelInvalid or MissingExtra; opens no connection."""
        return self._encoder().vectors(texts, kind) if texts else []

    def release(self) -> None:
        with self._lock:
            self._loaded = None

    def _encoder(self) -> "Encoder":
        with self._lock:
            if self._loaded is None:
                # Every embedder is listed at start-up, and most runs use another one.
                from kebab.embed.onnx.encoder import Encoder

                self._loaded = Encoder(self._settings, self._folders)
            return self._loaded
