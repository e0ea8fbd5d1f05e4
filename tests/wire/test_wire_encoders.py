"""What the encoders decide: which keys appear, in which order, and what is null, empty or absent."""

from pathlib import Path

import pytest
from wire_samples import (
    CITATIONS,
    COUNTS,
    JOBS,
    PATH,
    RESULTS,
    SUMMARY,
    TIME,
    VECTORS,
    VIEW,
    bare_hit,
    chunk,
    empty_report,
    hit,
    report,
)

from kebab.core.asset import Source
from kebab.core.citation import LineCitation
from kebab.core.errors import DocNotFound, IoFailure
from kebab.core.events import AssetFinished, IngestFinished, SkipCount
from kebab.core.inspection import (
    Check,
    ChunkView,
    DocPage,
    DoctorReport,
    IndexStats,
    ModelVersions,
    ResetReport,
    SchemaReport,
)
from kebab.core.query import Freshness
from kebab.wire.citation import encode_citation
from kebab.wire.documents import encode_chunk, encode_doc_inspection, encode_doc_list, encode_doc_summary
from kebab.wire.error import encode_error, encode_unexpected
from kebab.wire.ingest import encode_event, encode_report
from kebab.wire.introspection import (
    encode_config_show,
    encode_doctor,
    encode_migration,
    encode_reset,
    encode_schema,
)
from kebab.wire.models import encode_job, encode_vector_status
from kebab.wire.search import encode_hit, encode_response
from kebab.wire.value import optional, plain


def test_a_citation_is_flat_and_ordered() -> None:
    value = encode_citation(
        LineCitation("a b.md", 5, 9, "§1"), indexed_at=TIME, stale=False, freshness=Freshness.MISSING
    )
    assert list(value.items()) == [
        ("schema_version", "citation.v1"),
        ("kind", "line"),
        ("path", "a b.md"),
        ("uri", "a%20b.md#L5-L9"),
        ("start", 5),
        ("end", 9),
        ("section", "§1"),
        ("indexed_at", TIME),
        ("stale", False),
        ("freshness", "missing"),
    ]


def test_a_citation_leaves_out_what_is_not_known() -> None:
    for place in CITATIONS:
        value = encode_citation(place, indexed_at=TIME, stale=True)
        assert None not in value.values()
        assert "freshness" not in value


def test_a_hit_keeps_nulls_only_where_a_channel_was_silent() -> None:
    value = encode_hit(hit(section_label=None), "fts-v1")
    assert value["retrieval"] == {
        "method": "lexical",
        "lexical_score": 12.4,
        "vector_score": None,
        "fusion_score": 12.4,
        "lexical_rank": 1,
        "vector_rank": None,
    }
    assert not {"section_label", "embedding_model", "repo", "code_lang"} & value.keys()
    assert None not in value.values()


def test_a_hit_does_not_tell_where_the_file_lies() -> None:
    assert "/home/someone" not in str(encode_hit(hit(), "fts-v1"))


def test_a_hit_names_the_embedding_model_when_there_is_one() -> None:
    assert encode_hit(hit(), "fts-v1", "use")["embedding_model"] == "use"


def test_the_citation_of_a_hit_has_the_times_of_the_hit() -> None:
    cited = encode_hit(hit(stale=True, freshness=Freshness.CHANGED), "fts-v1")["citation"]
    assert isinstance(cited, dict)
    assert (cited["indexed_at"], cited["stale"], cited["freshness"]) == (TIME, True, "changed")


def test_a_response_says_what_was_missing_only_when_something_was() -> None:
    full, empty = (encode_response(result, "fts-v1") for result in RESULTS)
    assert list(full) == ["schema_version", "hits", "next_cursor", "truncated", "degraded", "hint"]
    assert empty == {"schema_version": "search_response.v1", "hits": [], "next_cursor": None, "truncated": False}
    assert full["hits"] == [encode_hit(found, "fts-v1") for found in (hit(), bare_hit())]


def test_the_last_event_carries_counts_and_not_the_report() -> None:
    for aborted, kind in ((False, "completed"), (True, "aborted")):
        value = encode_event(IngestFinished(TIME, COUNTS, report(), aborted=aborted))
        assert list(value) == ["schema_version", "kind", "ts", "counts"]
        assert value["kind"] == kind
        assert value["counts"] == {
            "scanned": 142,
            "new": 12,
            "updated": 3,
            "skipped": 120,
            "unchanged": 6,
            "errors": 1,
            "chunks_indexed": 421,
            "embeddings_indexed": 0,
        }


def test_an_event_without_an_error_has_no_error() -> None:
    assert "error" not in encode_event(AssetFinished(TIME, 1, 1, PATH, "new", 2))
    assert encode_event(AssetFinished(TIME, 1, 1, PATH, "error", 0, "why"))["error"] == "why"


def test_a_report_counts_every_reason_once() -> None:
    value = encode_report(report(), summary_only=False)
    assert (value["skipped_gitignore"], value["skipped_secret"], value["skipped_generated"]) == (40, 1, 0)
    assert value["skipped_other"] == {"symlink": 2, "excluded": 3}
    assert value["skip_examples"] == {
        "gitignore": ["node_modules/a.js"],
        "secret": [".env"],
        "symlink": ["loop", "bad?"],
        "unsupported": ["a.exe"],
    }
    assert value["scope"] == {"root": str(Path("/home/someone/notes")), "include": ["**/*.md"], "exclude": [".git/**"]}


@pytest.mark.parametrize(
    "reason", ["gitignore", "kebabignore", "builtin_blacklist", "generated", "size_exceeded", "secret"]
)
def test_a_reason_of_its_own_has_a_counter_of_its_own(reason: str) -> None:
    value = encode_report(report(skips={reason: SkipCount(4)}), summary_only=True)
    assert value[f"skipped_{reason}"] == 4
    assert value["skipped_other"] == {}


def test_a_summary_has_no_lists_that_grow() -> None:
    value = encode_report(report(), summary_only=True)
    assert value["items"] is None
    assert "purged_paths" not in value
    assert value["purged_deleted_files"] == 1
    assert encode_report(empty_report(), summary_only=False)["items"] is None


def test_a_file_that_failed_early_has_every_key() -> None:
    items = encode_report(report(), summary_only=False)["items"]
    assert isinstance(items, list)
    *read, left = (list(item) for item in items)
    assert read == [list(items[0])] * 3
    assert left == [*read[0], "skip_reason"], "sent of what a reader left aside"
    assert items[1]["doc_id"] is None
    assert items[1]["error"] == "not text"
    assert items[2]["doc_path"] == "bad?.md"


def test_a_document_list_is_its_summaries() -> None:
    value = encode_doc_list(DocPage((SUMMARY, SUMMARY), 9, "next"))
    assert value["docs"] == [encode_doc_summary(SUMMARY)] * 2
    assert (value["next_cursor"], value["total"]) == ("next", 9)


def test_an_inspection_keeps_the_front_matter_that_json_can_hold() -> None:
    metadata = encode_doc_inspection(VIEW)["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["user"] == {
        "rating": 4.5,
        "draft": True,
        "nested": {"list": [1, None, "둘"]},
        "odd": None,
    }
    assert metadata["user_id_alias"] == "kb-1"


def test_a_chunk_tells_its_place() -> None:
    value = encode_chunk(ChunkView(chunk(), PATH))
    assert value["source_spans"] == [{"kind": "line", "start": 1, "end": 1}, {"kind": "line", "start": 661, "end": 672}]
    assert value["section_label"] == "§14"
    assert "section_label" not in encode_chunk(ChunkView(chunk(None), PATH))


def test_a_doctor_is_well_when_every_check_is() -> None:
    good, bad = Check("a", ok=True, detail=""), Check("b", ok=False, detail="", hint="do")
    assert encode_doctor(DoctorReport((good,)))["ok"] is True
    value = encode_doctor(DoctorReport((good, bad)))
    assert value["ok"] is False
    assert value["checks"] == [
        {"name": "a", "ok": True, "detail": ""},
        {"name": "b", "ok": False, "detail": "", "hint": "do"},
    ]


def test_a_schema_report_names_what_is_not_there() -> None:
    value = encode_schema(SchemaReport("0.1.0", (), {}, ModelVersions("p", "c", "i", 0), IndexStats(0, 0, 0, None)))
    assert isinstance(models := value["models"], dict)
    assert isinstance(stats := value["stats"], dict)
    assert (models["embedding_version"], models["prompt_template_version"]) == ("none", "none")
    assert stats["last_ingest_at"] is None
    assert stats["index_bytes"] == {"sqlite": 0, "lancedb": 0, "vectors": 0}


def test_a_reset_counts_orphans_only_when_it_looked_for_them() -> None:
    assert "orphans_purged" not in encode_reset(ResetReport("all"))
    assert encode_reset(ResetReport("orphans_only", orphans_purged=0))["orphans_purged"] == 0


def test_a_vector_status_says_rebuilt_only_after_a_rebuild_and_null_where_there_is_no_model() -> None:
    bare, full = (encode_vector_status(status) for status in VECTORS)
    assert (bare["active"], bare["configured"], bare["problem"]) == (None, None, None)
    assert "rebuilt" not in bare
    assert full["rebuilt"] == 0
    assert full["active"] == {"provider": "builtin", "model": "use-multilingual-v3", "version": "v1", "dimensions": 512}
    assert full["models"] == [
        {**full["active"], "active": True, "vectors": 6},
        {
            "provider": "fastembed",
            "model": "/models/bad?",
            "version": "",
            "dimensions": 384,
            "active": False,
            "vectors": 0,
        },
    ]


def test_a_job_has_an_error_and_an_end_only_when_it_has() -> None:
    running, failed = (encode_job(job) for job in JOBS[:2])
    assert not {"error", "finished_at"} & running.keys()
    assert (running["payload"], running["done"], running["total"]) == ({"model": "m", "n": 1}, 2, 7)
    assert (failed["error"], failed["finished_at"]) == ("no bad?", TIME)


def test_a_migration_has_changed_something_when_there_are_changes() -> None:
    def migrate(changes: list[tuple[str, str, str]]) -> object:
        return encode_migration(
            config_path="/c", dry_run=True, from_schema_version=1, to_schema_version=2, changes=changes
        )["changed"]

    assert migrate([]) is False
    assert migrate([("added_key", "a", "b")]) is True


def test_no_config_file_is_null() -> None:
    assert encode_config_show(None, [("a", Path("/x"), "default")]) == {
        "schema_version": "config_show.v1",
        "config_path": None,
        "settings": [{"key": "a", "value": str(Path("/x")), "origin": "default"}],
        "warnings": [],
    }


def test_an_error_always_has_details_and_never_a_null_hint() -> None:
    assert encode_error(DocNotFound("no such document")) == {
        "schema_version": "error.v1",
        "code": "doc_not_found",
        "message": "no such document",
        "details": {},
    }
    value = encode_error(IoFailure("cannot read", hint="chmod", path="bad\udcff", attempts=3))
    assert value["details"] == {"path": "bad?", "attempts": 3}
    assert value["hint"] == "chmod"


def test_an_unexpected_error_is_generic_and_says_something() -> None:
    value = encode_unexpected("", ["KeyError"])
    assert (value["code"], value["message"]) == ("generic", "unexpected error")
    assert value["details"] == {"chain": ["KeyError"]}


def test_values_from_outside_become_plain() -> None:
    source = Source("work", Path("w"))
    given = {"d": source, 1: ("가", float("inf"), True), "s": Freshness.FRESH, "p": Path("x"), "none": None}
    value = plain(given)
    assert isinstance(value, dict)
    assert value.pop("d") == {
        "source_id": "work",
        "root": "w",
        "include": [],
        "exclude": [],
        "trust_level": None,
        "source_type": None,
    }
    assert value == {"1": ["가", None, True], "s": "fresh", "p": "x", "none": None}
    assert type(value["s"]) is str
    assert optional(a=None, b=0, c="") == {"b": 0, "c": ""}
