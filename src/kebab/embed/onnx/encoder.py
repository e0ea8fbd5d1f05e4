"""A loaded embedding model: texts in, unit vectors out, with the prefixes and the pooling the model was made for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders, Vector
from kebab.core.errors import ModelInvalid
from kebab.embed import catalogue, model_folder
from kebab.embed.onnx.pooling import pooled, unit
from kebab.embed.onnx.runtime import require_extra
from kebab.embed.onnx.transformer import Batch, Transformer
from kebab.embed.prefixes import prefix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DIMENSIONS_KEY = "models.embedding.dimensions"
_OUTPUT = "sentence_embedding"


class Encoder:
    """Loads its model when it is made. Raises ModelNotPulled, ModelInvalid or MissingExtra."""

    def __init__(self, settings: EmbeddingSettings, folders: ModelFolders) -> None:
        require_extra()
        self._settings = settings
        folder, known = catalogue.folder_of(settings.model, folders), catalogue.known(settings.model)
        if known is not None:
            self._check_dimensions(known.dimensions)
        files = model_folder.find(folder)
        assert files is not None, "folder_of gives complete folders only"
        prompts, name = model_folder.prompts(folder), settings.model if known else model_folder.names(folder)
        self._query_prefix = prompts.query if prompts else prefix(name, EmbeddingKind.QUERY)
        self._passage_prefix = prompts.passage if prompts else prefix(name, EmbeddingKind.DOCUMENT)
        self._first_token = model_folder.takes_first_token(folder)
        self._transformer = Transformer(folder, files, settings.threads, _OUTPUT)

    def vectors(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """One per text, in order."""
        before = self._query_prefix if kind is EmbeddingKind.QUERY else self._passage_prefix
        found: dict[int, Vector] = {}
        for batch in self._transformer.run_texts([before + text for text in texts], self._settings.batch_size):
            found.update((place, row.tobytes()) for place, row in zip(batch.places, self._rows(batch), strict=True))
        return [found[place] for place in range(len(texts))]

    def _rows(self, batch: Batch) -> "NDArray[np.float32]":
        raw = pooled(batch.output, batch.mask, first_token=self._first_token)
        if raw is None:
            raise self._invalid(f"gives an array of shape {batch.output.shape} and no vector per token or text")
        self._check_dimensions(raw.shape[1])
        if (rows := unit(raw)) is None:
            raise self._invalid("gives vectors that are not numbers or all zero")
        return rows

    def _check_dimensions(self, found: int) -> None:
        settings = self._settings
        if found != settings.dimensions:
            raise ModelInvalid(
                f"{settings.model} gives {found} dimensions, {_DIMENSIONS_KEY} says {settings.dimensions}",
                hint=f"kebab config set {_DIMENSIONS_KEY} {found}",
                model=settings.model,
                key=_DIMENSIONS_KEY,
                expected=settings.dimensions,
                found=found,
            )

    def _invalid(self, complaint: str) -> ModelInvalid:
        return ModelInvalid(
            f"{self._settings.model} {complaint}",
            hint="choose another model: kebab models list",
            model=self._settings.model,
        )
