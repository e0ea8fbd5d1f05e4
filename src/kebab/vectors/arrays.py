"""Names for the arrays that pass between the modules of `vectors`. For type checkers only; loads nothing."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Keys: TypeAlias = NDArray[np.int64]
    Octets: TypeAlias = NDArray[np.uint8]
    Counts: TypeAlias = NDArray[np.int32]
    # Bits in words of 64: one line per word, one column per row.
    Words: TypeAlias = NDArray[np.uint64]
    Distances: TypeAlias = NDArray[np.uint16]
    Mask: TypeAlias = NDArray[np.bool_]
    Floats: TypeAlias = NDArray[np.float32]
    Cosines: TypeAlias = NDArray[np.float64]
