"""The convolutions over whole texts, and what they leave of each text: one sum of features.

Texts stand one after another in a stream of tokens, each from the start of a tile and with two blanks or more behind
it: no window reaches from one into the next, and a text is computed the same way wherever it stands.
"""

import threading
from typing import NamedTuple

from kebab.embed.use.tokens import EPSILON, Floats, Ints, Seen, TokenProducts
from kebab.embed.use.weights import DIMENSIONS, ORDERS, WIDTH, Arrays
from kebab.embed.use.winograd import TILE

# The most tokens a window has on either side of its own.
_REACH = 2


class Batch(NamedTuple):
    """Texts: their tokens behind each other, as places among those seen, and the length of each text."""

    tokens: Ints
    lengths: Ints


class _Stream(NamedTuple):
    """`rows` begins 2 * _REACH before position 0, `blanks` counts from _REACH before it."""

    size: int
    starts: Ints
    positions: Ints
    rows: Ints
    blanks: Ints


class Windows:
    def __init__(self, weights: Arrays, products: TokenProducts) -> None:
        import numpy as np

        self._weights = weights
        self._planes = products.planes
        self._blank = products.blank
        # A row of zeros: numpy compares with it half again as fast as with the number.
        self._zeros = np.zeros(WIDTH, np.float32)
        self._local = threading.local()

    def sums(self, batch: Batch, seen: Seen) -> Floats:
        """Per text the sum of its tokens' features, those of each token brought to mean 0 and variance 1 before."""
        import numpy as np

        stream = _lay_out(batch, seen.rows, self._blank)
        features = self._features(stream)
        mean, scale = _moments(features, stream.positions, batch.tokens, seen)
        begins = np.cumsum(batch.lengths) - batch.lengths
        found = np.empty((len(begins), DIMENSIONS + features.shape[0] * WIDTH), np.float32)
        for text, (begin, start, length) in enumerate(zip(begins, stream.starts, batch.lengths, strict=True)):
            own = scale[begin : begin + length]
            found[text, :DIMENSIONS] = own @ seen.embeddings[batch.tokens[begin : begin + length]]
            found[text, DIMENSIONS:] = (own @ features[:, start : start + length]).reshape(-1)
        found -= np.add.reduceat(scale * mean, begins)[:, None]
        return found

    def _features(self, stream: _Stream) -> Floats:
        """Of every order, for every position."""
        found = self._space("features", len(ORDERS), stream.size)
        plane = 0
        for each, (order, left) in enumerate(ORDERS):
            hidden = self._first(stream, plane, order, left)
            self._second(hidden[_REACH - left :], each, order, found[each])
            found[each] += hidden[_REACH : _REACH + stream.size]
            plane += order + 1
        return found

    def _first(self, stream: _Stream, plane: int, order: int, left: int) -> Floats:
        """The first convolution from _REACH before position 0 to _REACH behind the last, zero where no token is."""
        import numpy as np

        size = stream.size + 2 * _REACH
        found, slot = self._space("hidden", size), self._space("slot", size)
        for place in range(order):
            rows = stream.rows[_REACH + place - left :][:size]
            # Checking the bounds would triple the time; the rows are ours.
            np.take(self._planes[plane + place], rows, axis=0, out=slot if place else found, mode="clip")
            if place:
                found += slot
        np.maximum(found, self._zeros, out=found)
        found += np.take(self._planes[plane + order], stream.rows[_REACH:][:size], axis=0, out=slot, mode="clip")
        found[stream.blanks] = 0
        return found

    def _second(self, hidden: Floats, each: int, order: int, out: Floats) -> None:
        """The second convolution of what begins where its first window does."""
        import numpy as np
        from numpy.lib.stride_tricks import sliding_window_view

        tiles, points = len(out) // TILE, TILE + order - 1
        windows = sliding_window_view(hidden, points, axis=0)[::TILE][:tiles].swapaxes(1, 2)
        inputs, products = self._space("inputs", points, tiles), self._space("products", points, tiles)
        np.matmul(self._weights[f"inward{order}"], windows, out=inputs.swapaxes(0, 1))
        np.matmul(inputs, self._weights[f"second{order}"], out=products)
        products[1] += self._weights["second_bias"][each]
        tiled = out.reshape(tiles, TILE, WIDTH)
        np.matmul(self._weights[f"outward{order}"], products.swapaxes(0, 1), out=tiled)
        np.maximum(out, self._zeros, out=out)

    def _space(self, name: str, *shape: int) -> Floats:
        """Memory of this thread that is used again and again: asking the system for it each time takes longer."""
        import numpy as np

        wanted = (*shape, WIDTH)
        size = int(np.prod(wanted))
        held: Floats | None = getattr(self._local, name, None)
        if held is None or held.size < size:
            held = np.empty(size, np.float32)
            setattr(self._local, name, held)
        return held[:size].reshape(wanted)


def _lay_out(batch: Batch, rows: Ints, blank: int) -> _Stream:
    import numpy as np

    spans = -(-(batch.lengths + _REACH) // TILE) * TILE
    ends = np.cumsum(spans)
    starts, size = ends - spans, int(ends[-1])
    shift = starts - (np.cumsum(batch.lengths) - batch.lengths)
    positions = np.arange(len(batch.tokens)) + np.repeat(shift, batch.lengths)
    stream = np.full(size + 4 * _REACH, blank, np.intp)
    stream[positions + 2 * _REACH] = rows[batch.tokens]
    return _Stream(size, starts, positions, stream, np.flatnonzero(stream[_REACH:-_REACH] == blank))


def _moments(features: Floats, positions: Ints, tokens: Ints, seen: Seen) -> tuple[Floats, Floats]:
    """Each token's mean over all its features, and what brings their variance to 1."""
    import numpy as np

    count = np.float32(DIMENSIONS + len(features) * WIDTH)
    sums = (features @ np.ones(WIDTH, np.float32)).sum(axis=0)[positions]
    squares = np.einsum("kij,kij->i", features, features)[positions]
    mean: Floats = (sums + seen.sums[tokens]) / count
    variance: Floats = (squares + seen.squares[tokens]) / count - mean * mean
    scale: Floats = np.reciprocal(np.sqrt(np.maximum(variance, 0) + np.float32(EPSILON)))
    return mean, scale
