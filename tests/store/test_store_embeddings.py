"""What becomes of the vectors of texts that come, go and come back, and of chunks that have none yet."""

import apsw
import pytest
from store_bench import Index, make, placement
from vector_bench import adopt, digest, embedded, fill, packed, put

from kebab.core.embedding import Role

TWO = "# One\n\nfirst words\n\n# Two\n\nsecond words\n"


def unused(index: Index) -> int:
    return index.store.embeddings.count_unused()


# -- with the document


def test_a_document_and_its_vectors_are_stored_together(index: Index) -> None:
    model = adopt(index)
    made = put(index, model, "a.md", TWO)
    rows = list(index.store.embeddings.table(model).rows(0))
    assert [(row.chunk_key, row.doc_key, row.role) for row in rows] == [
        (1, 1, Role.PASSAGE),
        (1, 1, Role.HEADING),
        (2, 1, Role.PASSAGE),
        (2, 1, Role.HEADING),
    ]
    first, second = made.chunks
    assert [row.packed for row in rows] == [packed(text, model) for text in (first.text, "One", second.text, "Two")]


def test_a_vector_that_cannot_be_stored_leaves_the_old_document_whole(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", "before\n")
    before = index.counts(), index.store.runs.corpus_revision(), list(index.store.embeddings.table(model).rows(0))
    made = make("a.md", "after\n")
    whole = embedded(index, model, [((), "after")])
    broken = whole._replace(fresh=dict.fromkeys(whole.fresh))
    with pytest.raises(apsw.ConstraintError):
        index.store.documents.put(made.asset, made.document, made.chunks, placement("a.md"), broken)
    after = index.counts(), index.store.runs.corpus_revision(), list(index.store.embeddings.table(model).rows(0))
    assert after == before
    assert index.search("before") == ["a.md"]


def test_while_another_model_serves_searches_its_vectors_stay_with_a_file_that_is_stored_again(index: Index) -> None:
    old, new = adopt(index), adopt(index, "newer")
    put(index, old, "a.md", TWO)
    put(index, new, "a.md", TWO)
    assert [index.store.embeddings.table(model).count() for model in (old, new)] == [4, 4]
    # A model that cannot be reached gives nothing fresh; words that are new have no vector, old ones keep theirs.
    made = make("a.md", f"{TWO}\n# Three\n\nnever seen\n")
    planned = embedded(index, new, ((chunk.heading_path, chunk.text) for chunk in made.chunks))._replace(fresh={})
    index.store.documents.put(made.asset, made.document, made.chunks, placement("a.md"), planned)
    assert [index.store.embeddings.table(model).count() for model in (old, new)] == [4, 4]
    assert [index.store.embeddings.count_unembedded(model.model_key) for model in (old, new)] == [1, 1]


def test_every_chunk_needs_its_inputs(index: Index) -> None:
    model = adopt(index)
    made = make("a.md", TWO)
    one = embedded(index, model, [(("One",), "first")])
    with pytest.raises(ValueError, match="zip"):
        index.store.documents.put(made.asset, made.document, made.chunks, placement("a.md"), one)
    assert index.counts()["documents"] == 0


def test_a_document_without_vectors_is_stored_all_the_same(index: Index) -> None:
    model = adopt(index)
    index.put("a.md", TWO)
    assert index.store.embeddings.table(model).count() == 0
    assert index.store.embeddings.count_unembedded(model.model_key) == 2


# -- a text is embedded once


def test_a_text_that_stands_in_many_places_is_stored_once(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", "# Same\n\nthe same words\n")
    put(index, model, "b.md", "# Same\n\nthe same words\n")
    assert (index.count("embeddings"), index.store.embeddings.table(model).count()) == (2, 4)


def test_what_has_a_vector_is_known_by_its_hash(index: Index) -> None:
    model, other = adopt(index), adopt(index, "other")
    put(index, model, "a.md", "words\n")
    hashes = [digest("words"), digest("others")]
    assert list(index.store.embeddings.known(model.model_key, hashes)) == [digest("words")]
    assert index.store.embeddings.known(other.model_key, hashes) == {}
    assert index.store.embeddings.known(model.model_key, []) == {}


def test_any_number_of_hashes_can_be_asked_for(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", "words\n")
    hashes = [digest(str(number)) for number in range(1700)]
    assert list(index.store.embeddings.known(model.model_key, [*hashes, digest("words")])) == [digest("words")]


# -- gone and back


def test_a_dropped_document_takes_its_records_along(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", TWO)
    put(index, model, "b.md", "other\n")
    keys = [row.record_key for row in index.store.embeddings.table(model).rows(0)]
    index.store.documents.drop("a.md")
    table = index.store.embeddings.table(model)
    assert [row.record_key for row in table.rows(0)] == keys[4:]
    assert table.removed() == keys[:4]
    assert (index.count("embeddings"), unused(index)) == (5, 4)


def test_a_vector_that_another_chunk_still_needs_stays_in_use(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", "same\n")
    put(index, model, "b.md", "same\n")
    index.store.documents.drop("a.md")
    assert unused(index) == 0
    index.store.documents.drop("b.md")
    assert unused(index) == 1


def test_a_text_that_comes_back_uses_its_vector_again(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", TWO)
    index.store.documents.drop("a.md")
    made = make("moved/a.md", TWO)
    vectors = embedded(index, model, ((chunk.heading_path, chunk.text) for chunk in made.chunks))
    assert vectors.fresh == {}
    index.store.documents.put(made.asset, made.document, made.chunks, placement("moved/a.md"), vectors)
    assert (unused(index), index.count("embeddings"), index.store.embeddings.table(model).count()) == (0, 4, 4)


def test_replacing_a_document_keeps_the_vectors_of_what_stayed(index: Index) -> None:
    model = adopt(index)
    put(index, model, "a.md", TWO)
    put(index, model, "a.md", TWO.replace("second", "third"))
    assert (index.count("embeddings"), unused(index), index.store.embeddings.table(model).count()) == (5, 1, 4)


def test_pruning_forgets_the_longest_unused_and_keeps_the_newest(index: Index) -> None:
    model = adopt(index)
    for number in range(6):
        put(index, model, f"{number}.md", f"text {number}\n")
    for number in (3, 0, 4, 1):
        index.store.documents.drop(f"{number}.md")
        marked = f"2020-01-01T00:00:0{number}Z"
        sql = "UPDATE embeddings SET unused_since = ? WHERE input_hash = ?"
        index.database.run(sql, (marked, digest(f"text {number}")))
    assert index.store.embeddings.prune(4) == 0
    assert index.store.embeddings.prune(2) == 2
    hashes = [digest(f"text {number}") for number in range(6)]
    left = index.store.embeddings.known(model.model_key, hashes)
    assert set(left) == {hashes[number] for number in (2, 3, 4, 5)}
    assert (index.store.embeddings.prune(0), unused(index)) == (2, 0)
    assert index.store.embeddings.table(model).count() == 2


# -- what is missing


def test_chunks_without_vectors_come_oldest_first(index: Index) -> None:
    model = adopt(index)
    index.put("a.md", "---\ntitle: Title\n---\n\n# One\n\nfirst\n\n# Two\n\nsecond\n")
    put(index, model, "b.md", "there already\n")
    index.put("c.md", "last\n")
    chunks = index.store.embeddings.unembedded(model.model_key, 10)
    assert [(chunk.chunk_key, chunk.title, chunk.heading_path) for chunk in chunks] == [
        (1, "Title", ("One",)),
        (2, "Title", ("Two",)),
        (4, "c", ()),
    ]
    assert chunks[2].text == "last"
    assert index.store.embeddings.unembedded(model.model_key, 2) == chunks[:2]
    assert index.store.embeddings.count_unembedded(model.model_key) == 3


def test_filling_gives_vectors_and_moves_the_revision(index: Index) -> None:
    model = adopt(index)
    index.put("a.md", TWO)
    revision = index.store.runs.corpus_revision()
    fill(index, model, index.store.embeddings.unembedded(model.model_key, 10))
    assert index.store.embeddings.count_unembedded(model.model_key) == 0
    assert index.store.embeddings.table(model).count() == 4
    assert index.store.runs.corpus_revision() == revision + 1


def test_a_chunk_that_went_meanwhile_is_left_out(index: Index) -> None:
    model = adopt(index)
    index.put("a.md", "goes\n")
    index.put("b.md", "stays\n")
    chunks = index.store.embeddings.unembedded(model.model_key, 10)
    index.store.documents.drop("a.md")
    fill(index, model, chunks)
    (row,) = index.store.embeddings.table(model).rows(0)
    assert (row.chunk_key, row.packed) == (2, packed("stays", model))
    assert index.count("embeddings") == 1


def test_filling_nothing_is_allowed(index: Index) -> None:
    fill(index, adopt(index), [])
    assert index.count("embeddings") == 0
