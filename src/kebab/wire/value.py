"""What a wire object is made of: plain dicts, lists, strings, finite numbers, booleans and null."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TypeAlias

Json: TypeAlias = dict[str, object]


def optional(**given: object) -> Json:
    """The fields that have a value: on the wire an optional field without one is absent, not null."""
    return {name: value for name, value in given.items() if value is not None}


def plain(value: object) -> object:
    """A deep copy of a value that came from outside (front matter, settings, file names) which JSON can hold.

    Numbers JSON has no word for become null, a dataclass its fields, and anything else (a path, a date) its text.
    """
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Mapping):
        return {plain_text(str(name)): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return plain_text(str(value))


def plain_text(text: str) -> str:
    """`text` as an exact `str` that UTF-8 can carry."""
    # A file name that is not UTF-8 reaches Python as lone surrogates, which strict JSON readers refuse.
    return str(text) if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def plain_texts(texts: Iterable[str]) -> list[str]:
    return [plain_text(text) for text in texts]
