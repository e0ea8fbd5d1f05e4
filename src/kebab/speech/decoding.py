"""A recording's bytes to sound: 16,000 samples a second, one channel. Decoding runs in a process of its own, in limits.

The decoder is native code and the bytes are anyone's, so what it does to its process is no matter to this one.
"""

import contextlib
import subprocess
import sys
from importlib.util import find_spec

from kebab.core.errors import IoFailure, MissingExtra, TimedOut
from kebab.speech.sound import BYTES_PER_SECOND

INSTALL = "pip install 'kebab[speech]'"
LONGEST_S = 4 * 3600

_COMMAND = (sys.executable, "-P", "-m", "kebab.speech.sound")
_MEMORY_MB = 1024
_WALL_S = 600.0
_MB = 1024 * 1024


def decode(recording: bytes, longest_s: int = LONGEST_S, wall_s: float = _WALL_S) -> bytes:
    """Signed 16-bit samples. Raises MissingExtra, TimedOut, or IoFailure for what holds no sound or too much of it."""
    require_extra("av")
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [*_COMMAND, str(longest_s)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        _limit(process.pid)
        try:
            samples, complaints = process.communicate(recording, wall_s)
        except subprocess.TimeoutExpired as error:
            raise TimedOut(f"the recording was not decoded within {wall_s:g} s", timeout_s=wall_s) from error
        finally:
            if process.returncode is None:
                process.kill()
    if process.returncode:
        raise IoFailure(f"the recording cannot be decoded: {_last(complaints, process.returncode)}")
    if len(samples) > longest_s * BYTES_PER_SECOND:
        raise IoFailure(f"the recording is longer than {longest_s // 3600} hours", hint="cut it into parts")
    return samples


def require_extra(package: str) -> None:
    """Raises MissingExtra without loading what is there."""
    if find_spec(package) is None:
        message = f"speech in recordings needs the package {package.replace('_', '-')}"
        raise MissingExtra(message, hint=INSTALL, extra="speech", package=package)


def _limit(pid: int) -> None:
    if sys.platform != "linux":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_AS, (_MEMORY_MB * _MB, _MEMORY_MB * _MB))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _last(complaints: bytes, status: int) -> str:
    lines = complaints.decode("utf-8", "replace").strip().splitlines()
    said = " ".join("".join(char if char.isprintable() else " " for char in lines[-1][:200]).split()) if lines else ""
    return said or (f"the decoder ended with signal {-status}" if status < 0 else "the decoder failed")
