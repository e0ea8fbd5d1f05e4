"""An ingest on the wire: one progress line per event, and the report that ends the stream."""

from collections.abc import Mapping

from kebab.core.events import Counts, IngestEvent, IngestFinished, IngestItem, IngestReport, SkipCount
from kebab.wire.value import Json, optional, plain_text, plain_texts

# Which fields each kind of event carries besides its time; one that is None is not sent.
_EVENT_FIELDS = {
    "scan_started": ("root",),
    "scan_completed": ("total", "total_bytes"),
    "asset_started": ("idx", "total", "path", "media", "byte_len"),
    "asset_phase": ("idx", "total", "path", "phase", "model"),
    "pdf_ocr_started": ("idx", "total", "path", "page", "pages"),
    "pdf_ocr_finished": ("idx", "total", "path", "page", "pages"),
    "asset_chunked": ("idx", "total", "path", "chunks"),
    "asset_timings": ("idx", "total", "path", "parse_ms", "chunk_ms", "embed_ms", "store_ms", "ocr_ms", "caption_ms"),
    "embed_batch_started": ("done", "total"),
    "embed_batch_finished": ("done", "total"),
    "tuning_started": ("total",),
    "asset_finished": ("idx", "total", "path", "result", "chunks", "error"),
}
# Skip reasons with a counter of their own; any other reason is counted in `skipped_other`, so that each file that was
# skipped is counted once: unsupported files are told by extension.
_COUNTED = ("gitignore", "kebabignore", "builtin_blacklist", "generated", "size_exceeded", "secret")
_BY_EXTENSION = "unsupported"


def encode_event(event: IngestEvent) -> Json:
    value: Json = {"schema_version": "ingest_progress.v1", "kind": event.kind, "ts": event.ts}
    if isinstance(event, IngestFinished):
        value["counts"] = _encode_counts(event.counts)
        return value
    for name in _EVENT_FIELDS[event.kind]:
        if (field := getattr(event, name)) is not None:
            value[name] = plain_text(field) if isinstance(field, str) else field
    return value


def _encode_counts(counts: Counts) -> Json:
    return {
        "scanned": counts.scanned,
        "new": counts.new,
        "updated": counts.updated,
        "skipped": counts.skipped,
        "unchanged": counts.unchanged,
        "errors": counts.errors,
        "chunks_indexed": counts.chunks_indexed,
        "embeddings_indexed": counts.embeddings_indexed,
    }


def encode_report(report: IngestReport, *, summary_only: bool) -> Json:
    """`summary_only` sends the counters and leaves out what grows with the workspace: items and purged paths."""
    counts = report.counts
    listed = None if summary_only or report.items is None else [_encode_item(item) for item in report.items]
    purged = {} if summary_only else {"purged_paths": plain_texts(report.purged_paths)}
    return {
        "schema_version": "ingest_report.v1",
        "scope": _encode_scope(report),
        "scanned": counts.scanned,
        "new": counts.new,
        "updated": counts.updated,
        "skipped": counts.skipped,
        "unchanged": counts.unchanged,
        "errors": counts.errors,
        "duration_ms": report.duration_ms,
        "skipped_by_extension": {plain_text(name): count for name, count in report.skipped_by_extension.items()},
        **_encode_skips(report.skips),
        "purged_deleted_files": report.purged_deleted_files,
        **purged,
        "aborted": report.aborted,
        "dry_run": report.dry_run,
        "warnings": plain_texts(report.warnings),
        "items": listed,
    }


def _encode_scope(report: IngestReport) -> Json:
    return {
        "root": plain_text(str(report.source.root)),
        "include": list(report.source.include),
        "exclude": list(report.source.exclude),
    }


def _encode_skips(skips: Mapping[str, SkipCount]) -> Json:
    none, told = SkipCount(), {*_COUNTED, _BY_EXTENSION}
    return {
        **{f"skipped_{reason}": skips.get(reason, none).count for reason in _COUNTED},
        "skipped_other": {reason: skip.count for reason, skip in skips.items() if reason not in told},
        "skip_examples": {reason: plain_texts(skip.examples) for reason, skip in skips.items() if skip.examples},
    }


def _encode_item(item: IngestItem) -> Json:
    """Every key but the last is sent, null when the run did not get far enough to know."""
    return {
        "kind": item.kind,
        "doc_id": item.doc_id,
        "doc_path": plain_text(item.doc_path),
        "asset_id": item.asset_id,
        "byte_len": item.byte_len,
        "block_count": item.block_count,
        "chunk_count": item.chunk_count,
        "parser_version": item.parser_version,
        "chunker_version": item.chunker_version,
        "warnings": plain_texts(item.warnings),
        "error": None if item.error is None else plain_text(item.error),
        **optional(skip_reason=item.aside.reason if item.aside else None),
    }
