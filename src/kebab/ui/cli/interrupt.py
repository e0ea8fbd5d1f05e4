"""Ctrl-C as a request: the first one asks the work at hand to end in good order, a second one stops at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130


@contextmanager
def cancel_on_interrupt() -> Iterator[threading.Event]:
    """The event that the first Ctrl-C sets. Outside the main thread, where no signal arrives, nobody sets it."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    previous = signal.signal(signal.SIGINT, interrupt)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, previous)
