"""Models, the vectors made by them and the jobs that make them, on the wire."""

from collections.abc import Iterable

from kebab.core.embedding import EmbeddingModel
from kebab.core.inspection import ModelFacts, ModelVectors, VectorStatus
from kebab.core.job import Job
from kebab.wire.value import Json, optional, plain, plain_text


def encode_model(facts: ModelFacts) -> Json:
    return {
        "schema_version": "model.v1",
        "name": facts.name,
        "provider": facts.provider,
        "dimensions": facts.dimensions,
        "licence": facts.licence,
        "size_bytes": facts.size_bytes,
        "pulled": facts.pulled,
        "path": plain_text(facts.path),
        "configured": facts.configured,
        "kind": facts.kind,
    }


def encode_model_list(models: Iterable[ModelFacts]) -> Json:
    return {"schema_version": "model_list.v1", "models": [encode_model(facts) for facts in models]}


def encode_vector_status(status: VectorStatus) -> Json:
    return {
        "schema_version": "vector_status.v1",
        "engine": status.engine,
        "active": _encode_identity(status.active) if status.active else None,
        "configured": _encode_identity(status.configured) if status.configured else None,
        "vectors": status.vectors,
        "chunks_without_vectors": status.chunks_without_vectors,
        "unused_vectors": status.unused_vectors,
        "file_bytes": status.file_bytes,
        "problem": plain_text(status.problem) if status.problem else None,
        "models": [_encode_vectors(model) for model in status.models],
        **optional(rebuilt=status.rebuilt),
    }


def _encode_identity(model: EmbeddingModel) -> Json:
    """The name may be the path of a folder, so it is not always text."""
    return {
        "provider": model.provider,
        "model": plain_text(model.model),
        "version": plain_text(model.version),
        "dimensions": model.dimensions,
    }


def _encode_vectors(model: ModelVectors) -> Json:
    return {**_encode_identity(model.identity), "active": model.active, "vectors": model.vectors}


def encode_job(job: Job) -> Json:
    return {
        "schema_version": "job.v1",
        "job_id": job.job_id,
        "kind": str(job.kind),
        "status": str(job.status),
        "payload": plain(job.payload),
        "done": job.done,
        "total": job.total,
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        **optional(error=job.error and plain_text(job.error), finished_at=job.finished_at),
    }


def encode_job_list(jobs: Iterable[Job]) -> Json:
    return {"schema_version": "job_list.v1", "jobs": [encode_job(job) for job in jobs]}
