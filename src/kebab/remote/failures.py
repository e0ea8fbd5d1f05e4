"""What goes wrong with a model server, as errors a person can act on. Gets facts and words, asks no server itself."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from kebab.core.errors import KebabError, ModelInvalid, ModelNotPulled, ModelUnreachable, TimedOut

MAX_WORDS = 200

_UNAUTHORISED = (401, 403)
_NOT_FOUND = 404
_PASSING = (429, 502, 503, 504)


class Service(NamedTuple):
    """A model on a server, as messages name it. `lighter` is what makes it answer sooner."""

    section: str
    endpoint: str
    model: str
    key_variable: str
    start: str
    pull: str
    lighter: str

    def setting(self, name: str) -> str:
        return f"{self.section}.{name}"


class Unusable(Exception):
    """What is wrong with a reply, as the rest of a sentence that begins with the server's name."""

    def __init__(self, problem: str, hint: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint


def is_passing(status: int) -> bool:
    """Whether the same request may be answered a moment later."""
    return status in _PASSING


def unreachable(service: Service, reason: str) -> ModelUnreachable:
    return ModelUnreachable(
        f"cannot reach {service.endpoint}: {one_line(reason)}",
        hint=f"{service.start}, or check {service.setting('endpoint')}",
        endpoint=service.endpoint,
        model=service.model,
    )


def timed_out(service: Service, seconds: float, omission: str = "did not answer") -> TimedOut:
    return TimedOut(
        f"{service.endpoint} {omission} within {seconds:g} s",
        hint=f"raise {service.setting('timeout_s')}, or {service.lighter}",
        endpoint=service.endpoint,
        model=service.model,
        timeout_s=seconds,
    )


def invalid(service: Service, problem: str, hint: str | None = None) -> ModelInvalid:
    """`problem` goes on where the server's address ends: `gave 3 vectors for 4 texts`."""
    endpoint, model = service.setting("endpoint"), service.setting("model")
    return ModelInvalid(
        f"{service.endpoint} {problem}",
        hint=hint or f"check {endpoint} and {model}, or look at the server's own log",
        endpoint=service.endpoint,
        model=service.model,
    )


def not_pulled(service: Service) -> ModelNotPulled:
    message = f"{service.endpoint} has no model {service.model}"
    return ModelNotPulled(message, hint=service.pull, endpoint=service.endpoint, model=service.model)


def broken_off(service: Service) -> ModelInvalid:
    """For a connection that ended within a reply; what came before may be half of a sentence or of a thought."""
    return invalid(service, "broke off: the reply ended in the middle", "ask again, or look at the server's own log")


def refused(service: Service, status: int, words: str) -> KebabError:
    """For an answer whose status is not a success."""
    said = f": {words}" if words else ""
    if status in _UNAUTHORISED:
        return _unauthorised(service, status, said)
    if status == _NOT_FOUND and "model" in words.lower():
        return not_pulled(service)
    if is_passing(status):
        return unreachable(service, f"it answers {status}{said}")
    return invalid(service, f"answered {status}{said}")


def redirected(service: Service, target: str) -> ModelInvalid:
    where = target.partition("?")[0] or "another address"
    setting = service.setting("endpoint")
    hint = f"{setting} has to name the server itself: `kebab config set {setting} URL`"
    return invalid(service, f"points to {where}; texts are not sent on to another address", hint)


def _unauthorised(service: Service, status: int, said: str) -> ModelInvalid:
    if service.key_variable:
        hint = f"put a valid key into the variable {service.key_variable}"
        return invalid(service, f"refused the key in {service.key_variable} ({status}){said}", hint)
    setting = service.setting("api_key_env")
    hint = f"`kebab config set {setting} NAME` names the variable that holds the key"
    return invalid(service, f"wants a key ({status}), and {setting} names none{said}", hint)


def words_of(body: bytes) -> str:
    """What a server says about a failure, in any of the forms servers use; empty when it says nothing."""
    text = body.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "a web page" if text.startswith("<") else text
    return said_in(value) or text


def said_in(value: object) -> str:
    """The error inside a JSON reply; empty when there is none."""
    for name in ("error", "message", "detail"):
        if isinstance(value, Mapping) and value.get(name):
            inner = value[name]
            return inner if isinstance(inner, str) else said_in(inner) or json.dumps(inner, ensure_ascii=False)
    return ""


def one_line(text: str) -> str:
    """Text of a server, fit for a terminal: one short line of visible characters."""
    seen = " ".join("".join(char if char.isprintable() else " " for char in text[: 10 * MAX_WORDS]).split())
    return seen if len(seen) <= MAX_WORDS else seen[: MAX_WORDS - 1].rstrip() + "…"
