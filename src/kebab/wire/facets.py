"""What can be filtered by, what failed, and news of the index, on the wire."""

from collections.abc import Iterable

from kebab.core.recognition import OcrFailure
from kebab.core.viewing import FacetReport
from kebab.wire.value import Json, optional, plain_text


def encode_facets(report: FacetReport, *, allow_ingest: bool = False, watching: bool = False) -> Json:
    return {
        "schema_version": "facets.v1",
        "version": report.version,
        "corpus_revision": report.corpus_revision,
        "doc_count": report.doc_count,
        "chunk_count": report.chunk_count,
        "facets": {
            name: [{"value": plain_text(each.value), "count": each.documents} for each in values]
            for name, values in report.facets.items()
        },
        "truncated": report.truncated,
        "allow_ingest": allow_ingest,
        "watching": watching,
    }


def encode_failures(failures: Iterable[OcrFailure]) -> Json:
    return {"schema_version": "failures.v1", "failures": [_encode_failure(failure) for failure in failures]}


def _encode_failure(failure: OcrFailure) -> Json:
    return {
        "doc_path": plain_text(failure.doc_path),
        "reason": failure.reason,
        "error": plain_text(failure.message),
        "seen_at": failure.seen_at,
        **optional(hint=plain_text(failure.hint) if failure.hint else None),
    }


def encode_watch(*, watching: bool, hint: str | None, text: str | None = None) -> Json:
    """`hint` is what it takes to switch it on, None where nothing is missing."""
    return {
        "schema_version": "watch.v1",
        "watching": watching,
        "available": hint is None,
        **optional(hint=hint, text=None if text is None else plain_text(text)),
    }


def encode_live(kind: str, corpus_revision: int, *, watching: bool, text: str | None = None) -> Json:
    """`kind` is revision, watch or ping."""
    return {
        "schema_version": "live.v1",
        "kind": kind,
        "corpus_revision": corpus_revision,
        "watching": watching,
        **optional(text=None if text is None else plain_text(text)),
    }
