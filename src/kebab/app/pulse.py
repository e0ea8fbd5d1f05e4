"""What a status line says of the index: how much is in it, who searches and answers, what is old. Loads no parser."""

from kebab.app.freshness import is_stale
from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.inspection import NO_MODEL, Pulse
from kebab.core.query import Filters
from kebab.store.store import Store


def pulse(config: Config, store: Store, vectors: VectorSide, before: Pulse | None) -> Pulse:
    """`before` itself while the index is still as it was then, which costs one row to find out."""
    with store.snapshot():
        revision = store.runs.corpus_revision()
        if before is not None and before.corpus_revision == revision:
            return before
        counts, days = store.runs.counts(), config.search.stale_threshold_days
        return Pulse(
            corpus_revision=revision,
            documents=counts["documents"],
            chunks=counts["chunks"],
            stale=sum(is_stale(row.updated_at, days) for row in store.shelf.rows(Filters())),
            embedding=_embedding(store, vectors),
            language_model=config.llm.model,
            last_ingest_at=store.runs.last_ingest_at(),
        )


def _embedding(store: Store, vectors: VectorSide) -> str:
    """The model searches by meaning use; none while there are no vectors."""
    if not vectors.configured:
        return NO_MODEL
    active = store.embeddings.active() if store.has_vectors else None
    return active.identity.model if active else NO_MODEL
