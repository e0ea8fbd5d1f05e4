"""An embedding: what a text means, as a vector, and the identity of the model that said so."""

from enum import IntEnum, StrEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

# Little-endian float32 of unit length. Bytes, because whoever computes has numpy and whoever stores has not.
Vector: TypeAlias = bytes

NO_PROVIDER = "none"


class EmbeddingKind(StrEnum):
    """Some models embed a question differently from a passage."""

    DOCUMENT = "document"
    QUERY = "query"


class Role(IntEnum):
    """What of a chunk a vector stands for."""

    PASSAGE = 0
    HEADING = 1


class EmbeddingModel(NamedTuple):
    """Vectors are comparable when all of this is equal."""

    provider: str
    model: str
    version: str
    dimensions: int

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}@{self.version} ({self.dimensions})"


class EmbeddingSettings(NamedTuple):
    """Section `[models.embedding]`. An empty endpoint is the provider's own default; no threads means all cores."""

    provider: str = "builtin"
    model: str = "use-multilingual-v3"
    version: str = "v1"
    dimensions: int = 512
    batch_size: int = 64
    threads: int = 0
    endpoint: str = ""
    api_key_env: str = ""
    timeout_s: int = 60

    def identity(self) -> EmbeddingModel:
        return EmbeddingModel(self.provider, self.model, self.version, self.dimensions)


class ModelFolders(NamedTuple):
    """Where models are: pulled ones, and what is unpacked from a package (None when nothing may be kept).

    `sparing` says that memory is dearer here than time.
    """

    pulled: Path
    cache: Path | None
    sparing: bool = False


class VectorRow(NamedTuple):
    """A stored vector. `packed` is in the form the store keeps, see `kebab.vectors.packed`."""

    record_key: int
    chunk_key: int
    doc_key: int
    role: int
    packed: bytes


class Neighbour(NamedTuple):
    """A vector near a question's, by cosine."""

    record_key: int
    chunk_key: int
    role: int
    cosine: float
