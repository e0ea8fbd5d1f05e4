"""One worker process as its owner sees it: started, written to, read from, watched while it is waited for, and ended.

Says how a process ended as a phrase that completes "the PDF reader ...".
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from typing import IO

from kebab.parse.worker import frames
from kebab.parse.worker.limits import MB, OUT_OF_CPU, OUT_OF_MEMORY, Limits

# `-P` keeps the current folder, which may be anyone's, from being a place to import from.
_COMMAND = (sys.executable, "-P", "-m", "kebab.parse.worker.child")
_LOOK_EVERY_S = 0.1
_WORDS_KEPT = 20


class Running:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._calls, self._answers, errors = self._process.stdin, self._process.stdout, self._process.stderr
        self._deadline = _Deadline(self._process)
        self._words: deque[bytes] = deque(maxlen=_WORDS_KEPT)
        self._listener = threading.Thread(target=_listen, args=(errors, self._words), daemon=True)
        self._listener.start()
        # Runs at exit as well, so that no worker is left behind.
        self._finalizer = weakref.finalize(self, _kill, self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def write(self, call: bytes, data: bytes) -> bool:
        """Whether the worker took both; one that died on the way did not."""
        with self._deadline.running(self._limits.wall_s):
            try:
                frames.write(self._calls, frames.CALL, call, flush=False)
                frames.write(self._calls, frames.DATA, data)
            except OSError:
                return False
        return True

    def read(self, largest: int) -> frames.Frame | None:
        with self._deadline.running(self._limits.wall_s):
            return frames.read(self._answers, largest)

    def end(self) -> str:
        """Ends the process, whatever it does, and says how it ended."""
        self._finalizer.detach()
        self._deadline.stop()
        _strike(self._process)
        peak = _reap(self._process)
        self._listener.join(timeout=1)
        for pipe in (self._calls, self._answers):
            with contextlib.suppress(OSError):
                pipe.close()
        return self._ending(peak)

    def _ending(self, peak: int) -> str:
        status, limits = self._process.returncode, self._limits
        if self._deadline.passed:
            return f"took longer than {limits.wall_s:g} s"
        if OUT_OF_CPU is not None and status == -OUT_OF_CPU:
            return f"used more than {limits.cpu_s} s of processor time"
        starved = status < 0 and peak > limits.memory_mb * MB // 2
        if starved or (OUT_OF_MEMORY is not None and status == -OUT_OF_MEMORY):
            return out_of_memory(limits)
        if status < 0:
            return f"crashed (signal {-status})"
        words = b"".join(self._words).decode("utf-8", "replace").strip().splitlines()
        return f"ended unexpectedly (status {status})" + (f": {words[-1][:200]}" if words else "")


def out_of_memory(limits: Limits) -> str:
    size = limits.memory_mb
    return f"needed more than {f'{size / 1024:g} GB' if size >= 1024 else f'{size} MB'} of memory"


class _Deadline:
    """Kills a process that is waited for too long. Only waiting counts, not what the owner does in between."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.passed = False
        self._process = process
        self._until: float | None = None
        self._waiting = threading.Event()
        self._over = False
        self._turn = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    @contextlib.contextmanager
    def running(self, seconds: float) -> Iterator[None]:
        self._until = time.monotonic() + seconds
        self._waiting.set()
        try:
            yield
        finally:
            self._until = None

    def stop(self) -> None:
        with self._turn:
            self._over = True
        self._waiting.set()

    def _watch(self) -> None:
        while not self._over:
            self._waiting.wait()
            until = self._until
            if until is None:
                # Cleared only here, and looked at once more: a wait that began meanwhile is not missed.
                self._waiting.clear()
                if self._until is not None:
                    self._waiting.set()
            elif time.monotonic() > until:
                self._pass()
                return
            if not self._over:
                time.sleep(_LOOK_EVERY_S)

    def _pass(self) -> None:
        # Once the process is about to be reaped, its number may soon be someone else's.
        with self._turn:
            if not self._over:
                self.passed = True
                _strike(self._process)


def _strike(process: "subprocess.Popen[bytes]") -> None:
    """Kills without reaping, which `Popen.kill` may do: how the process ended is asked for only once."""
    if process.returncode is not None:
        return
    if hasattr(signal, "SIGKILL"):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _listen(errors: IO[bytes], words: deque[bytes]) -> None:
    """Keeps the last of what the worker's libraries say, and never lets them wait for a reader."""
    with errors:
        while said := os.read(errors.fileno(), 4096):
            words.append(said)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _reap(process: "subprocess.Popen[bytes]") -> int:
    """Waits for the end, and gives the most memory that was in use, in bytes; 0 where it is not told."""
    if not hasattr(os, "wait4"):
        process.wait()
        return 0
    try:
        _, status, used = os.wait4(process.pid, 0)
    except ChildProcessError:
        process.wait()
        return 0
    process.returncode = os.waitstatus_to_exitcode(status)
    # A child begins with what its owner had in use, and is told to have used it: no more than that says nothing.
    import resource

    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) if used.ru_maxrss > own else 0
