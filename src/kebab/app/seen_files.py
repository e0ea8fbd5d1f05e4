"""The files behind documents, for whoever shows them: only those of the index, in a known folder, and plain files.

A document's path is what the index stored. It may have become a link, a device or another file since.
"""

from pathlib import Path
from typing import IO

from kebab.app.freshness import freshness
from kebab.app.plain_files import open_plain
from kebab.config import Config
from kebab.core.errors import DocNotFound, SpanNotSupported
from kebab.core.query import Freshness
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store


def open_file(store: Store, config: Config, row: DocumentRow) -> tuple[IO[bytes], Freshness]:
    """The file, open for reading, and whether it still is what was indexed. Raises DocNotFound when it is no more."""
    path = Path(row.file_path)
    state = freshness(row)
    roots = [source.root for source in config.sources() if source.source_id == row.source_id]
    roots += [Path(root) for source_id, root in store.runs.roots().items() if source_id == row.source_id]
    try:
        # As an ingest has it: a link may lead to a file, but not out of the folder.
        if not any(path.resolve().is_relative_to(root.resolve()) for root in roots):
            raise _no_more(row, "it lies outside of its folder")
        return open_plain(path), state
    except (OSError, RuntimeError) as error:  # the latter for a link that leads to itself
        raise _no_more(row, getattr(error, "strerror", None) or str(error)) from error


def read_file(store: Store, config: Config, row: DocumentRow) -> tuple[bytes, Freshness]:
    """All of it, unless it is larger than what would be indexed."""
    limit = config.workspace.max_file_mb * 1024 * 1024
    file, state = open_file(store, config, row)
    try:
        with file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise _no_more(row, error.strerror or str(error)) from error
    if len(raw) > limit:
        raise SpanNotSupported(
            f"{row.workspace_path} has become larger than {config.workspace.max_file_mb} MB",
            hint="raise workspace.max_file_mb",
            doc_path=row.workspace_path,
        )
    return raw, state


def _no_more(row: DocumentRow, why: str) -> DocNotFound:
    return DocNotFound(
        f"the file of {row.workspace_path} cannot be opened: {why}",
        hint="the text that was indexed is still there; `kebab ingest` brings the index up to date",
        reference=row.workspace_path,
    )
