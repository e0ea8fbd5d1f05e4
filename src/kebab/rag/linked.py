"""The built-in model over several hops: a sentence for each part of a question, and the one that they lead to."""

from collections.abc import Sequence

from kebab.core.answer import Evidence
from kebab.rag.decompose import bridge, parts
from kebab.rag.extractive import LEAST_RELEVANCE, MOST_SENTENCES, Candidate, ExtractiveModel


class LinkedModel(ExtractiveModel):
    """Says one sentence more: what the second hop was made for stands where the question's words do not."""

    def choose(self, question: str, evidence: Sequence[Evidence], most: int = MOST_SENTENCES) -> list[Candidate]:
        asked = parts(question, self._reader)
        each_best = [super(LinkedModel, self).choose(part, evidence, 1) for part in asked]
        by_parts = list({each.text: each for found in each_best for each in found}.values())
        whole = [] if len(asked) > 1 and all(each_best) else super().choose(question, evidence, most)
        chosen = whole or by_parts
        if not chosen:
            return []
        best = max(chosen, key=lambda each: each.score)
        others = [each for each in evidence if each.hit.doc_id != best.evidence.hit.doc_id]
        query = bridge(question, best.text, self._reader)
        return [*chosen, *self._further(query, others, {each.text for each in chosen})]

    def _further(self, query: str, evidence: Sequence[Evidence], said: set[str]) -> list[Candidate]:
        ranked = self._ranked(query, evidence) if query else []
        return [each for each in ranked if each.text not in said and each.relevance >= LEAST_RELEVANCE][:1]
