"""A running `kebab mcp` and a client that speaks its protocol line by line, with nothing of the SDK in between."""

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kebab_process import TIMEOUT, Json, start

from wire_schemas import check

VERSION = "2025-11-25"


def initialize(request_id: int = 0, version: str = VERSION) -> Json:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": params}


class Agent:
    """One client over stdio."""

    def __init__(self, process: Any) -> None:
        self.process = process
        self._ids = iter(range(1, 10_000))

    def send(self, message: Json) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Json:
        line = self.process.stdout.readline()
        assert line, "the server has left"
        message: Json = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def greet(self, version: str = VERSION) -> Json:
        self.send(initialize(0, version))
        answer = self.receive()
        assert answer["id"] == 0
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: Json = answer["result"]
        return result

    def begin(self, method: str, **params: Any) -> int:
        """Sends a request and waits for nothing."""
        number = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def ask(self, method: str, **params: Any) -> Json:
        """The result of a request."""
        number = self.begin(method, **params)
        while (answer := self.receive()).get("id") != number:
            assert "method" in answer, answer
        result: Json = answer["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> Json:
        """What a tool gives, checked against the wire schema it names."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        value: Json = json.loads(result["content"][0]["text"])
        check(value)
        assert result["isError"] == (value["schema_version"] == "error.v1"), value
        assert result.get("structuredContent", value) == value
        return value

    def leave(self) -> int:
        """Closes both ends, and gives the status the server leaves with."""
        self.process.stdin.close()
        return int(self.process.wait(TIMEOUT))

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return int(self.process.wait(TIMEOUT))


@contextmanager
def agent(home: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Agent]:
    process = start(home, "mcp", *arguments, env=env, stdin=subprocess.PIPE)
    try:
        with process.stdout, process.stderr:
            yield Agent(process)
    finally:
        process.kill()
        process.wait(TIMEOUT)
        with suppress(BrokenPipeError):  # a line may be left that nobody read
            process.stdin.close()


@contextmanager
def listening(home: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[tuple[Any, str]]:
    """The process of a server over HTTP, and its URL."""
    process = start(home, "mcp", "--http", "127.0.0.1:0", *arguments, env=env)
    try:
        with process.stdout, process.stderr:
            line = process.stderr.readline().decode()
            assert line.startswith("listening on "), line + process.stderr.read().decode()
            yield process, line.removeprefix("listening on ").strip()
    finally:
        process.kill()
        process.wait(TIMEOUT)
