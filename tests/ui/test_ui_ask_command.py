"""`kebab ask` around its pipeline: what is asked of it, what is shown when, and how it ends."""

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from answer_samples import TIME, answer, bare, gated, hit, judged, stopped
from kebab.app.facade import App
from kebab.core.answer import Answer, AnswerEvent, AnswerReady, Question, RefusalReason, RetrievalDone, TokenArrived
from kebab.core.asset import TrustLevel
from kebab.core.errors import ModelUnreachable
from kebab.core.query import Filters, SearchMode
from wire_schemas import check

if TYPE_CHECKING:
    from ui_bench import Home


@dataclass
class Pipeline:
    """Stands in for the pipeline: says what it is told to, and remembers what it was asked."""

    answer: Answer = field(default_factory=answer)
    pieces: tuple[str, ...] | None = None
    asked: list[Question] = field(default_factory=list)
    between: Callable[[threading.Event], None] = lambda _cancel: None

    def ask(self, question: Question, cancel: threading.Event | None = None) -> Iterator[AnswerEvent]:
        self.asked.append(question)
        assert cancel is not None
        yield RetrievalDone(TIME, (hit(1, "a.md", (1, 2), (1.0, 1.0, 1.0)),))
        text = self.answer.answer
        for piece in self.pieces or [text[at : at + 3] for at in range(0, len(text), 3)]:
            yield TokenArrived(TIME, piece)
            self.between(cancel)
            if cancel.is_set():
                yield AnswerReady(TIME, stopped())
                return
        yield AnswerReady(TIME, self.answer)


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    told = Pipeline()
    monkeypatch.setattr(App, "ask", lambda _app, question, cancel=None: told.ask(question, cancel))
    return told


class Screen(io.StringIO):
    """A terminal that remembers each stroke."""

    encoding = "utf-8"  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.strokes: list[str] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        self.strokes.append(text)
        return written


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Screen]:
    """Called in the test itself, because pytest puts its own stdout in place before that."""

    def open_screen() -> Screen:
        shown = Screen()
        monkeypatch.setattr(sys, "stdout", shown)
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("NO_COLOR", "1")
        return shown

    return open_screen


SCENE = """\
heading boundary 우선 [1]. code block 중간 분할 금지 [2]. table 가능한 한
단일 chunk 유지 [2]. 긴 section 은 paragraph 단위로 분할 [1]. chunk 마다
heading_path 와 source_span 보존 [1].

─────────────────────────────────────────────────────────
[1] notes/rust/kebab-architecture.md#L661-L672
    §14 Chunking 정책
[2] notes/rust/kebab-architecture.md#L665-L668
    §14 Chunking 정책

grounded ✓  qwen2.5:14b-instruct  rag-v1  3 chunks
"""


def test_a_terminal_shows_the_answer_while_it_arrives(
    home: "Home", pipeline: Pipeline, look: Callable[[], Screen]
) -> None:
    screen = look()
    assert home.run("ask", "규칙은?").status == 0
    assert screen.getvalue() == SCENE
    words = [stroke for stroke in screen.strokes if "heading boundary" in stroke]
    assert len([stroke for stroke in screen.strokes if stroke]) > 30, "piece by piece"
    assert words == [], "no stroke holds the whole line"


def test_a_pipe_gets_it_at_once_and_unbroken(home: "Home", pipeline: Pipeline) -> None:
    said = home.run("ask", "규칙은?")
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines()[0] == pipeline.answer.answer.replace("#", "")
    assert said.out.splitlines()[1:] == SCENE.splitlines()[3:]


def test_what_was_said_and_then_taken_back_is_followed_by_what_holds(
    home: "Home", pipeline: Pipeline, look: Callable[[], Screen]
) -> None:
    screen = look()
    pipeline.answer, pipeline.pieces = gated(), ("I think ", "it is 7 [#", "1].\n\n")
    assert home.run("ask", "매출은?").status == 1
    assert screen.getvalue().startswith("I think it is 7 [1].\n\n근거 부족. KB 에 해당 내용 없음.\n가까운 후보")


def test_a_model_that_fails_half_way_leaves_the_error_a_line_of_its_own(
    home: "Home", pipeline: Pipeline, look: Callable[[], Screen]
) -> None:
    screen = look()

    def fail(_cancel: threading.Event) -> None:
        raise ModelUnreachable("the model is gone", hint="start it")

    pipeline.pieces, pipeline.between = ("Half an",), fail
    said = home.run("ask", "x")
    assert (said.status, said.err) == (2, "error: the model is gone\n  hint: start it\n")
    assert screen.getvalue() == "Half an\n"


def test_the_question_carries_everything_that_was_said(home: "Home", pipeline: Pipeline) -> None:
    given = ["how", "many?", "--k", "3", "--mode", "lexical", "--temperature", "0.5", "--seed", "7", "--multi-hop"]
    given += ["--session", "회의.1", "--tag", "a,b", "--lang", "ko", "--trust-min", "secondary", "--source", "work"]
    assert home.run("ask", *given).status == 0
    filters = Filters(tags=("a", "b"), langs=("ko",), trust_min=TrustLevel.SECONDARY, sources=("work",))
    assert pipeline.asked == [Question("how many?", SearchMode.LEXICAL, 3, filters, 0.5, 7, True, "회의.1")]
    pipeline.asked.clear()
    assert home.run("ask", "x", "--set", "search.default_k=4").status == 0
    assert pipeline.asked == [Question("x", SearchMode.HYBRID, 4)]


@pytest.mark.parametrize(
    "wrong",
    [
        (),
        ("",),
        (" ",),
        ("x", "--mode", "telepathy"),
        ("x", "--temperature", "2.1"),
        ("x", "--temperature", "-1"),
        ("x", "--session", ""),
        ("x", "--session", "a b"),
        ("x", "--session", "a" * 65),
        ("x", "--session", "../a"),
        ("x", "--ingested-after", "yesterday"),
    ],
)
def test_what_cannot_be_asked_is_an_input_error(home: "Home", pipeline: Pipeline, wrong: tuple[str, ...]) -> None:
    said = home.run("ask", *wrong, "--json")
    assert (said.status, said.out, json.loads(said.err)["code"]) == (2, "", "invalid_input")
    assert pipeline.asked == []


@pytest.mark.parametrize(
    ("given", "status"), [(answer(), 0), (judged(), 0), (gated(), 1), (bare(), 1), (stopped(), 130)]
)
def test_json_is_one_answer_and_the_status_says_what_it_is(
    home: "Home", pipeline: Pipeline, given: Answer, status: int
) -> None:
    pipeline.answer = given
    said = home.run("ask", "x", "--json")
    assert (said.status, said.err, said.out.count("\n")) == (status, "", 1)
    value = json.loads(said.out)
    check(value)
    assert value["retrieval"]["trace_id"] == given.retrieval.trace_id


@pytest.mark.parametrize("more", [(), ("--json",), ("--explain",)])
def test_stream_is_a_line_per_step_whatever_else_was_asked_for(
    home: "Home", pipeline: Pipeline, more: tuple[str, ...]
) -> None:
    pipeline.answer = gated()
    pipeline.pieces = ("a [", "#1", "]", " b [#")
    said = home.run("ask", "x", "--stream", *more)
    assert (said.status, said.err) == (1, "")
    events = [json.loads(line) for line in said.out.splitlines()]
    for event in events:
        check(event)
    assert [event["kind"] for event in events] == ["retrieval_done", "token", "token", "token", "token", "final"]
    assert [event["delta"] for event in events[1:-1]] == ["a ", "[1]", " b ", "[#"]
    assert events[-1]["answer"]["refusal_reason"] == "score_gate"


def test_explain_and_hidden_citations_change_what_people_see(home: "Home", pipeline: Pipeline) -> None:
    pipeline.answer = judged()
    explained = home.run("ask", "x", "--explain").out
    assert explained.startswith("▎ heading boundary 우선\n")
    assert "  fusion          rrf (k=60)\n" in explained
    assert "rrf (k=7)" in home.run("ask", "x", "--explain", "--set", "search.rrf_k=7").out
    assert "§14" not in home.run("ask", "x", "--hide-citations").out


def test_a_hint_is_for_people(home: "Home", pipeline: Pipeline) -> None:
    pipeline.answer = bare()
    assert home.run("ask", "x").err == "hint: run `kebab ingest` first\n"
    assert home.run("ask", "x", "--quiet").err == ""


def test_ctrl_c_asks_the_model_to_stop_and_keeps_what_was_said(
    home: "Home", pipeline: Pipeline, look: Callable[[], Screen]
) -> None:
    screen = look()
    before = signal.getsignal(signal.SIGINT)
    pipeline.pieces = ("heading boundary 우선 [#1].", " never said")
    pipeline.between = lambda _cancel: os.kill(os.getpid(), signal.SIGINT)
    assert home.run("ask", "규칙은?").status == 130
    text = screen.getvalue()
    assert text.startswith("heading boundary 우선 [1].\n(여기서 중단됨)\n\n──")
    assert "grounded ✗" in text
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_does_not_wait(home: "Home", pipeline: Pipeline) -> None:
    def twice(cancel: threading.Event) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel.is_set()
        os.kill(os.getpid(), signal.SIGINT)

    pipeline.between = twice
    said = home.run("ask", "x")
    assert (said.status, said.out) == (130, "")
    assert said.err.strip() == "error: interrupted"


@pytest.mark.parametrize("reason", RefusalReason)
def test_every_refusal_has_a_status(home: "Home", pipeline: Pipeline, reason: RefusalReason) -> None:
    pipeline.answer = answer(grounded=False, refusal_reason=reason)
    expected = 130 if reason is RefusalReason.LLM_STREAM_ABORTED else 1
    assert home.run("ask", "x").status == expected
