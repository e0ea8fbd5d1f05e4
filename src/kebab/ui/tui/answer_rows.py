"""An answer as rows of a list: statements with verdicts in words, then what they cite, or what was near."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from kebab.core.answer import Answer, AnswerCitation, RefusalReason, Statement, Support
from kebab.core.archive import CitationCheck, CitationStatus, VerifyReport
from kebab.core.markers import marker_text, shown, without_markers
from kebab.ui.answer_words import ENGLISH, KOREAN, spoken
from kebab.ui.tui.excerpt import Target
from kebab.ui.tui.hit_rows import state_note
from kebab.ui.tui.inking import ink, joined
from kebab.ui.tui.rows import Row
from kebab.ui.tui.words import Words

if TYPE_CHECKING:
    from kebab.app.archive import Conversation

_COLOURS = {
    Support.QUOTED: "green",
    Support.SUPPORTED: "green",
    Support.WEAK: "yellow",
    Support.UNSUPPORTED: "red",
    Support.UNCITED: "red",
}
# By marker and place.
Checks = Mapping[tuple[str | None, str], CitationCheck]


def answer_rows(answer: Answer, words: Words, checks: Checks) -> list[Row]:
    asked = Row((joined("? ", ink(answer.question, "bold")),), wraps=True)
    return [asked, *_said(answer, words), *_cited(answer, words, checks)]


def _said(answer: Answer, words: Words) -> Iterator[Row]:
    if answer.grounded and answer.statements:
        for statement in answer.statements:
            yield _statement(statement, answer, words)
        return
    lines = tuple(ink(line) for line in spoken(answer).split("\n"))
    yield Row(lines, wraps=True)
    if answer.refusal_reason is RefusalReason.LLM_STREAM_ABORTED:
        yield Row((ink(words["canceled"], "yellow"),))
    elif answer.refusal_reason is not None:
        yield Row((ink(words["refused"].format(reason=answer.refusal_reason), "yellow"),))


def _statement(statement: Statement, answer: Answer, words: Words) -> Row:
    verdict = ink(f"[{words[str(statement.support)]} {statement.score:.2f}]", _COLOURS[statement.support])
    text = " ".join([*without_markers(statement.text).split(), *map(marker_text, statement.markers)])
    return Row((joined(verdict, " ", ink(text)),), _target_of(statement, answer), wraps=True)


def _target_of(statement: Statement, answer: Answer) -> Target | None:
    """Where its best quote stands; without one, what its first marker names."""
    if statement.quotes:
        quote = statement.quotes[0]
        return Target(quote.citation.to_uri(), quote.citation, _chunk(quote.number, answer), quote.text)
    for number in statement.markers:
        for cited in answer.citations:
            if cited.marker and shown(cited.marker) == marker_text(number):
                return target_of(cited, answer)
    return None


def target_of(cited: AnswerCitation, answer: Answer) -> Target:
    number = next((each.number for each in answer.evidence if cited.marker and each.marker == cited.marker), 0)
    passage = cited.quote.text if cited.quote is not None else ""
    return Target(cited.citation.to_uri(), cited.citation, _chunk(number, answer), passage)


def _chunk(number: int, answer: Answer) -> str | None:
    return next((each.hit.chunk_id for each in answer.evidence if each.number == number), None)


def _cited(answer: Answer, words: Words, checks: Checks) -> Iterator[Row]:
    if not answer.citations:
        return
    yield Row((ink(_heading(answer, words), "dim"),), wraps=True)
    for key, cited in {_key(cited): cited for cited in answer.citations}.items():
        yield Row((_citation(cited, words, checks.get(key)),), target_of(cited, answer))


def _key(cited: AnswerCitation) -> tuple[str | None, str]:
    return cited.marker, cited.citation.to_uri()


def checks_of(report: VerifyReport) -> Checks:
    """Of several quotes at one place, the one that fared worst."""
    worst = sorted(report.checks, key=lambda check: list(CitationStatus).index(check.status))
    return {_key(check.cited): check for check in worst}


def _heading(answer: Answer, words: Words) -> str:
    if answer.grounded or answer.refusal_reason is None:
        return words["citations"]
    own = KOREAN if words["language"] == "ko" else ENGLISH
    label = own.candidates.get(answer.refusal_reason, own.other_candidates)
    return label.format(gate=f"{answer.retrieval.score_gate:.2f}")


def _citation(cited: AnswerCitation, words: Words, check: CitationCheck | None) -> Text:
    lead = f"{shown(cited.marker)} " if cited.marker else "· "
    score = f"  {cited.score:.2f}" if cited.marker is None and cited.score is not None else ""
    line = joined(
        ink(lead),
        ink(cited.citation.to_uri(), "bold"),
        score,
        state_note(cited.freshness, stale=cited.stale, words=words),
    )
    if check is not None:
        verdict = f"  = {words[f'verify_{check.status}']}"
        found = f" {check.found.to_uri()}" if check.found is not None else ""
        line.append_text(ink(verdict + found, "green" if check.status == "intact" else "red"))
    return line


def conversation_rows(conversation: "Conversation") -> list[Row]:
    """Earlier turns, each with the first place it cites."""
    rows = []
    for turn in conversation.turns:
        cited = next(iter(turn.citations), None)
        target = Target(cited.citation.to_uri(), cited.citation) if cited is not None else None
        lines = (joined("? ", ink(turn.question, "bold")), *(ink(line) for line in shown(turn.answer).split("\n")))
        rows.append(Row(lines, target, wraps=True))
    return rows
