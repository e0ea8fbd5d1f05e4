"""The optional reranker: a cross-encoder in a local folder reads a question and a passage together and scores them."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from kebab.core.errors import ModelInvalid, ModelNotPulled
from kebab.embed import model_folder
from kebab.embed.onnx.runtime import require_extra
from kebab.embed.onnx.transformer import Transformer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OUTPUT = "logits"
_BATCH = 32
# exp() of more overflows, and the sigmoid of less is already 0 or 1.
_LARGEST = 60.0


class OnnxReranker:
    """The folder holds what `model_folder.py` describes. The model is loaded by the first `rerank`."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._folder = folder
        self._threads = threads
        self._lock = Lock()
        self._loaded: Transformer | None = None

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers the query, from 0 to 1, in order.

        Raises ModelNotPulled, ModelInvalid or MissingExtra; opens no connection.
        """
        if not passages:
            return []
        scores: dict[int, float] = {}
        for batch in self._load().run_pairs([(query, passage) for passage in passages], _BATCH):
            scores.update(zip(batch.places, self._scores(batch.output, len(batch.places)), strict=True))
        return [scores[place] for place in range(len(passages))]

    def _load(self) -> Transformer:
        with self._lock:
            if self._loaded is None:
                require_extra()
                files = model_folder.find(self._folder)
                if files is None:
                    raise ModelNotPulled(
                        f"no {model_folder.missing(self._folder)} in {self._folder}",
                        hint="put model.onnx and tokenizer.json of a cross-encoder there",
                        path=str(self._folder),
                    )
                self._loaded = Transformer(self._folder, files, self._threads, _OUTPUT)
            return self._loaded

    def _scores(self, logits: "NDArray[np.float32]", count: int) -> list[float]:
        import numpy as np

        rows = logits.astype(np.float64)[:, None] if logits.ndim == 1 else logits.astype(np.float64)
        if rows.shape not in ((count, 1), (count, 2)):
            raise self._invalid(f"gives an array of shape {logits.shape} and not one score per passage")
        if not np.isfinite(rows).all():
            raise self._invalid("gives scores that are not numbers")
        # The softmax of two is the sigmoid of their difference.
        raw = rows[:, 0] if rows.shape[1] == 1 else rows[:, 1] - rows[:, 0]
        return [float(score) for score in 1 / (1 + np.exp(-np.clip(raw, -_LARGEST, _LARGEST)))]

    def _invalid(self, complaint: str) -> ModelInvalid:
        return ModelInvalid(
            f"the reranker in {self._folder} {complaint}",
            hint="use a cross-encoder with one score, or with two classes",
            path=str(self._folder),
        )
