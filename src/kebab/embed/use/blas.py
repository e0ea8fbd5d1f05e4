"""numpy with a BLAS that computes in the thread that calls it, because the embedder has threads of its own.

OpenBLAS threads wait for each other after every small product: on a machine with other work that made embedding six
times slower. Starting them costs a quarter of numpy's import besides.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

_VARIABLE = "OPENBLAS_NUM_THREADS"


def load_numpy() -> None:
    """Imports numpy so; where it was imported before, tells the OpenBLAS that came with it. Others are left alone."""
    if "numpy" in sys.modules:
        _tell(1)
        return
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        import numpy as np  # noqa: F401 - loaded here, used by others
    finally:
        # Read once, when the library loads; programs started from here are not to inherit it.
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


def _tell(threads: int) -> None:
    import ctypes

    import numpy as np

    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for library in folder.glob("*openblas*"):
            for symbol in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads"):
                with suppress(OSError, AttributeError):
                    getattr(ctypes.CDLL(str(library)), symbol)(threads)
                    return
