"""Headings and sentences of the index worth asking about, told by their rare words, from as many documents as can."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from kebab.app.search import Searcher
from kebab.core.chunk import Chunk
from kebab.core.query import Filters, Query, SearchMode
from kebab.eval.proposal import Excerpt
from kebab.eval.rewording import words_of
from kebab.rag.blocks import Kind
from kebab.rag.sentences import units
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.app.facade import App

_SHORTEST, _LONGEST = 20, 240
_FEWEST_WORDS = 5
# Of one document; more of it would be more of the same.
_PER_DOCUMENT = 12
# Words in a row that tell a sentence from others.
_PHRASE = 6
_LINK = re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"<[^<>]*>|\{\{.*?\}\}|[*_`~#<>]+|\[\^[^\]]*\]|https?://\S+")


def excerpts(app: "App", count: int, random: Random) -> list[Excerpt]:
    """About `count` of them, one from each document before a second from any."""
    _, store = app.asker()
    searcher = Searcher(store, app.vectors, app.config.search)
    rows = [row for row in store.shelf.rows(Filters()) if _is_prose(row)]
    random.shuffle(rows)
    waiting: list[Iterator[Excerpt]] = []
    found: list[Excerpt] = []
    for row in rows:
        if len(found) >= count:
            return found
        own = (each for each in _of_document(store, row, random) if not _is_repeated(searcher, each))
        found += islice(own, 1)
        waiting.append(own)
    while len(found) < count and waiting:
        before = len(found)
        for left in waiting:
            found += islice(left, 1)
        if len(found) == before:
            break
    return found[:count]


def _is_repeated(searcher: Searcher, excerpt: Excerpt) -> bool:
    """Whether other documents say the same, as what is generated or copied does: then none of them is the right one."""
    phrase = " ".join(words_of(excerpt.asked)[:_PHRASE])
    hits = searcher.search(Query(f'"{phrase}"', SearchMode.LEXICAL, _PHRASE)).hits
    return not excerpt.is_heading and any(hit.doc_path != excerpt.doc_path for hit in hits)


def _is_prose(row: DocumentRow) -> bool:
    family = row.media_type.partition("/")[0]
    # A name that is not UTF-8, or that begins or ends with a space, cannot stand in a suite.
    nameable = row.workspace_path.isprintable() and row.workspace_path == row.workspace_path.strip()
    return family not in ("code", "resource") and row.code_lang is None and nameable


def _of_document(store: Store, row: DocumentRow, random: Random) -> list[Excerpt]:
    chunks = store.contents.chunks_of(row.doc_key)
    scored: list[tuple[float, Excerpt]] = []
    for chunk in chunks:
        scored += _sentences(store, row, chunk)
    scored.sort(key=lambda each: -each[0])
    best = [excerpt for _, excerpt in scored[:_PER_DOCUMENT]]
    best += _headings(row, chunks)[: _PER_DOCUMENT // 2]
    random.shuffle(best)
    return best


def _headings(row: DocumentRow, chunks: tuple[Chunk, ...]) -> list[Excerpt]:
    found: dict[str, Excerpt] = {}
    for chunk in chunks:
        heading = chunk.heading_path[-1] if chunk.heading_path else ""
        # ` > ` stands between headings in a suite.
        if heading and heading != row.title and " > " not in heading and heading not in found:
            asked = _plain(f"{row.title} {heading}")
            found[heading] = Excerpt(row.workspace_path, heading, chunk.spans[0].start, heading, asked, is_heading=True)
    return list(found.values())


def _sentences(store: Store, row: DocumentRow, chunk: Chunk) -> Iterator[tuple[float, Excerpt]]:
    """Those that can stand alone, with how rare their words are on average."""
    for unit in units(chunk.text):
        source = unit.of(chunk.text).strip()
        asked = _plain(source)
        if unit.kind is not Kind.PROSE or not _SHORTEST <= len(asked) <= _LONGEST:
            continue
        if len(words_of(asked)) < _FEWEST_WORDS or "|" in source:
            continue
        line = chunk.spans[0].start + chunk.text.count("\n", 0, unit.start)
        heading = chunk.heading_path[-1] if chunk.heading_path else None
        yield _rarity(store, asked), Excerpt(row.workspace_path, heading, line, source, asked)


def _rarity(store: Store, text: str) -> float:
    stems = store.weights.informative(text)
    return sum(map(store.weights.weight, stems)) / len(stems) if stems else 0.0


def _plain(text: str) -> str:
    """Without what Markdown adds to words."""
    return " ".join(_MARKS.sub(" ", _LINK.sub(r"\1\2", text)).split())
