"""The last check of an answer: a model reads each cited sentence beside its evidence, and one it doubts refuses all.

Only with `rag.nli_threshold` above 0. What stands in the evidence word for word is not asked about. A model that cannot
be asked refuses too: who wants answers checked does not want them unchecked.
"""

from collections.abc import Callable, Sequence

from kebab.core.answer import Evidence, RefusalReason, Statement, Support, Verification
from kebab.core.errors import KebabError
from kebab.core.ports import Entailment
from kebab.rag.align import plain_text
from kebab.rag.cite import Claim
from kebab.rag.draft import Draft
from kebab.rag.support import is_harmless


class Verifier:
    """Of one question: asks a model once for every pair. `failure` is why it cannot, and then it asks no more."""

    def __init__(self, entailment: Callable[[], Entailment]) -> None:
        self._entailment = entailment
        self._known: dict[tuple[str, str], float] = {}
        self.failure: KebabError | None = None

    def entails(self, passage: str, sentence: str) -> float | None:
        """How likely the passage says the sentence, from 0 to 1; None when nobody can tell."""
        scores = self.read([(passage, sentence)])
        return scores[0] if scores else None

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[float] | None:
        """The same for many pairs at once, in order."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if new and self.failure is None:
            try:
                self._known.update(zip(new, self._entailment().entails(new), strict=True))
            except KebabError as error:
                self.failure = error
        return [self._known[pair] for pair in pairs] if self.failure is None else None


def verify(draft: Draft, claims: Sequence[Claim], verifier: Verifier | None, threshold: float) -> RefusalReason | None:
    """Why the draft cannot stand, if so. It is stamped with the score of the sentence that is borne out least."""
    if threshold <= 0:
        return None
    if verifier is None:
        return RefusalReason.NLI_MODEL_UNAVAILABLE
    harmless = {claim.text for claim in claims if is_harmless(claim)}
    score = _lowest([each for each in draft.statements if each.text not in harmless], draft.evidence, verifier)
    if verifier.failure is not None:
        draft.hint = verifier.failure.hint or verifier.failure.message
        return RefusalReason.NLI_MODEL_UNAVAILABLE
    draft.verification = Verification(score, threshold, score >= threshold)
    return None if draft.verification.nli_passed else RefusalReason.NLI_VERIFICATION_FAILED


def _lowest(statements: Sequence[Statement], evidence: Sequence[Evidence], verifier: Verifier) -> float:
    """Of the sentences that cite something and are not quoted; each by whichever of its evidence says it best."""
    asked = [each for each in statements if each.markers and each.support is not Support.QUOTED]
    pairs = [[(premise, plain_text(each.text)) for premise in _premises(each, evidence)] for each in asked]
    scores = verifier.read([pair for of_one in pairs for pair in of_one])
    if scores is None:
        return 0.0
    told = iter(scores)
    return round(min((max((next(told) for _ in of_one), default=0.0) for of_one in pairs), default=1.0), 4)


def _premises(statement: Statement, evidence: Sequence[Evidence]) -> list[str]:
    """Each passage it cites, and what bears it out best in all of them together: a sentence may need two."""
    cited = [each for each in evidence if each.number in statement.markers]
    quoted = {quote.number: quote.text for quote in statement.quotes}
    short = [_headed(each, quoted[each.number]) for each in cited if each.number in quoted]
    return [*(_headed(each, each.text) for each in cited), *(["\n".join(short)] if short else [])]


def _headed(evidence: Evidence, text: str) -> str:
    """Words of a passage below its title and headings, which may name what the words are about."""
    above = dict.fromkeys(each for each in (evidence.hit.title, *evidence.hit.heading_path) if each)
    return "\n".join((*above, text))
