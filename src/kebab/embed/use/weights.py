"""The model's weights in the shape the network uses them, from the package's archive. SHAPES is the whole list.

What does not depend on the text is worked out here once: the second convolutions at the points of `winograd`, and the
gain and shift of the last normalisation inside the layer that follows it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from kebab.embed.use.resources import broken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Arrays: TypeAlias = "Mapping[str, NDArray[Any]]"


class Rows(Protocol):
    """An array as far as rows are taken from it."""

    def __len__(self) -> int: ...

    def __getitem__(self, which: "NDArray[np.intp]") -> "NDArray[Any]": ...


# Raised when SHAPES or what the numbers mean changes.
LAYOUT = 1
DIMENSIONS = 512
WIDTH = 256
# Tokens a convolution sees at once, and how many of them stand before the one it is about.
ORDERS = ((2, 0), (3, 1), (5, 2))
CHUNKS = 17
_CHUNK_ROWS = 7530

SHAPES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "table": ("|u1", (CHUNKS * _CHUNK_ROWS, DIMENSIONS)),
    "scale": ("<f4", (CHUNKS,)),
    "low": ("<f4", (CHUNKS,)),
    "project": ("<f4", (DIMENSIONS, 3 * WIDTH)),
    "project_bias": ("<f4", (3 * WIDTH,)),
    "norm_gain": ("<f4", (3 * WIDTH,)),
    "norm_shift": ("<f4", (3 * WIDTH,)),
    "first": ("<f4", (10, WIDTH, WIDTH)),
    "first_bias": ("<f4", (3, WIDTH)),
    "second_bias": ("<f4", (3, WIDTH)),
    "inward2": ("<f4", (5, 5)),
    "inward3": ("<f4", (6, 6)),
    "inward5": ("<f4", (8, 8)),
    "second2": ("<f4", (5, WIDTH, WIDTH)),
    "second3": ("<f4", (6, WIDTH, WIDTH)),
    "second5": ("<f4", (8, WIDTH, WIDTH)),
    "outward2": ("<f4", (4, 5)),
    "outward3": ("<f4", (4, 6)),
    "outward5": ("<f4", (4, 8)),
    "pool": ("<f4", (DIMENSIONS + 3 * WIDTH, DIMENSIONS)),
    "pool_bias": ("<f4", (DIMENSIONS,)),
    "d0": ("<f4", (DIMENSIONS, 320)),
    "p1": ("<f4", (DIMENSIONS, 320)),
    "d1": ("<f4", (320, 320)),
    "d2": ("<f4", (320, DIMENSIONS)),
    "p3": ("<f4", (320, DIMENSIONS)),
    "d3": ("<f4", (DIMENSIONS, DIMENSIONS)),
}


def unpack(archive: Path) -> Arrays:
    """All of SHAPES. Takes 0.4 s of CPU. Raises ModelInvalid when the archive is not the one known here."""
    import zipfile
    import zlib

    import numpy as np

    try:
        with archive.open("rb") as file, np.load(file, allow_pickle=False) as packed:
            given = {**_table(packed), **_layers(packed), **_convolutions(packed)}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise broken(f"holds weights that cannot be read: {error}") from error
    arrays = {name: np.ascontiguousarray(given[name], dtype) for name, (dtype, _) in SHAPES.items()}
    for name, (_, shape) in SHAPES.items():
        if arrays[name].shape != shape:
            raise broken(f"holds other weights than expected: {name} is {arrays[name].shape}")
    return arrays


def _table(packed: "Mapping[str, NDArray[Any]]") -> "dict[str, NDArray[Any]]":
    """One row per token; token i is in chunk i modulo 17, and each chunk has its own scale."""
    import numpy as np

    table = np.empty((CHUNKS * _CHUNK_ROWS, DIMENSIONS), np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = packed[f"q{chunk + 1}"]
    return {"table": table, "scale": packed["scale"], "low": packed["lo"]}


def _layers(packed: "Mapping[str, NDArray[Any]]") -> "dict[str, NDArray[Any]]":
    import numpy as np

    def beside(name: str) -> "NDArray[np.float32]":
        return np.concatenate([packed[f"{name}{order}"] for order, _ in ORDERS], axis=-1)

    pool = packed["cnn_W"].astype(np.float64)
    return {
        "project": beside("proj"),
        "project_bias": beside("proj_b"),
        "norm_gain": beside("ln_g"),
        "norm_shift": beside("ln_b"),
        "pool": packed["ln_g"][:, None] * pool,
        "pool_bias": packed["ln_b"] @ pool + packed["cnn_b"],
        **{name: packed[name] for name in ("d0", "p1", "d1", "d2", "p3", "d3")},
    }


def _convolutions(packed: "Mapping[str, NDArray[Any]]") -> "dict[str, NDArray[Any]]":
    import numpy as np

    from kebab.embed.use.winograd import points

    found: dict[str, NDArray[Any]] = {
        "first": np.concatenate([packed[f"w1_{order}"].reshape(order, WIDTH, WIDTH) for order, _ in ORDERS]),
        "first_bias": np.stack([packed[f"b1_{order}"] for order, _ in ORDERS]),
        "second_bias": np.stack([packed[f"b2_{order}"] for order, _ in ORDERS]),
    }
    for order, _ in ORDERS:
        inward, weight, outward = points(order)
        slots = packed[f"w2_{order}"].astype(np.float64).reshape(order, WIDTH * WIDTH)
        found[f"inward{order}"], found[f"outward{order}"] = inward, outward
        found[f"second{order}"] = (weight @ slots).reshape(-1, WIDTH, WIDTH)
    return found
