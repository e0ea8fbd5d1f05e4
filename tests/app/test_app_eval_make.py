"""`kebab eval make` and `kebab eval calibrate`: suites from documents, and a gate with its provenance."""

import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest
from app_bench import Desk

from kebab.app.calibrate import CalibrateRequest
from kebab.app.eval_files import load_suite
from kebab.app.eval_run import RunRequest
from kebab.app.evaluate import ProposeRequest
from kebab.core.errors import InvalidInput, ReadonlyMode
from kebab.core.evaluation import EvalFinished, Suite
from kebab.core.evaluation_findings import Calibration, CalibrationFinished
from kebab.eval.shipped import foreign_questions

TOPICS = "kettle ladder violin compass lantern harbour meadow glacier"


@pytest.fixture
def notes(desk: Desk) -> Desk:
    for number, topic in enumerate(TOPICS.split()):
        text = (
            f"Our old {topic} number {number} stands in the northern corner and needs polish every {number + 2} weeks."
        )
        more = f"Whoever borrows the {topic} writes a line into the green book before leaving the house."
        desk.write(f"{topic}.md", f"# About the {topic}\n\n{text}\n\n## Lending the {topic} out\n\n{more}\n")
    desk.write("code.py", "def polish(kettle):\n    '''Needs polish every week in the northern corner of it.'''\n")
    desk.ingest()
    return desk


def proposed(desk: Desk, **request: Any) -> tuple[Suite, str]:
    return desk.app().evaluation().propose(ProposeRequest(**request))


def calibrated(desk: Desk, **request: Any) -> Calibration:
    *steps, last = desk.app().evaluation().calibrate(CalibrateRequest(**request), threading.Event())
    assert isinstance(last, CalibrationFinished)
    assert len(steps) >= 150
    return last.calibration


def test_a_proposed_suite_asks_about_every_document_and_can_be_run(notes: Desk) -> None:
    out = notes.home / "new/suite.yaml"
    suite, text = proposed(notes, queries=20, out=out)
    assert out.read_text(encoding="utf-8") == text
    assert load_suite(out).queries == tuple(
        query._replace(comment=None, line=back.line)
        for query, back in zip(suite.queries, load_suite(out).queries, strict=True)
    )
    own = [query for query in suite.queries if query.answerable]
    assert len(own) == 16
    assert {query.expected[0].doc for query in own} == {f"{topic}.md" for topic in TOPICS.split()}
    *_, finished = notes.app().evaluation().run(RunRequest(out), threading.Event())
    assert isinstance(finished, EvalFinished)
    assert [each for each in finished.run.problems if each.line] == [], "everything it expects is there"
    assert finished.run.summaries[0].metrics["hit_at_k"].value == 1.0


def test_the_words_of_a_question_are_not_those_of_its_sentence(notes: Desk) -> None:
    suite, _ = proposed(notes, queries=20)
    for query in suite.queries:
        if query.answerable and query.expected[0].quote:
            assert query.expected[0].quote.strip(".") not in query.text


def test_a_seed_proposes_the_same_again(notes: Desk) -> None:
    assert proposed(notes, seed=1)[1] == proposed(notes, seed=1)[1] != proposed(notes, seed=2)[1]


def test_a_file_that_is_there_is_only_replaced_on_request(notes: Desk) -> None:
    out = notes.home / "suite.yaml"
    proposed(notes, out=out)
    with pytest.raises(InvalidInput, match="is there already"):
        proposed(notes, out=out)
    proposed(notes, out=out, force=True, seed=3)
    with pytest.raises(InvalidInput, match="--n must be"):
        proposed(notes, queries=0)
    with pytest.raises(ReadonlyMode):
        notes.app(readonly=True).evaluation().propose(ProposeRequest(out=out, force=True))


def test_the_gate_refuses_nine_in_ten_foreign_questions_or_is_the_default(notes: Desk) -> None:
    found = calibrated(notes)
    assert (found.foreign, found.unanswerable_count, found.by_meaning) == (150, 150, False)
    assert found.gate <= found.default == 0.3
    assert found.at_gate.recall >= 0.9
    assert found.answerable_count > 10
    assert (found.at_gate, found.at_configured) == tuple(
        next(point for point in found.curve if point.gate == gate) for gate in (found.gate, found.configured)
    )
    assert [Path(file).name for file in found.files] == ["report.md", "report.html"]
    assert "Refusals by gate" in Path(found.files[1]).read_text(encoding="utf-8")
    assert found.written is None


def test_with_vectors_the_gate_is_fitted_by_meaning(notes: Desk, model: object) -> None:
    notes.ingest()
    found = calibrated(notes)
    assert found.by_meaning
    assert "use-multilingual-v3@v1" in found.provenance


def test_a_suite_says_which_questions_have_an_answer(notes: Desk) -> None:
    path = notes.home / "suite.yaml"
    asked = foreign_questions()[0]
    path.write_text(
        f"queries:\n- {{text: polish the kettle, expected: kettle.md}}\n- {{text: '{asked}'}}\n"
        "- {text: the price of onions in Wales, answerable: no}\n",
        encoding="utf-8",
    )
    found = calibrated(notes, suite=path)
    assert (found.answerable, found.answerable_count, found.unanswerable_count) == ("suite suite", 2, 150)


def test_the_gate_is_written_with_its_provenance_and_other_comments_stay(notes: Desk) -> None:
    notes.configure("# mine\n[rag]\nscore_gate = 0.25 # by hand\n")
    first = calibrated(notes, write=True)
    assert notes.file is not None
    assert first.written == str(notes.file)
    text = notes.file.read_text(encoding="utf-8")
    assert tomllib.loads(text)["rag"]["score_gate"] == first.gate
    head, _, line = text.strip().rpartition("\n")
    assert head == "# mine\n[rag]"
    assert line == f"score_gate = {first.gate}  # by hand; {first.provenance}"
    notes.write("spoon.md", "# Spoons\n\nA spoon for every kettle.\n")
    notes.ingest()
    second = calibrated(notes, write=True)
    assert notes.file.read_text(encoding="utf-8").strip().endswith(f"# by hand; {second.provenance}")
    assert second.provenance != first.provenance


@pytest.mark.parametrize("text", ["", "rag = {score_gate = 0.25}\n", "rag.score_gate = 0.25\n"])
def test_a_file_of_any_layout_gets_the_gate(notes: Desk, text: str) -> None:
    notes.configure(text)
    found = calibrated(notes, write=True)
    assert notes.file is not None
    assert tomllib.loads(notes.file.read_text(encoding="utf-8"))["rag"]["score_gate"] == found.gate


def test_readonly_writes_neither_gate_nor_report(notes: Desk) -> None:
    evaluation = notes.app(readonly=True).evaluation()
    with pytest.raises(ReadonlyMode):
        evaluation.calibrate(CalibrateRequest(write=True), threading.Event())
    *_, last = evaluation.calibrate(CalibrateRequest(), threading.Event())
    assert isinstance(last, CalibrationFinished)
    assert last.calibration.files == ()
