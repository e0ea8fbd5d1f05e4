"""The files behind documents, for whoever shows them: only those of the index, in a known folder, and plain files.

A document's path is what the index stored. It may have become a link, a device or another file since.
"""

import os
import stat
from pathlib import Path
from typing import IO

from kebab.app.freshness import freshness
from kebab.config import Config
from kebab.core.errors import DocNotFound, IoFailure
from kebab.core.query import Freshness
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

# A pipe that took a file's place must not hold whoever opens it.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_file(store: Store, config: Config, row: DocumentRow) -> tuple[IO[bytes], Freshness]:
    """The file, open for reading, and whether it still is what was indexed. Raises DocNotFound when it is gone."""
    path = Path(row.file_path)
    state = freshness(row)
    roots = [source.root for source in config.sources() if source.source_id == row.source_id]
    roots += [Path(root) for source_id, root in store.runs.roots().items() if source_id == row.source_id]
    try:
        # As an ingest has it: a link may lead to a file, but not out of the folder.
        if not any(path.resolve().is_relative_to(root.resolve()) for root in roots):
            raise IoFailure(f"{row.workspace_path} lies outside of its folder", hint="run `kebab ingest`", op="open")
        opened = os.open(path, _FLAGS)
    except (OSError, RuntimeError) as error:  # the latter for a link that leads to itself
        raise DocNotFound(
            f"the file of {row.workspace_path} cannot be opened: {getattr(error, 'strerror', None) or error}",
            hint="the text that was indexed is still there; `kebab ingest` brings the index up to date",
            reference=row.workspace_path,
        ) from error
    # Asked before a file is made of it: making one of a folder fails, and leaves it open.
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise IoFailure(f"{row.workspace_path} is no file any more", hint="run `kebab ingest`", op="open")
    return os.fdopen(opened, "rb"), state


def read_file(store: Store, config: Config, row: DocumentRow) -> tuple[bytes, Freshness]:
    """All of it, unless it is larger than what would be indexed."""
    limit = config.workspace.max_file_mb * 1024 * 1024
    file, state = open_file(store, config, row)
    with file:
        raw = file.read(limit + 1)
    if len(raw) > limit:
        raise IoFailure(f"{row.workspace_path} has become larger than {config.workspace.max_file_mb} MB", op="read")
    return raw, state
