"""Vectors that are made of nothing but a text's hash, and chunks that are given them."""

from collections.abc import Iterable, Sequence

from blake3 import blake3
from store_bench import Index, Made, make, placement

from kebab.core.embedding import EmbeddingSettings, Role
from kebab.store.embeddings import ChunkInputs, Embedded, StoredModel, UnembeddedChunk

DIMENSIONS = 4


def settings(model: str = "test-model", **changes: object) -> EmbeddingSettings:
    return EmbeddingSettings(provider="test", model=model, dimensions=DIMENSIONS)._replace(**changes)  # type: ignore[arg-type]


def adopt(index: Index, model: str = "test-model", input_version: str = "whole-v1", **changes: object) -> StoredModel:
    return index.store.embeddings.adopt(settings(model, **changes), input_version)


def digest(text: str) -> bytes:
    return blake3(text.encode()).digest(16)


def packed(text: str, model: StoredModel) -> bytes:
    return blake3(f"{model.identity} {text}".encode()).digest(2 * DIMENSIONS)


def embedded(index: Index, model: StoredModel, chunks: Iterable[tuple[tuple[str, ...], str]]) -> Embedded:
    """Each chunk, given as headings and text, by its text and, when it has one, by its last heading."""
    inputs: list[ChunkInputs] = []
    texts: dict[bytes, str] = {}
    for headings, text in chunks:
        named = [(Role.PASSAGE, text), *((Role.HEADING, heading) for heading in headings[-1:])]
        texts |= {digest(each): each for _, each in named}
        inputs.append(ChunkInputs(tuple((role, digest(each)) for role, each in named)))
    known = index.store.embeddings.known(model.model_key, list(texts))
    fresh = {key: packed(text, model) for key, text in texts.items() if key not in known}
    return Embedded(model.model_key, tuple(inputs), fresh)


def put(index: Index, model: StoredModel, path: str, text: str) -> Made:
    """A note with its vectors."""
    made = make(path, text)
    vectors = embedded(index, model, ((chunk.heading_path, chunk.text) for chunk in made.chunks))
    index.store.documents.put(made.asset, made.document, made.chunks, placement(path), vectors)
    return made


def fill(index: Index, model: StoredModel, chunks: Sequence[UnembeddedChunk]) -> None:
    vectors = embedded(index, model, ((chunk.heading_path, chunk.text) for chunk in chunks))
    index.store.embeddings.fill([chunk.chunk_key for chunk in chunks], vectors)
