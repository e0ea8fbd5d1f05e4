"""The three standard streams, whatever the shell did to them: closed, narrow, full."""

import io
import os
import sys


def prepare_streams() -> None:
    """A closed stream becomes an empty one; a terminal that cannot show a character gets a stand-in for it."""
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def silence_stdout() -> None:
    """Python flushes stdout once more at exit; what could not be written then must not become a second error."""
    sys.stdout = _nowhere("w")


def _nowhere(mode: str) -> io.TextIOWrapper:
    flags = os.O_RDONLY if mode == "r" else os.O_WRONLY
    return io.TextIOWrapper(io.FileIO(os.open(os.devnull, flags), mode), encoding="utf-8", write_through=True)
