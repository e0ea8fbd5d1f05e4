"""The built-in model over several hops: its best sentences, and the one of another document that they lead to."""

from collections.abc import Sequence

from kebab.core.answer import Evidence
from kebab.rag.decompose import bridge
from kebab.rag.extractive import MOST_SENTENCES, Candidate, ExtractiveModel


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
        further = [each for each in self._ranked(query, others) if each.text not in said] if query else []
        return [*chosen, *further[:1]]
