"""Which embedding models the index knows, and which of them searches use."""

import pytest
from store_bench import Index
from vector_bench import adopt, fill, put, settings

TWO = "# One\n\nfirst words\n\n# Two\n\nsecond words\n"


def test_the_first_model_is_active_and_the_next_waits(index: Index) -> None:
    embeddings = index.store.embeddings
    assert embeddings.active() is None
    first = adopt(index)
    second = adopt(index, "other")
    assert [embeddings.active(), embeddings.models()] == [first, [first, second]]
    assert first.identity == settings().identity()


def test_a_model_is_adopted_once_and_its_address_may_move(index: Index) -> None:
    first = adopt(index, endpoint="http://127.0.0.1:1")
    again = adopt(index, endpoint="http://127.0.0.1:2", batch_size=7)
    assert again.model_key == first.model_key
    (stored,) = index.store.embeddings.models()
    assert (stored.settings.endpoint, stored.settings.batch_size) == ("http://127.0.0.1:2", 7)


@pytest.mark.parametrize("change", [{"version": "v2"}, {"dimensions": 8}, {"provider": "else"}, {"model": "else"}])
def test_another_identity_is_another_model(index: Index, change: dict[str, object]) -> None:
    first = adopt(index)
    second = index.store.embeddings.adopt(settings()._replace(**change), "whole-v1")  # type: ignore[arg-type]
    assert first.model_key != second.model_key


def test_texts_cut_in_another_way_are_another_model(index: Index) -> None:
    assert adopt(index).model_key != adopt(index, input_version="whole-v2").model_key


def test_activating_drops_the_others_and_names_their_tables(index: Index) -> None:
    first, second = adopt(index), adopt(index, "other")
    put(index, first, "a.md", TWO)
    table = index.store.embeddings.table(first).table_id
    revision = index.store.runs.corpus_revision()
    fill(index, second, index.store.embeddings.unembedded(second.model_key, 10))
    assert index.store.embeddings.activate(second.model_key, keep_others=False) == [table]
    assert index.store.embeddings.models() == [second]
    assert index.store.embeddings.active() == second
    assert (index.count("embeddings"), index.count("embedding_records"), index.count("removed_records")) == (4, 4, 0)
    assert index.store.runs.corpus_revision() == revision + 2
    assert index.store.embeddings.activate(second.model_key, keep_others=False) == []
    assert index.store.runs.corpus_revision() == revision + 2


def test_activating_can_keep_the_others(index: Index) -> None:
    first, second = adopt(index), adopt(index, "other")
    put(index, first, "a.md", TWO)
    assert index.store.embeddings.activate(second.model_key, keep_others=True) == []
    assert index.store.embeddings.active() == second
    assert index.store.embeddings.table(first).count() == 4
    assert index.store.embeddings.activate(first.model_key, keep_others=True) == []
    assert index.store.embeddings.active() == first


def test_dropping_all_leaves_the_documents(index: Index) -> None:
    first, second = adopt(index), adopt(index, "other")
    put(index, first, "a.md", TWO)
    fill(index, second, index.store.embeddings.unembedded(second.model_key, 10))
    documents = index.counts()
    assert index.store.embeddings.drop_all() == 8
    assert (index.store.embeddings.models(), index.store.embeddings.active()) == ([], None)
    tables = "embeddings embedding_records removed_records embedding_models".split()
    assert [index.count(table) for table in tables] == [0, 0, 0, 0]
    assert index.counts() == documents
    assert adopt(index).model_key > second.model_key


def test_the_models_of_a_chunk_are_those_with_vectors_of_it(index: Index) -> None:
    first, second = adopt(index), adopt(index, "other")
    made = put(index, first, "a.md", TWO)
    one, two = made.chunks
    fill(index, second, index.store.embeddings.unembedded(second.model_key, 1))
    assert index.store.embeddings.of_chunk(one.chunk_id) == [first, second]
    assert index.store.embeddings.of_chunk(two.chunk_id) == [first]
    assert index.store.embeddings.of_chunk("0" * 32) == []
