"""What a model server can do wrong, as faults for the script of a `StandInServer`."""

from collections.abc import Callable
from typing import Any

from stand_ins.model_server import Exchange, Fault, as_bytes


def status(code: int, reply: object = "", **headers: str) -> Fault:
    """An answer with this status. `retry_after="1"` is the header Retry-After."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return lambda exchange: exchange.send(reply, code, named)


def says(reply: object) -> Fault:
    """This instead of the right reply, under status 200."""
    return lambda exchange: exchange.send(reply)


def edited(change: Callable[[Any], object]) -> Fault:
    """The right reply after `change`."""
    return lambda exchange: exchange.send(change(exchange.server.answer(exchange.asked)))


def reset() -> Fault:
    return lambda exchange: exchange.reset()


def stall(seconds: float) -> Fault:
    """Nothing for a while, then the end of the connection; a closing server does not wait."""

    def fault(exchange: Exchange) -> None:
        exchange.server.closing.wait(seconds)
        exchange.hang_up()

    return fault


def trickle(seconds: float) -> Fault:
    """A reply that comes a space at a time and never ends on its own."""

    def fault(exchange: Exchange) -> None:
        exchange.start(200, {"Content-Type": "application/json", "Content-Length": "1000000"})
        while not exchange.server.closing.wait(seconds):
            exchange.write(b" ")
        exchange.hang_up()

    return fault


def endless(code: int = 200) -> Fault:
    """A reply that goes on for as long as the client listens."""

    def fault(exchange: Exchange) -> None:
        exchange.start(code, {"Content-Type": "application/json", "Content-Length": str(10**12)})
        exchange.hang_up()
        while not exchange.server.closing.is_set():
            exchange.write(b"x" * 16384)

    return fault


def cut(after: int) -> Fault:
    """The right reply, but the connection ends within it."""

    def fault(exchange: Exchange) -> None:
        raw = as_bytes(exchange.server.answer(exchange.asked))
        exchange.start(200, {"Content-Type": "application/json", "Content-Length": str(len(raw))}, raw[:after])
        exchange.hang_up()

    return fault


def chunked(size: int = 7) -> Fault:
    """The right reply with Korean in it, in chunks so small that they end within characters."""

    def fault(exchange: Exchange) -> None:
        reply = exchange.server.answer(exchange.asked)
        assert isinstance(reply, dict)
        raw = as_bytes({"note": "현미밥과 된장찌개", **reply})
        exchange.start(200, {"Content-Type": "application/json", "Transfer-Encoding": "chunked"})
        for start in range(0, len(raw), size):
            part = raw[start : start + size]
            exchange.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        exchange.write(b"0\r\n\r\n")

    return fault
