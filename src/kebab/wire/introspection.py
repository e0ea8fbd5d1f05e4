"""What kebab says about itself, on the wire: doctor, schema, reset, init, version and the configuration.

The configuration package stands beside this one, so its facts arrive as plain arguments.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from kebab.core.inspection import Check, DoctorReport, IndexStats, ModelVersions, ResetReport, SchemaReport
from kebab.wire.value import Json, optional, plain, plain_text, plain_texts

Place: TypeAlias = Path | str

# Stores whose size is always told; one that does not exist here takes no space.
_STORES = ("sqlite", "lancedb", "vectors")


def encode_doctor(report: DoctorReport) -> Json:
    return {
        "schema_version": "doctor.v1",
        "ok": report.ok,
        "checks": [_encode_check(check) for check in report.checks],
        "repaired": plain_texts(report.repaired),
    }


def _encode_check(check: Check) -> Json:
    return {"name": check.name, "ok": check.ok, "detail": plain_text(check.detail), **optional(hint=check.hint)}


def encode_schema(report: SchemaReport) -> Json:
    return {
        "schema_version": "schema.v1",
        "kebab_version": report.kebab_version,
        "wire": {"schemas": list(report.schemas)},
        "capabilities": dict(report.capabilities),
        "models": _encode_models(report.models),
        "stats": _encode_stats(report.stats),
    }


def _encode_models(models: ModelVersions) -> Json:
    return {
        "parser_version": models.parser_version,
        "chunker_version": models.chunker_version,
        "embedding_version": models.embedding_version,
        "prompt_template_version": models.prompt_template_version,
        "index_version": models.index_version,
        "corpus_revision": models.corpus_revision,
        "active_parsers": list(models.active_parsers),
        "active_chunkers": list(models.active_chunkers),
    }


def _encode_stats(stats: IndexStats) -> Json:
    return {
        "doc_count": stats.doc_count,
        "chunk_count": stats.chunk_count,
        "asset_count": stats.asset_count,
        "last_ingest_at": stats.last_ingest_at,
        "media_breakdown": dict(stats.media_breakdown),
        "lang_breakdown": dict(stats.lang_breakdown),
        "code_lang_breakdown": dict(stats.code_lang_breakdown),
        "code_lang_chunk_breakdown": dict(stats.code_lang_chunk_breakdown),
        "repo_breakdown": dict(stats.repo_breakdown),
        "symbol_count": stats.symbol_count,
        "stale_doc_count": stats.stale_doc_count,
        "index_bytes": {**dict.fromkeys(_STORES, 0), **stats.index_bytes},
    }


def encode_reset(report: ResetReport) -> Json:
    return {
        "schema_version": "reset_report.v1",
        "scope": report.scope,
        "removed_paths": plain_texts(report.removed_paths),
        "embedding_rows_truncated": report.embedding_rows_truncated,
        **optional(orphans_purged=report.orphans_purged),
        "purged_paths": plain_texts(report.purged_paths),
    }


def encode_migration(
    *,
    config_path: Place,
    dry_run: bool,
    from_schema_version: int,
    to_schema_version: int,
    changes: Sequence[tuple[str, str, str]],
    backup_path: Place | None = None,
) -> Json:
    """Each change is (kind, path, detail); kind is added_section, added_key or removed_deprecated."""
    return {
        "schema_version": "config_migration.v1",
        "config_path": _text(config_path),
        "dry_run": dry_run,
        "from_schema_version": from_schema_version,
        "to_schema_version": to_schema_version,
        "changed": bool(changes),
        "changes": [{"kind": kind, "path": path, "detail": plain_text(detail)} for kind, path, detail in changes],
        **optional(backup_path=_text(backup_path)),
    }


def encode_config_show(
    config_path: Place | None, settings: Sequence[tuple[str, object, str]], warnings: Sequence[str] = ()
) -> Json:
    """Each setting is (key, value, origin). No path: no config file is in use."""
    return {
        "schema_version": "config_show.v1",
        "config_path": _text(config_path),
        "settings": [{"key": key, "value": plain(value), "origin": origin} for key, value, origin in settings],
        "warnings": plain_texts(warnings),
    }


def encode_config_value(key: str, value: object, origin: str) -> Json:
    return {"schema_version": "config_value.v1", "key": key, "value": plain(value), "origin": origin}


def encode_config_set(config_path: Place, key: str, *, old: object, new: object) -> Json:
    return {
        "schema_version": "config_set.v1",
        "config_path": _text(config_path),
        "key": key,
        "old": plain(old),
        "new": plain(new),
    }


def encode_config_path(config_path: Place, *, exists: bool) -> Json:
    return {"schema_version": "config_path.v1", "config_path": _text(config_path), "exists": exists}


def encode_init(
    config_path: Place, *, created: Sequence[Place], kept: Sequence[Place], database: Place, hint: str
) -> Json:
    return {
        "schema_version": "init_report.v1",
        "config_path": _text(config_path),
        "created": [_text(path) for path in created],
        "kept": [_text(path) for path in kept],
        "database": _text(database),
        "hint": hint,
    }


def encode_version(kebab_version: str) -> Json:
    return {"schema_version": "version.v1", "kebab_version": kebab_version}


def encode_web_address(url: str, entrance: str) -> Json:
    """Where the page is, and the address that lets a browser in, once."""
    return {"schema_version": "web_address.v1", "url": url, "entrance": entrance}


def _text(place: Place | None) -> str | None:
    return None if place is None else plain_text(str(place))
