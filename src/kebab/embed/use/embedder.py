"""UseEmbedder: the built-in model as the port `Embedder` has it. Everything is loaded with the first text."""

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, EmbeddingSettings, ModelFolders, Vector
from kebab.core.errors import ModelInvalid

if TYPE_CHECKING:
    from kebab.embed.use.network import Network
    from kebab.embed.use.vocabulary import Vocabulary

# Tokens kept of while only questions and single sentences come; passages are worth more memory.
_FEW_ROWS = 1024
_SPARING_ROWS = 256
MODEL = "use-multilingual-v3"
DIMENSIONS = 512


class UseEmbedder:
    def __init__(self, settings: EmbeddingSettings, folders: ModelFolders) -> None:
        """Raises ModelInvalid for settings that ask for another model."""
        if settings.model != MODEL:
            raise ModelInvalid(
                f"the built-in embedding model is {MODEL}, not {settings.model}",
                hint=f"run `kebab config set models.embedding.model {MODEL}`, or set another provider",
                model=settings.model,
            )
        if settings.dimensions != DIMENSIONS:
            raise ModelInvalid(
                f"{MODEL} has {DIMENSIONS} dimensions, not {settings.dimensions}",
                hint=f"run `kebab config set models.embedding.dimensions {DIMENSIONS}`",
                model=settings.model,
                dimensions=settings.dimensions,
            )
        self._model = settings.identity()
        # Every thread has working memory of its own.
        self._threads = 1 if folders.sparing else settings.threads or _cores()
        self._sparing = folders.sparing
        self._folder = folders.cache
        self._keeps = folders.cache is not None
        self._loaded: tuple[Vocabulary, Network] | None = None
        self._lock = threading.Lock()

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """The model knows no kinds. Only passages leave a copy of its weights: a search writes nothing."""
        if not texts:
            return []
        from kebab.embed.use.tokens import ROWS

        with self._lock:
            vocabulary, network = self._ready(keep=kind is EmbeddingKind.DOCUMENT)
            try:
                encoded = vocabulary.encode(texts, self._threads)
                rows = ROWS if kind is EmbeddingKind.DOCUMENT else max(map(len, encoded))
                if (roomy := network.with_rows(rows)) is not network:
                    network, self._loaded = roomy, (vocabulary, roomy)
                found = network.embed(encoded)
            except BaseException:
                # After an interruption threads may still be at work on what the network remembers.
                self._loaded = None
                raise
            if self._sparing:
                # Mapping it again costs a question a few milliseconds.
                self._loaded = None
        return [row.tobytes() for row in found.astype("<f4", copy=False)]

    def release(self) -> None:
        with self._lock:
            self._loaded = None

    def _ready(self, *, keep: bool) -> "tuple[Vocabulary, Network]":
        if self._loaded is None or (keep and self._keeps):
            from kebab.embed.use.blas import load_numpy

            load_numpy()
            from kebab.embed.use.loading import load_model
            from kebab.embed.use.network import Network
            from kebab.embed.use.vocabulary import Vocabulary

            found = load_model(MODEL, self._folder, keep=keep)
            # A copy that could not be made once is not tried again.
            self._keeps = self._keeps and not keep and not found.copied
            known = found.arrays if found.copied else None
            rows = _SPARING_ROWS if self._sparing else _FEW_ROWS
            network = Network(found.arrays, self._threads, rows, found.table)
            self._loaded = (Vocabulary(found.vocabulary, known, sparing=self._sparing), network)
        return self._loaded


def _cores() -> int:
    """Those this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
