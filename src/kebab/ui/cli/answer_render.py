"""Answers and refusals as text: the words, what they cite or what was near, and a line about how it came about."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kebab.core.answer import Answer, AnswerCitation, RefusalReason, Support
from kebab.core.citation import CodeCitation, LineCitation, PageCitation
from kebab.core.markers import marker_text, shown
from kebab.ui.answer_words import Words, spoken, words_for
from kebab.ui.terminal import Style, printable, wrap

# A sentence without a marker shows as such; these carry one and are not borne out by it.
_DOUBTFUL = (Support.WEAK, Support.UNSUPPORTED)
_TEXT_WIDTH = 76
_RULE_WIDTH = 57
_READ_BY_THE_MODEL = (
    RefusalReason.LLM_SELF_JUDGE,
    RefusalReason.NLI_VERIFICATION_FAILED,
    RefusalReason.NLI_MODEL_UNAVAILABLE,
)


class Look(NamedTuple):
    """How it may look. `width` is that of the terminal; 0 leaves lines as long as they are."""

    style: Style
    width: int = 0

    @property
    def columns(self) -> int:
        """For text; 0 without a terminal."""
        return min(self.width - 1, _TEXT_WIDTH) if self.width else 0


def scene(answer: Answer, look: Look, *, told: bool = False, hide_citations: bool = False) -> Iterator[str]:
    """`told`: the answer's own words were shown while they arrived."""
    if not told and answer.answer.strip():
        yield from rows(spoken(answer), look.columns)
    yield from after_words(answer, look, hide_citations=hide_citations)
    yield ""
    yield footer(answer, look.style)
    if answer.grounded and (doubtful := sum(each.support in _DOUBTFUL for each in answer.statements)):
        words = words_for(answer)
        yield look.style.warn(words.partly.format(doubtful=doubtful, total=len(answer.statements)))


def after_words(answer: Answer, look: Look, *, hide_citations: bool) -> Iterator[str]:
    """What stands between the words and the footer."""
    words = words_for(answer)
    if answer.refusal_reason is RefusalReason.LLM_STREAM_ABORTED:
        yield look.style.warn(words.stopped)
    if hide_citations:
        return
    named = [cited for cited in answer.citations if cited.marker is None]
    if named and not answer.grounded:
        yield from _candidates(answer, named, look.style)
    marked = {(cited.marker, cited.citation): cited for cited in answer.citations if cited.marker}
    if marked:
        yield ""
        yield look.style.dim("─" * (min(_RULE_WIDTH, look.width - 1) if look.width else _RULE_WIDTH))
        for cited in marked.values():
            yield from _citation(cited, answer, look.style)


def rows(text: str, columns: int, first: str = "", other: str | None = None) -> Iterator[str]:
    """Text on lines of at most so many columns, with something before the first and before the others."""
    lead, following = first, first if other is None else other
    room = columns - max(len(lead), len(following))
    for line in text.strip().split("\n"):
        clean = printable(line)
        for row in _wrapped(clean, room) if columns else (clean,):
            yield f"{lead}{row}".rstrip()
            lead = following


def _wrapped(line: str, columns: int) -> Iterator[str]:
    if not line.strip():
        yield ""
    for row, _ in wrap(line.rstrip(), (), columns):
        yield row


def _candidates(answer: Answer, named: list[AnswerCitation], style: Style) -> Iterator[str]:
    words, reason = words_for(answer), answer.refusal_reason
    label = words.candidates.get(reason, words.other_candidates) if reason else words.other_candidates
    yield label.format(gate=f"{answer.retrieval.score_gate:.2f}")
    for cited in named:
        score = "" if cited.score is None else f"  (score {cited.score:.2f})"
        yield f"  · {style.bold(printable(cited.citation.to_uri()))}{score}{_state(cited, words, style)}"


def _citation(cited: AnswerCitation, answer: Answer, style: Style) -> Iterator[str]:
    marker, place = shown(cited.marker or ""), cited.citation
    source = next((each.hit for each in answer.evidence if marker_text(each.number) == marker), None)
    uri = style.bold(printable(place.to_uri()))
    if source is not None and source.file and Path(source.file).is_absolute():
        uri = style.link(uri, f"{Path(source.file).as_uri()}#{place.to_uri().rpartition('#')[2]}")
    yield f"{printable(marker)} {uri}{_state(cited, words_for(answer), style)}"
    section = place.section if isinstance(place, LineCitation | PageCitation) else None
    section = place.symbol if isinstance(place, CodeCitation) else section
    if section or source is not None:
        yield f"    {style.section(printable(section or (source.title if source else '')))}".rstrip()


def _state(cited: AnswerCitation, words: Words, style: Style) -> str:
    """Whether the file is still what was read."""
    note = words.freshness.get(cited.freshness)
    return style.warn(f"  ({note})") if note else ""


def footer(answer: Answer, style: Style) -> str:
    mark = style.good("grounded ✓") if answer.grounded else style.bad("grounded ✗")
    facts = f"{printable(answer.model.id)}  {printable(answer.prompt_template_version)}  {_chunks(answer)}"
    return f"{mark}{style.dim(f'  {facts}')}"


def _chunks(answer: Answer) -> str:
    used, reason = answer.retrieval.chunks_used, answer.refusal_reason
    counted = f"{used} chunk{'' if used == 1 else 's'}"
    if answer.grounded or reason is None:
        return counted
    return f"{counted} searched, 0 grounded" if reason in _READ_BY_THE_MODEL else f"{counted} used"
