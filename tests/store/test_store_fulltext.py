import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_bench import Index

from kebab.core.chunk import ChunkPolicy
from kebab.core.errors import RetrievalError
from kebab.core.query import Filters
from kebab.store import fulltext
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.core.query import Candidate


def match(index: Index, question: str, limit: int = 10, filters: Filters | None = None) -> "list[Candidate]":
    full = index.store.fulltext
    return full.match(full.analyse(question), filters or Filters(), limit)


def marked(index: Index, text: str, question: str) -> list[str]:
    full = index.store.fulltext
    return [text[start:end] for start, end in full.locate(text, full.analyse(question))]


# -- finding


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("chunking", "The chunker chunks; chunked text."),
        ("CAFE", "a café"),
        ("café", "a cafe"),
        ("C++", "Templates in C++ are hard."),
        ("what's new", "What's new in this release"),
        ("foo-bar", "use foo-bar here"),
        ("foo-bar", "use foo_bar here"),
        ("snake case name", "call snake_case_name()"),
        ("snake_case_name", "call snake_case_name()"),
        ("restart policy", "spec.restartPolicy: Always"),
        ("restartPolicy", "spec.restartPolicy: Always"),
        ("policy", "spec.restartPolicy: Always"),
        ("server", "class HTTPServer:"),
        ("json decoder", "class JSONDecoder:"),
        ("데이터베이스", "데이터베이스를 설계했다."),
        ("데이터베이스는 어떻게 설계하나요?", "좋은 데이터베이스를 설계하는 법"),
        ("서울", "서울에서 만났다."),
        ("책", "책을 읽었다."),
        ("KBS 뉴스", "KBS뉴스를 보았다."),
        ("3단계", "3단계로 나눈다."),
        ("3.14", "Pi is 3.14 or so."),
        ("example.org", "see https://example.org/path"),
        ("the user's home", "in the users home"),
        ("東京", "私は東京都に行く"),
        ("検索", "全文検索エンジン"),
        ("全文检索", "中文全文检索系统"),
        ("カタカナ", "これはカタカナです"),
        ("2024", "2024년 회의"),
        ("naïve Bayes", "naive bayes classifier"),
        ("한글 notes", "mixed 한글 and notes"),
    ],
)
def test_a_question_finds_the_text(index: Index, question: str, text: str) -> None:
    index.put("yes.md", f"{text}\n")
    index.put("no.md", "Nothing of the kind, 다른 이야기.\n")
    assert index.search(question)[:1] == ["yes.md"]


def test_one_missing_word_does_not_empty_the_result(index: Index) -> None:
    index.put("a.md", "The heading boundary comes first.\n")
    index.put("b.md", "Only a boundary here.\n")
    assert index.search("heading boundary zebra") == ["a.md", "b.md"]
    assert set(index.search("제목 경계 boundary")) == {"a.md", "b.md"}
    assert index.search("zebra") == []


def test_all_words_together_come_before_some_of_them(index: Index) -> None:
    for number in range(20):
        index.put(f"{number}.md", f"filler number {number} of many\n")
    index.put("some.md", "alpha stands in this sentence twice, alpha\n")
    index.put("all.md", "alpha stands in this sentence with a beta\n")
    assert index.search("alpha beta") == ["all.md", "some.md"]


def test_a_heading_weighs_more_than_text(index: Index) -> None:
    index.put("text.md", "# Other\n\nzebra\n")
    index.put("head.md", "# Zebra\n\nother\n")
    assert index.search("zebra") == ["head.md", "text.md"]


def test_the_title_finds_every_chunk_of_a_document(index: Index) -> None:
    index.put("a.md", "---\ntitle: Zebra guide\n---\n\n# One\n\nfirst\n\n# Two\n\nsecond\n")
    assert len(match(index, "zebra")) == 2


def test_a_phrase_stays_a_phrase(index: Index) -> None:
    index.put("yes.md", "the heading boundary rule\n")
    index.put("no.md", "boundary of a heading; heading without boundary\n")
    assert index.search('"heading boundary"') == ["yes.md"]
    assert index.search('"boundary heading"') == []
    assert set(index.search("heading boundary")) == {"yes.md", "no.md"}


def test_a_korean_phrase_stays_a_phrase_across_particles(index: Index) -> None:
    index.put("yes.md", "우리는 데이터베이스를 설계했다.\n")
    index.put("no.md", "설계가 끝난 뒤에 데이터베이스가 느려졌다.\n")
    assert index.search('"데이터베이스 설계"') == ["yes.md"]
    assert index.search('"데이터베이스를 설계"') == ["yes.md"]


def test_a_phrase_is_required_and_words_only_help(index: Index) -> None:
    index.put("yes.md", "the heading boundary rule\n")
    index.put("best.md", "the heading boundary rule about zebras\n")
    index.put("no.md", "zebras without it\n")
    assert index.search('"heading boundary" zebra') == ["best.md", "yes.md"]


def test_a_phrase_of_stop_words_is_found(index: Index) -> None:
    index.put("yes.md", "To be, or not to be, that is the question.\n")
    index.put("no.md", "Not to be found.\n")
    assert index.search('"to be or not to be"') == ["yes.md"]


@pytest.mark.parametrize(
    "syntax", ["alpha*", "^alpha", "text:alpha", "NEAR(alpha beta)", "alpha AND", "-alpha", "{text}: alpha"]
)
def test_query_syntax_is_only_words(index: Index, syntax: str) -> None:
    index.put("a.md", "alpha\n")
    index.put("b.md", "alphabet\n")
    assert "b.md" not in index.search(syntax)
    assert index.search(syntax) == ["a.md"]


def test_unicode_forms_do_not_matter(index: Index) -> None:
    index.put("nfc.md", "한국어 형태소 분석 café\n")
    index.put("nfd.md", unicodedata.normalize("NFD", "한국어 형태소 분석 café") + "\n")
    for question in ("형태소", "café"):
        for form in ("NFC", "NFD"):
            assert set(index.search(unicodedata.normalize(form, question))) == {"nfc.md", "nfd.md"}


def test_syllable_pairs_find_what_the_dictionary_cuts_badly(index: Index) -> None:
    index.put("a.md", "갤럭시북프로\n")
    index.put("b.md", "다른 이야기.\n")
    question = index.store.fulltext.analyse("시북프")
    assert not set(question.terms) & set(index.store.fulltext.analyser.stream("갤럭시북프로").split())
    assert index.search("시북프") == ["a.md"]


def test_without_a_dictionary_korean_is_still_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.store.analyse.find_spec", lambda name: None)
    path = tmp_path / "kebab.sqlite"
    with Store.writer(path) as store:
        index = Index(path, store)
        index.put("a.md", "데이터베이스를 설계했다.\n")
        index.put("b.md", "서울에서 친구를 만났다.\n")
        assert index.search("데이터베이스") == ["a.md"]
        assert index.search("서울은 어디인가") == ["b.md"]
        assert index.search("친구 만나") == ["b.md"]
        assert marked(index, "데이터베이스를 설계했다.", "데이터베이스") == ["데이터베이스"]


def test_ten_thousand_words_can_be_asked(index: Index) -> None:
    index.put("a.md", "word3 alone\n")
    question = " ".join(f"word{number}" for number in range(10_000))
    assert index.search(question) == ["a.md"]


# -- ranking


def test_filters_apply_before_ranking(index: Index) -> None:
    for number in range(499):
        index.put(f"many/{number}.md", "zebra zebra zebra\n")
    index.put("one/last.md", "a zebra in a long text where it hardly counts, among many many other words\n")
    assert "one/last.md" not in index.search("zebra", limit=100)
    assert index.search("zebra", limit=1, filters=Filters(path_globs=("one/*",))) == ["one/last.md"]


def test_the_order_is_deterministic(index: Index) -> None:
    for number in range(20):
        index.put(f"{number}.md", "the very same zebra text\n")
    first = match(index, "zebra text")
    assert match(index, "zebra text") == first
    assert [candidate.chunk_key for candidate in first] == sorted(candidate.chunk_key for candidate in first)


def test_which_of_many_equals_are_found_does_not_tell_how_the_index_came_to_be(tmp_path: Path) -> None:
    """Notes made from a template match by the hundred with one score, and a search looks at a hundred candidates."""
    names = [f"{number:03d}.md" for number in range(120)]
    found = []
    for order in (names, names[::-1]):
        path = tmp_path / order[0] / "kebab.sqlite"
        with Store.writer(path) as store:
            index = Index(path, store)
            for name in order:
                index.put(name, "---\ntitle: Daily\n---\nzebra tasks\n")
            found.append(index.search("zebra", limit=100)[:10])
    assert found[0] == found[1] == names[:10]


def test_scores_are_positive_and_fall(index: Index) -> None:
    for number in range(8):
        index.put(f"{number}.md", f"{'zebra ' * (number + 1)}{'filler ' * 20} 얼룩말 초원\n")
    for question in ("zebra", "얼룩말 zebra"):
        scores = [candidate.score for candidate in match(index, question)]
        assert len(scores) == 8
        assert scores == sorted(scores, reverse=True)
        assert all(score > 0 for score in scores)


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_no_more_than_the_limit(index: Index, limit: int) -> None:
    for number in range(10):
        index.put(f"{number}.md", f"zebra 얼룩말 {number}\n")
    assert len(match(index, "zebra 얼룩말", limit)) == min(limit, 10)


def test_very_frequent_words_are_left_out_once_rarer_ones_are_there(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        index.put(f"{number}.md", f"common meetings {'rare' if number == 7 else ''}\n")
    assert len(match(index, "common rare")) == 10
    monkeypatch.setattr(fulltext, "_COMMON_FLOOR", 5)
    with Store.reader(index.path) as reader:
        small = Index(index.path, reader)
        assert small.search("common rare") == ["7.md"]
        assert small.search("meeting rare") == ["7.md"]
        assert len(match(small, "common")) == 10
        assert len(match(small, "common zebra")) == 10


# -- places


@pytest.mark.parametrize(
    ("text", "question", "words"),
    [
        ("Chunking: the chunker chunks chunked text", "chunk", ["Chunking", "chunks", "chunked"]),
        ("We met in Seoul. Seoul!", "seoul", ["Seoul", "Seoul"]),
        ("café CAFE", "cafe", ["café", "CAFE"]),
        ("서울에서 친구를 만났다", "서울", ["서울"]),
        ("서울에서 친구를 만났다", "친구는 누구?", ["친구"]),
        ("mixed 서울 and Seoul", "서울 seoul", ["서울", "Seoul"]),
        ("\U0001f600 emoji before words", "words", ["words"]),
        ("東京都に行く", "東京都", ["東京都"]),
        ("call snake_case_name now", "snake_case_name", ["snake", "case", "name"]),
        ("nothing here", "zebra", []),
        ("", "zebra", []),
        ('say "exact words" here', '"exact words"', ["exact", "words"]),
    ],
)
def test_the_words_of_a_question_are_found_in_the_text(
    index: Index, text: str, question: str, words: list[str]
) -> None:
    assert marked(index, text, question) == words


pieces = st.lists(
    st.sampled_from(
        ["seoul", "Seoul's", "서울에서", "서울", "東京都", "\U0001f600", "é", "chunking", "\n", "-", "\x00", "가"]
    ),
    max_size=15,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces.map(" ".join), st.sampled_from(["seoul", "서울은 어디", "東京 chunk", "seoul 서울 東京 chunks é"]))
def test_places_are_inside_the_text_in_order_and_apart(index: Index, text: str, question: str) -> None:
    full = index.store.fulltext
    ranges = full.locate(text, full.analyse(question))
    edges = [edge for pair in ranges for edge in pair]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in ranges)
    assert all(text[start:end].strip() == text[start:end] for start, end in ranges)


def test_what_matches_can_be_shown(index: Index) -> None:
    """A hit without a marked word would leave the reader wondering why it is there."""
    text = "형태소 분석기를 바꾸었더니 chunking results improved."
    index.put("a.md", f"{text}\n", policy=ChunkPolicy())
    for question in ("분석기", "바꾸다 형태소", "result", "improve the chunks"):
        assert index.search(question) == ["a.md"]
        assert marked(index, text, question)


def test_a_damaged_index_says_so(index: Index) -> None:
    index.put("a.md", "alpha\n")
    index.database.run("DELETE FROM chunks_fts_data")
    with pytest.raises(RetrievalError) as caught:
        match(index, "alpha")
    assert "doctor" in (caught.value.hint or "")
