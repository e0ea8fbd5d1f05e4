"""Does a chunk fit what a suite expects? By its document, its headings, its words or its id, all that are given."""

from fnmatch import fnmatchcase

from kebab.core.evaluation import Expectation, FoundChunk
from kebab.core.text import nfc

_PATTERN = frozenset("*?[")
_BETWEEN = " > "


def fits(wanted: Expectation, chunk: FoundChunk) -> bool:
    return (
        fits_document(wanted, chunk.doc_path, chunk.doc_id)
        and (wanted.chunk_id is None or chunk.chunk_id.startswith(wanted.chunk_id))
        and (wanted.heading is None or _under(wanted.heading, (chunk.title, *chunk.heading_path)))
        and (wanted.quote is None or spaced(wanted.quote) in spaced(chunk.text))
    )


def fits_document(wanted: Expectation, path: str, doc_id: str) -> bool:
    """Whether a chunk of this document could fit."""
    if wanted.doc_id is not None and not doc_id.startswith(wanted.doc_id):
        return False
    return wanted.doc is None or _named(wanted.doc, nfc(path))


def document_key(wanted: Expectation) -> str:
    """What stands for the document: expectations of one document are met together."""
    return wanted.doc_id or wanted.doc or f"{wanted.chunk_id or ''}/{wanted.heading or ''}/{wanted.quote or ''}"


def spaced(text: str) -> str:
    """Text as it is compared: its line breaks, its case and its Unicode form do not matter."""
    return " ".join(nfc(text).casefold().split())


def _named(pattern: str, path: str) -> bool:
    # A path is itself first: `[draft] a.md` is a name as well as a pattern.
    return pattern == path or (not _PATTERN.isdisjoint(pattern) and fnmatchcase(path, pattern))


def _under(wanted: str, headings: tuple[str, ...]) -> bool:
    """`A` is anywhere above the chunk; `A > B` are there one right below the other."""
    parts = [spaced(part) for part in wanted.split(_BETWEEN)]
    above = [spaced(heading) for heading in headings]
    return any(above[at : at + len(parts)] == parts for at in range(len(above) - len(parts) + 1))
