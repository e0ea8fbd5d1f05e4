import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kebab.core.query import AnalysedQuery, Filters
from kebab.store.analyse import FALLBACK_VERSION, VERSION, KoreanAnalyser, identifier_parts, pairs
from kebab.store.fulltext import MAX_TERMS

if TYPE_CHECKING:
    from store_bench import Index


def analyse(index: "Index", question: str) -> AnalysedQuery:
    return index.store.fulltext.analyse(question)


# -- questions


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the heading boundary?", ("heading", "boundary")),
        ("Please explain how chunking works", ("chunking", "works")),
        ("what's new", ("new",)),
        ("foo-bar", ("foo", "bar")),
        ("C++", ("c",)),
        ("snake_case_name", ("snake_case_name",)),
        ("restartPolicy", ("restartpolicy",)),
        ("Same same SAME", ("same",)),
        ("NEAR(a b, 5) OR col:x^2 NOT y*", ("near", "b", "5", "col", "x", "2", "y")),
        ('unbalanced " quote', ("unbalanced", "quote")),
        ("a\x00b nul", ("b", "nul")),
        ("smile \U0001f600 please", ("smile",)),
        ("Ünïcode café", ("ünïcode", "café")),
    ],
)
def test_a_question_becomes_its_informative_words(index: "Index", question: str, terms: tuple[str, ...]) -> None:
    found = analyse(index, question)
    assert (found.terms, found.phrases) == (terms, ())


@pytest.mark.parametrize(
    ("question", "terms"),
    [("to be or not to be", ("to", "be", "or", "not")), ("what is it", ("what", "is", "it")), ("무엇", ("무엇",))],
)
def test_stop_words_stay_when_there_is_nothing_else(index: "Index", question: str, terms: tuple[str, ...]) -> None:
    assert analyse(index, question).terms == terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("서울은 어디에 있나요?", ("서울",)),
        ("회의록을 누가 작성했나요?", ("회의", "록", "작성")),
        ("데이터베이스를 어떻게 설계하나요?", ("데이터", "베이스", "설계")),
    ],
)
def test_korean_question_words_and_particles_are_dropped(index: "Index", question: str, terms: tuple[str, ...]) -> None:
    assert analyse(index, question).terms == terms


def test_hangul_also_gives_syllable_pairs(index: "Index") -> None:
    assert analyse(index, "서울에서 만나").grams == ("서울", "울에", "에서", "만나")
    assert analyse(index, "English only").grams == ()


def test_other_cjk_is_cut_into_pairs(index: "Index") -> None:
    assert analyse(index, "東京都").terms == ("東京", "京都")
    assert analyse(index, "ひらがな").terms == ("ひら", "らが", "がな")
    assert analyse(index, "中").terms == ("中",)


def test_a_quoted_phrase_is_kept_apart(index: "Index") -> None:
    assert analyse(index, '"heading boundary" rules') == (("rules",), ("heading boundary",), ())
    assert analyse(index, '"to be or not to be"') == ((), ("to be or not to be",), ())
    assert analyse(index, '"what is" the') == ((), ("what is",), ())
    assert analyse(index, '"" empty') == (("empty",), (), ())
    assert analyse(index, '"!?" marks') == (("marks",), (), ())


@pytest.mark.parametrize("question", ["", "   ", "!?", "\x00", "\U0001f600", '""', "***", "\u200b", "\ud800"])
def test_what_holds_no_word_is_no_question(index: "Index", question: str) -> None:
    assert not analyse(index, question)
    assert index.store.fulltext.match(analyse(index, question), Filters(), 10) == []


def test_a_question_is_capped(index: "Index") -> None:
    found = analyse(index, " ".join(f"word{number}" for number in range(10_000)))
    assert len(found.terms) == MAX_TERMS
    many = analyse(index, " ".join(f'"phrase {number}"' for number in range(1000)))
    assert len(many.phrases) == MAX_TERMS
    assert len(analyse(index, "가나다라마바사아자차카타파하" * 700).grams) <= MAX_TERMS


def test_unicode_forms_of_a_question_are_one(index: "Index") -> None:
    for text in ("한국어 형태소", '"한국어 형태소"', "café"):
        assert analyse(index, unicodedata.normalize("NFD", text)) == analyse(index, text)


hostile = st.text(st.sampled_from("ab\"'()*^:-+ {}[]\x00\\한글東京\U0001f600\n\tANDORNOT"), max_size=40) | st.text(
    max_size=40
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hostile)
def test_any_question_can_be_asked(index: "Index", question: str) -> None:
    if not index.count("documents"):
        index.put("a.md", "ab NOT AND OR 한글 東京 text\n")
    found = analyse(index, question)
    candidates = index.store.fulltext.match(found, Filters(), 5)
    assert len(candidates) <= 1
    for start, end in index.store.fulltext.locate(question, found):
        assert 0 <= start < end <= len(question)


# -- streams


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("the restartPolicy of a pod", "restart Policy"),
        ("KebabError and XMLHttpRequest", "Kebab Error XML Http Request"),
        ("parseJSON utf8Decode", "parse JSON utf 8 Decode"),
        ("HTTPServer", "HTTP Server"),
        ("JSONDecoder IOError URLParser", "JSON Decoder IO Error URL Parser"),
        ("plain words, CAPITALS and snake_case", ""),
        ("한글 restartPolicy", "restart Policy"),
    ],
)
def test_identifiers_are_also_known_by_their_parts(text: str, parts: str) -> None:
    assert identifier_parts(text) == parts


@pytest.mark.parametrize(("run", "expected"), [("가나다", ["가나", "나다"]), ("가나", ["가나"]), ("가", ["가"])])
def test_pairs_overlap(run: str, expected: list[str]) -> None:
    assert list(pairs(run)) == expected


def test_particles_and_endings_are_left_out_of_the_stream() -> None:
    analyser = KoreanAnalyser()
    assert analyser.version == VERSION
    assert analyser.stream("서울에서 친구를 만났다.").split() == ["서울", "친구", "만나", "."]


def test_ascii_passes_through_untouched() -> None:
    assert KoreanAnalyser().streams("plain  text\n") == ("plain  text\n", "")


def test_the_rest_of_a_mixed_text_stays_where_it_is() -> None:
    words = KoreanAnalyser().stream("C언어로 쓴 kernel 코드 2024년").split()
    assert words[0] == "C"
    assert {"언어", "kernel", "코드", "2024"} <= set(words)


def test_a_long_run_without_an_end_is_cut_and_kept() -> None:
    words = KoreanAnalyser().stream("가나다라" * 5000)
    assert len("".join(words.split())) > 5000


def test_the_same_run_gives_the_same_morphemes_again_and_again() -> None:
    analyser = KoreanAnalyser()
    assert len({analyser.stream("데이터베이스를 설계했다") for _ in range(3)}) == 1


def test_a_sparing_analyser_gives_its_dictionary_back_and_cuts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.store.analyse._SPARING_SYLLABLES", 12)
    sparing, opened = KoreanAnalyser(sparing=True), []
    load = sparing._load
    monkeypatch.setattr(sparing, "_load", lambda: (opened.append(1), load()))
    texts = ["데이터베이스를 설계했다", "서울에서 친구를 만났다", "가나다라" * 1000, "색인을 다시 만들었다"]
    for text in texts:
        assert sparing.streams(text) == KoreanAnalyser().streams(text)
    assert len(opened) > 2


@pytest.fixture
def without_mecab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.store.analyse.find_spec", lambda name: None)


@pytest.mark.usefixtures("without_mecab")
def test_without_a_dictionary_hangul_is_cut_into_pairs() -> None:
    analyser = KoreanAnalyser()
    assert analyser.version == FALLBACK_VERSION != VERSION
    assert analyser.stream("서울에서 나").split() == ["서울", "울에", "에서", "나"]
