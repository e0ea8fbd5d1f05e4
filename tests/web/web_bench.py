"""A server of the web interface in this process, on a port of its own, and plain requests to it."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from kebab import config as configuration
from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import Config
from kebab.ui.mcp.http import mcp_asgi
from kebab.ui.serving.guard import Limits, Policy
from kebab.ui.serving.sessions import Sessions
from kebab.ui.serving.state import ServerState
from kebab.ui.web.live import Live
from kebab.ui.web.server import listener, make_server
from kebab.ui.web.watching import Watch

NOTES = {
    "rice.md": "---\ntags: [cooking]\n---\n# Rice\n\nOne cup of brown rice needs two cups of water.\n",
    "쌀/현미밥.md": "# 현미밥\n\n불린 현미 한 컵에 물 1.2컵을 붓는다.\n\n## 보관\n\n한 공기씩 냉동한다.\n",
    "dev/kettle.py": "def boil(cups: int) -> None:\n    print(cups)\n",
}
TIMEOUT = 20


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Host(NamedTuple):
    port: int
    state: ServerState

    def request(self, method: str, path: str, body: bytes | str | None = None, **headers: str) -> Reply:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, body.encode() if isinstance(body, str) else body, given)
            answer = connection.getresponse()
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.request("GET", path, **headers)

    def post(self, path: str, value: object, **headers: str) -> Reply:
        return self.request("POST", path, json.dumps(value), **{"content_type": "application/json", **headers})

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT)


def indexed(home: Path, settings: dict[str, object] | None = None) -> Config:
    for name, text in NOTES.items():
        path = home / "kb" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    flags = {
        "workspace.root": str(home / "kb"),
        "storage.data_dir": str(home / "data"),
        "models.embedding.provider": "none",
        **(settings or {}),
    }
    config = configuration.load(flags, path=None, env={"HOME": str(home)})
    app = App(config)
    list(app.ingest(ScopeRequest()))
    app.close()
    return config


@contextmanager
def hosting(
    config: Config,
    *,
    token: str | None = None,
    limits: Limits | None = None,
    allow_ingest: bool = False,
    sessions: Sessions | None = None,
    live: Live | None = None,
) -> Iterator[Host]:
    state = ServerState(config, allow_ingest=allow_ingest)
    with listener("127.0.0.1", 0) as bound:
        policy = Policy("127.0.0.1", token, limits or Limits(), sessions)
        server = make_server(state, policy, mcp_asgi(state), Watch(state, live or Live()))
        started = threading.Event()

        async def run() -> None:
            asked = asyncio.ensure_future(server.serve([bound]))
            while not server.started and not asked.done():
                await asyncio.sleep(0.01)
            started.set()
            await asked

        thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
        thread.start()
        assert started.wait(TIMEOUT)
        try:
            yield Host(bound.getsockname()[1], state)
        finally:
            server.should_exit = True
            thread.join(TIMEOUT)
            assert not thread.is_alive()
            state.close()
