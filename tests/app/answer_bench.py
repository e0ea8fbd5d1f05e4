"""Answers about the documents of a desk, as a pipeline would give them: real passages, real places, exact quotes."""

from typing import Any

from app_bench import Desk

from answer_samples import answer
from kebab.app.facade import App
from kebab.app.recording import recorded
from kebab.core.answer import Answer, AnswerCitation, Evidence, Question, Quote, Statement, Support
from kebab.core.citation import LineCitation
from kebab.core.text import LineMap
from kebab.store.store import Store


def passage(desk: Desk, words: str, number: int = 1) -> Evidence:
    """The chunk that holds these words."""
    hit = next(hit for hit in desk.search(words).hits)
    assert isinstance(hit.citation, LineCitation)
    with Store.reader(desk.index) as store:
        _, text = store.shelf.text_of(hit.chunk_id)
    return Evidence(number, hit, text, hit.citation.start, hit.citation)


def quoted(evidence: Evidence, words: str) -> Quote:
    """Those words of a passage, at their own lines."""
    start, lines = evidence.text.index(words), LineMap(evidence.text)
    end = start + len(words)
    first, last = (lines.line_at(at) + evidence.first_line - 1 for at in (start, end - 1))
    return Quote(evidence.number, words, start, end, LineCitation(evidence.hit.doc_path, first, last))


def reply(*evidence: Evidence, quotes: dict[int, tuple[str, ...]] | None = None, **changes: Any) -> Answer:
    """One citation and one statement per passage, with the given quotes by number."""
    told = {each.number: tuple(quoted(each, q) for q in (quotes or {}).get(each.number, ())) for each in evidence}
    cited = tuple(
        AnswerCitation(each.marker, each.citation, each.hit.indexed_at, each.hit.stale, each.hit.freshness)
        for each in evidence
    )
    statements = tuple(
        Statement(f"S {each.marker}.", (each.number,), Support.QUOTED, 1.0, told[each.number]) for each in evidence
    )
    return answer(citations=cited, statements=statements, evidence=evidence, **changes)


def keep(desk: Desk, given: Answer, app: App | None = None, **question: Any) -> Answer:
    """The answer as it was recorded."""
    with Store.reader(desk.index) as store:
        return recorded(app or desk.app(), store, Question(given.question, **question), given)
