"""Texts and pairs of texts to tokens that a model can take: cut to its length, and never refused for what they hold."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kebab.embed.onnx.runtime import open_tokenizer, reported

if TYPE_CHECKING:
    from tokenizers import Encoding

Pair: TypeAlias = tuple[str, str]

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

    def _fitting(self, pairs: list[Pair]) -> list[Pair]:
        """Cuts the texts themselves: a tokenizer that cuts a pair also makes every pair of the parts it cut off."""
        texts = list(dict.fromkeys(chain.from_iterable(pairs)))
        alone = reported(
            lambda: self._tokenizer.encode_batch(texts, add_special_tokens=False),
            "is a tokenizer that fails",
            self._path,
        )
        ends = {text: [end for _, end in each.offsets] for text, each in zip(texts, alone, strict=True)}
        room = max(2, self._length - self._tokenizer.num_special_tokens_to_add(is_pair=True))
        fitting = []
        for first, second in pairs:
            kept = min(len(ends[first]), max(room // 2, room - len(ends[second])))
            fitting.append((_start(first, ends[first], kept), _start(second, ends[second], room - kept)))
        return fitting


def _start(text: str, ends: list[int], count: int) -> str:
    """The first `count` tokens of a text, given where each of them ends."""
    return text if count >= len(ends) else text[: ends[count - 1]]


def _whole(text: str) -> str:
    """Half a surrogate pair is text in Python and in no tokenizer."""
    return text.encode("utf-8", "replace").decode("utf-8")
