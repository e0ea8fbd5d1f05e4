"""Searching by meaning through the app: what is found, what is said when it cannot run, what is remembered."""

from typing import TYPE_CHECKING, Any

import pytest
from app_bench import Desk

from kebab.core.errors import InvalidInput, ModelUnreachable, NotIndexed
from kebab.core.query import Filters, Query, SearchMode
from kebab.store.store import Store
from older_index import made_older

if TYPE_CHECKING:
    from word_embedder import WordModel

HYBRID, VECTOR = SearchMode.HYBRID, SearchMode.VECTOR


def ask(text: str = "automobile", mode: SearchMode = HYBRID, **limits: Any) -> Query:
    return Query(text, mode, 10)._replace(**limits)


@pytest.fixture
def garage(desk: Desk, model: "WordModel") -> Desk:
    desk.write("car.md", "# Driving\n\nThe car is red.\n")
    desk.write("cat.md", "---\ntags: [pets]\n---\n\n# Pets\n\nThe cat sleeps.\n")
    desk.write("sea.md", "# Sailing\n\nWind and waves.\n")
    desk.ingest()
    return desk


def paths(desk: Desk, query: Query) -> list[str]:
    return [hit.doc_path for hit in desk.app().search(query).hits]


# -- found


def test_what_means_the_same_is_found_without_a_common_word(garage: Desk) -> None:
    assert garage.found("automobile") == []
    assert paths(garage, ask("automobile"))[0] == "car.md"
    assert paths(garage, ask("고양이"))[0] == "cat.md"
    assert paths(garage, ask("고양이", VECTOR))[0] == "cat.md"


def test_words_and_meaning_are_told_apart_on_every_hit(garage: Desk) -> None:
    result = garage.app().search(ask("the red automobile"))
    assert (result.mode, result.score_kind, result.embedding_model) == (HYBRID, "blend", "use-multilingual-v3")
    first = result.hits[0]
    assert (first.doc_path, first.score_kind, first.retrieval.lexical_rank) == ("car.md", "blend", 1)
    assert first.retrieval.vector_rank == 1
    assert first.score == first.retrieval.fusion_score
    by_meaning = garage.app().search(ask("automobile", VECTOR))
    assert {hit.score_kind for hit in by_meaning.hits} == {"cosine"}
    assert all(-1 <= hit.score <= 1 for hit in by_meaning.hits)


@pytest.mark.parametrize("mode", [HYBRID, VECTOR])
def test_filters_hold_for_meaning_too(garage: Desk, mode: SearchMode) -> None:
    assert paths(garage, ask("automobile", mode, filters=Filters(tags=("pets",)))) == ["cat.md"]
    assert paths(garage, ask("automobile", mode, filters=Filters(tags=("nothing",)))) == []


def test_a_model_without_measured_weights_is_joined_by_ranks(garage: Desk) -> None:
    garage.flags["models.embedding.model"] = "never-measured"
    garage.ingest()
    assert garage.app().search(ask()).score_kind == "rrf"
    garage.flags["search.blend_weight"] = 0.4
    assert garage.app().search(ask()).score_kind == "blend"
    garage.flags["search.hybrid_fusion"] = "rrf"
    assert garage.app().search(ask()).score_kind == "rrf"


def test_a_trace_shows_both_channels_and_their_fusion(garage: Desk) -> None:
    result = garage.app().search(ask("the red automobile", trace=True))
    assert result.trace is not None
    assert {each.doc_path for each in result.trace.lexical} == {"car.md"}
    assert {each.doc_path for each in result.trace.vector} == {"car.md", "cat.md", "sea.md"}
    assert [each.chunk_id for each in result.trace.fused] == [hit.chunk_id for hit in result.hits]
    assert garage.app().search(ask()).trace is None


def test_a_snippet_without_a_matching_word_shows_the_passage_that_is_nearest(desk: Desk, model: "WordModel") -> None:
    sea = "Wind and waves carry the boat along. " * 16
    desk.write("long.md", f"# Journal\n\n{sea}\n\nThe car has a red car door.\n\n{sea}\n")
    desk.ingest()
    for mode in (HYBRID, VECTOR):
        (hit,) = desk.app().search(ask("automobile", mode, snippet_chars=600)).hits
        assert "The car has a red car door." in hit.snippet
        assert not hit.snippet_full_text
    (by_words,) = desk.app().search(ask("boat", snippet_chars=60)).hits
    assert "boat" in by_words.snippet


# -- when it cannot run


def test_without_a_model_words_are_searched_and_it_is_said(garage: Desk) -> None:
    garage.flags["models.embedding.provider"] = "none"
    result = garage.app().search(ask("red"))
    assert ([hit.doc_path for hit in result.hits], result.mode) == (["car.md"], SearchMode.LEXICAL)
    assert result.degraded == "no embedding model is configured; searched by words only"
    with pytest.raises(InvalidInput, match=r"no embedding model is configured$"):
        garage.app().search(ask("red", VECTOR))


def test_an_index_without_vectors_says_what_makes_them(desk: Desk, model: "WordModel") -> None:
    desk.flags["models.embedding.provider"] = "none"
    desk.write("a.md", "zebra\n")
    desk.ingest()
    desk.flags["models.embedding.provider"] = "builtin"
    result = desk.app().search(ask("zebra"))
    assert [hit.doc_path for hit in result.hits] == ["a.md"]
    assert result.degraded == "the index holds no vectors yet; searched by words only"
    assert result.hint == "run `kebab ingest`"
    with pytest.raises(NotIndexed, match=r"holds no vectors yet$") as caught:
        desk.app().search(ask("zebra", VECTOR))
    assert caught.value.hint == "run `kebab ingest`"


def test_an_index_from_before_vectors_is_searched_by_words(
    desk: Desk, model: "WordModel", monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", "zebra\n")
    desk.flags["models.embedding.provider"] = "none"
    desk.ingest()
    made_older(desk.app().config.storage.data_dir / "kebab.sqlite", 1)
    desk.flags["models.embedding.provider"] = "builtin"
    app = desk.app()
    result = app.search(ask("zebra"))
    assert [hit.doc_path for hit in result.hits] == ["a.md"]
    assert (result.mode, result.hint) == (SearchMode.LEXICAL, "run `kebab ingest`")
    assert "no vectors yet" in (result.degraded or "")
    (listed,) = app.list_docs(Filters(), "path")
    assert listed.doc_path == "a.md"
    assert app.inspect_chunk(result.hits[0].chunk_id).embeddings == ()
    assert (app.schema().models.embedding_version, app.list_jobs()) == ("use-multilingual-v3@v1", [])
    checks = {check.name: check for check in app.doctor().checks}
    assert (checks["vectors_complete"].ok, checks["vectors_complete"].hint) == (False, "kebab ingest")
    with Store.reader(desk.index) as store:
        assert store.schema_version == 1
    desk.ingest()
    after = desk.app().search(ask("zebra"))
    assert (after.degraded, after.mode) == (None, HYBRID)
    assert len(desk.app().inspect_chunk(after.hits[0].chunk_id).embeddings) == 1


def test_a_model_that_does_not_answer_leaves_the_words(garage: Desk, model: "WordModel") -> None:
    model.failure = ModelUnreachable("nobody there", hint="start it")
    result = garage.app().search(ask("red"))
    assert [hit.doc_path for hit in result.hits] == ["car.md"]
    assert (result.degraded, result.hint) == ("nobody there; searched by words only", "start it")
    with pytest.raises(ModelUnreachable, match="nobody there"):
        garage.app().search(ask("red", VECTOR))


def test_a_model_that_cannot_be_made_leaves_the_words(garage: Desk, model: "WordModel") -> None:
    model.refusal = ModelUnreachable("no such folder")
    result = garage.app().search(ask("red"))
    assert [hit.doc_path for hit in result.hits] == ["car.md"]
    assert (result.degraded, result.hint) == ("no such folder; searched by words only", "run `kebab doctor`")


def test_what_failed_is_tried_again_the_next_time(garage: Desk, model: "WordModel") -> None:
    app = garage.app()
    model.failure = ModelUnreachable("nobody there")
    assert app.search(ask()).degraded is not None
    model.failure = None
    assert app.search(ask()).degraded is None


# -- remembered


def test_a_question_asked_again_costs_nothing_until_something_is_written(garage: Desk, model: "WordModel") -> None:
    app = garage.app()
    first = app.search(ask("고양이"))
    assert app.search(ask("고양이")) == first
    assert model.questions == ["고양이"]
    garage.write("kitten.md", "# Kittens\n\nFeline feline cat.\n")
    garage.ingest()
    assert "kitten.md" in [hit.doc_path for hit in app.search(ask("고양이")).hits]
    (garage.root / "kitten.md").unlink()
    garage.ingest()
    assert [hit.doc_path for hit in app.search(ask("고양이")).hits] == [hit.doc_path for hit in first.hits]
    assert len(model.questions) == 3


def test_what_decides_the_order_is_not_mixed_up(garage: Desk, model: "WordModel") -> None:
    app = garage.app()
    app.search(ask("고양이"))
    assert [hit.doc_path for hit in app.search(ask("고양이", filters=Filters(path_globs=("sea*",)))).hits] == ["sea.md"]
    assert app.search(ask("고양이", VECTOR)).score_kind == "cosine"
    assert app.search(ask("고양이", SearchMode.LEXICAL)).hits == ()
    assert len(app.search(ask("고양이", k=1)).hits) == 1
    assert len(app.search(ask("고양이", k=200)).hits) == 3


def test_a_file_that_changed_since_is_told_also_when_the_order_is_remembered(garage: Desk) -> None:
    app = garage.app()
    assert app.search(ask()).hits[0].freshness == "fresh"
    (garage.root / "car.md").unlink()
    assert app.search(ask()).hits[0].freshness == "missing"
