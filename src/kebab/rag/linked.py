"""The built-in model over several hops: its best sentences, and the one of another document that they lead to."""

from collections.abc import Sequence
from itertools import islice

from kebab.core.answer import Evidence
from kebab.rag.decompose import bridge
from kebab.rag.extractive import LEAST_RELEVANCE, MOST_SENTENCES, Candidate, ExtractiveModel


class LinkedModel(ExtractiveModel):
    """Says one sentence more: what the second hop was made for stands where the question's words do not."""

    def choose(self, question: str, evidence: Sequence[Evidence], most: int = MOST_SENTENCES) -> list[Candidate]:
        chosen = super().choose(question, evidence, most)
        if not chosen:
            return []
        best = max(chosen, key=lambda each: each.score)
        said = {each.text for each in chosen}
        others = [each for each in evidence if each.hit.doc_id != best.evidence.hit.doc_id]
        query = bridge(question, best.text, self._reader)
        ranked = self._ranked(query, others) if query else []
        further = (each for each in ranked if each.text not in said and each.relevance >= LEAST_RELEVANCE)
        return [*chosen, *islice(further, 1)]
