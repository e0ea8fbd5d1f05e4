"""Whether a suite still fits the index: what a query expects and no document holds can never be found."""

from collections.abc import Iterator

from kebab.core.evaluation import Expectation, FoundChunk, GoldenQuery, Suite, SuiteProblem
from kebab.core.query import Filters
from kebab.eval.match import fits, fits_document
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

# Of a pattern that fits many documents so many are looked into.
_LOOKED_INTO = 50


def stale_expectations(suite: Suite, store: Store) -> tuple[SuiteProblem, ...]:
    """One line for each expectation that nothing in the index fits, and one if the suite itself is indexed."""
    rows = list(store.shelf.rows(Filters()))
    by_path = {row.workspace_path: row for row in rows}
    problems = list(_own_text(suite, rows))
    known: dict[Expectation, bool] = {}
    for query in suite.queries:
        for wanted in query.expected:
            if wanted not in known:
                known[wanted] = _is_there(wanted, store, by_path)
            if not known[wanted]:
                problems.append(_problem(query, wanted))
    return tuple(problems)


def _own_text(suite: Suite, rows: list[DocumentRow]) -> Iterator[SuiteProblem]:
    if suite.path is not None and any(row.file_path == suite.path for row in rows):
        yield SuiteProblem(None, "the suite itself is indexed and will be found; keep it outside the workspace")


def _is_there(wanted: Expectation, store: Store, by_path: dict[str, DocumentRow]) -> bool:
    if wanted.chunk_id is not None:
        return bool(store.contents.find_chunk(wanted.chunk_id))
    if wanted.doc is None and wanted.doc_id is None:
        # Words that may stand anywhere are not worth reading everything.
        return True
    rows = [by_path[wanted.doc]] if wanted.doc in by_path else list(by_path.values())
    fitting = [row for row in rows if fits_document(wanted, row.workspace_path, row.doc_id)]
    if not wanted.names_chunk:
        return bool(fitting)
    return len(fitting) > _LOOKED_INTO or any(fits(wanted, chunk) for row in fitting for chunk in _chunks(store, row))


def _chunks(store: Store, row: DocumentRow) -> Iterator[FoundChunk]:
    for chunk in store.contents.chunks_of(row.doc_key):
        place = (chunk.chunk_id, row.doc_id, row.workspace_path, row.title, chunk.heading_path, chunk.text)
        yield FoundChunk(0, *place, "", 0.0)


def _problem(query: GoldenQuery, wanted: Expectation) -> SuiteProblem:
    marks = {
        "doc": wanted.doc,
        "heading": wanted.heading,
        "quote": wanted.quote,
        "chunk": wanted.chunk_id,
        "doc_id": wanted.doc_id,
    }
    said = ", ".join(f"{name} {value[:60]!r}" for name, value in marks.items() if value)
    return SuiteProblem(query.line, f"`{query.query_id}` expects what is not in the index: {said}")
