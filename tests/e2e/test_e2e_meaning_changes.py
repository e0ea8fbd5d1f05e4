"""What was deleted or edited is not found by meaning any more, whatever state the files derived from vectors are in."""

from pathlib import Path

from by_meaning import DATABASE, MODES, paths, responses, scan_file
from index_state import check_database, query_rows
from kebab_process import answer, kebab, plant, well

EMBEDDINGS = "SELECT embedding_key, input_hash FROM embeddings"
BREAD, BIKE = "빵 반죽 발효", "자전거 수리"


def ask(home: Path, env: dict[str, str], *questions: str) -> list[list[str]]:
    """The documents each question finds by meaning and in both channels together, as one list per question and mode."""
    asked = [{"query": question, "mode": mode, "k": 50} for question in questions for mode in MODES]
    return [paths(response) for response in responses(home, env, asked)]


def test_deleted_and_edited_notes_are_gone_with_the_files_of_before_and_of_after(
    fluent: Path, builtin: dict[str, str]
) -> None:
    file = scan_file(fluent)
    before = file.read_bytes()
    assert all("bread.md" in found and "여행.md" in found for found in ask(fluent, builtin, BREAD))
    (fluent / "notes/bread.md").unlink()
    plant(fluent / "notes", {"여행.md": "# 자전거 정비\n\n구멍 난 바퀴를 때운다.\n"})
    report = answer(fluent, "ingest", env=builtin)
    assert (report["updated"], report["purged_deleted_files"]) == (1, 1)
    after = file.read_bytes()
    stored = {chunk for (chunk,) in query_rows(fluent / DATABASE, "SELECT chunk_id FROM chunks")}
    for state in (after, before, None):
        file.unlink(missing_ok=True)
        if state is not None:
            file.write_bytes(state)
        old, new = responses(fluent, builtin, [{"query": each, "mode": "vector", "k": 50} for each in (BREAD, BIKE)])
        assert {hit["chunk_id"] for hit in old["hits"]} == stored
        assert "bread.md" not in paths(old)
        assert paths(new)[0] == "여행.md"
        assert new["hits"][0]["heading_path"] == ["자전거 정비"]
    check_database(fluent / DATABASE, embedded=True)


def test_a_note_that_comes_back_costs_no_second_embedding_and_is_found_again(
    fluent: Path, builtin: dict[str, str]
) -> None:
    note = fluent / "notes/bread.md"
    note.rename(fluent / "aside.md")
    well(kebab(fluent, "ingest", "--quiet", env=builtin))
    made = query_rows(fluent / DATABASE, f"{EMBEDDINGS} ORDER BY 1")
    unused = query_rows(fluent / DATABASE, f"{EMBEDDINGS} WHERE unused_since IS NOT NULL")
    assert len(unused) == 6, "a passage and the headings of three chunks"
    (fluent / "aside.md").rename(fluent / "notes/again.md")
    well(kebab(fluent, "ingest", "--quiet", env=builtin))
    assert query_rows(fluent / DATABASE, f"{EMBEDDINGS} WHERE unused_since IS NULL ORDER BY 1") == made
    assert [found[0] for found in ask(fluent, builtin, BREAD)] == ["again.md", "again.md"]


def test_single_files_and_text_from_a_pipe_are_found_by_meaning(fluent: Path, builtin: dict[str, str]) -> None:
    loose = plant(fluent / "outside", {"bike.md": "# Bicycle repair\n\nPatch the tyre.\n"}) / "bike.md"
    well(kebab(fluent, "ingest-file", loose, env=builtin))
    well(kebab(fluent, "ingest-stdin", "--title", "Tax return", stdin=b"File it before May.\n", env=builtin))
    by_meaning = ask(fluent, builtin, BIKE, "세금 신고")
    assert all(found[0].startswith("_external/") for found in by_meaning)
    assert by_meaning[0][0] != by_meaning[2][0]
    assert answer(fluent, "doctor", env=builtin)["ok"] is True


def test_a_reset_of_the_vectors_leaves_searches_by_words(fluent: Path, builtin: dict[str, str]) -> None:
    well(kebab(fluent, "reset", "--vector-only", "--yes", env=builtin))
    check_database(fluent / DATABASE)
    response = answer(fluent, "search", "loaf oven", env=builtin)
    assert response["degraded"]
    assert paths(response) == ["bread.md"]
    well(kebab(fluent, "ingest", "--quiet", env=builtin))
    assert [found[0] for found in ask(fluent, builtin, BREAD)] == ["bread.md", "bread.md"]
    check_database(fluent / DATABASE, embedded=True)
