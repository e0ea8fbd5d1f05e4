"""Words of a text as FTS5 itself cuts and stems them, and where the words of a query stand in a text."""

import re
from collections.abc import Collection

import apsw

from kebab.core.query import AnalysedQuery

_SHORT = 40
_REMEMBERED = 20_000
# From here on scripts have no spaces or glue endings to their words.
_FIRST_CJK = "\u2e80"


class Stemmer:
    """Asks the tokenizer of the full-text table, so that nothing here can differ from what is indexed."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._tokenizer = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
        self._stems: dict[str, list[str]] = {}

    def stems(self, text: str) -> list[str]:
        """A word of a query is asked for again and again, so short texts are remembered."""
        if len(text) > _SHORT:
            return [stem for _, _, stem in self._raw_tokens(text.encode("utf-8", "replace"))]
        if text not in self._stems:
            if len(self._stems) > _REMEMBERED:
                self._stems.clear()
            self._stems[text] = [stem for _, _, stem in self._raw_tokens(text.encode("utf-8", "replace"))]
        return self._stems[text]

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]:
        """Where the words of `query` stand in `text`, as character ranges in order."""
        wanted = {stem for term in (*query.terms, *query.phrases) for stem in self.stems(term)}
        ranges: list[tuple[int, int]] = []
        glued = [term for term in wanted if term[0] >= _FIRST_CJK]
        if len(glued) < len(wanted):
            ranges += [(start, end) for start, end, _ in self._tokens(text, wanted)]
        if glued:
            pattern = "|".join(map(re.escape, sorted(glued, key=lambda term: (-len(term), term))))
            # Looked for at every place: words may overlap.
            ranges += [match.span(1) for match in re.finditer(f"(?=({pattern}))", text)]
        return _merge(ranges)

    def _tokens(self, text: str, wanted: Collection[str]) -> list[tuple[int, int, str]]:
        """Those of FTS5's own tokens whose stem is wanted, with character ranges."""
        raw = text.encode("utf-8", "replace")
        tokens = [token for token in self._raw_tokens(raw) if token[2] in wanted]
        return tokens if len(raw) == len(text) else _in_characters(raw, tokens)

    def _raw_tokens(self, raw: bytes) -> list[tuple[int, int, str]]:
        """With byte ranges."""
        return list(
            self._tokenizer(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)  # type: ignore[arg-type] # the shape these flags ask for
        )


def _in_characters(raw: bytes, tokens: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    found = []
    at_byte = at_char = 0
    for start, end, stem in tokens:
        first = at_char + len(raw[at_byte:start].decode("utf-8"))
        at_char = first + len(raw[start:end].decode("utf-8"))
        at_byte = end
        found.append((first, at_char, stem))
    return found


def _merge(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
