from typing import TYPE_CHECKING

import pytest

from kebab.parse.language import detect

if TYPE_CHECKING:
    from conftest import Parse


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("이 문서는 지식 베이스를 설명한다.", "ko"),
        ("Kubernetes 의 Pod 는 container 를 실행하는 가장 작은 unit 이다", "ko"),
        ("한글 노트", "ko"),
        ("This note is about the way in which we keep documents.", "en"),
        ("Enable webhooks in cloud controller manager.", "en"),
        ("これは日本語の文書です。漢字も混ざっています。", "ja"),
        ("メモ", "ja"),
        ("这是一份关于知识库的文档。", "zh"),
        ("Это заметка о базе знаний.", "ru"),
        ("هذه وثيقة عن قاعدة المعرفة", "ar"),
        ("นี่คือเอกสารเกี่ยวกับฐานความรู้", "th"),
        ("Αυτό είναι ένα έγγραφο", "el"),
        ("זהו מסמך על בסיס ידע", "he"),
        ("यह ज्ञान के बारे में एक दस्तावेज़ है", "hi"),
        ("Das ist ein Text, der nicht auf Englisch ist und für alle gilt.", "de"),
        ("Ceci est une note pour les gens qui ne sont pas dans le bureau.", "fr"),
        ("Este es un documento para las personas que no están en la oficina.", "es"),
        ("Questo è un documento per le persone che non sono in ufficio.", "it"),
        ("Este é um documento para as pessoas que não estão no escritório.", "pt"),
        ("Dit is een document voor de mensen die niet op kantoor zijn.", "nl"),
        ("Đây là một tài liệu cho những người không có trong văn phòng.", "vi"),
        ("", "und"),
        ("foo bar baz", "und"),
        ("12345 --- !!! ๑๒ ・", "und"),
    ],
)
def test_languages_are_told_apart(text: str, lang: str) -> None:
    assert detect([text]) == lang


def test_korean_in_decomposed_form_is_korean() -> None:
    assert detect(["\u1112\u1161\u11ab\u1100\u1173\u11af"]) == "ko"


def test_english_with_a_korean_name_is_english() -> None:
    text = (
        "The author of this page is 김철수 and it is about the way in which a scheduler works for you and for the rest"
    )
    assert detect([text]) == "en"


def test_a_korean_note_full_of_links_and_code_is_korean(parse: "Parse") -> None:
    code = "```sh\n" + "kubectl get the pods and the nodes of the cluster\n" * 200 + "```\n"
    links = "- [인증](/docs/reference/access-authn-authz/authentication/) `kubectl auth can-i`\n" * 10
    assert parse(f"{code}\n# 접근 제어\n\n{links}").lang == "ko"


def test_code_and_front_matter_say_nothing(parse: "Parse") -> None:
    assert parse("---\nsummary: this is the text of it\n---\n```\nthis is the code of it\n```\n").lang == "und"


def test_a_stub_has_the_language_of_its_title(parse: "Parse") -> None:
    assert parse("---\ntitle: 개념\n---\n").lang == "ko"


def test_front_matter_wins(parse: "Parse") -> None:
    assert parse("---\nlang: EN_us\n---\n한글 문서이다\n").lang == "en"
    assert parse("---\nlang: no\n---\n한글 문서이다\n").lang == "no"


def test_only_a_sample_is_read() -> None:
    prose = iter(["한글 " * 2000, "never looked at"])
    assert detect(prose) == "ko"
    assert next(prose) == "never looked at"
