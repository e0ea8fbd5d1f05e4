"""The records of a SentencePiece model file: an index of them, and a small model of those that a text may need.

A text can only be cut into pieces that stand in it. A model file of just these gives the same cuts as the whole one,
as long as it has the special pieces and the piece of the worst score, from which the price of an unknown one follows.
"""

import struct
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from zlib import crc32

from kebab.embed.use.resources import broken

if TYPE_CHECKING:
    from numpy.typing import NDArray

Index: TypeAlias = "Mapping[str, NDArray[Any]]"

PIECES = 128_000
LONGEST = 16
# Unknown, begin, end, and three symbols that the normaliser takes whole.
_SPECIAL = 6

INDEX_SHAPES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "piece_sums": ("<u4", (PIECES,)),
    "piece_ids": ("<u4", (PIECES,)),
    "piece_starts": ("<u4", (PIECES + 1,)),
    "piece_worst": ("<u4", (1,)),
}


class PartialModel(NamedTuple):
    """A model file, and for each of its pieces the id in the whole one."""

    file: bytes
    ids: list[int]


def index(model: bytes) -> Index:
    """Checksums of the pieces in order with their ids, where their records start, and the piece of the worst score."""
    import numpy as np

    starts, sums, scores = [0], [], []
    at = 0
    for _ in range(PIECES):
        at, piece, score = _record(model, at)
        starts.append(at)
        sums.append(crc32(piece))
        scores.append(score)
    if model[at : at + 1] == _PIECE:
        raise broken(f"holds more than {PIECES} pieces")
    order = np.argsort(np.array(sums, np.uint32), kind="stable")
    found = {
        "piece_sums": np.array(sums)[order],
        "piece_ids": order,
        "piece_starts": np.array(starts),
        "piece_worst": np.array([scores.index(min(scores))]),
    }
    return {name: found[name].astype(dtype) for name, (dtype, _) in INDEX_SHAPES.items()}


def bare(model: bytes, known: Index) -> bytes:
    """A model with the special pieces only: enough to normalise."""
    starts = known["piece_starts"]
    return model[: starts[_SPECIAL]] + model[starts[-1] :]


def partial(model: bytes, known: Index, texts: Iterable[str]) -> PartialModel:
    """The model for these texts, which are normalised."""
    import numpy as np

    wanted = np.array(sorted(_sums(texts)), np.uint32)
    first = np.searchsorted(known["piece_sums"], wanted, "left")
    after = np.searchsorted(known["piece_sums"], wanted, "right")
    here = np.flatnonzero(after > first)
    # A piece too many does no harm, so checksums need no second look.
    found = [known["piece_ids"][begin:end].tolist() for begin, end in zip(first[here], after[here], strict=True)]
    ids = sorted({*range(_SPECIAL), *known["piece_worst"].tolist(), *chain.from_iterable(found)})
    starts = known["piece_starts"]
    records = [model[starts[each] : starts[each + 1]] for each in ids]
    return PartialModel(b"".join([*records, model[starts[-1] :]]), ids)


def _sums(texts: Iterable[str]) -> set[int]:
    """Checksums of everything in the texts that is no longer than a piece."""
    found = set()
    for text in texts:
        letters = [letter.encode() for letter in text]
        for start in range(len(letters)):
            total = 0
            for letter in letters[start : start + LONGEST]:
                total = crc32(letter, total)
                found.add(total)
    return found


# Records as protocol buffers write them: field 1 of the model, and in it fields 1 (the piece) and 2 (its score).
_PIECE, _TEXT, _SCORE = b"\x0a", 0x0A, 0x15
_SHORT = 128


def _record(model: bytes, at: int) -> tuple[int, bytes, float]:
    """Where the record ends, its piece and its score."""
    try:
        mark, size, text, length = model[at : at + 4]
        end, behind = at + 2 + size, at + 4 + length
        if mark == _PIECE[0] and text == _TEXT and size < _SHORT and model[behind] == _SCORE and behind + 5 <= end:
            return end, model[at + 4 : behind], struct.unpack_from("<f", model, behind + 1)[0]
    except (ValueError, IndexError, struct.error):
        pass
    raise broken("holds a vocabulary that cannot be read")
