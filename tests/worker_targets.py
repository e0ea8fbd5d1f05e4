"""Functions for a worker to run in tests: one that does its work, and many that a hostile file might bring about."""

import ctypes
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

from kebab.parse.worker.frames import Attached


def echo(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    return {"bytes": len(raw), "sum": sum(raw[:1000]), "given": dict(arguments), "pid": os.getpid()}


def modules(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    return sorted(sys.modules)


def count(raw: bytes, arguments: Mapping[str, Any]) -> Iterator[Any]:
    for number in range(arguments["to"]):
        if number == arguments.get("crash_at"):
            crash(raw, arguments)
        yield [number, "한글" * arguments.get("size", 1)]


def pictures(raw: bytes, arguments: Mapping[str, Any]) -> Iterator[Attached]:
    for number in range(3):
        yield Attached(number, bytes([number]) * 100_000)


def crash(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    ctypes.string_at(0)


def leave(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    os.write(2, b"first words\nlast words\n")
    os._exit(7)


def hang(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    time.sleep(600)


def spin(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    while True:
        pass


def hoard(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    kept = []
    while True:
        kept.append(bytearray(10_000_000))


def shout(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    for _ in range(5000):
        os.write(1, b"a library that prints what it likes\n" * 10)
        sys.stderr.write("and complains\n" * 10)
    return sys.stdin.read()


def refuse(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    raise ValueError("no sense\nin two lines")


def babble(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    return "x" * arguments["size"]


def lie(raw: bytes, arguments: Mapping[str, Any]) -> Any:
    """Writes bytes that are no frame, or no JSON, to whatever pipe leads to the owner."""
    for descriptor in range(3, 10):
        try:
            os.write(descriptor, arguments["bytes"].encode("latin-1"))
        except OSError:
            continue
    os._exit(0)
