"""What an export, an import or a backup did, on the wire."""

from kebab.core.inspection import Check
from kebab.core.transfer import IndexFacts, TransferKind, TransferReport
from kebab.wire.value import Json, optional, plain_text, plain_texts


def encode_transfer(report: TransferReport) -> Json:
    return {
        "schema_version": "transfer_report.v1",
        "kind": str(report.kind),
        "file": plain_text(report.file),
        "bytes": report.bytes,
        "database": plain_text(report.database),
        "kebab_version": report.kebab_version,
        "index": _encode_facts(report.facts),
        "originals": report.originals,
        **_of_kind(report),
    }


def _encode_facts(facts: IndexFacts) -> Json:
    return {
        "schema": facts.schema,
        "index_id": facts.index_id,
        "corpus_revision": facts.corpus_revision,
        "analyser": facts.analyser,
        "parsers": plain_texts(facts.parsers),
        "chunkers": plain_texts(facts.chunkers),
        "embedding_model": str(facts.model) if facts.model else None,
        "documents": facts.documents,
        "chunks": facts.chunks,
        "vectors": facts.vectors,
    }


def _of_kind(report: TransferReport) -> Json:
    if report.kind is TransferKind.BACKUP:
        return {"removed": plain_texts(report.removed)}
    if report.kind is TransferKind.EXPORT:
        return {}
    return {
        "readonly": report.readonly,
        "replaced": report.replaced,
        "checks": [_encode_check(check) for check in report.checks],
        "notes": plain_texts(report.notes),
    }


def _encode_check(check: Check) -> Json:
    return {"name": check.name, "ok": check.ok, "detail": plain_text(check.detail), **optional(hint=check.hint)}
