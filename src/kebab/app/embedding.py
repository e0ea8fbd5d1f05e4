"""Chunks to vectors during an ingest: asks the index what it knows, the model for the rest, and gives up only once."""

from collections.abc import Iterable, Sequence

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, Vector
from kebab.core.errors import KebabError
from kebab.core.ports import Embedder
from kebab.embed.inputs import Input, inputs_of
from kebab.store.embeddings import ChunkInputs, Embedded, Embeddings, StoredModel


class ChunkEmbedder:
    """Embeds for one model. After a failure it embeds nothing more: what is missing is filled in by a later run."""

    def __init__(self, embedder: Embedder, model: StoredModel, embeddings: Embeddings) -> None:
        self._embedder = embedder
        self._embeddings = embeddings
        self.model = model
        self.failure: KebabError | None = None
        self.embedded = 0

    def embed(self, chunks: Iterable[tuple[str, tuple[str, ...], str]]) -> Embedded:
        """The vectors of chunks given as title, headings and text; nothing fresh when the model cannot be used."""
        texts: dict[bytes, str] = {}
        planned = tuple(_planned(inputs_of(*chunk), texts) for chunk in chunks)
        try:
            fresh = self._fresh(texts) if self.failure is None else {}
        except KebabError as error:
            self.failure = error
        if self.failure is not None:
            return Embedded(self.model.model_key, planned, {})
        self.embedded += sum(len(chunk.inputs) for chunk in planned)
        return Embedded(self.model.model_key, planned, fresh)

    def _fresh(self, texts: dict[bytes, str]) -> dict[bytes, bytes]:
        from kebab.vectors.packed import pack

        known = self._embeddings.known(self.model.model_key, list(texts))
        missing = [each for each in texts if each not in known]
        if not missing:
            return {}
        vectors = self._embedder.embed([texts[each] for each in missing], EmbeddingKind.DOCUMENT)
        return dict(zip(missing, pack(vectors), strict=True))

    def release(self) -> None:
        """Leaves the memory to something large; the model is loaded again when it is needed."""
        self._embedder.release()


class NoEmbedder:
    """Stands in for a model whose settings are wrong, and says so when it is used."""

    def __init__(self, model: EmbeddingModel, error: KebabError) -> None:
        self.model = model
        self._error = error

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:  # noqa: ARG002 - the port's
        raise self._error

    def release(self) -> None:
        """Nothing was loaded."""


def _planned(inputs: Sequence[Input], texts: dict[bytes, str]) -> ChunkInputs:
    from blake3 import blake3

    found = []
    for role, text in inputs:
        digest = blake3(text.encode("utf-8", "surrogatepass")).digest(16)
        texts[digest] = text
        found.append((role, digest))
    return ChunkInputs(tuple(found))
