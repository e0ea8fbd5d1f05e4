"""Hits and documents as rows of a list: where they stand, why they were found, and in words whether they changed."""

from collections.abc import Sequence
from typing import overload

from rich.text import Text

from kebab.core.inspection import DocSummary
from kebab.core.query import Freshness, Hit
from kebab.ui.tui.excerpt import Target
from kebab.ui.tui.inking import ink, joined, tail, window
from kebab.ui.tui.rows import Row
from kebab.ui.tui.words import Words

_INDENT = "   "
_LEAST_SNIPPET = 20
_LEAST_PLACE = 20


def state_note(freshness: Freshness, *, stale: bool, words: Words) -> Text:
    """Empty for a file that is what was indexed."""
    if freshness is not Freshness.FRESH:
        return ink(f"  ({words[str(freshness)]})", "red" if freshness is Freshness.MISSING else "yellow")
    return ink(f"  ({words['stale']})", "yellow") if stale else Text(end="")


def hit_row(hit: Hit, words: Words, width: int) -> Row:
    lead, note = f"{hit.rank} {hit.score:.2f} ", state_note(hit.freshness, stale=hit.stale, words=words)
    room = max(width - len(lead) - note.cell_len, _LEAST_PLACE)
    place = joined(lead, tail(hit.citation.to_uri(), room, "bold"), note)
    section = " > ".join(hit.heading_path) or hit.section_label or hit.title
    snippet = window(hit.snippet, hit.highlights, max(width - len(_INDENT), _LEAST_SNIPPET))
    target = Target(hit.doc_id, hit.citation, hit.chunk_id, code_lang=hit.code_lang)
    return Row((place, joined(_INDENT, ink(section, "cyan")), joined(_INDENT, snippet)), target)


class DocRows(Sequence[Row]):
    """A row for each document, made when it is looked at: a library may be large, and a screen is not."""

    height = 1

    def __init__(self, documents: Sequence[DocSummary], words: Words) -> None:
        self._documents, self._words = documents, words

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, at: int) -> Row: ...

    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...

    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [doc_row(doc, self._words) for doc in self._documents[at]]
        return doc_row(self._documents[at], self._words)


def doc_row(doc: DocSummary, words: Words) -> Row:
    line = joined(
        ink(doc.doc_path, "bold"),
        state_note(doc.freshness, stale=doc.stale, words=words),
        f"  {doc.media_type} {doc.lang} {doc.chunk_count}  ",
        ink(doc.title if doc.title != doc.doc_path else "", "dim"),
    )
    return Row((line,), Target(doc.doc_id))
