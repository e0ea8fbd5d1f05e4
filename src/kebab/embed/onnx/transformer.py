"""A loaded transformer: tokens in, what the model says of each text out, in batches of similar length."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.errors import ModelInvalid
from kebab.embed import model_folder
from kebab.embed.onnx.runtime import Port, open_session, reported
from kebab.embed.onnx.tokens import Pair, Tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding

_INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
# Attention grows with texts x length x length: 64 texts of 512 tokens would take a gigabyte per layer of e5-large.
_TOKENS_PER_RUN = 8192
# Operators come before weights in the file, so the beginning tells.
_HEAD_BYTES = 8 << 20
_TOKEN_AXES = 3


class Batch(NamedTuple):
    """Places in the caller's order, the model's output for each, and which tokens are no padding."""

    places: list[int]
    output: "NDArray[np.float32]"
    mask: "NDArray[np.int64]"


class Transformer:
    """Gives the output named in `wanted`; without it one with a vector per token, or else the first."""

    def __init__(self, folder: Path, files: model_folder.ModelFiles, threads: int, wanted: str) -> None:
        self._path = files.model
        self._tokens = Tokens(files.tokenizer, model_folder.max_length(folder))
        self._session = open_session(files.model, threads)
        self._inputs = self._known_inputs(self._session.get_inputs())
        self._output = _chosen(self._session.get_outputs(), wanted)
        self._alone = _is_quantised(files.model)

    def run_texts(self, texts: Sequence[str], batch_size: int) -> Iterator[Batch]:
        """Batches of at most `batch_size`, the longest texts first."""
        return self._run(self._tokens.of_texts(texts), batch_size)

    def run_pairs(self, pairs: Sequence[Pair], batch_size: int) -> Iterator[Batch]:
        return self._run(self._tokens.of_pairs(pairs), batch_size)

    def windows(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """For each pair the pairs that `run_pairs` need not cut."""
        return self._tokens.windows(pairs)

    def _run(self, encodings: "list[Encoding]", batch_size: int) -> Iterator[Batch]:
        longest_first = sorted(range(len(encodings)), key=lambda place: -len(encodings[place].ids))
        while longest_first:
            length = len(encodings[longest_first[0]].ids)
            # A quantised model scales its numbers by the largest of the batch, so neighbours would change a vector.
            count = 1 if self._alone else max(1, min(batch_size, _TOKENS_PER_RUN // max(length, 1)))
            places, longest_first = longest_first[:count], longest_first[count:]
            yield self._batch(places, [encodings[place] for place in places])

    def _batch(self, places: list[int], encodings: "list[Encoding]") -> Batch:
        import numpy as np

        # A tokenizer may find nothing in a text; the model still needs a token to look at.
        length = max(1, *(len(encoding.ids) for encoding in encodings))
        feed = {name: np.zeros((len(encodings), length), dtype=np.int64) for name in _INPUTS}
        feed["input_ids"] += self._tokens.pad_id
        for row, encoding in enumerate(encodings):
            for name, attribute in _INPUTS.items():
                feed[name][row, : len(encoding.ids)] = getattr(encoding, attribute)
        feed["attention_mask"][:, 0] = 1
        given = {name: feed[name].astype(kind) for name, kind in self._inputs.items()}
        (output,) = reported(lambda: self._session.run([self._output], given), "cannot be run", self._path)
        return Batch(places, np.asarray(output, dtype=np.float32), feed["attention_mask"])

    def _known_inputs(self, inputs: Sequence[Port]) -> dict[str, str]:
        """The type of each input, by its name. Raises ModelInvalid for one that texts do not give."""
        if unknown := [each.name for each in inputs if each.name not in _INPUTS]:
            raise ModelInvalid(
                f"{self._path} wants the input {unknown[0]}, which is none of {', '.join(_INPUTS)}",
                hint="export the model for feature extraction or text classification",
                path=str(self._path),
            )
        return {each.name: "int32" if "int32" in each.type else "int64" for each in inputs}


def _chosen(outputs: Sequence[Port], wanted: str) -> str:
    names = [output.name for output in outputs]
    # A `pooler_output` may stand beside the tokens and is no sentence embedding.
    tokens = [output.name for output in outputs if len(output.shape or ()) == _TOKEN_AXES]
    return wanted if wanted in names else (tokens or names)[0]


def _is_quantised(model: Path) -> bool:
    with model.open("rb") as opened:
        return b"DynamicQuantize" in opened.read(_HEAD_BYTES)
