"""What the full-text channel says of chunks another channel found, and the score that no chunk exceeds."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_bench import Index

from kebab.core.query import AnalysedQuery, Filters
from kebab.store import fulltext
from kebab.store.store import Store

WORDS = (
    "zebra crossing log write ahead the of restorePolicy foo_bar foo bar 얼룩말 초원에서 데이터베이스를 東京 c".split()
)
QUESTIONS = st.lists(
    st.sampled_from([*WORDS, '"write ahead"', '"foo bar" ', "unheard", '"얼룩말 초원"', "log's"]), max_size=7
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Sixty notes of few words, so that questions meet words of every frequency, alone and together."""
    path = tmp_path_factory.mktemp("scores") / "kebab.sqlite"
    chance = random.Random(7)
    with Store.writer(path) as store:
        index = Index(path, store)
        for number in range(60):
            weights = [1 / (place + 1) for place in range(len(WORDS))]
            chance.shuffle(weights)
            body = " ".join(chance.choices(WORDS, weights, k=chance.randint(1, 30)))
            index.put(f"{number}.md", f"# {chance.choice(WORDS)}\n\n{body}\n")
        yield index


def analysed(index: Index, question: str) -> AnalysedQuery:
    return index.store.fulltext.analyse(question)


def matched(index: Index, query: AnalysedQuery) -> dict[int, float]:
    return {found.chunk_key: found.score for found in index.store.fulltext.match(query, Filters(), 1000)}


def every_key(index: Index) -> list[int]:
    return [key for (key,) in index.database.rows("SELECT chunk_key FROM chunks ORDER BY chunk_key")]


# -- scores of given chunks


@settings(max_examples=150, deadline=None)
@given(QUESTIONS.map(" ".join))
def test_a_chunk_has_the_same_score_whichever_channel_found_it(corpus: Index, question: str) -> None:
    query = analysed(corpus, question)
    assert corpus.store.fulltext.score(query, every_key(corpus)) == pytest.approx(matched(corpus, query))


@settings(max_examples=50, deadline=None)
@given(QUESTIONS.map(" ".join), st.randoms(use_true_random=False))
def test_a_score_does_not_depend_on_what_else_is_asked_for(corpus: Index, question: str, chance: random.Random) -> None:
    query, keys = analysed(corpus, question), every_key(corpus)
    everything = corpus.store.fulltext.score(query, keys)
    some = chance.sample(keys, chance.randint(1, 10))
    assert corpus.store.fulltext.score(query, some) == {key: everything[key] for key in some if key in everything}


def test_a_phrase_counts_once(index: Index) -> None:
    for number in range(9):
        index.put(f"{number}.md", f"filler {number}\n")
    index.put("a.md", "the write ahead log\n")
    (score,) = matched(index, analysed(index, '"write ahead"')).values()
    (with_words,) = matched(index, analysed(index, '"write ahead" unheard')).values()
    (asked,) = index.store.fulltext.score(analysed(index, '"write ahead" unheard'), every_key(index)).values()
    assert score == pytest.approx(with_words)
    assert asked == pytest.approx(score)


def test_leaving_out_frequent_words_costs_a_chunk_with_all_of_them_nothing(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fulltext, "_COMMON_FLOOR", 5)
    monkeypatch.setattr(fulltext, "_COMMON_SHARE", 0.3)
    for number in range(20):
        index.put(f"{number}.md", f"{'common' if number < 8 else 'other'} {'rare' if number == 7 else ''} {number}\n")
    query = analysed(index, "common rare")
    found = matched(index, query)
    assert found == pytest.approx(index.store.fulltext.score(query, every_key(index)))
    assert found[8] > matched(index, analysed(index, "rare"))[8]


def test_no_chunks_have_no_scores(corpus: Index) -> None:
    assert corpus.store.fulltext.score(analysed(corpus, "zebra"), []) == {}
    assert corpus.store.fulltext.score(AnalysedQuery((), (), ()), every_key(corpus)) == {}


def test_chunks_without_a_word_of_the_question_are_left_out(index: Index) -> None:
    index.put("a.md", "alpha\n")
    index.put("b.md", "beta\n")
    assert list(index.store.fulltext.score(analysed(index, "beta"), every_key(index))) == [2]


# -- the ceiling


@settings(max_examples=200, deadline=None)
@given(QUESTIONS.map(" ".join))
def test_no_chunk_exceeds_the_ceiling(corpus: Index, question: str) -> None:
    query = analysed(corpus, question)
    ceiling = corpus.store.fulltext.ceiling(query)
    assert all(score <= ceiling for score in matched(corpus, query._replace(grams=())).values())


@pytest.mark.parametrize("question", ["foo_bar", '"foo bar"', '"foo bar" unheard', "東", "the of"])
def test_what_is_written_over_and_over_comes_near_the_ceiling_and_not_above(index: Index, question: str) -> None:
    for number in range(6):
        index.put(f"{number}.md", "foo, and then also a bar\n")
        index.put(f"f{number}.md", f"filler {number}\n")
    index.put("most.md", f"# foo_bar\n\n{'foo_bar ' * 50} {'東京 ' * 50} {'the of ' * 50}\n")
    query = analysed(index, question)
    assert 0 < max(matched(index, query._replace(grams=())).values()) <= index.store.fulltext.ceiling(query)


def test_unknown_words_raise_the_ceiling_more_than_known_ones(corpus: Index) -> None:
    full = corpus.store.fulltext
    alone = full.ceiling(analysed(corpus, "zebra"))
    known = full.ceiling(analysed(corpus, "zebra log"))
    unknown = full.ceiling(analysed(corpus, "zebra unheard"))
    assert alone < known < unknown
    assert full.ceiling(analysed(corpus, "zebra unheard neverseen")) - unknown == pytest.approx(unknown - alone)


def test_a_question_in_another_language_reaches_a_small_share_of_its_ceiling(index: Index) -> None:
    for number in range(20):
        index.put(f"{number}.md", f"restore the nightly backup of host number {number}\n")
    full = index.store.fulltext
    same, other = analysed(index, "restore backup host 7"), analysed(index, "백업을 복원하는 방법 host 7")
    share = [max(matched(index, query).values()) / full.ceiling(query) for query in (same, other)]
    assert share[0] > 2 * share[1]


def test_a_question_without_words_has_no_ceiling(corpus: Index) -> None:
    assert corpus.store.fulltext.ceiling(AnalysedQuery((), (), ())) == 0


def test_the_count_of_chunks_follows_what_is_written(tmp_path: Path) -> None:
    """A reader that stays open must not go on with the count of an index that has grown since."""
    path = tmp_path / "kebab.sqlite"
    with Store.writer(path) as store:
        index = Index(path, store)
        index.put("a.md", "alpha\n")
        with Store.reader(path) as reader:
            before = reader.fulltext.ceiling(reader.fulltext.analyse("unheard"))
            for number in range(20):
                index.put(f"{number}.md", "filler\n")
            after = reader.fulltext.ceiling(reader.fulltext.analyse("unheard"))
            assert after > before
            for number in range(20):
                index.store.documents.drop(f"{number}.md")
            assert reader.fulltext.ceiling(reader.fulltext.analyse("unheard")) == before
