"""Ctrl-C as a request: the first one asks the work at hand to end in good order, a second one stops at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """The event that the first Ctrl-C or SIGTERM sets, for what runs until it is told to end."""
    with cancel_on_interrupt() as stop:
        if threading.current_thread() is not threading.main_thread():
            yield stop
            return
        previous = signal.signal(signal.SIGTERM, lambda _number, _frame: stop.set())
        try:
            yield stop
        finally:
            signal.signal(signal.SIGTERM, previous)


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
