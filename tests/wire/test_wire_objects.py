"""Everything kebab sends is what its schema says, and the schemas notice when it is not."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_samples import TIME, samples

from kebab.core.citation import LineCitation, TimeCitation, parse_citation
from kebab.wire.citation import encode_citation
from kebab.wire.schemas import SCHEMA_IDS
from wire_schemas import check, load, problems

Path = tuple[str | int, ...]

# Fields of any type, by schema, and objects with anything inside: settings, front matter, details of an error.
ANYTHING = {
    "config_show.v1": {"value"},
    "config_value.v1": {"value"},
    "config_set.v1": {"old", "new"},
    "eval_run.v1": {"config"},
}
OPEN = {"user", "payload", "details"}
ANY_TYPE = ["string", "number", "boolean", "array", "object", "null"]


def _resolve(schema: dict[str, Any], home: str) -> tuple[dict[str, Any], str]:
    while "$ref" in schema or "anyOf" in schema:
        if "anyOf" in schema:
            # An object or null: null has nothing that is required.
            schema = schema["anyOf"][0]
            continue
        file, _, pointer = schema["$ref"].partition("#")
        home = f"{file.removesuffix('.schema.json')}.v1" if file else home
        schema = load(home)
        for step in filter(None, pointer.split("/")):
            schema = schema[step]
    return schema, home


def _required(schema: dict[str, Any], value: object, home: str, at: Path = ()) -> Iterator[Path]:
    """The path of every key in `value` that its schema requires, in nested objects too."""
    schema, home = _resolve(schema, home)
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from _required(schema.get("items", {}), item, home, (*at, place))
    if not isinstance(value, dict):
        return
    names = list(schema.get("required", []))
    for branch in schema.get("allOf", []):
        if branch["if"]["properties"]["kind"]["const"] == value["kind"]:
            names += branch["then"].get("required", [])
    yield from ((*at, name) for name in names)
    for name, item in value.items():
        child = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
        if name not in OPEN and child.get("type") != ANY_TYPE:
            yield from _required(child, item, home, (*at, name))


def _every(value: object, skip: set[str], at: Path = ()) -> Iterator[Path]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in steps:
        if step in skip:
            continue
        yield (*at, step)
        if step not in OPEN:
            yield from _every(item, skip, (*at, step))


def _holder(value: Any, path: Path) -> Any:
    for step in path[:-1]:
        value = value[step]
    return value


def test_every_sample_is_valid_and_plain_json() -> None:
    for value in samples():
        check(value)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
        assert json.loads(text) == value
        assert next(iter(value)) == "schema_version"


def test_every_schema_has_a_producer() -> None:
    assert {value["schema_version"] for value in samples()} == set(SCHEMA_IDS)


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_a_missing_required_key_is_noticed(schema_id: str) -> None:
    tried = 0
    for value in samples():
        if value["schema_version"] != schema_id:
            continue
        for path in _required(load(schema_id), value, schema_id):
            if path == ("schema_version",):
                continue
            broken = copy.deepcopy(value)
            del _holder(broken, path)[path[-1]]
            assert problems(broken), path
            tried += 1
    assert tried > 0


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_a_wrong_type_is_noticed(schema_id: str) -> None:
    for value in samples():
        if value["schema_version"] != schema_id:
            continue
        for path in _every(value, ANYTHING.get(schema_id, set())):
            holder = _holder(value, path)
            kept = holder[path[-1]]
            # An object where a scalar or a list belongs; a number where an object belongs.
            holder[path[-1]] = 7.5 if isinstance(kept, dict) else {}
            assert problems(value), path
            holder[path[-1]] = kept


WRONG = [
    ("citation.v1", "kind", "paragraph"),
    ("citation.v1", "uri", "notes/a.md"),
    ("citation.v1", "uri", "notes/a b.md#L1"),
    ("citation.v1", "uri", "notes/a%2.md#L1"),
    ("citation.v1", "uri", "notes/a.md#p=3"),
    ("citation.v1", "uri", "notes/a.md#L0"),
    ("citation.v1", "uri", "a.md#L1\n"),
    ("citation.v1", "start", 0),
    ("citation.v1", "indexed_at", "2026-04-27T15:42:11+09:00"),
    ("citation.v1", "indexed_at", "2026-13-27T15:42:11Z"),
    ("citation.v1", "indexed_at", "2026-04-27 15:42:11Z"),
    ("citation.v1", "freshness", "ripe"),
    ("citation.v1", "path", ""),
    ("citation.v1", "quote", {"text": "words", "start": -1, "end": 3}),
    ("search_hit.v1", "rank", 0),
    ("search_hit.v1", "score_kind", "magic"),
    ("search_hit.v1", "chunk_id", "9B4A8C1E7D3F2A059B4A8C1E7D3F2A05"),
    ("search_hit.v1", "doc_id", "9b4a8c"),
    ("search_hit.v1", "trust_level", "total"),
    ("search_hit.v1", "highlights", [[1]]),
    ("search_hit.v1", "highlights", [[1, 2, 3]]),
    ("search_hit.v1", "embedding_model", None),
    ("search_response.v1", "next_cursor", ""),
    ("search_response.v1", "trace", {"lexical": []}),
    ("answer.v1", "answer", None),
    ("answer.v1", "refusal_reason", "tired"),
    ("answer.v1", "citations", [{"marker": "[#1]"}]),
    ("answer.v1", "model", {"id": "m"}),
    ("answer.v1", "embedding", {"id": "m", "provider": "p", "dimensions": 0}),
    ("answer.v1", "retrieval", {"trace_id": "ret_1", "mode": "hybrid"}),
    ("answer.v1", "usage", {"prompt_tokens": 1, "completion_tokens": -1, "latency_ms": 0}),
    ("answer.v1", "turn_index", -1),
    ("answer.v1", "conversation_id", ""),
    ("answer.v1", "hops", [{"kind": "hop"}]),
    ("answer.v1", "verification", {"nli_score": 0.5}),
    ("answer.v1", "statements", [{"text": "a", "markers": [1], "support": "quoted", "score": 1, "quotes": []}]),
    ("answer.v1", "statements", [{"text": "a", "markers": [], "support": "sure", "score": 1, "quotes": []}]),
    ("answer.v1", "hint", ""),
    ("answer_event.v1", "kind", "thought"),
    ("answer_event.v1", "kind", "final"),
    ("answer_event.v1", "kind", "token"),
    ("answer_event.v1", "hits", [{}]),
    ("answer_list.v1", "answers", [{}]),
    ("symbol_list.v1", "symbols", [{}]),
    ("session.v1", "session_id", ""),
    ("session.v1", "config", {"llm": 7}),
    ("session.v1", "turns", [{}]),
    ("session_list.v1", "sessions", [{}]),
    ("verify_report.v1", "checks", [{"status": "intact"}]),
    ("verify_report.v1", "trace_id", "4a8b"),
    ("bulk_search_input.v1", "query", ""),
    ("bulk_search_input.v1", "mode", "telepathy"),
    ("bulk_search_input.v1", "k", 0),
    ("bulk_search_input.v1", "k", 1001),
    ("bulk_search_input.v1", "tag", [1]),
    ("bulk_search_input.v1", "trust_min", "total"),
    ("bulk_search_input.v1", "snippet_chars", 5),
    ("bulk_search_input.v1", "trace", None),
    ("bulk_search_item.v1", "response", None),
    ("bulk_search_item.v1", "error", {"schema_version": "error.v1", "code": "generic", "message": "m", "details": {}}),
    ("bulk_search_item.v1", "query", {"schema_version": "bulk_search_input.v1", "query": "a", "k": "ten"}),
    ("bulk_search_response.v1", "results", [{}]),
    ("bulk_search_response.v1", "summary", {"total": 1, "succeeded": 1}),
    ("ingest_progress.v1", "kind", "lunch"),
    ("ingest_progress.v1", "ts", "now"),
    ("ingest_report.v1", "scanned", -1),
    ("ingest_report.v1", "scanned", 1.5),
    ("ingest_report.v1", "skipped_other", {"symlink": "two"}),
    ("ingest_report.v1", "skip_examples", {"secret": ["1", "2", "3", "4", "5", "6"]}),
    ("doc_summary.v1", "trust_level", "total"),
    ("doc_summary.v1", "source_type", "film"),
    ("doc_summary.v1", "freshness", "ripe"),
    ("doc_list.v1", "docs", [{}]),
    ("doc_inspection.v1", "freshness", "ripe"),
    ("doc_inspection.v1", "blocks", [{"kind": "song"}]),
    ("chunk_inspection.v1", "source_spans", []),
    ("chunk_inspection.v1", "source_spans", [{"kind": "line", "start": 1}]),
    ("chunk_inspection.v1", "source_spans", [{"kind": "planet", "start": 1, "end": 2}]),
    ("chunk_inspection.v1", "block_ids", ["b_0a"]),
    ("doctor.v1", "checks", [{"name": "Can it open?", "ok": True, "detail": ""}]),
    ("schema.v1", "wire", {"schemas": ["search_hit"]}),
    ("schema.v1", "capabilities", {"json_mode": True}),
    ("schema.v1", "kebab_version", "latest"),
    ("reset_report.v1", "scope", "everything"),
    ("config_migration.v1", "changes", [{"kind": "renamed", "path": "a", "detail": ""}]),
    ("config_show.v1", "settings", [{"key": "a", "value": 1}]),
    ("config_value.v1", "key", ""),
    ("config_set.v1", "config_path", None),
    ("config_path.v1", "exists", "yes"),
    ("init_report.v1", "created", "/c.toml"),
    ("version.v1", "kebab_version", ""),
    ("model.v1", "dimensions", 0),
    ("model.v1", "size_bytes", -1),
    ("model.v1", "name", ""),
    ("model_list.v1", "models", [{}]),
    ("vector_status.v1", "engine", "magic"),
    ("vector_status.v1", "active", {"provider": "builtin"}),
    ("vector_status.v1", "problem", ""),
    ("vector_status.v1", "models", [{"provider": "a", "model": "b", "version": "c", "dimensions": 1}]),
    ("vector_status.v1", "rebuilt", None),
    ("cache_status.v1", "kinds", [{"kind": "ocr"}]),
    ("cache_status.v1", "bytes", -1),
    ("ocr_stats.v1", "readers", [{"media": "film"}]),
    ("ocr_failures.v1", "failures", [{}]),
    ("job.v1", "job_id", "3f9a2c10ee4d"),
    ("job.v1", "status", "lost"),
    ("job.v1", "kind", "nap"),
    ("job.v1", "finished_at", None),
    ("job_list.v1", "jobs", [{}]),
    ("mcp_install.v1", "state", "mended"),
    ("mcp_install.v1", "format", "yaml"),
    ("mcp_install.v1", "snippet", ""),
    ("fetch_result.v1", "kind", "book"),
    ("fetch_result.v1", "kind", "page"),
    ("fetch_result.v1", "kind", "span"),
    ("fetch_result.v1", "chunk", {}),
    ("fetch_result.v1", "context_after", [{}]),
    ("fetch_result.v1", "freshness", "ripe"),
    ("fetch_result.v1", "trust_level", "total"),
    ("fetch_result.v1", "effective_end", 0),
    ("fetch_result.v1", "citation", None),
    ("open_report.v1", "command", []),
    ("open_report.v1", "uri", "a.md"),
    ("transfer_report.v1", "kind", "move"),
    ("transfer_report.v1", "bytes", -1),
    ("transfer_report.v1", "index", {}),
    ("eval_suite.v1", "queries", [{}]),
    ("eval_suite.v1", "digest", "3f9a"),
    ("eval_run.v1", "k", 0),
    ("eval_run.v1", "modes", ["telepathy"]),
    ("eval_run.v1", "answer_mode", "telepathy"),
    ("eval_run.v1", "results", [{}]),
    ("eval_run.v1", "files", {"a.md": "https://example.org/a.md"}),
    ("eval_run.v1", "config", []),
    ("eval_aggregate.v1", "runs", [{}]),
    ("eval_compare.v1", "common", 0),
    ("eval_compare.v1", "metrics", [{"metric": "luck"}]),
    ("eval_compare.v1", "queries", [{}]),
    ("eval_variants.v1", "groups", [{}]),
    ("eval_calibration.v1", "gate", 1.5),
    ("eval_calibration.v1", "curve", [{}]),
    ("eval_calibration.v1", "at_gate", {"gate": 0.3}),
    ("doc_view.v1", "kind", "film"),
    ("doc_view.v1", "nodes", [{"t": "script", "s": 0, "e": 1}]),
    ("doc_view.v1", "nodes", [{"t": "a", "s": 0, "e": 1, "href": "javascript:alert(1)"}]),
    ("doc_view.v1", "lines", {"first": 1}),
    ("doc_view.v1", "pages", [{}]),
    ("facets.v1", "facets", {"tag": [{"value": "a"}]}),
    ("facets.v1", "doc_count", -1),
    ("failures.v1", "failures", [{}]),
    ("page_boxes.v1", "boxes", [[0.1, 0.1, 0.5]]),
    ("page_boxes.v1", "boxes", [[0.1, 0.1, 0.5, 1.5]]),
    ("live.v1", "kind", "party"),
    ("watch.v1", "watching", "yes"),
    ("watch.v1", "hint", ""),
    ("web_address.v1", "entrance", "http://127.0.0.1:1/"),
    ("error.v1", "code", "oops"),
    ("error.v1", "details", None),
    ("error.v1", "message", ""),
]


@pytest.mark.parametrize(("schema_id", "key", "wrong"), WRONG)
def test_a_wrong_value_is_noticed(schema_id: str, key: str, wrong: object) -> None:
    value = next(value for value in samples() if value["schema_version"] == schema_id)
    check(value)
    value[key] = wrong
    assert problems(value)


def test_every_schema_is_in_the_table_of_wrong_values() -> None:
    assert {schema_id for schema_id, _, _ in WRONG} == set(SCHEMA_IDS)


def test_unknown_keys_are_let_through() -> None:
    for value in samples():
        check({**value, "from_the_future": {"a": 1}})


def test_check_says_where_it_went_wrong() -> None:
    value = next(value for value in samples() if value["schema_version"] == "doc_list.v1")
    value["docs"][0]["lang"] = 7  # type: ignore[index]
    with pytest.raises(AssertionError, match=r"\['docs'\]\[0\]\['lang'\]"):
        check(value)
    with pytest.raises(AssertionError, match="unknown"):
        check({"schema_version": "search_hit.v9"})
    with pytest.raises(AssertionError, match="not an object"):
        check([])


PATHS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(PATHS, st.integers(1, 10**6), st.integers(0, 10**6))
def test_any_line_citation_is_valid_and_followable(path: str, start: int, more: int) -> None:
    place = LineCitation(path, start, start + more)
    value = encode_citation(place, indexed_at=TIME, stale=False)
    check(value)
    assert parse_citation(str(value["uri"])) == place


@given(PATHS, st.integers(0, 10**9), st.integers(0, 10**9), st.none() | PATHS)
def test_any_time_citation_is_valid_and_followable(path: str, start: int, more: int, speaker: str | None) -> None:
    place = TimeCitation(path, start, start + more, speaker)
    value = encode_citation(place, indexed_at=TIME, stale=False)
    check(value)
    assert parse_citation(str(value["uri"])) == place
