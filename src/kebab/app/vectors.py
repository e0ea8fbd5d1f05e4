"""`kebab vectors`: what vectors the index holds, whether files derived from them are sound, and making these anew."""

from typing import TYPE_CHECKING

from kebab.config import Config
from kebab.core.errors import KebabError, NotIndexed
from kebab.core.inspection import ModelVectors, VectorStatus

if TYPE_CHECKING:
    from kebab.app.vector_side import VectorSide
    from kebab.store.embeddings import StoredModel
    from kebab.store.store import Store


def vector_status(config: Config, store: "Store", side: "VectorSide", rebuilt: int | None = None) -> VectorStatus:
    """Compares every derived row with the index, so it takes a while over a large one."""
    if not store.has_vectors:
        raise NotIndexed("the index was made before there were vectors", hint="run `kebab ingest`")
    with store.snapshot():
        active, models = store.embeddings.active(), store.embeddings.models()
        held = tuple(_held(store, model, active) for model in models)
        missing = _missing(store, _wanted(config, models) if side.configured else active)
        unused = store.embeddings.count_unused()
    return VectorStatus(
        engine=config.storage.vector_engine,
        active=active.identity if active else None,
        configured=config.embedding.identity() if side.configured else None,
        vectors=sum(model.vectors for model in held if model.active),
        chunks_without_vectors=missing,
        unused_vectors=unused,
        file_bytes=side.engine.size(),
        # Outside the snapshot: a file that another process extends meanwhile must not seem ahead of the index.
        problem=_problem(store, side, active) if active else None,
        models=held,
        rebuilt=rebuilt,
    )


def rebuild_vectors(store: "Store", side: "VectorSide") -> int:
    """The derived files of every model, anew; gives the rows in them. The caller holds the writer lock."""
    rows = 0
    for model in store.embeddings.models():
        rows += side.engine.rebuild(store.embeddings.table(model))
        store.embeddings.forget_removed(model.model_key)
    return rows


def _held(store: "Store", model: "StoredModel", active: "StoredModel | None") -> ModelVectors:
    searched = active is not None and active.model_key == model.model_key
    return ModelVectors(model.identity, searched, store.embeddings.table(model).count())


def _wanted(config: Config, models: "list[StoredModel]") -> "StoredModel | None":
    """The configured model as the index knows it, with texts cut the way this kebab cuts them."""
    from kebab.embed.inputs import VERSION

    wanted = (config.embedding.identity(), VERSION)
    return next((model for model in models if (model.identity, model.input_version) == wanted), None)


def _missing(store: "Store", model: "StoredModel | None") -> int:
    return store.runs.counts()["chunks"] if model is None else store.embeddings.count_unembedded(model.model_key)


def _problem(store: "Store", side: "VectorSide", model: "StoredModel") -> str | None:
    try:
        return side.engine.problem(store.embeddings.table(model))
    except KebabError as error:
        return f"{error.message} ({error.hint})" if error.hint else error.message
