"""The MCP server: its handshake against a bare SDK server, warm searches by many clients at once, and its memory.

Usage: python benchmarks/mcp.py CONFIG [--clients N] [--calls N]

CONFIG names an index, which is only read. Latencies are wall time, as clients see it: mind the load of the machine.
"""

import argparse
import http.client
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measure import machine, table

BARE = """
import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
async def main():
    server = Server("bare")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
anyio.run(main)
"""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
SUBJECTS = ("pod", "node", "deployment", "service", "ingress", "volume", "secret", "config map", "daemon set", "job")
TASKS = (
    *("how to delete a {}", "{} 만들기", "what is a {}", "debug a {} that does not start", "{} 업데이트 방법"),
    *("limits of a {}", "restrict access to a {}", "{} yaml example", "{} 상태 확인", "metrics of a {}"),
)
QUESTIONS = tuple(task.format(subject) for task in TASKS for subject in SUBJECTS)
PROCESS = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    fields = (PROCESS / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mb(pid: int) -> float:
    """What the process has for itself: pages of files that are mapped come and go as the system likes."""
    text = (PROCESS / str(pid) / "status").read_text()
    found = re.search(r"RssAnon:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


def handshake(command: list[str]) -> tuple[float, float]:
    """Wall and CPU milliseconds from the start of a server to its answer to `initialize`."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        assert b'"result"' in server.stdout.readline()
        wall, cpu = time.perf_counter() - started, cpu_seconds(server.pid)
        server.stdin.close()
        server.wait()
    return wall * 1000, cpu * 1000


class Client:
    """One client over HTTP, as plain as can be, so that it takes little from the server's machine."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._session: dict[str, str] = {}
        self._ids = itertools.count(1)
        self._post(INITIALIZE)
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def search(self, query: str) -> float:
        """Milliseconds until all of the answer is here."""
        params = {"name": "search", "arguments": {"query": query}}
        request = {"jsonrpc": "2.0", "id": next(self._ids), "method": "tools/call", "params": params}
        started = time.perf_counter()
        answer = self._post(request)
        taken = (time.perf_counter() - started) * 1000
        assert b'"isError":false' in answer, answer[:500]
        return taken

    def _post(self, message: dict[str, Any]) -> bytes:
        accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        self._connection.request("POST", "/mcp", json.dumps(message), {**accepted, **self._session})
        response = self._connection.getresponse()
        assert response.status < http.client.BAD_REQUEST, response.read()
        if session := response.getheader("mcp-session-id"):
            self._session = {"mcp-session-id": session, "mcp-protocol-version": "2025-11-25"}
        return response.read()


@contextmanager
def listening(config: str) -> Iterator[tuple[int, int]]:
    """The process id and the port of a server over the index."""
    command = [sys.executable, "-m", "kebab", "mcp", "--readonly", "--config", config, "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r":(\d+)/mcp", server.stderr.readline())
        assert found
        try:
            yield server.pid, int(found[1])
        finally:
            server.terminate()


def together(clients: list[Client], work: Callable[[Client, int], list[float]]) -> list[float]:
    taken: list[list[float]] = [[] for _ in clients]

    def run(number: int) -> None:
        taken[number] = work(clients[number], number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(itertools.chain.from_iterable(taken))


def hammering(prefix: str, each: int) -> Callable[[Client, int], list[float]]:
    """Every client asks again as soon as it has its answer."""

    def work(client: Client, number: int) -> list[float]:
        offset = number * 13
        return [client.search(prefix + QUESTIONS[(offset + i) % len(QUESTIONS)]) for i in range(each)]

    return work


def pondering(prefix: str, each: int, pause: float) -> Callable[[Client, int], list[float]]:
    """Every client thinks about its answer before it asks again, as agents do."""

    def work(client: Client, number: int) -> list[float]:
        taken = []
        for i in range(each):
            time.sleep(pause * (0.5 + (number * 7 + i * 3) % 10 / 10))
            taken.append(client.search(f"{prefix}{number} {QUESTIONS[(number * 13 + i) % len(QUESTIONS)]}"))
        return taken

    return work


class Board:
    """Rows of a table: what the clients waited, and what the server worked for it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.rows: list[list[str]] = []

    def add(self, name: str, clients: list[Client], work: Callable[[Client, int], list[float]]) -> None:
        before = cpu_seconds(self._pid)
        taken = together(clients, work)
        cpu = (cpu_seconds(self._pid) - before) * 1000 / len(taken)
        waited = (f"{statistics.median(taken):.1f}", f"{taken[int(len(taken) * 0.99)]:.1f}")
        self.rows.append([name, str(len(taken)), f"{cpu:.1f}", *waited])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--calls", type=int, default=2000)
    options = parser.parse_args()
    print(machine(), f"load {os.getloadavg()[0]:.1f}")
    kebab = [sys.executable, "-m", "kebab", "mcp", "--readonly", "--config", options.config]
    shaken = []
    for name, command in (("a bare SDK server", [sys.executable, "-c", BARE]), ("kebab mcp", kebab)):
        handshake(command)
        runs = [handshake(command) for _ in range(5)]
        shaken.append([name, f"{min(wall for wall, _ in runs):.0f}", f"{min(cpu for _, cpu in runs):.0f}"])
    print(table(["spawn to `initialize`", "wall ms", "CPU ms"], shaken))
    with listening(options.config) as (pid, port):
        clients = [Client(port) for _ in range(options.clients)]
        together(clients, hammering("", 25))
        many, each = f"{options.clients} clients", max(1, options.calls // 4 // options.clients)
        board = Board(pid)
        board.add("1 client, known queries", clients[:1], hammering("", 100))
        together(clients, hammering("before ", 5))
        before = resident_mb(pid)
        board.add(f"{many} at once, known queries", clients, hammering("", each))
        board.add("1 client, new queries", clients[:1], hammering("alone ", 100))
        board.add(f"{many} that ponder, new queries", clients, pondering("", 25, 1.0))
        board.add(f"{many} at once, new queries", clients, hammering("now ", 25))
        left = options.calls - each * options.clients - 50 * options.clients
        together(clients, hammering("", max(1, left // options.clients)))
        after = resident_mb(pid)
    print(table(["warm search over HTTP", "calls", "CPU ms a call", "median ms", "p99 ms"], board.rows))
    print(f"memory: {before:.0f} MB before, {after:.0f} MB after {options.calls} calls ({after / before - 1:+.1%})")


if __name__ == "__main__":
    main()
