"""A segment: rows of a table in the form that is scanned, keys and two bits per number. Arrays only, no files.

The first bit of a number is its sign, the second tells whether it is larger than the numbers of a unit vector usually
are. Signs alone find the neighbourhood; with sizes, a tenth of the stored vectors has to be read for the same results.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from kebab.core.embedding import VectorRow
from kebab.vectors.packed import joined

if TYPE_CHECKING:
    from kebab.vectors.arrays import Keys, Mask, Octets, Words

# Rows of one segment: what a rebuild holds in memory at a time, about 40 MB at 512 dimensions.
SEGMENT_ROWS = 1 << 18
BATCH_ROWS = 1 << 13
# The mean of a normal distribution without its signs.
_USUAL = 0.8


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows in the order of their keys. The first half of `words` are signs, the second half sizes."""

    keys: "Keys"
    chunks: "Keys"
    docs: "Keys"
    roles: "Octets"
    words: "Words"

    def __len__(self) -> int:
        return len(self.keys)

    def last(self) -> int:
        return int(self.keys[-1])

    def take(self, places: "Keys") -> "Segment":
        return Segment(
            self.keys[places],
            self.chunks[places],
            self.docs[places],
            self.roles[places],
            self.words.take(places, axis=1),
        )


def word_count(dimensions: int) -> int:
    """Words of a row."""
    return 2 * -(-dimensions // 64)


def last_key(segments: Sequence[Segment]) -> int:
    """The largest key of all; 0 when there is none."""
    return segments[-1].last() if segments else 0


def row_count(segments: Sequence[Segment]) -> int:
    return sum(len(segment) for segment in segments)


def from_rows(rows: Sequence[VectorRow], dimensions: int) -> Segment:
    import numpy as np

    numbers = np.array([row[:4] for row in rows], np.int64).reshape(-1, 4)
    columns = np.ascontiguousarray(numbers.T)
    # Bits of a float16 without the sign grow with the number, so none of them has to become a float.
    halves = np.frombuffer(joined([row.packed for row in rows], dimensions), "<u2").reshape(-1, dimensions)
    usual = np.float16(_USUAL / dimensions**0.5).view(np.uint16)
    words = np.concatenate([bit_words(halves > 0x7FFF), bit_words((halves & 0x7FFF) > usual)])
    return Segment(columns[0], columns[1], columns[2], columns[3].astype(np.uint8), words)


def bit_words(bits: "Mask") -> "Words":
    """Lines of bits as columns of words."""
    import numpy as np

    octets = np.packbits(bits, axis=1, bitorder="little")
    padded = np.zeros((len(octets), -(-octets.shape[1] // 8) * 8), np.uint8)
    padded[:, : octets.shape[1]] = octets
    return np.ascontiguousarray(padded.view("<u8").T)


def join(parts: Sequence[Segment]) -> Segment:
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    return Segment(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.chunks for part in parts]),
        np.concatenate([part.docs for part in parts]),
        np.concatenate([part.roles for part in parts]),
        np.concatenate([part.words for part in parts], axis=1),
    )


def grouped(parts: Iterable[Segment]) -> Iterator[Segment]:
    """The same rows in segments of a good size."""
    held: list[Segment] = []
    for part in parts:
        if held and row_count(held) + len(part) > SEGMENT_ROWS:
            yield join(held)
            held = []
        if len(part):
            held.append(part)
    if held:
        yield join(held)


def streamed(rows: Iterator[VectorRow], dimensions: int) -> Iterator[Segment]:
    """Rows of a table as small segments; only a batch of vectors is in memory at a time."""
    while batch := list(islice(rows, BATCH_ROWS)):
        yield from_rows(batch, dimensions)


def without(segments: Iterable[Segment], removed: "Keys") -> Iterator[Segment]:
    """The same segments without the removed rows."""
    import numpy as np

    for segment in segments:
        dead = places_of(segment.keys, removed)
        if len(dead):
            alive = np.ones(len(segment), np.bool_)
            alive[dead] = False
            yield segment.take(np.flatnonzero(alive))
        else:
            yield segment


def places_of(keys: "Keys", wanted: "Keys") -> "Keys":
    """Where in `keys` those of `wanted` stand that are there. Both are sorted."""
    import numpy as np

    if not len(keys) or not len(wanted):
        return np.empty(0, np.int64)
    low, high = np.searchsorted(wanted, (keys[0], keys[-1] + 1))
    near = wanted[low:high]
    places = np.searchsorted(keys, near)
    found: Keys = places[keys[places] == near]
    return found
