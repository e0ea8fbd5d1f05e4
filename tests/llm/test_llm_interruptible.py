"""A model that can be left while it is silent."""

import threading
from collections.abc import Iterator

import pytest

from kebab.core.answer import Delta, Finished, FinishReason, ModelRef, Prompt
from kebab.core.errors import ModelUnreachable
from kebab.llm.interruptible import Interruptible

PROMPT = Prompt("system", "user", "question", ())
END = Finished(FinishReason.STOP, 1, 2)


class Scripted:
    """A model that says its lines, then waits until the test lets it go on."""

    model = ModelRef("scripted", "test")
    context_tokens = 1000

    def __init__(self, said: list[Delta | Finished], *, silent: bool = False, error: Exception | None = None) -> None:
        self._said = said
        self._silent = silent
        self._error = error
        self.goes_on = threading.Event()
        self.hung_up = threading.Event()

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        try:
            yield from self._said
            if self._error is not None:
                raise self._error
            if self._silent:
                self.goes_on.wait(30)
                yield Delta("too late")
        finally:
            self.hung_up.set()


def test_a_reply_comes_through_as_it_is() -> None:
    model = Interruptible(Scripted([Delta("a"), Delta("b"), END]), lambda: False)
    assert list(model.generate(PROMPT)) == [Delta("a"), Delta("b"), END]
    assert (model.model, model.context_tokens) == (ModelRef("scripted", "test"), 1000)


def test_what_goes_wrong_reaches_the_one_who_waits() -> None:
    model = Interruptible(Scripted([Delta("a")], error=ModelUnreachable("gone")), lambda: False)
    stream = model.generate(PROMPT)
    assert next(stream) == Delta("a")
    with pytest.raises(ModelUnreachable, match="gone"):
        next(stream)


def test_a_silent_model_is_left_and_hung_up_on_when_it_speaks_again() -> None:
    scripted = Scripted([Delta("a")], silent=True)
    cancel = threading.Event()
    stream = Interruptible(scripted, cancel.is_set).generate(PROMPT)
    assert next(stream) == Delta("a")
    threading.Timer(0.2, cancel.set).start()
    # Without the thread this would wait for the model, which waits for the test.
    assert list(stream) == []
    assert not scripted.hung_up.is_set()
    scripted.goes_on.set()
    assert scripted.hung_up.wait(10)


def test_who_stops_reading_lets_the_model_go() -> None:
    scripted = Scripted([Delta("a")], silent=True)
    stream = Interruptible(scripted, lambda: False).generate(PROMPT)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    scripted.goes_on.set()
    assert scripted.hung_up.wait(10)
