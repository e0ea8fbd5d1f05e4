"""What a model says of tokens, to one unit vector per text. Arrays in, arrays out; knows no files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOKEN_AXES, _TEXT_AXES = 3, 2
_TINY = 1e-12


def pooled(
    output: "NDArray[np.float32]", mask: "NDArray[np.int64]", *, first_token: bool
) -> "NDArray[np.float32] | None":
    """One row per text: the mean over its tokens without padding, its first token, or what the model pooled itself.

    None when the output is neither a vector per token nor one per text.
    """
    import numpy as np

    if output.ndim == _TEXT_AXES and len(output) == len(mask):
        return output
    if output.ndim != _TOKEN_AXES or output.shape[:2] != mask.shape:
        return None
    if first_token:
        return output[:, 0]
    # Padding is chosen away and not multiplied by zero, which would keep a NaN that a model computes there.
    kept = np.where(mask[:, :, None] == 1, output, np.float32(0))
    means: NDArray[np.float32] = (kept.sum(axis=1, dtype=np.float64) / mask.sum(axis=1)[:, None]).astype(np.float32)
    return means


def unit(rows: "NDArray[np.float32]") -> "NDArray[np.float32] | None":
    """Rows of length one as little-endian float32; None when a row has no direction: zero, NaN or infinite."""
    import numpy as np

    exact = rows.astype(np.float64)
    lengths = np.sqrt(np.sum(exact * exact, axis=1, keepdims=True))
    if not np.isfinite(lengths).all() or (lengths < _TINY).any():
        return None
    units: NDArray[np.float32] = (exact / lengths).astype("<f4")
    return units
