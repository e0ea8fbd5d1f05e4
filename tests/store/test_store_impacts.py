"""A large index with the kept scores of its common words finds what FTS5 alone finds, whatever happens to the file."""

import os
import random
import stat
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_bench import Index

from kebab.core.errors import RetrievalError
from kebab.core.query import Filters
from kebab.store import fulltext, fulltext_impacts, fulltext_keeping
from kebab.store.store import Store

WORDS = "zebra crossing log write ahead relational restorePolicy foo_bar foo 얼룩말 초원에서 데이터를 東京 東 c".split()
NEWEST = "SELECT max(chunk_key) FROM chunks"
EVERYTHING = Filters()
QUESTIONS = st.lists(st.sampled_from([*WORDS, "unheard", "logs", "the"]), min_size=1, max_size=6)
FILTERS = st.sampled_from(
    [Filters(), Filters(tags=("a",)), Filters(path_globs=("1*",)), Filters(langs=("ko",)), Filters(tags=("none",))]
)


@pytest.fixture(autouse=True)
def every_index_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fulltext, "_LARGE", 1)
    monkeypatch.setattr(fulltext_keeping, "_LEAST", 3)
    monkeypatch.setattr(fulltext_keeping, "_LEAST_SHARE", 0.0)


def note(number: int, chance: random.Random) -> str:
    weights = [1 / (place + 1) for place in range(len(WORDS))]
    chance.shuffle(weights)
    body = " ".join(chance.choices(WORDS, weights, k=chance.randint(1, 30)))
    tag = "tags: [a]\n" if number % 3 == 0 else ""
    return f"---\n{tag}lang: {'ko' if number % 2 else 'en'}\n---\n# {chance.choice(WORDS)}\n\n{body}\n"


def filled(path: Path) -> Iterator[Index]:
    chance = random.Random(7)
    with Store.writer(path) as store:
        index = Index(path, store)
        for number in range(60):
            index.put(f"{number}.md", note(number, chance))
        yield index


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fulltext, "_LARGE", 1)
        patch.setattr(fulltext_keeping, "_LEAST", 3)
        patch.setattr(fulltext_keeping, "_LEAST_SHARE", 0.0)
        for index in filled(tmp_path_factory.mktemp("impacts") / "kebab.sqlite"):
            index.store.fulltext.follow()
            yield index


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Index]:
    for index in filled(tmp_path / "kebab.sqlite"):
        index.store.fulltext.follow()
        yield index


def kept(index: Index) -> Path:
    return index.path.with_name(index.path.name + fulltext_impacts.SUFFIX)


def matched(index: Index, question: str, filters: Filters = EVERYTHING, limit: int = 1000) -> dict[int, float]:
    words = index.store.fulltext
    return {found.chunk_key: found.score for found in words.match(words.analyse(question), filters, limit)}


def by_fts5(index: Index, question: str, filters: Filters = EVERYTHING, limit: int = 1000) -> dict[int, float]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fulltext, "_LARGE", 10**9)
        return matched(index, question, filters, limit)


def uses_kept_scores(index: Index) -> bool:
    words = index.store.fulltext
    return words._whole(words.analyse("zebra")) is not None


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(QUESTIONS.map(" ".join), FILTERS)
def test_scores_are_those_of_fts5(corpus: Index, question: str, filters: Filters) -> None:
    assert uses_kept_scores(corpus)
    assert matched(corpus, question, filters) == pytest.approx(by_fts5(corpus, question, filters), rel=1e-3, abs=1e-4)


def test_words_that_are_not_kept_are_asked_of_fts5(corpus: Index) -> None:
    words = sum(1 for _ in apsw.Connection(str(kept(corpus))).execute("SELECT 1 FROM impacts"))
    assert words > 0
    assert matched(corpus, "foo_bar 東") == pytest.approx(by_fts5(corpus, "foo_bar 東"), rel=1e-3)


def test_the_best_few_are_the_best_of_all_with_their_equals(corpus: Index) -> None:
    everything = matched(corpus, "zebra log")
    few = matched(corpus, "zebra log", limit=5)
    assert list(few) == list(everything)[:5]


def test_given_chunks_have_the_score_they_are_found_with(corpus: Index) -> None:
    words = corpus.store.fulltext
    everything = matched(corpus, "zebra 얼룩말")
    assert words.score(words.analyse("zebra 얼룩말"), [*everything, 10**6]) == everything


def test_phrases_are_left_to_fts5(corpus: Index) -> None:
    assert matched(corpus, '"write ahead"') == by_fts5(corpus, '"write ahead"')


def test_what_was_written_since_is_found_with_its_score(own: Index) -> None:
    own.put("new.md", "# Zebra\n\nzebra zebra log\n")
    assert uses_kept_scores(own)
    found, expected, newest = matched(own, "zebra log"), by_fts5(own, "zebra log"), own.database.scalar(NEWEST)
    assert found.keys() == expected.keys()
    assert found[newest] == pytest.approx(expected[newest])


def test_what_was_removed_since_is_not_found(own: Index) -> None:
    best = next(iter(matched(own, "zebra log", limit=3)))
    path = own.database.scalar(
        "SELECT workspace_path FROM documents JOIN chunks USING (doc_key) WHERE chunk_key = ?", (best,)
    )
    own.store.documents.drop(path)
    assert uses_kept_scores(own)
    found = matched(own, "zebra log", limit=3)
    assert best not in found
    assert len(found) == 3


def test_an_index_that_changed_much_goes_without_until_the_file_is_made_anew(own: Index) -> None:
    before = kept(own).read_bytes()
    for number in range(20):
        own.put(f"more{number}.md", f"zebra number {number}\n")
    assert not uses_kept_scores(own)
    own.store.fulltext.follow()
    assert kept(own).read_bytes() != before
    own.put("one more.md", "zebra\n")
    assert uses_kept_scores(own)


def test_a_file_that_is_fresh_is_left_alone(own: Index) -> None:
    before = kept(own).stat().st_mtime_ns, kept(own).stat().st_ino
    own.store.fulltext.follow()
    assert (kept(own).stat().st_mtime_ns, kept(own).stat().st_ino) == before


def test_an_index_that_became_small_has_no_file(own: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fulltext, "_LARGE", 1000)
    own.store.fulltext.follow()
    assert not kept(own).exists()


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_the_file_is_readable_by_its_owner_only_and_leaves_no_draft(own: Index) -> None:
    assert stat.S_IMODE(kept(own).stat().st_mode) == 0o600
    assert sorted(path.name for path in kept(own).parent.glob("*.draft")) == []


def test_what_a_killed_process_left_is_swept(own: Index) -> None:
    left = kept(own).with_name(kept(own).name + ".1.draft")
    left.write_bytes(b"half")
    kept(own).unlink()
    own.store.fulltext.follow()
    assert not left.exists()
    assert uses_kept_scores(own)


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0" + bytes(500), b"not a database" * 100])
def test_a_file_that_is_no_index_costs_no_result(own: Index, damage: bytes) -> None:
    expected = by_fts5(own, "zebra log 얼룩말")
    kept(own).write_bytes(damage)
    assert not uses_kept_scores(own)
    assert matched(own, "zebra log 얼룩말") == pytest.approx(expected)


def test_a_file_of_another_index_is_not_used(own: Index, corpus: Index) -> None:
    kept(own).write_bytes(kept(corpus).read_bytes())
    assert not uses_kept_scores(own)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE impacts SET keys = CAST(x'0000' || substr(keys, 3) AS BLOB)",
        "UPDATE impacts SET keys = x'ffff' || substr(keys, 3)",
        "UPDATE impacts SET keys = substr(keys, 2)",
        "UPDATE impacts SET scores = x''",
        "UPDATE impacts SET step = -1.0",
        "UPDATE impacts SET step = 9e99",
        "UPDATE impacts SET step = 'wide', keys = 7",
        "DROP TABLE impacts",
    ],
)
def test_damaged_lists_are_asked_of_fts5(own: Index, harm: str) -> None:
    expected = by_fts5(own, "zebra log 얼룩말")
    connection = apsw.Connection(str(kept(own)))
    connection.execute(harm)
    connection.close()
    assert uses_kept_scores(own)
    assert matched(own, "zebra log 얼룩말") == pytest.approx(expected)


def test_a_folder_that_cannot_be_written_is_no_failure(own: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(own).unlink()
    monkeypatch.setattr(fulltext_keeping, "path_beside", lambda _: own.path.parent / "missing" / "file")
    own.store.fulltext.follow()
    assert not uses_kept_scores(own)


def test_an_index_whose_keys_are_mostly_gone_is_left_to_fts5(own: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fulltext_impacts, "_FEW_KEYS", 100)
    monkeypatch.setattr(fulltext_impacts, "_WORN_OUT", 1000.0)
    assert uses_kept_scores(own)
    own.database.run("UPDATE sqlite_sequence SET seq = 500 WHERE name = 'chunks'")
    own.put("far.md", "zebra\n")
    assert not uses_kept_scores(own)


def test_a_full_text_with_rows_the_index_never_had_is_no_failure(own: Index) -> None:
    expected = matched(own, "unheard zebra")
    own.database.run("INSERT INTO chunks_fts(rowid, heading, text, parts) VALUES (9000, '', 'unheard', '')")
    own.put("any.md", "other\n")
    assert matched(own, "unheard zebra").keys() == expected.keys()


def test_a_full_text_that_cannot_be_read_says_what_helps(own: Index) -> None:
    own.database.run("DELETE FROM chunks_fts_data WHERE id > 10")
    with pytest.raises(RetrievalError) as caught:
        matched(own, "foo_bar")
    assert caught.value.hint == "run `kebab doctor --repair`"


def test_keys_far_apart_are_kept_as_they_are(tmp_path: Path) -> None:
    for index in filled(tmp_path / "kebab.sqlite"):
        index.database.run("UPDATE sqlite_sequence SET seq = 500000 WHERE name = 'chunks'")
        for number in range(3):
            index.put(f"far{number}.md", "zebra log far\n")
        index.store.fulltext.follow()
        assert matched(index, "zebra far") == pytest.approx(by_fts5(index, "zebra far"), rel=1e-3, abs=1e-4)
