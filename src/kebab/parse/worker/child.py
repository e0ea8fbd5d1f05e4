"""The worker itself: reads a call, runs the named function on the bytes, writes what it gives, and waits for the next.

Started as `python -m kebab.parse.worker.child`. It ends when its input ends, so it never outlives its owner by more
than one call. Ctrl-C is the owner's affair.
"""

import gc
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from types import GeneratorType
from typing import IO

from kebab.parse.worker import frames
from kebab.parse.worker.frames import Attached, Json
from kebab.parse.worker.limits import allow_cpu, hold_memory

# Small results travel together, but not for long: whoever asked works on one batch while the next is made.
_BATCH_BYTES = 64 * 1024
_BATCH_SECONDS = 0.01
_LARGEST = 1 << 40


Target = Callable[[bytes, Mapping[str, Json]], "Json | Attached | Iterator[Json | Attached]"]


def main() -> None:
    calls, answers = _private_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    held = False
    while (call := frames.read(calls, _LARGEST)) is not None:
        data = frames.read(calls, _LARGEST)
        if data is None:
            return
        wanted = json.loads(call.body)
        try:
            target = _find(wanted["target"])
            if not held:
                # What is imported by now stays, so looking through it for garbage again and again finds nothing.
                gc.freeze()
                hold_memory(wanted["memory_mb"])
                held = True
            allow_cpu(wanted["cpu_s"])
            _answer(answers, target(data.body, wanted["arguments"]), together=wanted["together"])
        except BrokenPipeError:
            return
        except Exception as error:  # noqa: BLE001 - whatever a parser raises is the answer
            _fail(answers, error)
        del data


def _private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the owner, out of reach of a library that prints or reads a terminal."""
    calls, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return os.fdopen(calls, "rb"), os.fdopen(answers, "wb")


def _find(name: str) -> Target:
    module, _, function = name.partition(":")
    target: Target = getattr(importlib.import_module(module), function)
    return target


def _answer(answers: IO[bytes], result: "Json | Attached | Iterator[Json | Attached]", *, together: bool) -> None:
    batch: list[str] = []
    # The first goes at once: it says that the file could be opened, and more may be asked of others then.
    size, sent = 0, -_BATCH_SECONDS
    for item in result if isinstance(result, GeneratorType) else (result,):
        if isinstance(item, Attached):
            _flush(answers, batch)
            size = 0
            frames.write(answers, frames.BLOB, frames.pack(item.value))
            frames.write(answers, frames.DATA, item.data)
            continue
        packed = frames.encode(item)
        batch.append(packed)
        size += len(packed)
        if size >= _BATCH_BYTES or not together or time.monotonic() - sent > _BATCH_SECONDS:
            _flush(answers, batch)
            size, sent = 0, time.monotonic()
    _flush(answers, batch, at_once=False)
    frames.write(answers, frames.END, b"")


def _flush(answers: IO[bytes], batch: list[str], *, at_once: bool = True) -> None:
    if batch:
        frames.write(answers, frames.ITEMS, f"[{','.join(batch)}]".encode("utf-8", "replace"), flush=at_once)
        batch.clear()


def _fail(answers: IO[bytes], error: Exception) -> None:
    told: dict[str, Json] = {
        "memory": isinstance(error, MemoryError),
        "message": f"{type(error).__name__}: {str(error)[:500]}",
    }
    frames.write(answers, frames.ERROR, frames.pack(told))


if __name__ == "__main__":
    sys.setrecursionlimit(2000)
    main()
