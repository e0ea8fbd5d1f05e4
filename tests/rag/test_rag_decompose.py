"""Several hops without a model that plans: where a question is cut, and where its best sentence leads."""

from dataclasses import replace

import pytest
from hop_bench import QUESTION, TEXTS, World, found, world
from hypothesis import given
from hypothesis import strategies as st
from rag_bench import COMMON, Library, evidence, hit, weight, words

from kebab.core.answer import AnswerReady, Question, RefusalReason
from kebab.rag.decompose import MOST_BRIDGE_WORDS, MOST_PARTS, Splitter, bridge, parts
from kebab.rag.extractive import Reader
from kebab.rag.linked import LinkedModel

ASKING = COMMON | frozenset(
    "what who where when which was were did does how do there 무엇 어떻 누구 언제 하나 몇".split()
)


def informative(text: str) -> list[str]:
    return list(dict.fromkeys(word for word in words(text) if word not in ASKING))


READER = Reader(informative, words, weight)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is a pod network? How are old nodes drained?", ("What is a pod network?", "How are old nodes drained?")),
        ("Are Karl Shapiro and Elie Wiesel both writers?", ("Are Karl Shapiro", "Elie Wiesel both writers?")),
        ("Who was born earlier, Elia Kazan or CKY?", ("Who was born earlier", "Elia Kazan", "CKY?")),
        ("brown rice, white rice, red rice, black rice", ("brown rice", "white rice", "red rice, black rice")),
        ("백업은 어떻게 하고 복원은 어떻게 하나요?", ("백업은 어떻게 하고", "복원은 어떻게 하나요?")),
        ("쿠버네티스는 무엇이고 도커는 무엇인가요?", ("쿠버네티스는 무엇이고", "도커는 무엇인가요?")),
        ("철수하고 영희는 누구야?", ("철수하고", "영희는 누구야?")),
        ("앱 배포 방법 그리고 서버 롤백 방법은?", ("앱 배포 방법", "서버 롤백 방법은?")),
        ("서버 시작이 언제인지 서버 종료가 언제인지 알려줘", ("서버 시작이 언제인지", "서버 종료가 언제인지 알려줘")),
    ],
)
def test_a_question_is_cut_where_it_joins_two(question: str, wanted: tuple[str, ...]) -> None:
    assert parts(question, READER) == wanted


@pytest.mark.parametrize(
    "question",
    [
        "How long does brown rice cook?",
        "When was Kebab released and who made it?",
        'Who wrote the novel "Crime and Punishment, or Both"?',
        "How many won are 1,000 dollars?",
        "현미밥은 몇 분?",
        "언제 출시됐는지 누가 만들었는지",
        "",
        "?",
        "and",
        "Rice and Rice",
    ],
)
def test_what_does_not_stand_for_itself_stays_together(question: str) -> None:
    assert len(parts(question, READER)) == 1


@given(st.text(alphabet='ab, 그리고?는A“"\n', max_size=60))
def test_no_question_upsets_it(question: str) -> None:
    found_parts = parts(question, READER)
    assert 1 <= len(found_parts) <= MOST_PARTS
    assert all(part in question for part in found_parts)


def test_a_bridge_is_what_is_new_and_what_is_open() -> None:
    made = bridge("Where was the author of Killing Pablo born?", TEXTS["pablo"], READER)
    assert made == "book Mark Bowden author born"
    assert bridge("현미밥은 물이 얼마?", "현미밥은 압력밥솥으로 한다", READER) == "압력밥솥으로 한다 물이 얼마"
    assert bridge("brown rice", "Brown rice.", READER) == ""
    long = " ".join(f"word{number}" for number in range(99))
    assert len(bridge("brown rice", long, READER).split()) == MOST_BRIDGE_WORDS


def bare_machine() -> tuple[World, Splitter]:
    made = world()
    made.model = LinkedModel(READER)  # type: ignore[assignment]
    return made, Splitter(READER, 8000, made.library.source_lines)


def test_without_a_model_the_best_sentence_leads_to_the_second_search() -> None:
    told, planner = bare_machine()
    *_, last = told.events(planner=planner)
    assert isinstance(last, AnswerReady)
    answer = last.answer
    assert told.queries == [QUESTION, "book Mark Bowden author born"]
    assert [hop.kind for hop in answer.hops or ()] == ["decompose", "decide", "decide", "synthesize"]
    assert [hop.llm_call_ms for hop in (answer.hops or ())[:3]] == [0, 0, 0]
    assert not any(hop.forced_stop for hop in answer.hops or ())
    assert [statement.text for statement in answer.statements] == [TEXTS["pablo"], TEXTS["bowden"]]
    assert answer.grounded


def test_a_question_that_finds_nothing_leads_nowhere() -> None:
    told, planner = bare_machine()
    *_, last = told.events(Question("What is the capital of Mars?", multi_hop=True), planner=planner)
    assert isinstance(last, AnswerReady)
    assert told.queries == ["What is the capital of Mars?"]
    assert last.answer.refusal_reason is RefusalReason.NO_CHUNKS


def test_it_leads_further_once_and_not_where_it_was() -> None:
    library = Library(**TEXTS)
    planner = Splitter(READER, 8000, library.source_lines)
    passages = found(library, "pablo")
    assert planner.decide(QUESTION, [QUESTION], passages).sub_queries == ("book Mark Bowden author born",)
    assert planner.decide(QUESTION, [QUESTION], passages).sub_queries == ()
    again = Splitter(READER, 8000, library.source_lines)
    assert again.decide(QUESTION, ["Book Mark Bowden author born?"], passages).sub_queries == ()
    assert Splitter(READER, 8000, library.source_lines).decide("의 tea", [], found(library, "rice")).sub_queries == ()


def test_the_linked_sentence_is_of_another_document_and_about_the_bridge() -> None:
    texts = (TEXTS["pablo"], TEXTS["rice"], TEXTS["bowden"])
    shown = [
        evidence(text, number, of=replace(hit(doc=f"d{number}"), score=0.1)) for number, text in enumerate(texts, 1)
    ]
    model = LinkedModel(READER)
    assert [each.text for each in model.choose(QUESTION, shown)] == [TEXTS["pablo"], TEXTS["bowden"]]
    assert [each.text for each in model.choose(QUESTION, shown[:2])] == [TEXTS["pablo"]]
    assert model.choose("tea?", shown) == []


def test_every_part_has_a_sentence_and_a_part_without_one_does_not_silence_the_others() -> None:
    texts = (TEXTS["pablo"], TEXTS["rice"], "Pablo was a singer, and Pablo was rich.")
    shown = [evidence(text, at, of=replace(hit(doc=f"d{at}"), score=0.1)) for at, text in enumerate(texts, 1)]
    model = LinkedModel(READER)
    both = [each.text for each in model.choose("Who wrote Killing Pablo, and how long cooks brown rice?", shown)]
    assert {TEXTS["pablo"], TEXTS["rice"]} <= set(both)
    half = model.choose("How tall are green tea plants in old Korean gardens, and how long cooks brown rice?", shown)
    assert [each.text for each in half] == [TEXTS["rice"]]
