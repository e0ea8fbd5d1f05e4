"""The vector side of an index, opened when it is first needed: embedders, the engine, and which model searches use."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kebab.config import Config
from kebab.core.embedding import NO_PROVIDER, EmbeddingModel, EmbeddingSettings, ModelFolders
from kebab.core.errors import KebabError

if TYPE_CHECKING:
    from kebab.app.ranking import Remembered
    from kebab.core.ports import Embedder, Reranker, VectorEngine
    from kebab.search.meaning import Meaning
    from kebab.store.embeddings import StoredModel
    from kebab.store.store import Store


class WordsOnly(Exception):
    """Why the vector channel cannot run, and what would help."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class Side(NamedTuple):
    meaning: "Meaning"
    hint: str | None = None


class VectorSide:
    """Keeps models and derived files open for as long as the app lives. Apps of several threads may share one."""

    def __init__(self, config: Config, *, readonly: bool, sparing: bool = False) -> None:
        """A `sparing` one takes time rather than memory."""
        self._config = config
        self._sparing = sparing
        self._readonly = readonly
        self._opening = threading.Lock()
        self._embedders: dict[EmbeddingSettings, Embedder] = {}
        self._engine: VectorEngine | None = None
        self._reranker: Reranker | None = None
        self._remembered: Remembered | None = None

    @property
    def remembered(self) -> "Remembered":
        """Rankings that need not be made again."""
        with self._opening:
            if self._remembered is None:
                from kebab.app.ranking import Remembered

                self._remembered = Remembered()
            return self._remembered

    @property
    def configured(self) -> bool:
        return self._config.embedding.provider != NO_PROVIDER

    @property
    def wanted(self) -> EmbeddingModel:
        """The model of the configuration."""
        return self._config.embedding.identity()

    def is_current(self, model: "StoredModel") -> bool:
        """Whether these are the vectors the next ingest would make."""
        from kebab.embed.inputs import VERSION

        return model.identity == self.wanted and model.input_version == VERSION

    def embedder(self, settings: EmbeddingSettings) -> "Embedder":
        with self._opening:
            if settings not in self._embedders:
                from kebab.app.assemble import embedder_for

                folders = ModelFolders(self._config.storage.model_dir, self._cache(), self._sparing)
                self._embedders[settings] = embedder_for(settings, folders)
            return self._embedders[settings]

    def _cache(self) -> Path | None:
        return None if self._config.cache_dir is None else self._config.cache_dir / "models"

    @property
    def engine(self) -> "VectorEngine":
        with self._opening:
            if self._engine is None:
                from kebab.app.assemble import engine_for

                self._engine = engine_for(self._config.storage, writable=not self._readonly)
            return self._engine

    def reranker(self) -> "Reranker | None":
        folder = self._config.search.reranker
        with self._opening:
            if folder and self._reranker is None:
                from kebab.app.assemble import reranker_for

                self._reranker = reranker_for(Path(folder).expanduser(), self._config.embedding.threads)
            return self._reranker

    def open(self, store: "Store") -> Side:
        """What a search by meaning works with. Raises WordsOnly."""
        if not self.configured:
            raise WordsOnly(
                "no embedding model is configured; searched by words only",
                "use --mode lexical to search by words without this note",
            )
        model = store.embeddings.active() if store.has_vectors else None
        if model is None:
            raise WordsOnly("the index holds no vectors yet; searched by words only", "run `kebab ingest`")
        return Side(self._meaning(store, model), self._switch_hint(model))

    def _meaning(self, store: "Store", model: "StoredModel") -> "Meaning":
        from kebab.search.coefficients import coefficients_of
        from kebab.search.meaning import Meaning
        from kebab.vectors.compare import cosines

        # Its own settings, unless the configuration means the same model: an address may have moved since.
        wanted = self._config.embedding
        settings = wanted if wanted.identity() == model.identity else model.settings
        coefficients = coefficients_of(model.settings.model, self._config.search.blend_weight)
        try:
            engine, embedder = self.engine, self.embedder(settings)
        except KebabError as error:
            raise WordsOnly(f"{error.message}; searched by words only", error.hint or "run `kebab doctor`") from error
        return Meaning(embedder, engine, store.embeddings.table(model), cosines, coefficients, model.settings.model)

    def _switch_hint(self, model: "StoredModel") -> str | None:
        if self.is_current(model):
            return None
        return f"vectors are still those of {model.identity}; `kebab ingest` makes those of the configured model"
