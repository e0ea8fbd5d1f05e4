"""The page itself: the files of `page/`, as they are shipped, under a policy that lets nothing else in.

Only names that stood in the folder at the start are served, so no address can lead out of it. Holds no data.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kebab.core.errors import InvalidInput
from kebab.ui.serving.replies import as_bytes
from kebab.wire.error import encode_error

FOLDER = Path(__file__).resolve().parent / "page"
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_INDEX = "index.html"


class File(NamedTuple):
    data: bytes
    media: str
    tag: str


def shipped(folder: Path = FOLDER) -> dict[str, File]:
    """Every file that may be asked for, by its path in the folder."""
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.suffix in MEDIA and path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
            found[path.relative_to(folder).as_posix()] = File(data, MEDIA[path.suffix], tag)
    return found


def routes(folder: Path = FOLDER) -> list[Route]:
    files = shipped(folder)

    async def index(request: Request) -> Response:
        return _sent(files.get(_INDEX), request)

    async def named(request: Request) -> Response:
        return _sent(files.get(request.path_params["name"]), request)

    return [Route("/", index, methods=["GET"]), Route("/page/{name:path}", named, methods=["GET"])]


def _sent(file: File | None, request: Request) -> Response:
    if file is None:
        missing = encode_error(InvalidInput("there is nothing at this path", hint="the page is at /"))
        return Response(as_bytes(missing), 404, media_type="application/json")
    headers = {
        "etag": file.tag,
        "cache-control": "no-cache",
        "content-security-policy": CSP,
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
    }
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if file.tag in known:
        return Response(status_code=304, headers=headers)
    return Response(file.data, headers={**headers, "content-type": file.media})
