"""A failure on the wire: a code a program can act on, a line a person can read, and what is known beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from kebab.core.errors import ERRORS, KebabError
from kebab.wire.value import Json, optional, plain, plain_text, plain_texts


def encode_error(error: KebabError) -> Json:
    return {
        "schema_version": "error.v1",
        "code": error.code,
        "message": plain_text(error.message),
        "details": plain(error.details),
        **optional(hint=error.hint),
    }


def decode_error(value: Mapping[str, Any]) -> KebabError:
    """The failure as the class of its code; one of a newer kebab as a plain one."""
    error = ERRORS.get(value["code"], KebabError)(value["message"], hint=value.get("hint"))
    error.details = dict(value.get("details", {}))
    return error


def encode_unexpected(message: str, chain: Sequence[str]) -> Json:
    """A failure nobody foresaw. `chain` is its causes, outermost first, and may be empty."""
    # Many built-in exceptions have no text of their own, and a message may not be empty.
    return {
        "schema_version": "error.v1",
        "code": "generic",
        "message": plain_text(message) or "unexpected error",
        "details": {"chain": plain_texts(chain)},
    }
