from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.core.errors import KebabError
from kebab.core.query import Filters
from kebab.store.connection import PAGE_SIZE
from kebab.store.store import Store

if TYPE_CHECKING:
    from store_bench import Index


@pytest.fixture
def filled(index: "Index") -> "Index":
    index.put("a.md", "# 제목\n\n한국어 문장이다.\n\n# Part\n\nEnglish words.\n")
    index.put("b.md", "beta words\n")
    return index


def test_a_good_index_has_no_complaint(filled: "Index") -> None:
    assert filled.store.health.database() is None
    assert filled.store.health.full_text() is None
    with Store.reader(filled.path) as reader:
        assert reader.health.database() is None
        assert reader.health.full_text() is None


def test_an_empty_index_has_no_complaint(index: "Index") -> None:
    assert index.store.health.database() is None
    assert index.store.health.full_text() is None


def test_a_missing_full_text_row_is_noticed_and_mended(filled: "Index") -> None:
    key = filled.database.scalar("SELECT max(chunk_key) FROM chunks")
    filled.database.run("DELETE FROM chunks_fts WHERE rowid = ?", (key,))
    assert filled.store.health.full_text() == "1 chunks are not in the full-text index, 0 entries have no chunk"
    assert filled.search("beta") == []
    with Store.reader(filled.path) as reader:
        assert reader.health.full_text() is not None
    assert filled.store.health.rebuild_full_text() == 3
    assert filled.store.health.full_text() is None
    assert filled.search("beta") == ["b.md"]


@pytest.mark.parametrize(
    "insert",
    [
        "INSERT INTO chunks_fts(rowid, heading, text, parts) VALUES (999, 'h', 'ghost', '')",
        "INSERT INTO chunks_grams(rowid, grams) VALUES (999, '유령')",
    ],
)
def test_a_row_without_a_chunk_is_noticed_and_mended(filled: "Index", insert: str) -> None:
    filled.database.run(insert)
    assert filled.store.health.full_text() == "0 chunks are not in the full-text index, 1 entries have no chunk"
    filled.store.health.rebuild_full_text()
    assert filled.store.health.full_text() is None


def test_a_missing_row_of_syllable_pairs_is_noticed(filled: "Index") -> None:
    filled.database.run("DELETE FROM chunks_grams")
    assert filled.count("chunks_grams_docsize") == 0
    assert filled.store.health.full_text() is not None


@pytest.mark.parametrize("table", ["chunks_fts", "chunks_grams"])
def test_damage_inside_is_noticed_and_mended(filled: "Index", table: str) -> None:
    filled.database.run(f"UPDATE {table}_data SET block = x'00' WHERE id > 10")
    assert filled.store.health.full_text() is not None
    filled.store.health.rebuild_full_text()
    assert filled.store.health.full_text() is None
    assert filled.search("한국어") == ["a.md"]


def test_a_rebuilt_index_answers_as_before(filled: "Index") -> None:
    questions = ["한국어", "제목", "beta words", '"English words"', "restart policy", "국어 문장"]
    filled.put("c.md", "---\ntitle: Zebra\n---\nspec.restartPolicy\n")
    full = filled.store.fulltext
    before = [full.match(full.analyse(question), Filters(), 10) for question in questions]
    assert all(before)
    filled.store.health.rebuild_full_text()
    assert [full.match(full.analyse(question), Filters(), 10) for question in questions] == before


def test_a_rebuild_that_fails_leaves_the_old_index(filled: "Index", monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> None:
        raise RuntimeError("stopped")

    monkeypatch.setattr(filled.store.fulltext, "put_text", fail)
    with pytest.raises(RuntimeError, match="stopped"):
        filled.store.health.rebuild_full_text()
    assert filled.search("beta") == ["b.md"]


def test_a_row_that_points_to_nothing_is_noticed(filled: "Index") -> None:
    filled.database.run("PRAGMA foreign_keys=OFF")
    filled.database.run("DELETE FROM documents WHERE workspace_path = 'b.md'")
    assert "points to nothing" in (filled.store.health.database() or "")


def test_any_damaged_page_is_a_finding_and_never_a_crash(filled: "Index", tmp_path: Path) -> None:
    for number in range(30):
        filled.put(f"{number}.md", f"# Note {number}\n\n" + f"filler 문장 {number} " * 300)
    filled.store.close()
    whole = filled.path.read_bytes()
    pages = len(whole) // PAGE_SIZE
    assert pages > 30
    broken = tmp_path / "broken.sqlite"
    crashes: dict[int, str] = {}
    silent: list[int] = []
    for page in range(pages):
        start = page * PAGE_SIZE + (100 if page == 0 else 0)
        broken.write_bytes(whole[:start] + b"\xa5" * 4000 + whole[start + 4000 :])
        for side in ("-wal", "-shm"):
            broken.with_name(broken.name + side).unlink(missing_ok=True)
        try:
            with Store.reader(broken) as reader:
                if reader.health.database() is None:
                    silent.append(page + 1)
        except KebabError:
            pass
        except Exception as error:  # noqa: BLE001 - anything else is what this test looks for
            crashes[page + 1] = repr(error)
    # Bytes of a text, and pages that are not in use, can be wrong without SQLite seeing it.
    assert len(silent) < pages // 10
    assert crashes == {}


def test_the_size_is_that_of_the_file(filled: "Index") -> None:
    filled.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    assert filled.store.health.size() == filled.path.stat().st_size
