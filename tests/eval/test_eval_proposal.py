"""Proposed suites: reworded as far as they must be, the same for the same seed, and YAML that reads back."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.evaluation import Expectation, GoldenQuery, Suite
from kebab.eval.proposal import Excerpt, propose, quotable, suite_text
from kebab.eval.rewording import is_korean, reworded, words_of
from kebab.eval.shipped import foreign_questions, synonyms
from kebab.eval.suite import digest_of, read_suite

ENGLISH = "Restore the nightly backup into a new database and check it before anyone swaps the names."
KOREAN = "압력밥솥 현미밥의 물 비율은 불린 현미 한 컵에 물 한 컵 조금 넘게 잡는 것이 좋다."
EXCERPTS = [Excerpt(f"n{at}.md", "H", at + 1, f"{ENGLISH} {at}", f"{ENGLISH} {at}") for at in range(40)]


def test_there_are_as_many_foreign_questions_in_either_language() -> None:
    questions = foreign_questions()
    assert len(questions) == len(set(questions)) == 150
    assert sum(map(is_korean, questions)) == 75
    assert all(question.endswith("?") for question in questions)


def test_synonyms_stand_for_one_another() -> None:
    known = synonyms()
    assert known["delete"] == "remove"
    assert known["remove"] == "delete"
    assert all(word != other for word, other in known.items())


@pytest.mark.parametrize("sentence", [ENGLISH, KOREAN])
@pytest.mark.parametrize("seed", range(20))
def test_three_to_five_words_in_ten_are_changed(sentence: str, seed: int) -> None:
    text = reworded(sentence, Random(seed))
    assert text is not None
    words = [word.lower() for word in words_of(sentence)]
    kept = [word.lower() for word in words_of(text)]
    left = sum(word in kept for word in words)
    # A word that stands twice in a sentence may be dropped once and kept once.
    assert 0.4 <= left / len(words) <= 0.8


def test_korean_words_keep_what_is_attached_to_them() -> None:
    texts = {reworded("비율을 확인한 다음 설정을 변경한다 그리고 저장한다", Random(seed)) for seed in range(40)}
    assert any("분량을" in str(text) for text in texts)
    assert any("세팅을" in str(text) for text in texts)


def test_two_words_are_too_few_to_ask_with() -> None:
    assert reworded("물 비율", Random(0)) is None
    assert reworded("", Random(0)) is None


def test_one_in_five_has_no_answer_and_the_others_know_where_it_stands() -> None:
    suite = propose(EXCERPTS, 20, Random(3), "mine")
    own = [query for query in suite.queries if query.answerable]
    assert (len(own), len(suite.queries)) == (16, 20)
    assert own[0].expected == (Expectation("n0.md", quote=quotable(f"{ENGLISH} 0")),)
    assert own[0].comment == f"line 1: {ENGLISH} 0"
    assert {query.text for query in suite.queries if not query.answerable} <= set(foreign_questions())


def test_a_seed_proposes_the_same_again_and_another_something_else() -> None:
    first, again, other = (suite_text(propose(EXCERPTS, 20, Random(seed), "mine")) for seed in (3, 3, 4))
    assert first == again != other


def test_few_documents_give_few_queries() -> None:
    assert len(propose(EXCERPTS[:2], 20, Random(0), "mine").queries) == 6


def test_a_long_quote_is_cut_at_a_space() -> None:
    cut = quotable("word " * 40)
    assert len(cut) <= 80
    assert cut.endswith("word")


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(lambda text: text.strip())


@given(text=WORDS, doc=WORDS, quote=WORDS, comment=st.text(max_size=40))
def test_what_is_written_reads_back(text: str, doc: str, quote: str, comment: str) -> None:
    from kebab.core.text import nfc, to_posix

    doc = doc.strip()
    if not to_posix(doc).strip() or not doc.isprintable():
        return  # such documents are not asked about
    expected = Expectation(doc=to_posix(doc), quote=nfc(quote.strip()))
    query = GoldenQuery("own-001", nfc(text.strip()), "en", (expected,), comment=comment)
    suite = Suite("mine", None, digest_of((query,)), (query,))
    written = suite_text(suite)
    assert re.search(r"^# An evaluation suite", written)
    (back,) = read_suite(written, "mine").queries
    assert (back.text, back.expected) == (query.text, query.expected)
