"""The settings as the rest of kebab sees them: one frozen value per section, and the whole with where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kebab.config.schema import SCHEMA_VERSION
from kebab.core.answering import LlmSettings, RagSettings
from kebab.core.asset import DEFAULT_SOURCE, Source
from kebab.core.chunk import ChunkPolicy
from kebab.core.embedding import EmbeddingSettings
from kebab.core.query import SearchSettings
from kebab.core.reading_settings import CaptionSettings, OcrSettings, PdfOcrSettings, SpeechSettings

# Sections whose name is no name of a field.
FIELD_OF_SECTION = {
    "models.embedding": "embedding",
    "models.llm": "llm",
    "ingest.pdf.ocr": "pdf_ocr",
    "ingest.image.ocr": "image_ocr",
    "ingest.image.caption": "caption",
    "ingest.speech": "speech",
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """Section `[workspace]`. `sources` are the named ones only."""

    root: Path
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    follow_symlinks: bool
    max_file_mb: int
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Storage:
    """Section `[storage]`, every path absolute."""

    data_dir: Path
    sqlite: Path
    asset_dir: Path
    vector_dir: Path
    model_dir: Path
    runs_dir: Path
    vector_engine: str
    copy_threshold_mb: int
    cache_mb: int

    @property
    def lock(self) -> Path:
        """Beside the index it guards, so that two configurations of one index exclude each other."""
        return self.sqlite.with_name(f"{self.sqlite.name}.lock")


@dataclass(frozen=True, slots=True)
class Logging:
    """Section `[logging]`, and where the log goes: None when no such place is known."""

    level: str
    keep_days: int
    dir: Path | None


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting. `origins` says for each key: default, file:LINE, env:NAME or flag.

    `file` is where the configuration is or would be, None when no such place is known. `reserved` holds the given keys
    that this version accepts and does not use. `cache_dir` holds what can be made again at any time.
    """

    workspace: Workspace
    storage: Storage
    chunking: ChunkPolicy
    chunker_version: str
    search: SearchSettings
    embedding: EmbeddingSettings
    llm: LlmSettings
    rag: RagSettings
    image_ocr: OcrSettings
    pdf_ocr: PdfOcrSettings
    caption: CaptionSettings
    speech: SpeechSettings
    logging: Logging
    reserved: Mapping[str, object]
    origins: Mapping[str, str]
    warnings: tuple[str, ...]
    file: Path | None
    file_exists: bool
    cache_dir: Path | None
    schema_version: int

    @property
    def pending_migration(self) -> bool:
        return self.schema_version < SCHEMA_VERSION

    def sources(self) -> tuple[Source, ...]:
        """Every folder to index, the default one first."""
        workspace = self.workspace
        default = Source(DEFAULT_SOURCE, workspace.root, workspace.include, workspace.exclude)
        return (default, *workspace.sources)
