"""Ranked chunks to hits: where each stands, a snippet that shows why it was found, and whether its file has changed."""

from dataclasses import replace
from typing import TYPE_CHECKING

from kebab.app.freshness import freshness, is_stale
from kebab.app.ranking import Ranking
from kebab.core.citation import Citation, LineCitation, cited
from kebab.core.query import Hit, Query, RetrievalDetail, SearchSettings, Trace, TracedChunk
from kebab.search.retrieve import Ranked, Retrieved
from kebab.search.snippet import Snippet, excerpt
from kebab.store.shelf import DocumentRow, Passage
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.core.embedding import Vector
    from kebab.search.meaning import Meaning


class Presenter:
    """Shows one ranking."""

    def __init__(self, store: Store, ranking: Ranking, settings: SearchSettings) -> None:
        self._store = store
        self._ranking = ranking
        self._settings = settings
        self._texts: dict[str, tuple[int, str]] = {}
        self.shown: dict[str, Passage] = {}

    def hits(self, query: Query, best: list[Ranked], offset: int) -> tuple[Hit, ...]:
        """The passages of the hits are kept in `shown`, by chunk id."""
        chunks = self._store.shelf.passages([ranked.chunk_key for ranked in best]) if best else {}
        self.shown = {passage.chunk_id: passage for passage in chunks.values()}
        rows = self._store.shelf.row_at(sorted({stored.doc_key for stored in chunks.values()})) if chunks else {}
        placed = [(ranked, chunks[ranked.chunk_key]) for ranked in best if ranked.chunk_key in chunks]
        return tuple(
            self._hit(query, (rank, ranked, stored), rows[stored.doc_key])
            for rank, (ranked, stored) in enumerate(placed, start=offset + 1)
        )

    def shortened(self, hit: Hit, chars: int) -> Hit:
        """The same hit with a shorter snippet, from the chunk it was made from."""
        if hit.chunk_id not in self._texts:
            self._texts[hit.chunk_id] = self._store.shelf.text_of(hit.chunk_id)
        snippet = self._snippet(hit.retrieval, self._texts[hit.chunk_id], chars)
        return replace(hit, snippet=snippet.text, snippet_full_text=snippet.full, highlights=snippet.highlights)

    def _hit(self, query: Query, place: tuple[int, Ranked, Passage], row: DocumentRow) -> Hit:
        rank, ranked, chunk = place
        found = self._ranking.found
        snippet = self._snippet(ranked.detail, (chunk.chunk_key, chunk.text), query.snippet_chars)
        return Hit(
            rank=rank,
            score=ranked.score,
            score_kind=found.score_kind,
            chunk_id=chunk.chunk_id,
            doc_id=row.doc_id,
            doc_path=row.workspace_path,
            title=row.title,
            heading_path=chunk.heading_path,
            section_label=chunk.section_label,
            snippet=snippet.text,
            snippet_full_text=snippet.full,
            highlights=snippet.highlights,
            citation=cite(chunk, row.workspace_path),
            retrieval=ranked.detail,
            chunker_version=chunk.chunker_version,
            indexed_at=row.updated_at,
            stale=is_stale(row.updated_at, self._settings.stale_threshold_days),
            freshness=freshness(row),
            source_id=row.source_id,
            trust_level=row.trust_level,
            file=row.file_path,
            repo=row.repo,
            code_lang=row.code_lang,
        )

    def _snippet(self, detail: RetrievalDetail, chunk: tuple[int, str], chars: int) -> Snippet:
        """Around the words that matched; without any, from the passage that is nearest to the question."""
        key, text = chunk
        found, meaning = self._ranking.found, self._ranking.meaning
        shown = text
        if detail.lexical_score is None and meaning is not None and found.question is not None:
            shown = nearest_passage(meaning, found.question, key, text)
        snippet = excerpt(shown, lambda part: self._store.fulltext.locate(part, found.analysed), chars)
        return snippet if shown is text else snippet._replace(full=False)

    def trace(self, found: Retrieved) -> Trace:
        details = {each.chunk_key: each.detail for each in found.ranked}
        names = self._store.shelf.names(list(details))

        def traced(keys: tuple[int, ...]) -> tuple[TracedChunk, ...]:
            return tuple(TracedChunk(*names[key], details[key]) for key in keys if key in names and key in details)

        fused = traced(tuple(details))
        return Trace(traced(found.lexical_order), traced(found.vector_order), fused, found.timing, self._settings.rrf_k)


def nearest_passage(meaning: "Meaning", question: "Vector", chunk_key: int, text: str) -> str:
    """The part of a chunk that was embedded by itself and is nearest; all of it when it was not cut."""
    from kebab.core.embedding import Role
    from kebab.embed.inputs import windows

    parts = windows(text)
    rows = sorted(row for row in meaning.table.of_chunks([chunk_key]) if row.role == Role.PASSAGE)
    if len(parts) < 2 or len(rows) != len(parts):
        return text
    cosines = meaning.cosines(question, rows)
    return parts[cosines.index(max(cosines))]


def cite(chunk: Passage, path: str) -> Citation:
    """What a person would open to see the chunk: all of its lines, or its page, region or time."""
    first, last = chunk.spans[0].start, chunk.spans[-1].end
    if chunk.place is None:
        return LineCitation(path, first, last, chunk.section_label)
    return cited(chunk.place, path, (first, last), chunk.section_label)
