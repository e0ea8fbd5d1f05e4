"""A long recording to stretches of a few minutes, cut where it is quietest. Samples in, samples out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from kebab.speech.sound import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Sound: TypeAlias = NDArray[np.int16]

LONGEST_S = 600

_FULL = 32768
# The cut is looked for in the last part of a stretch, among moments this long.
_SEARCHED_S = 60
_MOMENTS_PER_S = 5


def stretches(samples: "Sound") -> "Iterator[tuple[int, Sound]]":
    """Where each begins, and its samples. Together they are the recording."""
    start = 0
    while len(samples) - start > LONGEST_S * RATE:
        end = start + LONGEST_S * RATE
        first = end - _SEARCHED_S * RATE
        cut = first + _quietest(samples[first:end])
        yield start, samples[start:cut]
        start = cut
    if start < len(samples):
        yield start, samples[start:]


def floating(samples: "Sound") -> "NDArray[np.float32]":
    """The samples as a model wants them, from -1 to 1."""
    import numpy as np

    return samples.astype(np.float32) / np.float32(_FULL)


def _quietest(part: "Sound") -> int:
    """The middle of the moment with the least sound in it."""
    import numpy as np

    moment = RATE // _MOMENTS_PER_S
    moments = part[: len(part) // moment * moment].reshape(-1, moment).astype(np.float32)
    return int(np.square(moments).mean(axis=1).argmin()) * moment + moment // 2
