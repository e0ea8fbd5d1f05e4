"""A hub on this machine: files by path, with ranges, version tags and redirects, and badly when a test asks for it."""

import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Offer:
    """What is said about one path. Each flag is a fault or a habit of some server."""

    body: bytes = b""
    status: int = 200
    etag: str = '"v1"'
    location: str = ""
    cut_once_at: int | None = None
    stall_at: int | None = None
    announced: int | None = None
    says_length: bool = True
    knows_ranges: bool = True
    encoding: str = ""


@dataclass
class Hub:
    url: str
    offers: dict[str, Offer] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    encodings: set[str] = field(default_factory=set)
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def stand_in_hub() -> Iterator[Hub]:
    """A hub on a free port. `asked` has the path and the range of every request, `encodings` what they accepted."""
    server = _Server(("127.0.0.1", 0), _Handler)
    hub = _Handler.hubs[server.server_address[1]] = Hub(f"http://127.0.0.1:{server.server_address[1]}")
    listener = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    listener.start()
    try:
        yield hub
    finally:
        hub.closing.set()
        server.shutdown()
        listener.join()
        server.server_close()


def closed_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is what some tests are about."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hubs: dict[int, Hub] = {}  # noqa: RUF012

    def do_GET(self) -> None:
        hub = self.hubs[self.server.server_address[1]]  # type: ignore[index]
        wanted = self.headers.get("Range", "")
        hub.asked.append((self.path, wanted))
        hub.encodings.add(self.headers.get("Accept-Encoding", ""))
        offer = hub.offers.get(self.path, Offer(status=404))
        span = re.fullmatch(r"bytes=(\d+)-", wanted) if offer.knows_ranges and offer.status == 200 else None
        start = int(span[1]) if span else 0
        if span and start >= len(offer.body):
            self.answer(Offer(status=416), 0, 416)
        else:
            self.answer(offer, start, 206 if span else offer.status)
            with suppress(ConnectionError):
                self.send(hub, offer, start)

    def answer(self, offer: Offer, start: int, status: int) -> None:
        self.send_response(status)
        length = len(offer.body) - start if offer.announced is None else offer.announced
        if offer.says_length:
            self.send_header("Content-Length", str(length))
        else:
            self.send_header("Connection", "close")
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{len(offer.body) - 1}/{len(offer.body)}")
        said = {"ETag": offer.etag, "Location": offer.location, "Content-Encoding": offer.encoding}
        for name, value in said.items():
            if value:
                self.send_header(name, value)
        self.end_headers()

    def send(self, hub: Hub, offer: Offer, start: int) -> None:
        cut, offer.cut_once_at = offer.cut_once_at, None
        self.wfile.write(offer.body[start : cut if cut is not None else offer.stall_at])
        if cut is not None or not offer.says_length:
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_WR)
        elif offer.stall_at is not None:
            hub.closing.wait()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silence."""
