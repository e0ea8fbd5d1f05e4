"""What is kept of slow readings, and what they made of images and scanned pages, on the wire."""

from collections.abc import Iterable

from kebab.core.inspection import CachedKind, CacheStatus
from kebab.core.recognition import OcrFailure, OcrStats, RecognisedBy
from kebab.wire.value import Json, optional, plain_text


def encode_cache_status(status: CacheStatus) -> Json:
    return {
        "schema_version": "cache_status.v1",
        "entries": status.entries,
        "bytes": status.bytes,
        "max_bytes": status.most_bytes,
        "kinds": [_encode_kind(kind) for kind in status.kinds],
        **optional(oldest_use=status.oldest, dropped=status.dropped),
    }


def _encode_kind(kind: CachedKind) -> Json:
    return {"kind": kind.kind, "entries": kind.entries, "bytes": kind.bytes, "oldest_use": kind.oldest}


def encode_ocr_stats(stats: OcrStats) -> Json:
    return {
        "schema_version": "ocr_stats.v1",
        "documents": stats.documents,
        "pages": stats.pages,
        "lines": stats.lines,
        "unread_documents": stats.unread_documents,
        "unread_pages": stats.unread_pages,
        "readers": [_encode_reader(reader) for reader in stats.readers],
    }


def _encode_reader(reader: RecognisedBy) -> Json:
    return {
        "media": reader.media,
        "engine": plain_text(reader.engine),
        "documents": reader.documents,
        "pages": reader.pages,
        "regions": reader.regions,
        "lines": reader.lines,
        **optional(mean_confidence=None if reader.confidence is None else round(reader.confidence, 4)),
    }


def encode_ocr_failures(failures: Iterable[OcrFailure]) -> Json:
    return {"schema_version": "ocr_failures.v1", "failures": [_encode_failure(each) for each in failures]}


def _encode_failure(failure: OcrFailure) -> Json:
    return {
        "doc_path": plain_text(failure.doc_path),
        "reason": failure.reason,
        "message": plain_text(failure.message),
        "seen_at": failure.seen_at,
        **optional(
            hint=plain_text(failure.hint) if failure.hint else None,
            pages=list(failure.pages) or None,
        ),
    }
