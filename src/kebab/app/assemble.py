"""Config -> Parts: the only place that chooses implementations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kebab.config import Config, Storage
from kebab.core.answering import LlmSettings
from kebab.core.chunk import ChunkPolicy
from kebab.core.embedding import EmbeddingSettings, ModelFolders
from kebab.core.ports import Chunker, Embedder, Entailment, LanguageModel, Parser, Reranker, VectorEngine
from kebab.core.reading import Cache

if TYPE_CHECKING:
    from kebab.parse import Tools


@dataclass(frozen=True, slots=True)
class Parts:
    """What an ingest is made of, by media type."""

    parsers: Mapping[str, Parser]
    chunkers: Mapping[str, Chunker]
    policy: ChunkPolicy


def assemble(config: Config, cache: Cache | None = None) -> Parts:
    """`cache` keeps what engines read off pictures and recordings."""
    from kebab.chunk import CHUNKERS
    from kebab.parse import PARSERS, readers

    rows = {**PARSERS, **readers(tools_of(config, cache))}
    return Parts(by_media_type(rows), by_media_type(CHUNKERS), config.chunking)


def tools_of(config: Config, cache: Cache | None) -> "Tools":
    """Engines as they are configured. None of them starts anything before it is asked."""
    from kebab.ocr import CAPTIONERS, OCR_ENGINES
    from kebab.ocr.pages import PageReader
    from kebab.parse import Tools
    from kebab.parse.pdf import OcrMode
    from kebab.speech import TRANSCRIBERS

    ocr, caption, speech = config.image_ocr, config.caption, config.speech
    engine = OCR_ENGINES[ocr.engine](ocr) if ocr.engine in OCR_ENGINES else None
    make_captions, make_transcripts = CAPTIONERS.get(caption.provider), TRANSCRIBERS.get(speech.provider)
    return Tools(
        ocr=engine,
        captioner=make_captions(caption) if make_captions else None,
        transcriber=make_transcripts(speech, config.storage.model_dir) if make_transcripts else None,
        page_ocr=PageReader(engine, cache) if engine is not None and config.pdf_ocr.enabled else None,
        page_mode=OcrMode.ALWAYS if config.pdf_ocr.always_on else OcrMode.SCANNED,
        cache=cache,
    )


_Row = TypeVar("_Row")


def by_media_type(rows: Mapping[str, _Row]) -> dict[str, _Row]:
    """A row for every media type that is read: its own, or that of its family."""
    from kebab.source import family, known_media_types

    return {media: rows[media] if media in rows else rows[family(media)] for media in known_media_types()}


def embedder_for(settings: EmbeddingSettings, folders: ModelFolders) -> Embedder:
    from kebab.embed import EMBEDDERS

    return EMBEDDERS[settings.provider](settings, folders)


def engine_for(storage: Storage, *, writable: bool) -> VectorEngine:
    from kebab.vectors import ENGINES

    return ENGINES[storage.vector_engine](storage.vector_dir, writable=writable)


def reranker_for(folder: Path, threads: int) -> Reranker:
    from kebab.embed.rerank import OnnxReranker

    return OnnxReranker(folder, threads)


def entailment_for(config: Config) -> Entailment:
    """What checks answers. Raises ModelNotPulled."""
    from kebab.embed.catalogue import NLI, VERIFIER, folder_of
    from kebab.embed.nli import OnnxEntailment

    folders = ModelFolders(config.storage.model_dir, None)
    folder = folder_of(config.rag.nli_model or VERIFIER, folders, NLI)
    return OnnxEntailment(folder, config.embedding.threads)


def language_model_for(settings: LlmSettings) -> LanguageModel | None:
    """None for the built-in one, which is made anew for every question: it reads the index, and no prompt."""
    from kebab.llm import LANGUAGE_MODELS

    make = LANGUAGE_MODELS.get(settings.provider)
    return None if make is None else make(settings)


def interruptible(model: LanguageModel, canceled: Callable[[], bool]) -> LanguageModel:
    """The same model, left at once when its reader is canceled."""
    from kebab.llm.interruptible import Interruptible

    return Interruptible(model, canceled)
