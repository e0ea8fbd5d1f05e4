"""One model's vectors as rows: never another model's, never another index's."""

from pathlib import Path

import pytest
from store_bench import Index
from vector_bench import adopt, fill, packed, put

from kebab.core.embedding import Role, VectorRow
from kebab.store import vector_table
from kebab.store.embeddings import StoredModel
from kebab.store.store import Store


def filled(index: Index, *names: str) -> list[StoredModel]:
    """Three notes with the vectors of each model, the models' rows among each other."""
    models = [adopt(index, name) for name in names]
    for number in range(3):
        index.put(f"{number}.md", f"# Heading {number}\n\ntext {number}\n")
        for model in models:
            fill(index, model, index.store.embeddings.unembedded(model.model_key, 10))
    return models


def test_rows_come_in_the_order_of_keys_after_a_given_one(index: Index) -> None:
    first, second = filled(index, "one", "two")
    rows = list(index.store.embeddings.table(first).rows(0))
    assert [row.record_key for row in rows] == [1, 2, 5, 6, 9, 10]
    assert rows[2] == VectorRow(5, 2, 2, Role.PASSAGE, packed("# Heading 1\n\ntext 1", first))
    assert list(index.store.embeddings.table(first).rows(5)) == rows[3:]
    assert list(index.store.embeddings.table(first).rows(10)) == []
    assert [row.record_key for row in index.store.embeddings.table(second).rows(0)] == [3, 4, 7, 8, 11, 12]


def test_rows_are_read_in_steps(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    (model,) = filled(index, "one")
    whole = list(index.store.embeddings.table(model).rows(0))
    for step in (1, 2, 6, 7):
        monkeypatch.setattr(vector_table, "_STEP", step)
        assert list(index.store.embeddings.table(model).rows(0)) == whole


def test_a_document_can_be_dropped_while_rows_are_read(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    (model,) = filled(index, "one")
    monkeypatch.setattr(vector_table, "_STEP", 2)
    rows = index.store.embeddings.table(model).rows(0)
    read = [next(rows), next(rows)]
    index.store.documents.drop("1.md")
    assert [row.record_key for row in [*read, *rows]] == [1, 2, 5, 6]


def test_rows_are_found_by_key_and_by_chunk(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = filled(index, "one", "two")
    table = index.store.embeddings.table(first)
    rows = {row.record_key: row for row in table.rows(0)}
    for step in (1, 5000):
        monkeypatch.setattr(vector_table, "_STEP", step)
        # 3 is another model's, 99 nobody's.
        assert sorted(table.at([10, 3, 1, 99])) == [rows[1], rows[10]]
        assert sorted(table.of_chunks([3, 2, 99])) == [rows[5], rows[6], rows[9], rows[10]]
        assert (table.at([]), table.of_chunks([])) == ([], [])


def test_what_was_removed_is_told_per_model_until_it_is_forgotten(index: Index) -> None:
    first, second = filled(index, "one", "two")
    index.store.documents.drop("1.md")
    index.store.documents.drop("0.md")
    tables = [index.store.embeddings.table(model) for model in (first, second)]
    assert [table.removed() for table in tables] == [[1, 2, 5, 6], [3, 4, 7, 8]]
    index.store.embeddings.forget_removed(first.model_key)
    assert [table.removed() for table in tables] == [[], [3, 4, 7, 8]]
    assert [table.count() for table in tables] == [2, 2]


def test_keys_grow_and_are_never_used_again(index: Index) -> None:
    model = adopt(index)
    table = index.store.embeddings.table(model)
    assert (table.last_key(), table.count()) == (0, 0)
    put(index, model, "a.md", "text\n")
    index.store.documents.drop("a.md")
    assert (table.last_key(), table.count()) == (1, 0)
    put(index, model, "a.md", "text\n")
    assert [row.record_key for row in table.rows(0)] == [2]
    index.store.embeddings.drop_all()
    again = adopt(index)
    put(index, again, "a.md", "text\n")
    assert [row.record_key for row in index.store.embeddings.table(again).rows(0)] == [3]
    assert index.store.embeddings.table(again).last_key() == 3


def test_a_table_is_named_after_its_index_and_its_model(tmp_path: Path) -> None:
    names = []
    for folder in ("one", "two"):
        path = tmp_path / folder / "kebab.sqlite"
        with Store.writer(path) as store:
            index = Index(path, store)
            models = [adopt(index), adopt(index, "other"), adopt(index, version="v2"), adopt(index, dimensions=8)]
            models.append(adopt(index, input_version="whole-v2"))
            names += [store.embeddings.table(model).table_id for model in models]
            store.embeddings.drop_all()
            names.append(store.embeddings.table(adopt(index)).table_id)
    assert len(set(names)) == 12


def test_a_table_keeps_its_name_when_the_index_is_opened_again(index: Index) -> None:
    model = adopt(index, endpoint="http://127.0.0.1:1")
    name = index.store.embeddings.table(model).table_id
    with Store.reader(index.path) as reader:
        (known,) = reader.embeddings.models()
        assert reader.embeddings.table(known).table_id == name
        assert reader.embeddings.table(known).dimensions == model.identity.dimensions
    moved = adopt(index, endpoint="http://127.0.0.1:2")
    assert index.store.embeddings.table(moved).table_id == name
