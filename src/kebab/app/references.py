"""What a document or a chunk is called, to the one that is meant: by id, beginning of an id, path or citation.

Only what is in the index can be named. A path is compared with the paths of documents and never looked up on disk.
"""

from collections.abc import Sequence
from shlex import quote
from typing import NamedTuple

from kebab.core.chunk import Chunk
from kebab.core.citation import Citation, LineCitation, cited, parse_citation
from kebab.core.errors import ChunkNotFound, DocNotFound, InvalidInput
from kebab.core.text import to_posix
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

# Families of media whose files are the text that was read, so that a line of it is a line of the file.
_TEXT_FAMILIES = frozenset({"markdown", "text", "code"})
_NAMED = 3
_DIGITS = frozenset("0123456789abcdef")


class Referred(NamedTuple):
    """A document, and the place in it when the reference was a citation."""

    row: DocumentRow
    place: Citation | None = None


def is_text_file(row: DocumentRow) -> bool:
    return row.media_type.partition("/")[0] in _TEXT_FAMILIES


def find_document(store: Store, reference: str) -> Referred:
    # A path may hold a `#` of its own, so a document of that name comes first.
    if (row := _document(store, reference)) is not None:
        return Referred(row)
    path = reference
    if "#" in reference:
        place = parse_citation(reference)
        path = place.path
        if (row := _document(store, path)) is not None:
            return Referred(row, place)
    raise _no_document(store, reference, path)


def is_like_an_id(reference: str) -> bool:
    return bool(reference) and _DIGITS.issuperset(reference)


def _no_document(store: Store, reference: str, path: str) -> DocNotFound:
    if is_like_an_id(reference):
        hint = "`kebab list docs` shows ids and paths; an id changes with the content of its file, a path does not"
        return DocNotFound(f"no document {reference}", hint=hint, reference=reference)
    name = to_posix(path).rpartition("/")[2]
    elsewhere = store.shelf.named([name]).get(name)
    hint = f"did you mean {elsewhere}?" if elsewhere is not None else "`kebab list docs` shows the paths"
    return DocNotFound(f"no document has the path {path}", hint=hint, reference=reference)


def _document(store: Store, reference: str) -> DocumentRow | None:
    # The store reads a path as generously as it can; one from the root is none of a workspace.
    rows = [row for row in store.shelf.find(reference) if _is_called(row, reference)]
    exact = [row for row in rows if reference in (row.workspace_path, row.doc_id)]
    rows = exact[:1] or rows
    if len(rows) > 1:
        raise _ambiguous(reference, "documents", [f"{row.doc_id[:12]} {row.workspace_path}" for row in rows])
    return rows[0] if rows else None


def _is_called(row: DocumentRow, reference: str) -> bool:
    if row.doc_id.startswith(reference) or row.workspace_path == reference:
        return True
    return not reference.startswith(("/", "\\")) and row.workspace_path == to_posix(reference)


def find_chunk(store: Store, reference: str) -> tuple[DocumentRow, Chunk]:
    """By id, by the beginning of one, or by the citation a search gave for it."""
    if "#" in reference:
        return _cited_chunk(store, reference)
    found = store.contents.find_chunk(reference)
    if not found:
        raise ChunkNotFound(
            f"no chunk {reference}",
            hint="`kebab search --json` shows chunk ids; they change when the file or the way it is cut does",
            reference=reference,
        )
    if len(found) > 1:
        raise _ambiguous(reference, "chunks", [chunk.chunk_id[:16] for _, chunk in found])
    doc_key, chunk = found[0]
    return store.shelf.row_at([doc_key])[doc_key], chunk


def _cited_chunk(store: Store, reference: str) -> tuple[DocumentRow, Chunk]:
    row, place = find_document(store, reference)
    uri = place.to_uri() if place is not None else ""
    path = place.path if place is not None else ""
    found = [chunk for chunk in store.contents.chunks_of(row.doc_key) if citation_of(chunk, path).to_uri() == uri]
    if not found:
        raise ChunkNotFound(
            f"no chunk is cited as {reference}",
            hint=f"`kebab inspect doc {quote(row.workspace_path)}` lists its chunks",
            reference=reference,
        )
    if len(found) > 1:
        raise _ambiguous(reference, "chunks", [chunk.chunk_id[:16] for chunk in found])
    return row, found[0]


def citation_of(chunk: Chunk, path: str) -> Citation:
    """The same as a hit on the chunk has."""
    lines = chunk.spans[0].start, chunk.spans[-1].end
    if chunk.place is None:
        return LineCitation(path, *lines, chunk.section_label)
    return cited(chunk.place, path, lines, chunk.section_label)


def _ambiguous(reference: str, what: str, candidates: Sequence[str]) -> InvalidInput:
    more = " and more" if len(candidates) > _NAMED else ""
    return InvalidInput(
        f"{reference} fits several {what}: {', '.join(candidates[:_NAMED])}{more}",
        hint="give more of the id",
        reference=reference,
        candidates=list(candidates),
    )
