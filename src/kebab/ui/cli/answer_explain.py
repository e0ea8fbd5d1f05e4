"""`--explain`: an answer sentence by sentence, each with the words that bear it out, and the search behind it."""

from collections.abc import Iterator

from kebab.core.answer import Answer, Evidence, Hop, Statement
from kebab.core.citation import Citation
from kebab.core.markers import marker_text, shown, without_markers
from kebab.core.versions import INDEX_VERSION
from kebab.ui.answer_words import spoken, words_for
from kebab.ui.cli.answer_render import Look, after_words, footer, rows
from kebab.ui.terminal import display_width, printable


def explained(answer: Answer, look: Look, rrf_k: int) -> Iterator[str]:
    for statement in answer.statements:
        yield from _statement(statement, answer, look)
        yield ""
    if not answer.statements or not answer.grounded:
        yield from rows(spoken(answer), look.columns)
        yield from after_words(answer, look, hide_citations=False)
        yield ""
    yield "retrieval trace"
    for name, value in _facts(answer, rrf_k).items():
        yield f"  {name:<15} {value}"
    yield from _passages(answer.evidence)
    if answer.hops:
        yield ""
        yield "hops"
        yield from map(_hop, answer.hops)
    yield ""
    yield footer(answer, look.style)
    usage, embedding = answer.usage, answer.embedding.id if answer.embedding else "none"
    tokens = f"prompt   {usage.prompt_tokens} tokens  completion {usage.completion_tokens} tokens"
    yield f"{tokens}  latency {usage.latency_ms} ms"
    yield f"embedding {printable(embedding)}  index {INDEX_VERSION}"
    yield look.style.dim(f"trace {printable(answer.retrieval.trace_id)}")


def _statement(statement: Statement, answer: Answer, look: Look) -> Iterator[str]:
    text = " ".join(without_markers(statement.text).split())
    yield from rows(text.removesuffix("."), look.columns, "▎ ")
    if (doubt := words_for(answer).support.get(statement.support)) is not None:
        yield look.style.warn(f"  ! {doubt} ({statement.score:.2f})")
    places = _places(statement, answer)
    for number, (place, quote) in enumerate(places, start=1):
        branch = "└" if number == len(places) else "├"
        yield f"  {branch} {look.style.bold(printable(place.to_uri()))}"
        if quote:
            bar = "    " if number == len(places) else "  │ "
            yield from _quoted(quote, look, bar)


def _quoted(quote: str, look: Look, bar: str) -> Iterator[str]:
    yield from rows(f"「{' '.join(quote.split())}」", look.columns, bar, f"{bar}  ")


def _places(statement: Statement, answer: Answer) -> list[tuple[Citation, str]]:
    """Each quote at its own lines; without a quote, the places of the markers."""
    if statement.quotes:
        return [(quote.citation, quote.text) for quote in statement.quotes]
    markers = {marker_text(number) for number in statement.markers}
    return [(cited.citation, "") for cited in answer.citations if cited.marker and shown(cited.marker) in markers]


def _facts(answer: Answer, rrf_k: int) -> dict[str, str]:
    found = answer.retrieval
    verdict = "pass" if found.top_score >= found.score_gate else "below"
    kinds = {each.hit.score_kind for each in answer.evidence}
    fusion = f"rrf (k={rrf_k})" if kinds == {"rrf"} else ", ".join(sorted(kinds)) or "-"
    facts = {
        "query": f'"{printable(answer.question)}"',
        "mode": str(found.mode),
        "k": str(found.k),
        "threshold (gate)": f"{found.score_gate:.2f}  → top-1 {found.top_score:.2f}  {verdict}",
        "fusion": fusion,
    }
    if found.evidence_score is not None:
        facts["evidence"] = f"{found.evidence_score:.2f}"
    if (verified := answer.verification) is not None:
        outcome = "pass" if verified.nli_passed else "fail"
        facts["verified (nli)"] = f"{verified.nli_score:.2f}  of {verified.nli_threshold:.2f}  {outcome}"
    return {**facts, "chunks (used)": f"{found.chunks_used} / {found.chunks_returned} returned"}


def _passages(evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """Score, place, and what each channel said, in columns."""
    uris = [printable(each.citation.to_uri()) for each in evidence]
    words = [_score("bm25", each.hit.retrieval.lexical_score, 1) for each in evidence]
    place_width, word_width = max(map(display_width, uris), default=0), max(map(len, words), default=0)
    for each, uri, word in zip(evidence, uris, words, strict=True):
        padding = " " * (place_width - display_width(uri))
        meaning = _score("vec", each.hit.retrieval.vector_score, 2)
        yield f"    #{each.number} {each.hit.score:.2f}  {uri}{padding}  {word:<{word_width}} {meaning}"


def _score(name: str, value: float | None, digits: int) -> str:
    return f"{name}=-" if value is None else f"{name}={value:.{digits}f}"


def _hop(hop: Hop) -> str:
    asked = "  ".join(f'"{printable(query)}"' for query in hop.sub_queries)
    stop = "  stopped at a limit" if hop.forced_stop else ""
    line = f"  {hop.iteration} {hop.kind:<11} +{hop.context_chunks_added} chunks  {hop.llm_call_ms} ms{stop}  {asked}"
    return line.rstrip()
