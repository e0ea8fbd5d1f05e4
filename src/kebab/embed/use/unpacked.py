"""One file of arrays on disk, mapped into memory and never read whole. Knows their shapes, not what they mean.

    header   a magic line, then JSON: what the arrays were made from, their types, shapes and places, the total size
    arrays   each on a page of its own, little-endian

Which header a file must have is known before it is opened, so a file is either exactly that or is not used at all.
"""

import json
import math
import os
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Shapes: TypeAlias = Mapping[str, tuple[str, tuple[int, ...]]]

_MAGIC = b"kebab unpacked arrays\n"
_PAGE = 4096
_PRIVATE_DIR = 0o700
_ABANDONED_S = 600


class Form(NamedTuple):
    """What a file holds and where."""

    header: bytes
    places: Mapping[str, tuple[str, tuple[int, ...], int]]
    size: int


def form(shapes: Shapes, facts: Mapping[str, Any]) -> Form:
    """`facts` is whatever must be equal for a file to be usable: versions, and the sizes of what it was made from."""
    places, at = {}, _PAGE
    for name, (dtype, shape) in shapes.items():
        places[name] = (dtype, shape, at)
        at += _pages(_bytes(dtype, shape))
    told = json.dumps({**facts, "arrays": places, "size": at}, separators=(",", ":")).encode()
    header = (_MAGIC + told + b"\n").ljust(_PAGE, b"\0")
    assert len(header) == _PAGE, "the header has outgrown its page"
    return Form(header, places, at)


def load(path: Path, wanted: Form) -> "dict[str, NDArray[Any]] | None":
    """The arrays, read-only; None when there is no file or it is not exactly the wanted one."""
    import mmap

    import numpy as np

    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != wanted.size or file.read(len(wanted.header)) != wanted.header:
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return {
        name: np.frombuffer(mapped, dtype, math.prod(shape), at).reshape(shape)
        for name, (dtype, shape, at) in wanted.places.items()
    }


class FileRows:
    """The rows of one array of the file, read when they are asked for.

    A mapping would keep 64 KiB in memory around every row that is touched.
    """

    def __init__(self, path: Path, wanted: Form, name: str) -> None:
        """Raises OSError. The file is one that `load` has taken."""
        dtype, (self._count, self._width), self._at = wanted.places[name]
        assert _bytes(dtype, (1,)) == 1, "a row is as many bytes as numbers"
        self._dtype = dtype
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, which: "NDArray[np.intp]") -> "NDArray[Any]":
        import numpy as np

        rows = (os.pread(self._file, self._width, self._at + self._width * row) for row in which.tolist())
        return np.frombuffer(b"".join(rows), self._dtype).reshape(-1, self._width)


def save(path: Path, wanted: Form, arrays: "Mapping[str, NDArray[Any]]") -> bool:
    """The file in place, whole; False when the folder cannot be written or the disk is full."""
    import tempfile

    try:
        path.parent.mkdir(mode=_PRIVATE_DIR, parents=True, exist_ok=True)
        _sweep(path)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(wanted.header)
            for key, (dtype, shape, at) in wanted.places.items():
                file.seek(at)
                arrays[key].tofile(file)
                assert file.tell() == at + _bytes(dtype, shape)
            file.truncate(wanted.size)
            # The contents are never checked again, so they must be on the disk before the name is.
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        return False
    return True


def _sweep(path: Path) -> None:
    """What a process that was killed left half-made; a younger one may still be at work on its own."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED_S:
                left.unlink()


def _bytes(dtype: str, shape: tuple[int, ...]) -> int:
    return int(dtype[-1]) * math.prod(shape)


def _pages(size: int) -> int:
    return -(-size // _PAGE) * _PAGE
