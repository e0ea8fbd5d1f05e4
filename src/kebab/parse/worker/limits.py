"""What a worker may use, and how the system is told to hold it to that. Linux and macOS enforce more than Windows."""

import contextlib
import math
import os
import signal
import sys
import threading
import time
from typing import NamedTuple

MB = 1024 * 1024
# Ends a process by default, and nothing else sends it: whoever finds this status knows that memory ran out.
OUT_OF_MEMORY = getattr(signal, "SIGUSR2", None)
OUT_OF_CPU = getattr(signal, "SIGXCPU", None)


class Limits(NamedTuple):
    """`wall_s` is the longest wait for the next piece of a result, `cpu_s` counts a whole call.

    A worker is replaced after `calls` calls or `given_mb` of files, because native code leaks.
    """

    memory_mb: int = 1024
    cpu_s: int = 300
    wall_s: float = 60.0
    result_mb: int = 64
    calls: int = 500
    given_mb: int = 1024


def hold_memory(megabytes: int) -> None:
    """Called once in the worker, after its imports. Where address space cannot be limited, memory in use is watched."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "darwin":
        threading.Thread(target=_watch_memory, args=(megabytes * MB,), daemon=True).start()
        return
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = megabytes * MB
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))


def allow_cpu(seconds: int) -> None:
    """Called in the worker before each call: so many seconds from now on, then the system ends the process."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    until = math.ceil(time.process_time()) + seconds
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (until if most < 0 else min(until, most), most))


def _watch_memory(most: int) -> None:
    import resource

    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < most:
        time.sleep(0.1)
    if OUT_OF_MEMORY is not None:
        os.kill(os.getpid(), OUT_OF_MEMORY)
