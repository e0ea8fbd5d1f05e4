"""Whatever lies in a folder ends as a document or as one counted, explained skip, in bounded time and memory."""

import os
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from background_work import Background
from hostile_notes import BAD_NAMES, CONTENT, EMPTY, ENCODED, NAMES, Run, limited
from kebab_process import Json, answer, kebab, objects, plant, search, well, write_config

from kebab.core.citation import parse_citation

SECONDS = 60


@pytest.fixture(scope="module")
def hostile(background: Background) -> Run:
    return background.hostile


@pytest.fixture(scope="module")
def items(hostile: Run) -> dict[str, Json]:
    return {item["doc_path"]: item for item in hostile.report["items"]}


@pytest.mark.parametrize("name", [*CONTENT, *ENCODED, *EMPTY])
def test_hostile_content_is_stored_or_its_failure_explained(name: str, items: dict[str, Json]) -> None:
    item = items[f"{name}.md"]
    assert item["kind"] in ("new", "error")
    assert (item["kind"] == "error") is bool(item["error"])
    assert "Error" not in (item["error"] or ""), "a reason for people, not the name of an exception"


def test_every_file_is_counted_once_and_the_run_succeeds(hostile: Run, items: dict[str, Json]) -> None:
    report = hostile.report
    assert report["new"] + report["errors"] == len(items)
    stored = len(CONTENT) + len(ENCODED) + len(EMPTY) + len(NAMES) + 1
    assert len(items) == stored + (os.geteuid() != 0)
    assert hostile.seconds < SECONDS


def test_no_text_becomes_unsearchable(hostile: Run, items: dict[str, Json]) -> None:
    needles = {f"{name}.md": f"needle{name}" for name in (*CONTENT, *ENCODED)}
    needles |= {unicodedata.normalize("NFC", path): needle for path, needle in NAMES.items()} | {
        "good.md": "needlegood"
    }
    wanted = {path: needle for path, needle in needles.items() if items[path]["kind"] == "new"}
    assert len(wanted) > 45
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(
            lambda part: search(hostile.home, " ".join(part), "--k", "1000", "--config", str(hostile.config)),
            (list(wanted.values())[::2], list(wanted.values())[1::2]),
        )
    assert {hit["doc_path"] for hits in found for hit in hits} == set(wanted)


def test_what_was_odd_about_a_file_is_said(items: dict[str, Json]) -> None:
    for name in ("nul", "invalid", "frontmatter", "aliases", "yamldepth", "tomldepth", "yamltypes", "halfutf16"):
        assert items[f"{name}.md"]["warnings"], name
    assert all(len(warning) < 300 for item in items.values() for warning in item["warnings"])


def test_an_empty_file_is_a_document_without_chunks(items: dict[str, Json]) -> None:
    for name in ("empty", "spaces", "onlymark"):
        assert (items[f"{name}.md"]["kind"], items[f"{name}.md"]["chunk_count"]) == ("new", 0)


def test_no_chunk_is_larger_than_the_limit(hostile: Run) -> None:
    database = apsw.Connection(str(hostile.home / "data/kebab.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    largest = database.execute("SELECT max(token_estimate), max(length(text)) FROM chunks").fetchall()
    database.close()
    assert largest[0][0] <= 4000
    assert largest[0][1] <= 12_000


def test_names_that_are_no_text_and_things_that_are_no_files_are_skipped_with_their_reason(hostile: Run) -> None:
    report = hostile.report
    assert report["skipped_other"]["name"] == len(BAD_NAMES)
    assert all(name.isprintable() for name in report["skip_examples"]["name"])
    assert report["skipped_other"]["special"] == 1
    assert report["skip_examples"]["special"] == ["pipe.md"]
    assert sorted(report["skip_examples"]["symlink"]) == ["device.md", "gone.md", "loop", "self.md"]
    if os.geteuid() != 0:
        assert report["errors"] >= 1


def test_a_name_with_marks_can_be_cited_and_inspected(hostile: Run) -> None:
    hits = search(hostile.home, " ".join(NAMES.values()), "--config", str(hostile.config), "--k", "100")
    assert {hit["doc_path"] for hit in hits} == {unicodedata.normalize("NFC", path) for path in NAMES}
    for hit in hits:
        assert parse_citation(hit["citation"]["uri"]).path == hit["doc_path"]
        assert hit["citation"]["freshness"] == "fresh"
    view = well(kebab(hostile.home, "inspect", "doc", "--json", "--config", hostile.config, "--", "-rf.md"))
    assert objects(view)[0]["schema_version"] == "doc_inspection.v1"


def test_the_index_is_sound_afterwards_and_a_second_run_finds_nothing_to_do(hostile: Run) -> None:
    assert answer(hostile.home, "doctor", "--config", hostile.config)["ok"] is True
    again = limited(hostile.home, hostile.config)
    assert (again.report["new"], again.report["updated"]) == (0, 0)
    assert again.report["unchanged"] == hostile.report["new"]


def test_a_line_of_50_mb_is_stored_and_found_in_bounded_time_and_memory(background: Background) -> None:
    line = background.line
    assert line.report["new"] == 1
    assert line.seconds < SECONDS
    hit = search(line.home, "needleline", "--config", str(line.config))[0]
    assert hit["citation"]["uri"] == "line.md#L1"
    assert len(hit["snippet"]) < 500
    # All of it would take more memory than an ingest may: what was not read is said.
    said = "only the first 16000000 characters were read: there is too much text"
    assert line.report["items"][0]["warnings"] == [said]


def test_a_file_over_the_limit_is_a_counted_skip(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    plant(tmp_path / "notes", {"good.md": "# Good\n"})
    with (tmp_path / "notes/huge.md").open("wb") as out:
        out.truncate(50 * 1024 * 1024 + 1)
    report = answer(tmp_path, "ingest", "--config", config)
    assert (report["new"], report["skipped"], report["skipped_size_exceeded"]) == (1, 1, 1)
    assert report["skip_examples"]["size_exceeded"] == ["huge.md"]
