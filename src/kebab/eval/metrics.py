"""What one query's result is worth, metric by metric. A metric that does not apply to a query is left out.

Hits are judged by chunk. The first relevant one decides `hit_at_1`, `hit_at_k` and `mrr`; `recall_at_k_doc` counts
expected documents and `precision_at_k_chunk` relevant chunks, of k, so that a short result loses too. For `ndcg_at_k`
each expectation counts once, at the first hit that fits it.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kebab.core.answer import Answer
from kebab.core.evaluation import Expectation, FoundChunk, GoldenQuery
from kebab.core.text import nfc
from kebab.eval.match import document_key, fits, fits_document

_MARKER = re.compile(r"\s?\[#?[1-9][0-9]{0,2}\]")


class Judged(NamedTuple):
    """`relevant` says for each hit whether it fits what is expected, `rank` is that of the first which does."""

    rank: int | None
    relevant: tuple[bool, ...]
    metrics: Mapping[str, float]


def judge_hits(query: GoldenQuery, found: Sequence[FoundChunk], k: int) -> Judged:
    found = found[:k]
    metrics = {"empty_rate": float(not found)} if query.answerable else {}
    if not query.expected:
        return Judged(None, (False,) * len(found), metrics)
    met = [[wanted for wanted in query.expected if fits(wanted, chunk)] for chunk in found]
    relevant = tuple(map(bool, met))
    rank = relevant.index(True) + 1 if any(relevant) else None
    metrics |= {
        "hit_at_1": float(rank == 1),
        "hit_at_k": float(rank is not None),
        "mrr": 1 / rank if rank else 0.0,
        "ndcg_at_k": _ndcg(query.expected, met, k),
        "recall_at_k_doc": _recall(query.expected, found),
    }
    if any(wanted.names_chunk for wanted in query.expected):
        metrics["precision_at_k_chunk"] = sum(relevant) / k
    return Judged(rank, relevant, metrics)


def _ndcg(expected: Sequence[Expectation], met: Sequence[Sequence[Expectation]], k: int) -> float:
    seen: set[Expectation] = set()
    gained = 0.0
    for rank, fitting in enumerate(met, start=1):
        gained += sum(_gain(wanted.grade, rank) for wanted in set(fitting) - seen)
        seen.update(fitting)
    grades = sorted((wanted.grade for wanted in set(expected)), reverse=True)
    ideal = sum(_gain(grade, rank) for rank, grade in enumerate(grades[:k], start=1))
    # One chunk can be all that is expected, which is better than the ideal of one chunk each.
    return min(1.0, gained / ideal)


def _gain(grade: int, rank: int) -> float:
    return (2.0**grade - 1) / math.log2(rank + 1)


def _recall(expected: Sequence[Expectation], found: Sequence[FoundChunk]) -> float:
    """A document is found with any of its chunks; where none is named, the chunk itself has to be."""
    wanted: dict[str, bool] = {}
    for each in expected:
        by_document = each.doc is not None or each.doc_id is not None
        there = any(
            fits_document(each, chunk.doc_path, chunk.doc_id) if by_document else fits(each, chunk) for chunk in found
        )
        wanted[document_key(each)] = wanted.get(document_key(each), False) or there
    return sum(wanted.values()) / len(wanted)


def judge_answer(query: GoldenQuery, answer: Answer) -> dict[str, float]:
    """An answer without a citation covers nothing; a refusal has no sentences that could be covered."""
    text = _compared(_MARKER.sub("", answer.answer))
    metrics = {"refusal_correctness": float(answer.grounded == query.answerable)}
    if answer.grounded and answer.statements:
        cited = sum(bool(statement.markers) for statement in answer.statements)
        metrics["citation_coverage"] = cited / len(answer.statements)
    if query.must_contain:
        metrics["must_contain"] = float(all(_compared(words) in text for words in query.must_contain))
    if query.forbidden:
        metrics["forbidden"] = float(not any(_compared(words) in text for words in query.forbidden))
    return metrics


def _compared(text: str) -> str:
    """Substrings as they are, but for line breaks and the Unicode form."""
    return " ".join(nfc(text).split())
