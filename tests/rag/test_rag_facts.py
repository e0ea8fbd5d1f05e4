"""Numbers, names, quotations and denials as they are compared."""

import pytest

from kebab.rag.facts import denials, hangul_share, is_korean, names, numbers, numbers_said, quotations


def backed(statement: str, evidence: str) -> bool:
    """Whether every number of the statement is somewhere in the evidence."""
    said = numbers_said(evidence)
    return all(not forms.isdisjoint(said) for forms in numbers(statement))


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("1184 tokens", "1,184 tokens"),
        ("비용은 3만 원", "30,000 won"),
        ("약30% 증가", "grew by 30 %"),
        ("2024년 5월 3일", "2024-05-03"),
        ("2024년 5월 3일", "on May 3, 2024"),
        ("April 4", "4월 4일"),
        ("3 retries", "three retries"),
        ("3번 시도한다", "세 번 시도한다"),
        ("임계는 0.3", "gate 0.30"),
        ("버전 v1.20", "version 1.20"),
        ("2.5 million users", "2500000 users"),
        ("no number", "none"),
        ("k8s 와 H2O", "nothing here"),
        ("5만 가능하다", "only 5"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(statement: str, evidence: str) -> None:
    assert backed(statement, evidence)


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("31%", "30%"),
        ("v1.2", "v1.20"),
        ("2025년", "2024년"),
        ("12 chunks", "1 or 2 chunks"),
        ("1,185", "1,184"),
        ("4번 시도한다", "세 번 시도한다"),
        ("제3조", "제4조"),
        ("5 servers", "many servers"),
    ],
)
def test_another_number_is_another_number(statement: str, evidence: str) -> None:
    assert not backed(statement, evidence)


def test_names_are_what_is_spelled_like_one() -> None:
    text = "The server uses Kubernetes and kube_proxy with restartPolicy on HTTP."
    assert names(text) == {"kubernetes", "kube_proxy", "restartpolicy", "http"}
    assert names("Servers restart. They wait.") == set()


def test_in_korean_text_every_latin_word_is_a_name() -> None:
    assert names("이 명령은 kubectl 과 etcd 를 쓴다") == {"kubectl", "etcd"}


def test_quotations_are_what_stands_in_any_quotation_marks_or_code() -> None:
    assert quotations('say "one two", “셋”, 「네다」 and `five`') == ["one two", "네다", "five"]


@pytest.mark.parametrize(
    "text",
    [
        "자르지 않는다",
        "할 수 없다",
        "분할 금지",
        "사용하지 마세요",
        "안 된다",
        "안되는 일",
        "미지원",
        "it is not so",
        "it doesn't",
        "never",
    ],
)
def test_a_denial_is_counted(text: str) -> None:
    assert denials(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "안전하다",
        "안내한다",
        "한국어뿐만 아니라",
        "하나밖에 없다",
        "notes are kept",
        "끊임없이",
        "not only this",
        "미리 본다",
    ],
)
def test_what_only_looks_like_a_denial_is_none(text: str) -> None:
    assert denials(text) == 0


def test_twice_denied_is_even() -> None:
    assert denials("부족함이 없다") == 2


def test_the_share_of_hangul_is_of_the_letters() -> None:
    assert hangul_share("한글 ab 12 !") == 0.5
    assert hangul_share("\u1112\u1161\u11ab") == 1.0
    assert hangul_share("123") == 0.0
    assert is_korean("Markdown heading 을 우선한다")
    assert not is_korean("What is 김치 and how is it made?")
