"""Token ids to unit vectors: the layers in order, and how the work is cut into parts and spread over threads."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from kebab.embed.use.tokens import EPSILON, ROWS, Done, Floats, Ints, Job, TokenProducts
from kebab.embed.use.weights import DIMENSIONS, Arrays, Rows
from kebab.embed.use.windows import Batch, Windows

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Tokens computed at once: enough to make the matrices worth their reading, few enough to stay in a processor's cache.
_BATCH_TOKENS = 1024
# Tokens a question has at most, as a rule.
_QUESTION = 256
# Tokens whose distinct ones are worked out together; bounds the memory of a call.
_GROUP_TOKENS = 16_384


class Network:
    """Not for several callers at once: what is known of tokens changes with every call. No text has over `rows`."""

    def __init__(self, weights: Arrays, threads: int, rows: int = ROWS, table: Rows | None = None) -> None:
        """`table` stands in for the weights' own, see `Loaded`."""
        self._weights = weights
        self._table = table
        self._threads = threads
        self._rows = rows
        # Working memory grows with it, so what keeps little computes little at once.
        self._batch = min(_BATCH_TOKENS, rows)
        self._products = TokenProducts(weights, weights["table"] if table is None else table, rows)
        self._windows = Windows(weights, self._products)
        self._pool: ThreadPoolExecutor | None = None

    def with_rows(self, rows: int) -> "Network":
        """Itself where it has so many, or else another one, which has yet to see its tokens."""
        return self if rows <= self._rows else Network(self._weights, self._threads, rows, self._table)

    def embed(self, texts: list[list[int]]) -> Floats:
        """One row per text; every text has a token."""
        import numpy as np

        found = np.empty((len(texts), DIMENSIONS), np.float32)
        lengths = np.fromiter(map(len, texts), np.intp, len(texts))
        for begin, end in _parts(lengths, _GROUP_TOKENS):
            tokens = np.fromiter(chain.from_iterable(texts[begin:end]), np.intp, int(lengths[begin:end].sum()))
            self._group(tokens, lengths[begin:end], found[begin:end])
        return found

    def _group(self, tokens: Ints, lengths: Ints, out: Floats) -> None:
        import numpy as np

        distinct, which = _distinct(tokens)
        if distinct.size > self._rows:
            half = len(lengths) // 2
            middle = int(lengths[:half].sum())
            self._group(tokens[:middle], lengths[:half], out[:half])
            self._group(tokens[middle:], lengths[half:], out[half:])
            return
        seen = self._products.see(distinct, self._run)
        ends = np.cumsum(lengths)
        batches = [
            Batch(which[ends[begin] - lengths[begin] : ends[end - 1]], lengths[begin:end])
            for begin, end in _parts(lengths, self._batch)
        ]
        sums = list(self._run(lambda batch: self._windows.sums(batch, seen), batches))
        out[:] = self._last_layers(np.concatenate(sums), lengths)

    def _last_layers(self, sums: Floats, lengths: Ints) -> Floats:
        import numpy as np

        given = self._weights
        count = lengths.astype(np.float32)[:, None]
        pooled = (sums @ given["pool"] + count * given["pool_bias"]) / np.sqrt(count)
        first = np.maximum(pooled @ given["d0"], 0)
        middle = np.maximum(pooled @ given["p1"] + first @ given["d1"], 0)
        second = np.maximum(middle @ given["d2"], 0)
        last: Floats = np.tanh(middle @ given["p3"] + second @ given["d3"])
        last /= np.sqrt(np.maximum(np.einsum("ij,ij->i", last, last), np.float32(EPSILON)))[:, None]
        return last

    def _run(self, work: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        todo = list(jobs)
        if self._threads == 1 or len(todo) == 1:
            return map(work, todo)
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
        return self._pool.map(work, todo)


def _distinct(tokens: Ints) -> tuple[Ints, Ints]:
    """The distinct tokens in order, and for every token its place there. `np.unique` would import a slow package."""
    import numpy as np

    if tokens.size <= _QUESTION:
        # Counting walks over the whole vocabulary, which takes longer than a question is long.
        distinct = np.array(sorted(set(tokens.tolist())), np.intp)
        return distinct, np.searchsorted(distinct, tokens)
    distinct = np.flatnonzero(np.bincount(tokens))
    places = np.empty(int(distinct[-1]) + 1, np.intp)
    places[distinct] = np.arange(distinct.size)
    return distinct, places[tokens]


def _parts(lengths: Ints, most: int) -> Iterator[tuple[int, int]]:
    """Neighbouring texts of at most so many tokens together; a longer text is a part of its own."""
    begin = total = 0
    for place, length in enumerate(lengths.tolist()):
        if place > begin and total + length > most:
            yield begin, place
            begin, total = place, 0
        total += length
    if begin < len(lengths):
        yield begin, len(lengths)
