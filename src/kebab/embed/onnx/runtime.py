"""The packages of the extra `onnx`: opens a model and its tokenizer, and turns what they raise into one line."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from kebab.core.errors import MissingExtra, ModelInvalid
from kebab.remote.failures import one_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_T = TypeVar("_T")
_PACKAGES = ("onnxruntime", "tokenizers")
_INSTALL = "pip install 'kebab[onnx]'"
_FATAL_ONLY = 4


class Port(Protocol):
    """An input or output of a model, as onnxruntime describes it."""

    name: str
    type: str
    shape: Sequence[int | str | None] | None


class Session(Protocol):
    """The part of an onnxruntime session that is used; the package brings no types."""

    def get_inputs(self) -> Sequence[Port]: ...

    def get_outputs(self) -> Sequence[Port]: ...

    def run(self, names: Sequence[str], feed: "Mapping[str, NDArray[np.integer]]") -> "list[NDArray[np.floating]]": ...


def require_extra() -> None:
    """Raises MissingExtra without loading what is there."""
    for name in _PACKAGES:
        if find_spec(name) is None:
            raise MissingExtra(f"local ONNX models need the package {name}", hint=_INSTALL, extra="onnx", package=name)


def open_session(path: Path, threads: int) -> Session:
    """The model in a file, on the processor of this machine only; 0 threads leaves the number to onnxruntime."""
    try:
        import onnxruntime  # type: ignore[import-untyped] # it ships no stubs
    except ImportError as error:
        raise _not_loadable("onnxruntime", error) from error
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = _FATAL_ONLY

    def opened() -> Session:
        # Among the providers there are is one that calls a server.
        session: Session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return session

    return reported(opened, "is not a model that can be loaded", path)


def open_tokenizer(path: Path, length: int) -> "Tokenizer":
    """The tokenizer in a file, cutting at `length` tokens and padding nothing."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _not_loadable("tokenizers", error) from error

    def opened() -> "Tokenizer":
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.enable_truncation(length)
        return tokenizer

    return reported(opened, "is not a tokenizer that can be loaded", path)


def reported(action: Callable[[], _T], complaint: str, path: Path) -> _T:
    """What `action` gives. Raises ModelInvalid for whatever it raises: both packages use bare `Exception`."""
    try:
        return action()
    except Exception as error:
        raise ModelInvalid(
            f"{path} {complaint}: {one_line(str(error))}",
            hint=f"remove {path.parent} and pull the model again, or put good files there",
            path=str(path),
        ) from error


def _not_loadable(name: str, error: ImportError) -> MissingExtra:
    return MissingExtra(
        f"the package {name} cannot be loaded: {one_line(str(error))}", hint=_INSTALL, extra="onnx", package=name
    )
