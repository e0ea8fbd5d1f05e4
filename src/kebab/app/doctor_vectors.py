"""What the doctor asks about vectors: does the model embed, are there enough, are the files made from them sound."""

from collections.abc import Iterator

from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings
from kebab.core.errors import KebabError
from kebab.core.inspection import Check
from kebab.store.embeddings import StoredModel
from kebab.store.store import Store

_PROBE = "A sentence, and 한 문장."


def model_checks(config: Config, vectors: VectorSide) -> Iterator[Check]:
    settings = config.embedding
    if not vectors.configured:
        hint = "kebab config set models.embedding.provider builtin"
        yield Check("embedding_model", ok=True, detail="none: searches are by words only", hint=hint)
        return
    server = _server(settings)
    if server is not None:
        yield server
        if not server.ok:
            return
    yield _model(settings, vectors)


def _server(settings: EmbeddingSettings) -> Check | None:
    from kebab.embed import GREETINGS

    greet = GREETINGS.get(settings.provider)
    if greet is None:
        return None
    try:
        return Check("embedding_server", ok=True, detail=greet(settings))
    except KebabError as error:
        return Check("embedding_server", ok=False, detail=error.message, hint=error.hint)


def _model(settings: EmbeddingSettings, vectors: VectorSide) -> Check:
    """Loads the model and embeds a sentence with it."""
    from kebab.vectors.packed import pack

    try:
        pack(vectors.embedder(settings).embed([_PROBE], EmbeddingKind.QUERY))
    except KebabError as error:
        return Check("embedding_model", ok=False, detail=error.message, hint=error.hint)
    return Check("embedding_model", ok=True, detail=str(settings.identity()))


def index_checks(config: Config, store: Store, vectors: VectorSide) -> Iterator[Check]:
    if not vectors.configured:
        return
    active = store.embeddings.active() if store.has_vectors else None
    if active is None:
        yield Check("vectors_complete", ok=False, detail="the index holds no vectors", hint="kebab ingest")
        return
    yield _complete(store, active, vectors)
    yield _engine(config, store, active, vectors)


def _complete(store: Store, active: StoredModel, vectors: VectorSide) -> Check:
    if not vectors.is_current(active):
        detail = f"searches still use {active.identity} {active.input_version}; {vectors.wanted} is not complete"
        return Check("vectors_complete", ok=False, detail=detail, hint="kebab ingest")
    missing = store.embeddings.count_unembedded(active.model_key)
    if missing:
        return Check("vectors_complete", ok=False, detail=f"{missing:,} chunks have no vectors", hint="kebab ingest")
    return Check("vectors_complete", ok=True, detail=f"{store.embeddings.table(active).count():,} vectors")


def _engine(config: Config, store: Store, active: StoredModel, vectors: VectorSide) -> Check:
    try:
        problem = vectors.engine.problem(store.embeddings.table(active))
    except KebabError as error:
        return Check("vector_engine", ok=False, detail=error.message, hint=error.hint)
    hint = "kebab doctor --repair" if problem else None
    return Check("vector_engine", ok=problem is None, detail=problem or config.storage.vector_engine, hint=hint)


def repair(store: Store, vectors: VectorSide) -> Iterator[str]:
    """Makes derived files anew where they are wrong."""
    active = store.embeddings.active() if vectors.configured else None
    if active is None:
        return
    table = store.embeddings.table(active)
    if vectors.engine.problem(table) is not None:
        count = vectors.engine.rebuild(table)
        store.embeddings.forget_removed(active.model_key)
        yield f"vector files rebuilt from {count} vectors"
