"""The optional reranker: a cross-encoder in a local folder reads a question and a passage together and scores them."""

from collections.abc import Sequence
from pathlib import Path

from kebab.embed.onnx.pairs import Calling, PairModel

_CALLING = Calling(
    name="reranker",
    kind="a cross-encoder",
    owes="one score per passage",
    widths=(1, 2),
    hint="use a cross-encoder with one score, or with two classes",
)
# exp() of more overflows, and the sigmoid of less is already 0 or 1.
_LARGEST = 60.0


class OnnxReranker:
    """The model is loaded by the first `rerank`."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._model = PairModel(folder, threads, _CALLING)

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers the query, from 0 to 1, in order.

        Raises ModelNotPulled, ModelInvalid or MissingExtra; opens no connection.
        """
        if not passages:
            return []
        import numpy as np

        rows = self._model.logits([(query, passage) for passage in passages])
        # The softmax of two is the sigmoid of their difference.
        raw = rows[:, 0] if rows.shape[1] == 1 else rows[:, 1] - rows[:, 0]
        return [float(score) for score in 1 / (1 + np.exp(-np.clip(raw, -_LARGEST, _LARGEST)))]
