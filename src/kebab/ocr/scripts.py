"""Two readings of one line, by a Korean model and by one that also knows Latin letters, to the better of both.

Asked for Korean and English at once, tesseract takes many a Hangul word for an English one (`약한 SOA] 20분`), because
the English model is the more self-assured. The Korean model alone reads such words well, but has no Latin letters at
all. So a word goes back to Hangul where the Korean model sees syllables and the other was not sure.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from kebab.ocr.layout import PrintedLine, Word

# What the Korean model makes of a Latin word is mostly digits, brackets and single letters, hardly whole syllables.
SYLLABLE_SHARE = 0.6
# Latin words that are really there are read with more confidence than this.
SURE = 0.85

_SYLLABLE = re.compile("[가-힣]")
_LATIN = re.compile("[A-Za-z]")


def has_hangul(text: str) -> bool:
    return _SYLLABLE.search(text) is not None


def merged(both: PrintedLine, korean: PrintedLine) -> PrintedLine:
    """`both` with the words that are Hangul after all taken from `korean`."""
    if not _LATIN.search(both.text):
        return both
    matcher = SequenceMatcher(None, [word.text for word in both.words], [word.text for word in korean.words])
    words: list[Word] = []
    for change, start, end, first, last in matcher.get_opcodes():
        known, other = both.words[start:end], korean.words[first:last]
        words += _better(known, other) if change == "replace" else known
    return both._replace(words=tuple(words))


def _better(known: Sequence[Word], other: Sequence[Word]) -> Sequence[Word]:
    if len(known) != len(other):
        return _more_hangul(known, other)
    return [word for pair in zip(known, other, strict=True) for word in _more_hangul(pair[:1], pair[1:])]


def _more_hangul(known: Sequence[Word], other: Sequence[Word]) -> Sequence[Word]:
    letters = "".join(word.text for word in known)
    syllables = "".join(word.text for word in other)
    if not _LATIN.search(letters) or len(_SYLLABLE.findall(syllables)) < SYLLABLE_SHARE * len(syllables):
        return known
    sure = _confidence(known)
    return other if sure < SURE or sure < _confidence(other) else known


def _confidence(words: Sequence[Word]) -> float:
    return sum(word.confidence * len(word.text) for word in words) / sum(len(word.text) for word in words)
