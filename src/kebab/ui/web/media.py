"""Pictures and recordings over HTTP: PNGs made here, and pieces of a recording's file. Never as a page, never as SVG.

Imported only where the server runs: it loads starlette.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kebab.core.errors import SpanNotSupported
from kebab.core.viewing import Picture
from kebab.ui.serving.calls import Call, performed
from kebab.ui.serving.lanes import Lane
from kebab.ui.serving.replies import as_bytes
from kebab.ui.serving.state import Pace
from kebab.ui.serving.tools import Tool
from kebab.ui.web.routes import Way
from kebab.ui.web.streams import unless_gone
from kebab.ui.web.viewing import DOC, PAGE, WIDTH
from kebab.wire.error import encode_error
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.app.recordings import Recording

# A player takes a piece and asks for the next; with all of it on the way it would hold a connection while it plays.
_PIECE = 1024 * 1024
_BLOCK = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.IGNORECASE)
_FOUND = "found"
_HEADERS = {
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
}


def page_image(call: Call) -> Json:
    return {_FOUND: call.app.page_image(call.values["doc"], call.values["page"], call.values["width"])}


def media(call: Call) -> Json:
    try:
        return {_FOUND: call.app.picture(call.values["doc"])}
    except SpanNotSupported as no_picture:
        try:
            return {_FOUND: call.app.recording(call.values["doc"])}
        except SpanNotSupported:
            # It says why an image cannot be shown; that it is no recording helps nobody.
            raise no_picture from None


PICTURES: tuple[Way, ...] = (
    Way(
        "GET",
        "/v1/page_image",
        Tool("page_image", "A page as a picture", "A page of a PDF.", (DOC, PAGE, WIDTH), "", page_image, Pace.LOOK),
        "image/png",
    ),
    Way(
        "GET",
        "/v1/media",
        Tool("media", "An image or a recording", "To be shown or played.", (DOC,), "", media, Pace.LOOK),
        "application/octet-stream",
    ),
)


async def shown(request: Request, lane: Lane, way: Way, values: Mapping[str, Any]) -> Response:
    """A picture, or what was asked for of a recording; 415 for a document that is neither."""

    def work(app: "App", cancel: Any, tell: Any) -> Json:  # noqa: ANN401 - handed on
        return way.tool.run(Call(app, values, cancel, tell))

    try:
        found: Any = (await unless_gone(request, performed(lane, work)))[_FOUND]
    except SpanNotSupported as error:
        return Response(as_bytes(encode_error(error)), 415, media_type="application/json")
    if isinstance(found, Picture):
        headers = {**_HEADERS, "content-type": found.media, "x-kebab-freshness": str(found.freshness)}
        return Response(found.data, headers=headers)
    # No version of a file has a name here, so a piece of the one that somebody has begun with cannot be promised.
    asked = None if "if-range" in request.headers else request.headers.get("range")
    return _played(found, asked, head_only=request.method == "HEAD")


def _played(recording: "Recording", asked: str | None, *, head_only: bool) -> Response:
    headers = {
        **_HEADERS,
        "content-type": recording.media,
        "x-kebab-freshness": str(recording.freshness),
        "accept-ranges": "bytes",
    }
    whole = range(recording.size)
    piece = whole if asked is None else _piece(asked, recording.size)
    if piece is None:
        recording.file.close()
        return Response(status_code=416, headers={**headers, "content-range": f"bytes */{recording.size}"})
    headers["content-length"] = str(len(piece))
    if asked is not None:
        headers["content-range"] = f"bytes {piece.start}-{piece.stop - 1}/{recording.size}"
    status = 200 if asked is None else 206
    if head_only:
        recording.file.close()
        return Response(status_code=status, headers=headers)
    return StreamingResponse(_blocks(recording, piece), status, headers)


def _piece(asked: str, size: int) -> range | None:
    """The bytes of one range, or the first part of them; None for what cannot be given."""
    match = _RANGE.fullmatch(asked.strip())
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        first, last = max(size - int(match[2]), 0), size - 1
    else:
        first, last = int(match[1]), min(int(match[2]) if match[2] else size - 1, size - 1)
    last = min(last, first + _PIECE - 1)
    return range(first, last + 1) if first <= last and first < size else None


async def _blocks(recording: "Recording", piece: range) -> AsyncIterator[bytes]:
    file, left = recording.file, len(piece)
    try:
        await asyncio.to_thread(file.seek, piece.start)
        while left and (block := await asyncio.to_thread(file.read, min(left, _BLOCK))):
            left -= len(block)
            yield block
    finally:
        file.close()
