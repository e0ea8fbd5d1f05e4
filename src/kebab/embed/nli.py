"""The optional verifier: a classifier in a local folder that says how likely a passage bears out a sentence.

Made for mDeBERTa-v3 trained on XNLI, whose classes are entailment, neutral and contradiction. Which class is which the
folder's `config.json` says; without it the first is entailment. A passage that is too long is read in parts that
overlap, and the part that says the sentence best counts.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from kebab.embed import model_folder
from kebab.embed.onnx.pairs import Calling, PairModel

_CALLING = Calling(
    name="verifier",
    kind="an NLI model",
    owes="a score for entailment and for the other classes",
    widths=(2, 3),
    hint="use a model trained on XNLI or MNLI: kebab models pull mdeberta-v3-xnli",
)
_ENTAILMENT = "entail"
# What exporters write when nobody named the classes.
_NAMELESS = "label_"


class OnnxEntailment:
    """The model is loaded by the first `entails`."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._model = PairModel(folder, threads, _CALLING)

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each passage and sentence, how likely the one says the other, from 0 to 1.

        Raises ModelNotPulled, ModelInvalid or MissingExtra; opens no connection.
        """
        if not pairs:
            return []
        windows = self._model.windows(pairs)
        scores = iter(self._scores(list(chain.from_iterable(windows))))
        return [max(next(scores) for _ in parts) for parts in windows]

    def _scores(self, pairs: list[tuple[str, str]]) -> list[float]:
        import numpy as np

        rows = self._model.logits(pairs)
        place = self._entailment(rows.shape[1])
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        return [float(share) for share in powers[:, place] / powers.sum(axis=1)]

    def _entailment(self, classes: int) -> int:
        """Where the logit of entailment stands."""
        labels = model_folder.labels(self._model.folder)
        named = [place for place, label in labels.items() if label.strip().lower().startswith(_ENTAILMENT)]
        if not named and all(label.lower().startswith(_NAMELESS) for label in labels.values()):
            return 0
        if len(named) != 1 or named[0] >= classes:
            told = ", ".join(labels.values())
            raise self._model.invalid(f"has the classes {told}, of which kebab cannot tell which is entailment")
        return named[0]
