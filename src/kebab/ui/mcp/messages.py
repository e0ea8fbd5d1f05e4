"""A line of a client to one the SDK takes, or to the error it is answered with: no request is left without an answer.

The SDK passes over what it cannot read, and a client that waits for an answer would wait for ever.
"""

import json
from typing import NamedTuple

from kebab.wire.value import Json, plain_text

_INVALID_REQUEST = -32600


class Understood(NamedTuple):
    """`message` is for the SDK and `answer` for the client; neither for a line that nobody waits on."""

    message: str = ""
    answer: str = ""


def understood(line: bytes) -> Understood:
    text = line.decode("utf-8", "replace")
    if _is_taken(text):
        return Understood(text)
    try:
        value = json.loads(text)
        # Half of a character, as of an emoji that was cut in two, is escaped by clients and refused by the SDK.
        mended = plain_text(json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        return Understood()
    if _is_taken(mended):
        return Understood(mended)
    request_id = value.get("id") if isinstance(value, dict) else None
    if isinstance(request_id, str):
        return Understood(answer=_refusal(plain_text(request_id)))
    return Understood(answer=_refusal(request_id)) if type(request_id) is int else Understood()


def _is_taken(text: str) -> bool:
    from mcp_types import jsonrpc_message_adapter

    try:
        jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        return False
    return True


def _refusal(request_id: str | int) -> str:
    answer: Json = {
        "jsonrpc": "2.0",
        "id": request_id,
        "error": {"code": _INVALID_REQUEST, "message": "Invalid request"},
    }
    return json.dumps(answer, ensure_ascii=False)
