"""The model's arrays from the unpacked copy in the cache folder, or from the package; and the making of that copy.

Unpacking costs 0.4 s of CPU, mapping the copy a millisecond. The copy is a convenience: whatever is wrong with it or
with its folder, the package's own files serve.
"""

import os
from pathlib import Path
from typing import NamedTuple

from kebab.embed.use.pieces import INDEX_SHAPES, index
from kebab.embed.use.resources import Resources, find_resources
from kebab.embed.use.unpacked import FileRows, Form, form, load, save
from kebab.embed.use.weights import LAYOUT, SHAPES, Arrays, Rows, unpack


class Loaded(NamedTuple):
    """`copied` says that the arrays are those of the copy, which holds the index of the vocabulary as well.

    `table` gives the same rows as the array of that name and maps none of them.
    """

    arrays: Arrays
    table: Rows
    vocabulary: Path
    copied: bool


def load_model(model: str, folder: Path | None, *, keep: bool) -> Loaded:
    """With `keep`, a copy that is missing or unusable is made. Raises MissingExtra or ModelInvalid."""
    found = find_resources()
    if folder is None:
        arrays = unpack(found.weights)
        return Loaded(arrays, arrays["table"], found.vocabulary, copied=False)
    path, wanted = folder / f"{model}-{found.version}-layout{LAYOUT}.bin", _form(found)
    copy = load(path, wanted)
    if copy is not None:
        return Loaded(copy, _table(path, wanted, copy), found.vocabulary, copied=True)
    arrays = unpack(found.weights)
    if keep and save(path, wanted, {**arrays, **index(found.vocabulary.read_bytes())}):
        copy = load(path, wanted)
    if copy is not None:
        return Loaded(copy, _table(path, wanted, copy), found.vocabulary, copied=True)
    return Loaded(arrays, arrays["table"], found.vocabulary, copied=False)


def _table(path: Path, wanted: Form, copy: Arrays) -> Rows:
    try:
        return FileRows(path, wanted, "table") if hasattr(os, "pread") else copy["table"]
    except OSError:
        return copy["table"]


def _form(found: Resources) -> Form:
    facts = {"layout": LAYOUT, "version": found.version, "made_from": found.sizes()}
    return form({**SHAPES, **INDEX_SHAPES}, facts)
