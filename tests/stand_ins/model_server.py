"""A model server on this machine that speaks Ollama's and OpenAI's protocols, and badly when a test asks for it.

    with StandInServer(dimensions=8) as server:
        server.script(status(503), chunked())   # the next two requests; see `model_faults` and `stream_faults`
        server.always(stall(5))                 # every request after them
        server.tells = ["Brown rice ", "cooks."]  # what a chat is answered with, token by token
        server.routes["/v1/rerank"] = lambda body: {...}

A request that no fault is scripted for is answered by its route. `requests` keeps what was asked.
"""

import json
import random
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

from stand_ins.model_chat import TOKENS, Streamed, ollama_chat, openai_chat

MODEL = "stand-in"


class Asked(NamedTuple):
    """A request as it came in. `connection` is the same for requests over one connection."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    connection: int


class Refusal(Exception):
    """Raised by a route to answer with a status other than 200."""

    def __init__(self, status: int, reply: object) -> None:
        super().__init__(status)
        self.status = status
        self.reply = reply


Fault = Callable[["Exchange"], None]
Route = Callable[[Any], object]


def vector(text: str, dimensions: int) -> list[float]:
    """Equal texts have equal vectors; they are not of unit length, as those of many servers are not."""
    chance = random.Random(text.encode("utf-8", "surrogatepass"))
    return [chance.gauss(0.0, 3.0) for _ in range(dimensions)]


class StandInServer:
    """Listens while it is open. `key` makes it want `Authorization: Bearer KEY`."""

    def __init__(self, dimensions: int = 8, models: Sequence[str] = (MODEL,), key: str | None = None) -> None:
        self.dimensions = dimensions
        self.models = tuple(models)
        self.key = key
        self.tells: Sequence[str] = TOKENS
        self.requests: list[Asked] = []
        self.closing = threading.Event()
        self.routes: dict[str, Route] = {
            "/api/embed": self._ollama_embed,
            "/api/chat": lambda body: ollama_chat(self._known(body), self.tells),
            "/api/tags": lambda body: {"models": [{"name": name, "model": name} for name in self.models]},
            "/api/version": lambda body: {"version": "0.99.1"},
            "/v1/chat/completions": lambda body: openai_chat(self._known_to_openai(body), self.tells),
            "/v1/embeddings": self._openai_embed,
            "/v1/models": lambda body: {"object": "list", "data": [{"id": name} for name in self.models]},
        }
        self._faults: deque[Fault] = deque()
        self._constant: Fault | None = None
        self._lock = threading.Lock()
        self._http = _Http(self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def inputs(self) -> list[list[str]]:
        """The texts of every embedding request, batch by batch."""
        return [asked.body["input"] for asked in self.requests if asked.body and "input" in asked.body]

    def script(self, *faults: Fault) -> None:
        self._faults.extend(faults)

    def always(self, fault: Fault) -> None:
        self._constant = fault

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.close_all()
        if kind is None and self._http.failures:
            raise self._http.failures[0]

    def next_fault(self, asked: Asked) -> Fault | None:
        with self._lock:
            self.requests.append(asked)
            return self._faults.popleft() if self._faults else self._constant

    def answer(self, asked: Asked) -> object:
        """What a server that is well answers."""
        if self.key is not None and asked.headers.get("authorization") != f"Bearer {self.key}":
            raise Refusal(401, {"error": {"message": "Incorrect API key provided", "type": "invalid_request_error"}})
        if asked.path not in self.routes:
            raise Refusal(404, "404 page not found")
        return self.routes[asked.path](asked.body)

    def _known(self, body: Any) -> Any:
        if body["model"] not in self.models:
            raise Refusal(404, {"error": f'model "{body["model"]}" not found, try pulling it first'})
        return body

    def _known_to_openai(self, body: Any) -> Any:
        if body["model"] not in self.models:
            message = f"The model `{body['model']}` does not exist"
            raise Refusal(404, {"error": {"message": message, "code": "model_not_found"}})
        return body

    def _ollama_embed(self, body: Any) -> object:
        self._known(body)
        rows = [vector(text, self.dimensions) for text in body["input"]]
        return {"model": body["model"], "embeddings": rows, "total_duration": 1, "load_duration": 1}

    def _openai_embed(self, body: Any) -> object:
        self._known_to_openai(body)
        if "" in body["input"]:
            raise Refusal(400, {"error": {"message": "'$.input' is invalid: a text is empty"}})
        rows = [vector(text, self.dimensions) for text in body["input"]]
        data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
        return {"object": "list", "data": data, "model": body["model"], "usage": {"total_tokens": 1}}


class Exchange:
    """One request and the means to answer it, well or badly."""

    def __init__(self, server: StandInServer, asked: Asked, handler: "_Handler") -> None:
        self.server = server
        self.asked = asked
        self._handler = handler

    def answer(self) -> None:
        try:
            reply = self.server.answer(self.asked)
        except Refusal as refusal:
            return self.send(refusal.reply, refusal.status)
        return self.stream(reply) if isinstance(reply, Streamed) else self.send(reply)

    def send(self, reply: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """`reply` is bytes, text, or anything JSON can say."""
        raw = as_bytes(reply)
        own = {"Content-Type": "text/plain" if isinstance(reply, str | bytes) else "application/json"}
        self.start(status, {**own, "Content-Length": str(len(raw)), **(headers or {})}, raw)

    def stream(self, reply: Streamed) -> None:
        """Each of its packets as one chunk, which a client gets as one part."""
        self.begin_stream(reply)
        for packet in reply.packets:
            self.packet(packet)
        self.end_stream()

    def begin_stream(self, reply: Streamed) -> None:
        self.start(200, {"Content-Type": reply.media_type, "Transfer-Encoding": "chunked"})

    def packet(self, raw: bytes) -> None:
        self.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")

    def end_stream(self) -> None:
        self.write(b"0\r\n\r\n")

    def start(self, status: int, headers: Mapping[str, str], raw: bytes = b"") -> None:
        """The head of an answer, and the beginning of its body, in one packet."""
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {headers[name]}" for name in headers)]
        self.write("\r\n".join([*lines, "", ""]).encode("latin-1") + raw)

    def write(self, raw: bytes) -> None:
        self._handler.wfile.write(raw)

    def reset(self) -> None:
        """The connection ends with a reset, not with a goodbye."""
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.hang_up()

    def hang_up(self) -> None:
        self._handler.close_connection = True

    def is_left(self, seconds: float) -> bool:
        """Whether the client hangs up within this time, without a word sent to it meanwhile."""
        self._handler.connection.settimeout(seconds)
        try:
            return self._handler.connection.recv(1) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True


def as_bytes(reply: object) -> bytes:
    if isinstance(reply, bytes):
        return reply
    return (reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)).encode("utf-8")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: "_Http"

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(raw) if raw else None
        asked = Asked(self.command, self.path, headers, body, self.client_address[1])
        exchange = Exchange(self.server.owner, asked, self)
        (self.server.owner.next_fault(asked) or Exchange.answer)(exchange)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


class _Http(ThreadingHTTPServer):
    # Closing waits for every answer that is under way, so that none outlives its test.
    daemon_threads = False

    def __init__(self, owner: StandInServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner
        self.failures: list[BaseException] = []
        self._connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Without the polite part, which would turn a reset into a goodbye."""
        self._connections.discard(request)
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no failure of this server; anything else is, and fails the test at the end."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.failures.append(error)

    def close_all(self) -> None:
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()
