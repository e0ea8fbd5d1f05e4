"""The schema files: complete, documented, open, in step with the contract and with the domain's own lists."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import kebab
from kebab.core.answer import RefusalReason, Support
from kebab.core.archive import CitationStatus
from kebab.core.asset import SourceType, TrustLevel
from kebab.core.document import BlockKind
from kebab.core.errors import ERROR_CODES, InvalidInput, IoFailure
from kebab.core.evaluation import METRICS
from kebab.core.fetching import FetchKind
from kebab.core.inspection import MODEL_KINDS, RESET_SCOPES
from kebab.core.installation import FileFormat, InstallState
from kebab.core.job import JobKind, JobStatus
from kebab.core.phases import PhaseKind
from kebab.core.query import Freshness, SearchMode
from kebab.core.transfer import TransferKind
from kebab.vectors import ENGINES
from kebab.wire import schemas
from kebab.wire.schemas import SCHEMA_IDS, schema_text
from wire_schemas import load

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "wire-schema" / "v1"

# The contract: what each object must carry besides schema_version, and what it may carry.
CONTRACT = {
    "citation.v1": (
        "kind path uri indexed_at stale",
        (
            "start end section page x y w h model start_ms end_ms speaker line_start line_end symbol lang "
            "freshness quote"
        ),
    ),
    "search_hit.v1": (
        (
            "rank score chunk_id doc_id doc_path heading_path snippet citation retrieval index_version "
            "chunker_version indexed_at stale"
        ),
        (
            "score_kind section_label snippet_full_text embedding_model repo code_lang source_id trust_level "
            "title highlights"
        ),
    ),
    "answer.v1": (
        "answer citations grounded model prompt_template_version retrieval usage created_at",
        (
            "refusal_reason embedding conversation_id turn_index hops verification statements "
            # Ours, so that an answer can be shown without the call that asked for it.
            "question hint evidence"
        ),
    ),
    "answer_event.v1": (
        "kind ts",
        "hits delta answer",
    ),
    "answer_list.v1": (
        "answers",
        "",
    ),
    "symbol_list.v1": (
        "symbols",
        "",
    ),
    "session.v1": (
        "session_id turn_count created_at updated_at config turns",
        "title",
    ),
    "session_list.v1": (
        "sessions",
        "",
    ),
    "verify_report.v1": (
        "trace_id ok checks",
        "",
    ),
    "search_response.v1": (
        "hits next_cursor truncated",
        "trace hint degraded",
    ),
    "bulk_search_input.v1": (
        "query",
        (
            "mode k tag lang path_glob trust_min media ingested_after doc_id repo code_lang symbol source max_tokens "
            "snippet_chars cursor trace max_per_doc source_type"
        ),
    ),
    "bulk_search_item.v1": (
        "query response error",
        "",
    ),
    "bulk_search_response.v1": (
        "results summary",
        "",
    ),
    "cache_status.v1": (
        "entries bytes max_bytes kinds",
        "oldest_use dropped",
    ),
    "ocr_stats.v1": (
        "documents pages lines unread_documents unread_pages readers",
        "",
    ),
    "ocr_failures.v1": (
        "failures",
        "",
    ),
    "ingest_progress.v1": (
        "kind ts",
        (
            "root total total_bytes idx path media byte_len chunks parse_ms chunk_ms embed_ms store_ms ocr_ms "
            "caption_ms result error counts done phase model page pages"
        ),
    ),
    "ingest_report.v1": (
        "scope scanned new updated skipped unchanged errors duration_ms skipped_by_extension",
        (
            "items skipped_gitignore skipped_kebabignore skipped_builtin_blacklist skipped_generated "
            "skipped_size_exceeded skipped_secret skipped_other skip_examples purged_deleted_files purged_paths "
            "aborted dry_run warnings"
        ),
    ),
    "doc_summary.v1": (
        (
            "doc_id doc_path title lang tags trust_level source_type byte_len chunk_count created_at updated_at "
            "parser_version chunker_version"
        ),
        "source_id media_type stale freshness",
    ),
    "doc_list.v1": (
        "docs",
        "next_cursor total",
    ),
    "doc_inspection.v1": (
        (
            "doc_id doc_path title lang metadata provenance blocks chunks warnings parser_version chunker_version "
            "freshness stale"
        ),
        "",
    ),
    "chunk_inspection.v1": (
        "chunk_id doc_id doc_path heading_path text source_spans block_ids token_estimate chunker_version",
        "embeddings ordinal section_label",
    ),
    "doctor.v1": (
        "ok checks",
        "repaired",
    ),
    "schema.v1": (
        "kebab_version wire capabilities models stats",
        "",
    ),
    "reset_report.v1": (
        "scope removed_paths embedding_rows_truncated",
        "orphans_purged purged_paths",
    ),
    "config_migration.v1": (
        "config_path dry_run from_schema_version to_schema_version changed changes",
        "backup_path",
    ),
    "config_show.v1": (
        "config_path settings warnings",
        "",
    ),
    "config_value.v1": (
        "key value origin",
        "",
    ),
    "config_set.v1": (
        "config_path key old new",
        "",
    ),
    "config_path.v1": (
        "config_path exists",
        "",
    ),
    "init_report.v1": (
        "config_path created kept database hint",
        "",
    ),
    "model.v1": (
        "name provider dimensions licence size_bytes pulled path configured",
        "kind",
    ),
    "model_list.v1": (
        "models",
        "",
    ),
    "vector_status.v1": (
        "engine active configured vectors chunks_without_vectors unused_vectors file_bytes problem models",
        "rebuilt",
    ),
    "job.v1": (
        "job_id kind status payload done total created_at updated_at",
        "error finished_at",
    ),
    "job_list.v1": (
        "jobs",
        "",
    ),
    "mcp_install.v1": (
        "client path format snippet",
        "state backup",
    ),
    "fetch_result.v1": (
        "kind doc_id doc_path indexed_at stale truncated",
        (
            "chunk context_before context_after text line_start line_end effective_end freshness "
            # Ours: the page, the place to cite, and how far the text may be believed.
            "page citation trust_level"
        ),
    ),
    "open_report.v1": (
        "doc_path file freshness command",
        "uri",
    ),
    "transfer_report.v1": (
        "kind file bytes database kebab_version index originals",
        "readonly replaced checks notes removed",
    ),
    "eval_suite.v1": (
        "name digest queries problems",
        "path",
    ),
    "eval_run.v1": (
        (
            "run_id created_at aborted suite k max_per_doc modes answer_mode kebab_version summaries finished_at "
            "machine corpus versions config results problems files"
        ),
        "written",
    ),
    "eval_aggregate.v1": (
        "runs problems",
        "",
    ),
    "eval_compare.v1": (
        "before after ok tolerance common notes metrics queries latency",
        "",
    ),
    "eval_variants.v1": (
        "run_id k summaries groups",
        "",
    ),
    "eval_calibration.v1": (
        (
            "gate default configured percentile foreign foreign_score answerable unanswerable by_meaning chunks "
            "provenance at_gate at_configured curve files"
        ),
        "verdict false_refusal_target written",
    ),
    "version.v1": (
        "kebab_version",
        "",
    ),
    "doc_view.v1": (
        "doc kind freshness line_count lines nodes symbols pages regions segments",
        "nodes_window page_count width height",
    ),
    "facets.v1": (
        "version corpus_revision doc_count chunk_count facets truncated allow_ingest watching",
        "",
    ),
    "failures.v1": (
        "failures",
        "",
    ),
    "page_boxes.v1": (
        "page boxes",
        "",
    ),
    "live.v1": (
        "kind corpus_revision watching",
        "text",
    ),
    "watch.v1": (
        "watching available",
        "hint text",
    ),
    "web_address.v1": (
        "url entrance",
        "",
    ),
    "error.v1": (
        "code message details",
        "hint",
    ),
}


def _nodes(schema: object, at: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield at, schema
        for name, child in schema.items():
            yield from _nodes(child, f"{at}.{name}")
    elif isinstance(schema, list):
        for place, child in enumerate(schema):
            yield from _nodes(child, f"{at}[{place}]")


def test_the_list_of_ids_is_the_folder() -> None:
    assert list(SCHEMA_IDS) == sorted(f"{path.name.removesuffix('.schema.json')}.v1" for path in FOLDER.iterdir())


def test_the_contract_names_every_schema() -> None:
    assert sorted(CONTRACT) == list(SCHEMA_IDS)


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_fields_are_those_of_the_contract(schema_id: str) -> None:
    schema = load(schema_id)
    required, optional = (set(names.split()) for names in CONTRACT[schema_id])
    assert set(schema["required"]) == required | {"schema_version"}
    assert set(schema["properties"]) == required | optional | {"schema_version"}


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_schema_is_sound(schema_id: str) -> None:
    schema = load(schema_id)
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"{schema_id.removesuffix('.v1')}.schema.json"
    assert schema["properties"]["schema_version"]["const"] == schema_id
    assert schema["required"][0] == "schema_version"


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_every_field_is_documented_typed_and_open(schema_id: str) -> None:
    for at, node in _nodes(load(schema_id)):
        assert node.get("additionalProperties") is not False, at
        assert "unevaluatedProperties" not in node, at
        assert set(node.get("required", [])) <= set(node.get("properties", {})) or ".allOf" in at, at
        if ".allOf" in at or not isinstance(fields := node.get("properties"), dict) or "type" not in node:
            continue
        for name, field in fields.items():
            assert field["title"], f"{at}.{name}"
            assert field["description"].endswith("."), f"{at}.{name}"
            assert "type" in field or "$ref" in field, f"{at}.{name}"


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_references_lead_somewhere(schema_id: str) -> None:
    for at, node in _nodes(load(schema_id)):
        if isinstance(ref := node.get("$ref"), str):
            file, _, pointer = ref.partition("#")
            target: Any = load(file.removesuffix(".schema.json") if file else schema_id)
            for step in filter(None, pointer.split("/")):
                assert step in target, at
                target = target[step]


def test_enums_are_those_of_the_domain() -> None:
    hit, summary = load("search_hit.v1")["properties"], load("doc_summary.v1")
    blocks = load("doc_inspection.v1")["properties"]["blocks"]["items"]["properties"]
    assert load("error.v1")["properties"]["code"]["enum"] == list(ERROR_CODES)
    assert load("citation.v1")["$defs"]["freshness"]["enum"] == [str(state) for state in Freshness]
    assert summary["$defs"]["trust_level"]["enum"] == [str(level) for level in TrustLevel]
    assert summary["$defs"]["source_type"]["enum"] == [str(kind) for kind in SourceType]
    assert hit["retrieval"]["properties"]["method"]["enum"] == [str(mode) for mode in SearchMode]
    assert load("bulk_search_input.v1")["properties"]["mode"]["enum"] == [str(mode) for mode in SearchMode]
    assert blocks["kind"]["enum"] == [str(kind) for kind in BlockKind]
    assert load("transfer_report.v1")["properties"]["kind"]["enum"] == [str(kind) for kind in TransferKind]
    assert load("reset_report.v1")["properties"]["scope"]["enum"] == list(RESET_SCOPES)
    assert load("mcp_install.v1")["properties"]["format"]["enum"] == [str(form) for form in FileFormat]
    assert load("mcp_install.v1")["properties"]["state"]["enum"] == [str(state) for state in InstallState]
    assert load("model.v1")["properties"]["kind"]["enum"] == list(MODEL_KINDS)
    assert load("fetch_result.v1")["properties"]["kind"]["enum"] == [str(kind) for kind in FetchKind]
    assert load("ingest_progress.v1")["properties"]["phase"]["enum"] == [str(kind) for kind in PhaseKind]
    job = load("job.v1")["properties"]
    assert job["kind"]["enum"] == [str(kind) for kind in JobKind]
    assert job["status"]["enum"] == [str(status) for status in JobStatus]
    assert load("vector_status.v1")["properties"]["engine"]["enum"] == list(ENGINES)
    answer, summary = load("answer.v1")["properties"], load("answer_list.v1")["properties"]["answers"]["items"]
    reasons = [*(str(reason) for reason in RefusalReason), None]
    assert answer["refusal_reason"]["enum"] == summary["properties"]["refusal_reason"]["enum"] == reasons
    assert answer["statements"]["items"]["properties"]["support"]["enum"] == [str(each) for each in Support]
    assert answer["retrieval"]["properties"]["mode"]["enum"] == [str(mode) for mode in SearchMode]
    assert load("eval_run.v1")["$defs"]["summary"]["properties"]["mode"]["enum"] == [str(mode) for mode in SearchMode]
    assert load("eval_run.v1")["$defs"]["summary"]["properties"]["metrics"]["propertyNames"]["enum"] == list(METRICS)
    check = load("verify_report.v1")["properties"]["checks"]["items"]["properties"]
    assert check["status"]["enum"] == [str(status) for status in CitationStatus]


@pytest.mark.parametrize("schema_id", ["answer_event.v1", "citation.v1", "fetch_result.v1", "ingest_progress.v1"])
def test_every_kind_has_its_condition(schema_id: str) -> None:
    schema = load(schema_id)
    told = [branch["if"]["properties"]["kind"]["const"] for branch in schema["allOf"]]
    assert told == schema["properties"]["kind"]["enum"]


def test_a_schema_is_found_by_name_or_by_id() -> None:
    assert schema_text("search_hit") == schema_text("search_hit.v1")
    assert schema_text("search_hit") == (FOLDER / "search_hit.schema.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", "nothing", "../v1/search_hit", "search_hit.v2", "/etc/passwd"])
def test_an_unknown_schema_is_an_input_error(name: str) -> None:
    with pytest.raises(InvalidInput):
        schema_text(name)


def test_a_broken_installation_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schemas, "_FOLDERS", (tmp_path,))
    with pytest.raises(IoFailure, match="not installed"):
        schema_text("search_hit")


def _run(code: str, path: Path) -> Any:
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_an_installed_wheel_reads_its_own_copy(tmp_path: Path) -> None:
    package = Path(kebab.__file__).parent
    for part in ("core", "wire"):
        shutil.copytree(package / part, tmp_path / "kebab" / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(package / "__init__.py", tmp_path / "kebab")
    shutil.copytree(FOLDER, tmp_path / "kebab" / "wire" / "schemas" / "v1")
    code = "import json; from kebab.wire import schemas as s; print(json.dumps([s.__file__, s.schema_text('version')]))"
    file, text = _run(code, tmp_path)
    assert Path(file).is_relative_to(tmp_path)
    assert json.loads(text) == load("version.v1")


def test_encoders_load_nothing_heavy() -> None:
    names = "answer, archive, bulk, citation, documents, error, ingest, introspection, models, schemas, search, value"
    code = f"import json, sys; from kebab.wire import {names}; print(json.dumps(sorted(sys.modules)))"
    loaded = _run(code, Path(kebab.__file__).parents[1])
    assert all(name == "kebab" or name.startswith(("kebab.core", "kebab.wire")) for name in loaded if "kebab" in name)
    heavy = {"jsonschema", "jsonschema_rs", "apsw", "click", "rich", "yaml", "tomlkit", "pyromark", "mecab", "pathspec"}
    assert not heavy & {name.partition(".")[0] for name in loaded}
