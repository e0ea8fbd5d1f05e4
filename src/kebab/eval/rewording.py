"""A sentence of a document to a question about it: three to five words in ten are dropped or replaced.

Asked in its own words, every sentence is found, and a gate that was fitted on such questions would refuse all others.
"""

import re
from random import Random

from kebab.eval.shipped import synonyms

_WORD = re.compile(r"[^\W_](?:[\w'’.,:/+-]*[\w%])?|[0-9]+")
_HANGUL = re.compile("[가-힣]")
_LEAST, _MOST = 0.3, 0.5
_LEAST_WORDS = 3


def is_korean(text: str) -> bool:
    return len(_HANGUL.findall(text)) * 3 > len(re.findall(r"\w", text))


def words_of(text: str) -> list[str]:
    return _WORD.findall(text)


def reworded(text: str, random: Random) -> str | None:
    """A question; None when there are too few words to ask with."""
    words = words_of(text)
    if len(words) < _LEAST_WORDS:
        return None
    if words[0][1:].islower():
        # It no longer begins a sentence.
        words[0] = words[0].lower()
    kept = _changed(words, random)
    return _question(kept, text, random)


def _changed(words: list[str], random: Random) -> list[str]:
    """Replaced where a synonym is known, else dropped, but never so far that fewer than two are left."""
    share = random.uniform(_LEAST, _MOST)
    count = max(1, min(round(len(words) * share), len(words) - 2))
    chosen = set(random.sample(range(len(words)), count))
    out = []
    for at, word in enumerate(words):
        if at not in chosen:
            out.append(word)
        elif (other := _synonym(word)) is not None:
            out.append(other)
    return out


def _synonym(word: str) -> str | None:
    known = synonyms()
    if (other := known.get(word.lower())) is not None:
        return other
    # Korean words carry their particles: 비율을 is 비율 with 을.
    for end in range(len(word) - 1, 1, -1):
        if word[:end] in known and _HANGUL.match(word):
            return known[word[:end]] + word[end:]
    return None


def _question(words: list[str], text: str, random: Random) -> str:
    said = " ".join(words)
    if is_korean(text):
        return f"{said}{random.choice(('?', ' 관련 내용은?', ', 어떻게 적어 두었나?'))}"
    return random.choice((f"{said}?", f"What about {said}?", f"What was noted on {said}?"))
