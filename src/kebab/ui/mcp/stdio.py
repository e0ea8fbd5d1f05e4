"""The server on standard input and output, for one client that has been greeted: the SDK takes over from here."""

import asyncio
import json
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kebab.ui.mcp.messages import understood
from kebab.ui.mcp.opening import Opened
from kebab.ui.mcp.server import make_server

if TYPE_CHECKING:
    from mcp.server import Server

    from kebab.ui.serving.state import ServerState

# Requests that are read before the ones in hand are taken up; beyond them the client waits.
_AHEAD = 32


def serve_stdio(state: "ServerState", client: Opened) -> bool:
    """Serves until the client leaves or a signal comes. Gives whether it was a signal."""
    return asyncio.run(_serve(make_server(state), state, client))


async def _serve(server: "Server[Any]", state: "ServerState", client: Opened) -> bool:
    import anyio
    from mcp.server.stdio import stdio_server

    loop, interrupted = asyncio.get_running_loop(), False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        scope.cancel()

    with anyio.CancelScope() as scope:
        lines, answers = _Lines(client, loop), _Answers(client, gone=scope.cancel)
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows has no such handlers; there Ctrl-C raises
                loop.add_signal_handler(number, interrupt)
        state.warm_up()
        # It iterates over the one and writes to the other, and asks no more of a file.
        async with stdio_server(lines, answers) as (incoming, outgoing):  # type: ignore[arg-type]
            await server.run(incoming, outgoing, server.create_initialization_options())
    return interrupted


class _Lines:
    """What the client says, line by line, read by a thread that nobody has to wait for at the end."""

    def __init__(self, client: Opened, loop: asyncio.AbstractEventLoop) -> None:
        self._client = client
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(_AHEAD)
        threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError, CancelledError):  # the loop has ended
            for message in self._messages():
                asyncio.run_coroutine_threadsafe(self._lines.put(message), loop).result()

    def _messages(self) -> Iterator[str | None]:
        """What the SDK is given, and None when the client has left."""
        client = self._client
        with suppress(OSError, ValueError):
            line = client.line
            if client.greeting is not None:
                yield client.greeting.replay
                line = client.wire.line()
            while line:
                found = understood(line)
                if found.answer:
                    client.wire.send(found.answer)
                if found.message:
                    yield found.message
                line = client.wire.line()
        yield None

    async def __aiter__(self) -> AsyncIterator[str]:
        while (message := await self._lines.get()) is not None:
            yield message


class _Answers:
    """What the server says, but for the answer to `initialize` where the client has it already."""

    def __init__(self, client: Opened, gone: Callable[[], None]) -> None:
        self._client = client
        self._gone = gone
        self._greeted = client.greeting

    async def write(self, text: str) -> None:
        import anyio.to_thread

        if self._greeted is not None and _is_answer(text, self._greeted.request_id):
            self._greeted = None
            return
        try:
            # In a thread: a client that does not read must not keep the server from noticing that it has left.
            await anyio.to_thread.run_sync(self._client.wire.send, text.removesuffix("\n"), abandon_on_cancel=True)
        except OSError:
            self._gone()

    async def flush(self) -> None:
        """Every line is sent at once."""


def _is_answer(text: str, request_id: str | int) -> bool:
    message = json.loads(text)
    return "method" not in message and message.get("id") == request_id
