"""What several searches found, as one order in which none of them crowds out the others.

Gets lists of passages, best first; gives the best of each, then the second of each, and so on. Knows no question.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kebab.rag.pack import Found

# As in a search; what is put before a model is capped again, once neighbours are joined.
PER_DOCUMENT = 5


class Pool:
    """At most `most` passages; a search that comes later takes places from the tails of those before it."""

    def __init__(self, most: int, per_document: int = PER_DOCUMENT) -> None:
        self._most = most
        self._per_document = per_document
        self._lists: list[tuple[Found, ...]] = []

    def __bool__(self) -> bool:
        return any(self._lists)

    def add(self, found: Sequence[Found]) -> tuple[str, ...]:
        """The ids of the chunks that this search brought in, best first."""
        before = {each.hit.chunk_id for each in self.found()}
        self._lists.append(tuple(found))
        after = {each.hit.chunk_id for each in self.found()}
        new = (each.hit.chunk_id for each in found if each.hit.chunk_id in after - before)
        return tuple(dict.fromkeys(new))

    @property
    def seen(self) -> int:
        """Different chunks that any search gave, whether there is a place for them or not."""
        return len({each.hit.chunk_id for found in self._lists for each in found})

    def found(self) -> tuple[Found, ...]:
        """The passages in their order, with the ranks they have here."""
        chosen = _fair(self._lists, self._per_document, self._most)
        return tuple(
            each._replace(hit=replace(each.hit, rank=rank)) for rank, each in enumerate(chosen[: self._most], start=1)
        )


def _fair(lists: Sequence[Sequence[Found]], per_document: int, most: int) -> list[Found]:
    """Rounds in which every list gives its next one; within a round the better score comes first."""
    seen: set[str] = set()
    taken: Counter[str] = Counter()

    def fresh(found: Sequence[Found]) -> Iterator[Found]:
        for each in found:
            if each.hit.chunk_id not in seen and taken[each.hit.doc_id] < per_document:
                seen.add(each.hit.chunk_id)
                taken[each.hit.doc_id] += 1
                yield each

    waiting = [fresh(found) for found in lists]
    chosen: list[Found] = []
    while len(chosen) < most:
        drawn = [next(each, None) for each in waiting]
        if not any(drawn):
            break
        chosen += sorted((each for each in drawn if each is not None), key=lambda each: -each.hit.score)
    return chosen
