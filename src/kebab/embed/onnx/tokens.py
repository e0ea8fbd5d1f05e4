"""Texts and pairs of texts to tokens that a model can take: cut to its length, and never refused for what they hold."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kebab.embed.onnx.runtime import open_tokenizer, reported

if TYPE_CHECKING:
    from tokenizers import Encoding

Pair: TypeAlias = tuple[str, str]
Span: TypeAlias = tuple[int, int]

# Parts share this fraction with the part before, so that a sentence cut in one is whole in the other.
_OVERLAP = 4
_PAD_TOKENS = ("<pad>", "[PAD]")


class Tokens:
    def __init__(self, path: Path, length: int) -> None:
        self._path = path
        self._length = length
        self._tokenizer = open_tokenizer(path, length)
        found = (self._tokenizer.token_to_id(token) for token in _PAD_TOKENS)
        self.pad_id = next((number for number in found if number is not None), 0)

    def of_texts(self, texts: Sequence[str]) -> "list[Encoding]":
        """A long text loses its end."""
        return self._encoded([_whole(text) for text in texts])

    def of_pairs(self, pairs: Sequence[Pair]) -> "list[Encoding]":
        """Of a long pair the longer text loses its end, until both are equally long."""
        whole = [(_whole(first), _whole(second)) for first, second in pairs]
        return self._encoded(self._fitting(whole))

    def _encoded(self, texts: "Sequence[str | Pair]") -> "list[Encoding]":
        return reported(lambda: self._tokenizer.encode_batch_fast(texts), "is a tokenizer that fails", self._path)

    def windows(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """For each pair the pairs that fit: the first text in parts that overlap, each beside the second text.

        A second text that takes more than half the room loses its end.
        """
        whole = [(_whole(first), _whole(second)) for first, second in pairs]
        spans, room = self._spans(whole), self._room()
        found = []
        for first, second in whole:
            beside = min(len(spans[second]), max(room // 2, room - len(spans[first])))
            kept = _start(second, spans[second], beside)
            found.append([(part, kept) for part in _parts(first, spans[first], room - beside)])
        return found

    def _fitting(self, pairs: list[Pair]) -> list[Pair]:
        """Cuts the texts themselves: a tokenizer that cuts a pair also makes every pair of the parts it cut off."""
        spans, room = self._spans(pairs), self._room()
        fitting = []
        for first, second in pairs:
            kept = min(len(spans[first]), max(room // 2, room - len(spans[second])))
            fitting.append((_start(first, spans[first], kept), _start(second, spans[second], room - kept)))
        return fitting

    def _room(self) -> int:
        """Tokens of both texts of a pair together."""
        return max(2, self._length - self._tokenizer.num_special_tokens_to_add(is_pair=True))

    def _spans(self, pairs: Sequence[Pair]) -> dict[str, list[Span]]:
        """Where the tokens of each text stand in it, also of those beyond the model's length."""
        texts = list(dict.fromkeys(chain.from_iterable(pairs)))
        alone = reported(
            lambda: self._tokenizer.encode_batch(texts, add_special_tokens=False),
            "is a tokenizer that fails",
            self._path,
        )
        return {
            text: [span for piece in (each, *each.overflowing) for span in piece.offsets]
            for text, each in zip(texts, alone, strict=True)
        }


def _parts(text: str, spans: list[Span], size: int) -> list[str]:
    """A text in parts of at most `size` tokens, the last one ending where the text ends."""
    if len(spans) <= size:
        return [text]
    step = size - size // _OVERLAP
    starts = [*range(0, len(spans) - size, step), len(spans) - size]
    return [text[spans[start][0] : spans[start + size - 1][1]] for start in starts]


def _start(text: str, spans: list[Span], count: int) -> str:
    """The first `count` tokens of a text, given where they stand."""
    return text if count >= len(spans) else text[: spans[count - 1][1]]


def _whole(text: str) -> str:
    """Half a surrogate pair is text in Python and in no tokenizer."""
    return text.encode("utf-8", "replace").decode("utf-8")
