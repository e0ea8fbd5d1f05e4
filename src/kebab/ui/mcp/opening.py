"""The first moments over stdio: the protocol gets descriptors of its own, and the client its first answer.

What any library prints goes to stderr from then on. Loads next to nothing, so that the answer comes at once.
"""

import json
import os
import sys
from typing import BinaryIO, NamedTuple

from kebab.ui.mcp.greeting import Greeting, greet

# A text of `ingest_stdin` fits; whatever is longer is no request.
MAX_LINE = 64 * 1024 * 1024


class Wire(NamedTuple):
    """The client's two ends."""

    incoming: BinaryIO
    outgoing: BinaryIO

    def send(self, text: str) -> None:
        self.outgoing.write(text.encode("utf-8", "replace") + b"\n")
        self.outgoing.flush()

    def line(self) -> bytes:
        """The next line, empty at the end. One that is too long is answered with an error and left out."""
        while len(line := self.incoming.readline(MAX_LINE)) == MAX_LINE and not line.endswith(b"\n"):
            while (rest := self.incoming.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            error = {"code": -32700, "message": f"a line is longer than {MAX_LINE} bytes"}
            self.send(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}))
        return line


class Opened(NamedTuple):
    """A client that has spoken: its first line, and what it was answered, if it has been."""

    wire: Wire
    line: bytes
    greeting: Greeting | None


def claimed() -> Wire:
    """The protocol's descriptors. From now on nobody else reads the standard input or writes to the standard output."""
    sys.stdout.flush()
    wire = Wire(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a standard error
        os.dup2(nothing, 1)
    os.close(nothing)
    return wire


def opened(wire: Wire) -> Opened | None:
    """Waits for the client's first line and answers it if it is an `initialize`. None when the client has left."""
    try:
        line = wire.line()
        greeting = greet(line)
        if greeting is not None:
            wire.send(greeting.answer)
    except BrokenPipeError:
        return None
    return Opened(wire, line, greeting) if line else None
