"""Short convolutions with fewer products: the matrices of Winograd's minimal filtering. Pure arithmetic on numbers.

A convolution of `taps` weights that gives TILE outputs needs TILE * taps products; done at TILE + taps - 1 points of a
polynomial it needs one per point. With `points(...)` = (inward, weight, outward), for inputs x and weights w:

    outward @ ((inward @ x) * (weight @ w))[j]  =  sum over i of w[i] * x[i + j],   j < TILE
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TILE = 4
# Small powers of two and their negatives: every entry of the matrices is then exact or nearly so in 32 bits.
_POINTS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5)


def points(taps: int) -> "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]":
    """The matrices to and from the points, one of which lies at infinity. Point 1 adds alike to every output."""
    import numpy as np

    count = TILE + taps - 1
    at = np.array(_POINTS[: count - 1])
    inward, weight, outward = np.zeros((count, count)), np.zeros((count, taps)), np.zeros((TILE, count))
    for point, place in enumerate(at):
        others = np.delete(at, point)
        inward[point, :-1] = np.poly(others)[::-1]
        weight[point] = place ** np.arange(taps) / np.prod(place - others)
        outward[:, point] = place ** np.arange(TILE)
    inward[-1], weight[-1, -1], outward[-1, -1] = np.poly(at)[::-1], 1, 1
    return inward, weight, outward
