"""The ids of everything kebab sends, and the text of their JSON Schemas. Validates nothing itself."""

from pathlib import Path

from kebab.core.errors import InvalidInput, IoFailure

SCHEMA_IDS: tuple[str, ...] = (
    "answer.v1",
    "answer_event.v1",
    "answer_list.v1",
    "bulk_search_input.v1",
    "bulk_search_item.v1",
    "bulk_search_response.v1",
    "cache_status.v1",
    "chunk_inspection.v1",
    "citation.v1",
    "config_migration.v1",
    "config_path.v1",
    "config_set.v1",
    "config_show.v1",
    "config_value.v1",
    "doc_inspection.v1",
    "doc_list.v1",
    "doc_summary.v1",
    "doc_view.v1",
    "doctor.v1",
    "error.v1",
    "eval_aggregate.v1",
    "eval_calibration.v1",
    "eval_compare.v1",
    "eval_run.v1",
    "eval_suite.v1",
    "eval_variants.v1",
    "facets.v1",
    "failures.v1",
    "fetch_result.v1",
    "ingest_progress.v1",
    "ingest_report.v1",
    "init_report.v1",
    "job.v1",
    "job_list.v1",
    "live.v1",
    "mcp_install.v1",
    "model.v1",
    "model_list.v1",
    "ocr_failures.v1",
    "ocr_stats.v1",
    "open_report.v1",
    "page_boxes.v1",
    "reset_report.v1",
    "schema.v1",
    "search_hit.v1",
    "search_response.v1",
    "session.v1",
    "session_list.v1",
    "symbol_list.v1",
    "transfer_report.v1",
    "vector_status.v1",
    "verify_report.v1",
    "version.v1",
    "watch.v1",
    "web_address.v1",
)

_HERE = Path(__file__).resolve().parent
# A wheel carries the schemas beside this module; a source checkout has them in its docs, their one home.
_FOLDERS = (_HERE / "schemas" / "v1", _HERE.parents[2] / "docs" / "wire-schema" / "v1")


def schema_text(name: str) -> str:
    """The schema called `name` (`search_hit` or `search_hit.v1`), as JSON text."""
    bare = name.removesuffix(".v1")
    # Only known names become paths, so that a name cannot lead out of the folder.
    if f"{bare}.v1" not in SCHEMA_IDS:
        raise InvalidInput(f"no such wire schema: {name}", hint="`kebab schema` lists them", name=name)
    for folder in _FOLDERS:
        path = folder / f"{bare}.schema.json"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise IoFailure(f"the schema of {name} is not installed", hint="reinstall kebab", op="read", path=str(_FOLDERS[0]))
