"""A model that reads two texts together, from a local folder: pairs in, a row of logits for each out. Loads late."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.errors import ModelInvalid, ModelNotPulled
from kebab.embed import model_folder
from kebab.embed.onnx.runtime import require_extra
from kebab.embed.onnx.tokens import Pair
from kebab.embed.onnx.transformer import Transformer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OUTPUT = "logits"
_BATCH = 32
_ROW_AXES = 2


class Calling(NamedTuple):
    """What a model is for, as errors put it, and how many logits it may give. `hint` names models that will do."""

    name: str
    kind: str
    owes: str
    widths: tuple[int, ...]
    hint: str


class PairModel:
    """The folder holds what `model_folder.py` describes. Raises ModelNotPulled, ModelInvalid or MissingExtra."""

    def __init__(self, folder: Path, threads: int, calling: Calling) -> None:
        self.folder = folder
        self._threads = threads
        self._calling = calling
        self._lock = Lock()
        self._loaded: Transformer | None = None

    def logits(self, pairs: Sequence[Pair]) -> "NDArray[np.float64]":
        """A row for each pair, in order. Of a pair that is too long the longer text loses its end."""
        import numpy as np

        rows: dict[int, NDArray[np.float64]] = {}
        for batch in self._load().run_pairs(pairs, _BATCH):
            rows.update(zip(batch.places, self._rows(batch.output, len(batch.places)), strict=True))
        return np.stack([rows[place] for place in range(len(pairs))])

    def windows(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """For each pair the pairs that fit: its first text in parts that overlap, each beside the second."""
        return self._load().windows(pairs)

    def _load(self) -> Transformer:
        with self._lock:
            if self._loaded is None:
                require_extra()
                files = model_folder.find(self.folder)
                if files is None:
                    raise ModelNotPulled(
                        f"no {model_folder.missing(self.folder)} in {self.folder}",
                        hint=f"put model.onnx and tokenizer.json of {self._calling.kind} there",
                        path=str(self.folder),
                    )
                self._loaded = Transformer(self.folder, files, self._threads, _OUTPUT)
            return self._loaded

    def _rows(self, output: "NDArray[np.float32]", count: int) -> "NDArray[np.float64]":
        import numpy as np

        rows = output.astype(np.float64)[:, None] if output.ndim == 1 else output.astype(np.float64)
        if rows.ndim != _ROW_AXES or len(rows) != count or rows.shape[1] not in self._calling.widths:
            raise self.invalid(f"gives an array of shape {output.shape} and not {self._calling.owes}")
        if not np.isfinite(rows).all():
            raise self.invalid("gives scores that are not numbers")
        return rows

    def invalid(self, complaint: str) -> ModelInvalid:
        return ModelInvalid(
            f"the {self._calling.name} in {self.folder} {complaint}", hint=self._calling.hint, path=str(self.folder)
        )
