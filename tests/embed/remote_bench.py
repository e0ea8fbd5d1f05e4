"""Both remote embedders against one stand-in server: how they are made, and what their vectors have to be."""

import math
import struct
from pathlib import Path

from kebab.core.embedding import EmbeddingSettings, ModelFolders, Vector
from kebab.embed.ollama import OllamaEmbedder
from kebab.embed.openai import OpenAiEmbedder
from kebab.embed.remote import RemoteEmbedder
from stand_ins.model_server import MODEL, vector

DIMENSIONS = 8
EMBEDDERS: dict[str, type[RemoteEmbedder]] = {"ollama": OllamaEmbedder, "openai": OpenAiEmbedder}
# What makes an embedder in a fresh interpreter, and what must not be loaded by that.
RECIPE = """
from pathlib import Path
from kebab.core.embedding import EmbeddingSettings, ModelFolders
from kebab.embed.{module} import {name}
embedder = {name}(EmbeddingSettings(), ModelFolders(Path("models"), None))
"""
HEAVY = ("httpx2", "numpy", "ssl", "asyncio", "onnxruntime", "sentencepiece")
PATHS = {"ollama": "/api/embed", "openai": "/v1/embeddings"}


def settings(provider: str, endpoint: str, **changes: str | int) -> EmbeddingSettings:
    values = {"model": MODEL, "version": "v1", "dimensions": DIMENSIONS, "batch_size": 3, "timeout_s": 10, **changes}
    return EmbeddingSettings(provider=provider, endpoint=endpoint, **values)  # type: ignore[arg-type]


def embedder(provider: str, endpoint: str, **changes: str | int) -> RemoteEmbedder:
    return EMBEDDERS[provider](settings(provider, endpoint, **changes), ModelFolders(Path("models"), None))


def numbers(given: Vector) -> tuple[float, ...]:
    return struct.unpack(f"<{len(given) // 4}f", given)


def expected(text: str, dimensions: int = DIMENSIONS) -> Vector:
    """What the stand-in's vector of this text is once it has unit length."""
    raw = vector(text, dimensions)
    length = math.sqrt(math.fsum(value * value for value in raw))
    return struct.pack(f"<{dimensions}f", *(value / length for value in raw))


def close(left: Vector, right: Vector) -> bool:
    return len(left) == len(right) and all(
        math.isclose(one, other, abs_tol=1e-6) for one, other in zip(numbers(left), numbers(right), strict=True)
    )
