"""Runs the program `tesseract` on an image: bytes to its standard input, text out, within limits. Reads no output.

A program that hangs is ended together with what it started, and one that takes too much memory is refused more.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence

from kebab.core.errors import IoFailure, MissingExtra, TimedOut

PROGRAM = "tesseract"
INSTALL = (
    "install tesseract with Korean: `apt install tesseract-ocr tesseract-ocr-kor`, "
    "`brew install tesseract tesseract-lang`, or the installer for Windows"
)
PROBE_S = 10.0
_MB = 1024 * 1024
# One image is read on one core: several would cost twice the time of one in all.
_OWN = {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8"}
_KEPT = ("PATH", "HOME", "TESSDATA_PREFIX", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH")


def program() -> str:
    """Where it is. Raises MissingExtra."""
    if (path := shutil.which(PROGRAM)) is None:
        raise MissingExtra("text in images needs the program tesseract", hint=INSTALL, package=PROGRAM)
    return path


def run(arguments: Sequence[str], given: bytes, timeout_s: float, memory_mb: int = 0) -> str:
    """What it prints. Raises MissingExtra, TimedOut or IoFailure."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the program the user installed, without a shell
            [program(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**{name: os.environ[name] for name in _KEPT if name in os.environ}, **_OWN},
            start_new_session=True,
        )
    except OSError as error:
        raise IoFailure(f"tesseract cannot be started: {error.strerror}", hint=INSTALL) from error
    with process:
        _limit(process.pid, memory_mb)
        try:
            said, complaints = process.communicate(given, timeout_s)
        except subprocess.TimeoutExpired as error:
            raise _too_slow(timeout_s) from error
        finally:
            _end(process)
    if process.returncode:
        raise _failed(process.returncode, complaints)
    return said.decode("utf-8", "replace")


def _limit(pid: int, memory_mb: int) -> None:
    """Set from outside and before the program has its input, so that nothing runs between fork and exec."""
    if not memory_mb or sys.platform != "linux":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_AS, (memory_mb * _MB, memory_mb * _MB))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.returncode is not None:
        return
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _too_slow(timeout_s: float) -> TimedOut:
    hint = "raise ingest.image.ocr.timeout_s, or leave the image out"
    return TimedOut(f"tesseract did not read the image within {timeout_s:g} s", hint=hint, timeout_s=timeout_s)


def _failed(status: int, complaints: bytes) -> IoFailure:
    lines = [line.strip() for line in complaints.decode("utf-8", "replace").splitlines() if line.strip()]
    how = f"ended with signal {-status}" if status < 0 else f"failed with status {status}"
    said = "".join(char if char.isprintable() else " " for char in lines[-1][:200]) if lines else ""
    return IoFailure(f"tesseract {how}{f': {said}' if said else ''}")
