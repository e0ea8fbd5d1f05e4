"""What words are worth in this index: the stems of a text, and how rare each of them is."""

import math
from collections.abc import Sequence

from kebab.store.fulltext import FullText


class WordWeights:
    """Asks the full text; what it said is remembered until something is written."""

    def __init__(self, fulltext: FullText) -> None:
        self._fulltext = fulltext
        self._known: dict[str, float] = {}
        self._total = -1

    def words(self, text: str) -> list[str]:
        """The stems of a text, as the index holds them."""
        return self._fulltext.stems(self._fulltext.analyser.stream(text))

    def informative(self, question: str) -> list[str]:
        """The stems of a question that say what it is about, each once."""
        analysed = self._fulltext.analyse(question)
        stems = (stem for term in (*analysed.terms, *analysed.phrases) for stem in self._fulltext.stems(term))
        return list(dict.fromkeys(stems))

    def weight(self, stem: str) -> float:
        """Its inverse document frequency; a word the index lacks counts as the rarest."""
        total = self._fulltext.count()
        if total != self._total:
            self._known.clear()
            self._total = total
        if stem not in self._known:
            frequency = self._fulltext.stem_frequency(stem)
            self._known[stem] = max(math.log((total - frequency + 0.5) / (frequency + 0.5)), 1e-6)
        return self._known[stem]

    def chunks(self) -> int:
        """How many there are."""
        return self._fulltext.count()

    def coverage(self, stems: Sequence[str], text: str) -> float:
        """The share of the weight of some stems that stands in a text."""
        whole = sum(map(self.weight, stems))
        there = set(self.words(text))
        return sum(self.weight(stem) for stem in stems if stem in there) / whole if whole else 0.0
