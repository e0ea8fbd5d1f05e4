"""A language model that can be left while it is silent: its reply is read by a thread, and whoever waits for it may go.

A server that has said nothing yet keeps its connection until it speaks or its time is up; then the thread hangs up.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeAlias

from kebab.core.answer import Delta, Finished, ModelRef, Prompt
from kebab.core.ports import LanguageModel

# How often a waiting reader looks up. A person does not notice so little.
_LOOK_S = 0.1
# A piece of the reply, what went wrong, or None for its end.
_Said: TypeAlias = "Delta | Finished | BaseException | None"


class Interruptible:
    """Fulfils the port `LanguageModel` with another one. A reply that was left has no `Finished`."""

    def __init__(self, model: LanguageModel, canceled: Callable[[], bool]) -> None:
        self._model = model
        self._canceled = canceled

    @property
    def model(self) -> ModelRef:
        return self._model.model

    @property
    def context_tokens(self) -> int:
        return self._model.context_tokens

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        said: queue.SimpleQueue[_Said] = queue.SimpleQueue()
        left = threading.Event()
        # A daemon: a program that is done does not wait for a server.
        threading.Thread(target=_listen, args=(self._model, prompt, said, left), name="reply", daemon=True).start()
        try:
            while not self._canceled():
                try:
                    piece = said.get(timeout=_LOOK_S)
                except queue.Empty:
                    continue
                if piece is None:
                    return
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            left.set()


def _listen(model: LanguageModel, prompt: Prompt, said: "queue.SimpleQueue[_Said]", left: threading.Event) -> None:
    try:
        stream = model.generate(prompt)
        try:
            for piece in stream:
                if left.is_set():
                    return
                said.put(piece)
        finally:
            # Tells a server to stop working.
            getattr(stream, "close", lambda: None)()
        said.put(None)
    except BaseException as error:  # noqa: BLE001 - the one who waits has to hear of everything
        said.put(error)
