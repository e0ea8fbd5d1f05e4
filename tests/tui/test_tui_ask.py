"""Asking: the answer streams, stands with its verdicts and citations, can be stopped, checked and found again."""

import threading
from collections.abc import Iterator
from typing import Any

from tui_bench import Notes, Scripted, on_stage, play

from answer_samples import TIME, gated, hit, judged, stopped
from kebab.core.answer import Answer, AnswerEvent, AnswerReady, Question, RetrievalDone, TokenArrived
from kebab.core.errors import ModelUnreachable
from kebab.ui.tui.ask_pane import AskPane
from kebab.ui.tui.workers import Pace


def _told(answer: Answer, *tokens: str) -> Any:
    def ask(_question: Question, _cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield RetrievalDone(TIME, (hit(1, "a.md", (1, 2), (1.0, 1.0, 1.0)),))
        for token in tokens:
            yield TokenArrived(TIME, token)
        yield AnswerReady(TIME, answer)

    return ask


def _no_text(_request: Any) -> Any:
    raise ModelUnreachable("no text here")


def test_an_answer_stands_with_verdicts_citations_and_the_source_of_its_first_statement(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "2")
            await stage.type("how long does the restore take?")
            await stage.press("enter")
            await stage.shows(
                "? how long does the restore take?", "[supported: quoted", "Citations", "[1] ops/backups.md#L5"
            )
            await stage.shows("▌ 5 Stop the server before you restore a backup.", "grounded in ")
            assert isinstance(stage.app.current, AskPane)
            assert stage.app.current.rows.has_focus

    play(scene())


def test_every_kind_of_support_is_said_in_words(notes: Notes) -> None:
    async def scene() -> None:
        app = Scripted(notes.config, ask=_told(judged()), fetch=_no_text)
        async with on_stage(app.open, size=(80, 50)) as stage:
            await stage.press("escape", "2")
            await stage.type("q")
            await stage.press("enter")
            await stage.shows(
                "[supported: quoted 0.97]",
                "[supported 0.81]",
                "[weak 0.31]",
                "[unsupported 0.05]",
                "[unsupported: cites nothing 0.00]",
            )

    play(scene())


def test_tokens_are_shown_as_they_arrive_with_markers_as_people_see_them(notes: Notes) -> None:
    gate = threading.Event()

    def ask(_question: Question, _cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield RetrievalDone(TIME)
        yield TokenArrived(TIME, "\n\nRice first [")
        yield TokenArrived(TIME, "#1] then ")
        yield TokenArrived(TIME, "물.")
        assert gate.wait(20)
        yield AnswerReady(TIME, judged())

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=ask, fetch=_no_text).open, size=(80, 50)) as stage:
            await stage.press("escape", "2")
            await stage.type("q")
            await stage.press("enter")
            await stage.shows("Rice first [1] then 물.")
            assert "Citations" not in stage.text
            gate.set()
            await stage.shows("Citations")

    play(scene())


def test_escape_stops_an_answer_and_what_was_said_stays(notes: Notes) -> None:
    seen: list[bool] = []

    def ask(_question: Question, cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield TokenArrived(TIME, "heading boundary")
        seen.append(cancel.wait(20))
        yield AnswerReady(TIME, stopped())

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=ask, fetch=_no_text).open) as stage:
            await stage.press("escape", "2")
            await stage.type("q")
            await stage.press("enter")
            await stage.shows("heading boundary")
            await stage.press("escape")
            await stage.shows("heading boundary 우선 [1].", "stopped")
            assert isinstance(stage.app.current, AskPane)
            assert not stage.app.current.running

    play(scene())
    assert seen == [True]


def test_another_question_stops_the_one_before_and_its_answer_is_not_shown(notes: Notes) -> None:
    def ask(question: Question, cancel: threading.Event) -> Iterator[AnswerEvent]:
        if question.text == "a":
            yield TokenArrived(TIME, "first words")
            assert cancel.wait(20)
            yield AnswerReady(TIME, stopped())
        else:
            yield AnswerReady(TIME, gated())

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=ask, fetch=_no_text).open) as stage:
            await stage.press("escape", "2")
            await stage.type("a")
            await stage.press("enter")
            await stage.shows("first words")
            await stage.press("slash")
            await stage.type("b")
            await stage.press("enter")
            await stage.shows("근거 부족.")
            assert "first words" not in stage.text
            assert "heading boundary" not in stage.text

    play(scene())


def test_a_refusal_says_why_and_names_what_was_near(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=_told(gated()), fetch=_no_text).open) as stage:
            await stage.press("escape", "2")
            await stage.type("q")
            await stage.press("enter")
            await stage.shows(
                "no answer: score_gate",
                "Closest candidates (all below the threshold 0.30):",
                "> · finance/personal-budget.md#L1-L8  0.21",
                "no text here",
            )

    play(scene())


def test_a_model_that_cannot_be_reached_is_told_with_what_helps(notes: Notes) -> None:
    def ask(_question: Question, _cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield RetrievalDone(TIME)
        raise ModelUnreachable("no answer from ollama", hint="is it running?")

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=ask).open) as stage:
            await stage.press("escape", "2")
            await stage.type("q")
            await stage.press("enter")
            await stage.shows("no answer from ollama — is it running?")
            assert isinstance(stage.app.current, AskPane)
            assert not stage.app.current.running

    play(scene())


def test_verify_marks_each_citation(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "2", "escape", "v")
            await stage.shows("there is no answer to check yet")
            await stage.press("slash")
            await stage.type("how long does the restore take?")
            await stage.press("enter")
            await stage.shows("Citations")
            await stage.press("v")
            await stage.shows("= intact", "2 of 2 citations are intact")
            notes.write("ops/backups.md", "gone\n")
            await stage.press("v")
            await stage.shows("= changed", "0 of 2 citations are intact")

    play(scene())


def test_a_session_is_begun_gone_on_with_and_shown_again(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, size=(80, 40)) as stage:
            await stage.press("escape", "2", "escape", "n")
            await stage.shows("session tui-")
            await stage.type("how long does the restore take?")
            await stage.press("enter")
            await stage.shows("Citations")
            await stage.press("s")
            await stage.shows("── Sessions ──", "> new session", "no session", "how long does the restore")
            await stage.press("down", "enter")
            await stage.until(lambda: "── Sessions" not in stage.text)
            pane = stage.app.current
            assert isinstance(pane, AskPane)
            assert pane.session_id is None
            await stage.press("s")
            await stage.shows("── Sessions ──")
            await stage.press("end", "enter")
            await stage.shows("? how long does the restore take?", "Stop the server before you restore a backup")
            assert pane.session_id is not None

    play(scene())


def test_earlier_answers_are_listed_and_shown_again(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "2", "escape", "h")
            await stage.shows("── Earlier answers ──", "nothing yet")
            await stage.press("escape", "slash")
            await stage.type("how long does the restore take?")
            await stage.press("enter")
            await stage.shows("Citations")
            await stage.press("n", "escape", "h")
            await stage.shows("── Earlier answers ──", "how long does the restore take?", "[1]")
            await stage.press("enter")
            await stage.shows("? how long does the restore take?", "Citations")

    play(scene())


def test_an_answer_that_was_left_for_another_place_leaves_nothing_running(notes: Notes) -> None:
    stops: list[bool] = []

    def ask(_question: Question, cancel: threading.Event) -> Iterator[AnswerEvent]:
        yield TokenArrived(TIME, "first words")
        stops.append(cancel.wait(20))
        yield AnswerReady(TIME, stopped())

    async def scene() -> None:
        app = Scripted(notes.config, ask=ask, fetch=_no_text, list_answers=lambda _limit: [])
        async with on_stage(app.open) as stage:
            await stage.press("escape", "2")
            await stage.type("a")
            await stage.press("enter")
            await stage.shows("first words")
            pane = stage.app.current
            assert isinstance(pane, AskPane)
            pane.action_new_session()
            await stage.settled(Pace.LONG)
            assert not pane.running
            assert "first words" not in stage.text
            assert "heading boundary" not in stage.text
            await stage.press("escape")
            assert pane.rows.has_focus

    play(scene())
    assert stops == [True]


def test_an_answer_that_arrives_takes_no_letter_from_the_next_question(notes: Notes) -> None:
    gate = threading.Event()

    def ask(_question: Question, _cancel: threading.Event) -> Iterator[AnswerEvent]:
        assert gate.wait(20)
        yield AnswerReady(TIME, judged())

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=ask, fetch=_no_text).open) as stage:
            await stage.press("escape", "2")
            await stage.type("a")
            await stage.press("enter", "slash")
            await stage.type("nd t")
            gate.set()
            await stage.shows("[supported: quoted 0.97]")
            await stage.type("q")
            assert stage.lines[1] == "Ask: and tq"

    play(scene())


def test_a_pane_that_was_left_says_nothing_any_more(notes: Notes) -> None:
    gate, done = threading.Event(), threading.Event()

    def ask(_question: Question, _cancel: threading.Event) -> Iterator[AnswerEvent]:
        assert gate.wait(20)
        yield AnswerReady(TIME, judged())
        done.set()

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ask=ask, fetch=_no_text).open) as stage:
            await stage.press("escape", "2")
            await stage.type("a")
            await stage.press("enter", "1")
            gate.set()
            await stage.until(done.is_set)
            await stage.settled(Pace.LONG)
            assert "qwen2.5" not in stage.text
            assert "no text here" not in stage.text

    play(scene())
