"""Hits within a budget of tokens: snippets are shortened first, then hits dropped from the end; one always stays."""

import json
from collections.abc import Callable, Sequence

from kebab.core.query import Hit
from kebab.core.text import token_estimate
from kebab.core.versions import INDEX_VERSION
from kebab.wire.search import encode_hit

_SHORTEST = 60
# What a response costs around its hits, with a cursor among it.
_FRAME_TOKENS = 60


def cost(hit: Hit, embedding_model: str | None) -> int:
    """What a reader of JSON pays for a hit, and for the comma behind it."""
    return token_estimate(json.dumps(encode_hit(hit, INDEX_VERSION, embedding_model), ensure_ascii=False) + ", ")


def fit(
    hits: Sequence[Hit], budget: int, chars: int, shorten: Callable[[Hit, int], Hit], embedding_model: str | None
) -> tuple[tuple[Hit, ...], bool]:
    """The hits that fit, and whether anything was cut."""
    left = budget - _FRAME_TOKENS
    fitting = list(hits)
    costs = [cost(hit, embedding_model) for hit in fitting]
    while sum(costs) > left and chars > _SHORTEST:
        chars = max(_SHORTEST, chars * 2 // 3)
        fitting = [shorten(hit, chars) for hit in hits]
        costs = [cost(hit, embedding_model) for hit in fitting]
    while len(fitting) > 1 and sum(costs) > left:
        fitting.pop()
        costs.pop()
    # A snippet that was short already is none the shorter.
    return tuple(fitting), fitting != list(hits)
