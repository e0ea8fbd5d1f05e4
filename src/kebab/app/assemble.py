"""Config -> Parts: the only place that chooses implementations."""

from collections.abc import Mapping
from dataclasses import dataclass

from kebab.config import Config
from kebab.core.chunk import ChunkPolicy
from kebab.core.ports import Chunker, Parser


@dataclass(frozen=True, slots=True)
class Parts:
    """What an ingest is made of, by media type."""

    parsers: Mapping[str, Parser]
    chunkers: Mapping[str, Chunker]
    policy: ChunkPolicy


def assemble(config: Config) -> Parts:
    from kebab.chunk import CHUNKERS
    from kebab.parse import PARSERS

    return Parts(PARSERS, CHUNKERS, config.chunking)
