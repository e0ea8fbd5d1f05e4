"""The best candidates in the order of a cross-encoder, which reads question and passage together."""

from typing import TYPE_CHECKING

from kebab.search.retrieve import Ranked, Retrieved

if TYPE_CHECKING:
    from kebab.core.ports import Reranker
    from kebab.store.store import Store

# A cross-encoder reads every pair, so only what might be shown is worth its time.
DEPTH = 30


def rerank(text: str, found: Retrieved, reranker: "Reranker", store: "Store") -> Retrieved:
    """The first candidates by the reranker's score, the rest behind them as they were."""
    passages = store.shelf.passages([each.chunk_key for each in found.ranked[:DEPTH]])
    best = [each for each in found.ranked[:DEPTH] if each.chunk_key in passages]
    if not best:
        return found
    scores = reranker.rerank(text, [passages[each.chunk_key].text for each in best])
    order = sorted(range(len(best)), key=lambda index: (-scores[index], index))
    # The rest keeps its order and its distance below the last of these.
    floor, top = min(scores), best[-1].score
    ranked = [_scored(best[index], scores[index]) for index in order]
    ranked += [_scored(each, floor + min(0.0, each.score - top)) for each in found.ranked[DEPTH:]]
    return found._replace(ranked=tuple(ranked), score_kind="rerank")


def _scored(each: Ranked, score: float) -> Ranked:
    return each._replace(score=score, detail=each.detail._replace(fusion_score=score))
