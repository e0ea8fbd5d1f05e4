"""Answers over HTTP: a wire object as JSON, and a failure as `error.v1` with the status that fits it."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from kebab.core.errors import InvalidInput, KebabError
from kebab.wire.error import encode_error, encode_unexpected
from kebab.wire.value import Json

# A code that is not listed is a fault on this side.
_STATUS = {
    "invalid_input": 400,
    "stale_cursor": 409,
    "index_locked": 409,
    "readonly_mode": 403,
    "chunk_not_found": 404,
    "doc_not_found": 404,
    "trace_not_found": 404,
    "span_not_supported": 422,
    "not_indexed": 503,
    "model_unreachable": 502,
    "model_not_pulled": 503,
    "model_invalid": 502,
    "timeout": 504,
    "missing_extra": 501,
    "canceled": 499,
}


def status_of(error: KebabError) -> int:
    return _STATUS.get(error.code, 500)


def failure(error: Exception) -> tuple[int, Json]:
    """The status and the object."""
    if isinstance(error, KebabError):
        return status_of(error), encode_error(error)
    message = f"{type(error).__name__}: {error}"
    return 500, encode_unexpected(message, [message])


def as_bytes(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


async def refuse(send: Callable[[MutableMapping[str, Any]], Awaitable[None]], status: int, why: str) -> None:
    """A request that is not let in; the connection ends, as the rest of it may still be on the way."""
    body = as_bytes(encode_error(InvalidInput(why)))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers.append((b"connection", b"close"))
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
