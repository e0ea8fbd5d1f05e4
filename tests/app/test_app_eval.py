"""`kebab eval`: what is measured over a real index, what is kept of it, and how runs are found and compared."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from app_bench import Desk

from kebab.app.eval_run import RunRequest
from kebab.core.errors import Canceled, InvalidInput, IoFailure, NotIndexed, ReadonlyMode
from kebab.core.evaluation import EvalFinished, EvalRun, EvalStep
from kebab.core.query import SearchMode
from kebab.wire.decode_evaluation import decode_run
from kebab.wire.evaluation import encode_run
from wire_schemas import check

SUITE = """\
name: kitchen
queries:
  - id: rice
    text: How much water for brown rice?
    expected: [{doc: rice.md, heading: Water, quote: two cups of water}]
    variants: [water rice]
    must_contain: [two cups]
  - id: tea
    text: how long does green tea steep
    expected: tea/*.md
  - id: foreign
    text: Who succeeded Genghis Khan as ruler of the Mongols?
    answerable: false
"""
LEXICAL = SearchMode.LEXICAL


@pytest.fixture
def kitchen(desk: Desk) -> Desk:
    desk.write("rice.md", "# Rice\n\nBrown rice.\n\n## Water\n\nOne cup of brown rice needs two cups of water.\n")
    desk.write("tea/green.md", "# Green tea\n\nLet green tea steep for two minutes.\n")
    desk.write("bread.md", "# Bread\n\nBake the loaf for forty minutes.\n")
    # Among a handful of notes no word is rare, and so nothing is evidence.
    for number in range(12):
        desk.write(f"log/{number}.md", f"# Day {number}\n\nRain in the morning, wind later, page {number}.\n")
    desk.ingest()
    return desk


def suite_of(desk: Desk, text: str = SUITE) -> Path:
    path = desk.home / "suite.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def measured(desk: Desk, text: str = SUITE, **request: Any) -> EvalFinished:
    app = desk.app(readonly=request.pop("readonly", False))
    events = list(app.evaluation().run(RunRequest(suite_of(desk, text), **request), threading.Event()))
    assert isinstance(events[-1], EvalFinished)
    steps = [event for event in events if isinstance(event, EvalStep)]
    assert [step.done for step in steps] == list(range(1, len(steps) + 1))
    return events[-1]


def ranks(run: EvalRun) -> dict[str, int | None]:
    return {result.query_id: result.rank for result in run.results}


def test_every_query_is_asked_judged_and_timed(kitchen: Desk) -> None:
    run = measured(kitchen).run
    assert ranks(run) == {"rice": 1, "rice~1": 1, "tea": 1, "foreign": None}
    (summary,) = run.summaries
    assert (summary.mode, summary.queries, summary.failed, summary.metrics["mrr"]) == (LEXICAL, 4, 0, (1.0, 3))
    assert all(result.wall_ms > 0 for result in run.results)
    assert run.corpus["documents"] == 15
    assert run.answer_mode is None
    assert [problem.message.split(":")[0] for problem in run.problems] == [
        "mode vector was left out",
        "mode hybrid was left out",
    ]


def test_answers_are_judged_too_and_kept_off_the_record(kitchen: Desk) -> None:
    run = measured(kitchen, ask=True).run
    by_id = {result.query_id: result for result in run.results}
    assert run.answer_mode is LEXICAL
    assert by_id["rice"].metrics["must_contain"] == 1.0
    assert by_id["rice"].metrics["citation_coverage"] == 1.0
    assert by_id["foreign"].metrics == {"refusal_correctness": 1.0}
    assert run.summaries[0].metrics["refusal_recall"] == (1.0, 1)
    assert kitchen.app().list_answers(10) == []


def test_by_meaning_all_three_modes_are_measured(kitchen: Desk, model: object) -> None:
    kitchen.ingest()
    run = measured(kitchen).run
    assert run.modes == (LEXICAL, SearchMode.VECTOR, SearchMode.HYBRID)
    assert len(run.results) == 12
    assert run.problems == ()


def test_a_run_is_kept_with_its_reports_and_reads_back(kitchen: Desk) -> None:
    finished = measured(kitchen, ask=True)
    folder = kitchen.home / "data/runs" / finished.run.run_id
    assert sorted(map(Path, finished.written)) == sorted(
        folder / name for name in ("run.json", "report.md", "report.html")
    )
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    stored = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    check(stored)
    assert decode_run(stored) == finished.run
    assert encode_run(decode_run(stored)) == stored
    address = (kitchen.root / "rice.md").as_uri()
    assert finished.run.files["rice.md"] == address
    assert "hit@10" in (folder / "report.md").read_text(encoding="utf-8")


def test_no_secret_is_kept_with_the_settings(kitchen: Desk) -> None:
    kitchen.flags |= {
        "models.llm.endpoint": "http://user:hunter2@localhost:1/v1?key=hunter3",
        "models.llm.api_key_env": "sk-hunter4-hunter5",
        "models.embedding.api_key_env": "MY_KEY",
    }
    finished = measured(kitchen)
    assert finished.run.config["models.llm.endpoint"] == "http://localhost:1/v1"
    assert finished.run.config["models.embedding.api_key_env"] == "MY_KEY"
    for path in finished.written:
        assert "hunter" not in Path(path).read_text(encoding="utf-8")


def test_a_run_that_is_stopped_keeps_what_was_measured(kitchen: Desk) -> None:
    cancel = threading.Event()
    events = kitchen.app().evaluation().run(RunRequest(suite_of(kitchen)), cancel)
    next(events)
    next(events)
    cancel.set()
    (finished,) = events
    assert isinstance(finished, EvalFinished)
    assert (finished.run.aborted, ranks(finished.run)) == (True, {"rice": 1, "rice~1": 1})
    assert kitchen.app().evaluation().aggregate(["last"])[0] == [finished.run]


def test_a_run_that_was_stopped_at_once_leaves_nothing(kitchen: Desk) -> None:
    cancel = threading.Event()
    cancel.set()
    (finished,) = kitchen.app().evaluation().run(RunRequest(suite_of(kitchen)), cancel)
    assert isinstance(finished, EvalFinished)
    assert (finished.run.aborted, finished.written, kitchen.app().evaluation().aggregate([])) == (True, (), ([], []))


def test_a_query_that_cannot_be_asked_stops_no_other(kitchen: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from kebab.app.search import Searcher

    search = Searcher.search

    def broken(self: Searcher, query: Any) -> Any:
        if "tea" in query.text:
            raise IoFailure("the disk is gone", op="read")
        return search(self, query)

    monkeypatch.setattr(Searcher, "search", broken)
    run = measured(kitchen).run
    assert [result.error for result in run.results] == [None, None, "the disk is gone", None]
    assert (run.summaries[0].queries, run.summaries[0].failed) == (4, 1)


def test_what_no_document_holds_any_more_is_told_with_its_line(kitchen: Desk) -> None:
    text = """\
queries:
  - {id: a, text: rice, expected: gone.md}
  - {id: b, text: rice, expected: {doc: rice.md, heading: Steam}}
  - {id: c, text: rice, expected: {doc: "*.md", quote: two cups of wine}}
  - {id: d, text: rice, expected: {doc: "*.md", quote: two cups of water}}
  - {id: e, text: rice, expected_chunk_ids: [000000]}
  - {id: f, text: rice, expectd: rice.md}
  - {id: g, text: rice, expected: {quote: wine}}
"""
    problems = measured(kitchen, text, modes=(LEXICAL,)).run.problems
    assert [problem.line for problem in problems] == [7, 2, 3, 4, 6]
    assert "`expectd` is no key here" in problems[0].message
    assert problems[1].message == "`a` expects what is not in the index: doc 'gone.md'"


def test_a_suite_that_is_indexed_itself_is_told(kitchen: Desk) -> None:
    kitchen.write("suite.yaml", SUITE)
    kitchen.ingest()
    request = RunRequest(kitchen.root / "suite.yaml", (LEXICAL,))
    *_, finished = kitchen.app().evaluation().run(request, threading.Event())
    assert isinstance(finished, EvalFinished)
    assert "the suite itself is indexed" in finished.run.problems[0].message


def test_one_hit_of_each_document_is_ranked_by_document(kitchen: Desk) -> None:
    run = measured(kitchen, max_per_doc=1).run
    paths = [hit.doc_path for hit in run.results[0].hits]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"k": 0}, "--k must be"),
        ({"k": 1001}, "--k must be"),
        ({"max_per_doc": -1}, "--max-per-doc"),
        ({"modes": (SearchMode.VECTOR,)}, "mode vector cannot be measured: no embedding model is configured"),
    ],
)
def test_what_cannot_be_measured_is_refused(kitchen: Desk, request_: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        measured(kitchen, **request_)


def test_a_suite_that_is_not_there_or_cannot_be_read_is_told_by_name(kitchen: Desk) -> None:
    evaluation = kitchen.app().evaluation()
    with pytest.raises(InvalidInput, match=r"there is no suite .*runs/suite\.yaml"):
        evaluation.run(RunRequest(), threading.Event())
    path = suite_of(kitchen)
    path.write_bytes(b"queries:\n- text: \xff\n")
    with pytest.raises(InvalidInput, match=r"suite\.yaml: line 2: not UTF-8"):
        evaluation.run(RunRequest(path), threading.Event())
    with pytest.raises(InvalidInput, match=r"suite\.yaml: line 1: "):
        measured(kitchen, "queries: 7\n")
    with pytest.raises(IoFailure):
        evaluation.run(RunRequest(kitchen.root), threading.Event())


def test_without_an_index_there_is_nothing_to_measure(desk: Desk) -> None:
    with pytest.raises(NotIndexed):
        measured(desk)


def test_readonly_measures_and_keeps_nothing(kitchen: Desk) -> None:
    assert measured(kitchen, readonly=True).written == ()
    assert not (kitchen.home / "data/runs").exists()
    with pytest.raises(ReadonlyMode):
        measured(kitchen, readonly=True, out=kitchen.home / "out")


def test_runs_are_found_by_name_by_place_and_from_the_end(kitchen: Desk) -> None:
    first, second = measured(kitchen).run, measured(kitchen, out=kitchen.home / "out").run
    third = measured(kitchen).run
    evaluation = kitchen.app().evaluation()

    def find(*references: str) -> list[str]:
        return [run.run_id for run in evaluation.aggregate(references)[0]]

    kept = [first.run_id, third.run_id]
    assert find() == kept
    assert find("last", "last~1") == [kept[1], kept[0]]
    assert find(first.run_id, str(kitchen.home / "out"), str(kitchen.home / "out/run.json"))[1:] == [second.run_id] * 2
    for wrong, said in (("last~2", "there are 2 runs"), ("2", "fits several"), ("x", "no run 'x'"), ("", "no run ''")):
        with pytest.raises(InvalidInput, match=said):
            find(wrong)


def test_a_run_that_cannot_be_read_is_told_and_hides_no_other(kitchen: Desk) -> None:
    run = measured(kitchen).run
    folder = kitchen.home / "data/runs"
    for name, text in (
        ("0-broken", "{"),
        ("1-other", '{"schema_version": "eval_run.v9"}'),
        ("2-list", "[]"),
        ("3-null", "null"),
    ):
        (folder / name).mkdir()
        (folder / name / "run.json").write_text(text, encoding="utf-8")
    found, problems = kitchen.app().evaluation().aggregate([])
    assert ([each.run_id for each in found], len(problems)) == ([run.run_id], 4)
    with pytest.raises(InvalidInput, match="is not a run"):
        kitchen.app().evaluation().aggregate(["0-broken"])


def test_a_worse_search_is_a_regression_with_its_report(kitchen: Desk) -> None:
    before = measured(kitchen, modes=(LEXICAL,)).run
    kitchen.write("rice.md", "# Rice\n\nNothing here any more.\n", at=1_700_000_100)
    kitchen.write("other.md", "# Water\n\nHow much water does brown rice need? Two cups of water, water, rice.\n")
    kitchen.ingest()
    finished = measured(kitchen, modes=(LEXICAL,))
    evaluation = kitchen.app().evaluation()
    found, k = evaluation.compare(before.run_id, finished.run.run_id, 0.01, kitchen.home / "out")
    assert k == 10
    assert {change.query_id for change in found.regressed_queries} == {"rice", "rice~1"}
    page = (kitchen.home / "out/compare.html").read_text(encoding="utf-8")
    assert (kitchen.root / "other.md").as_uri() in page
    assert "Worse (2)" in Path(finished.written[2]).read_text(encoding="utf-8"), "against the run before it"
    with pytest.raises(InvalidInput, match="--tolerance"):
        evaluation.compare("last", "last", 1.5)


def test_paraphrases_of_a_run_are_compared(kitchen: Desk) -> None:
    measured(kitchen)
    found = kitchen.app().evaluation().variants("last")
    assert [(group.group, group.ranks) for group in found.groups] == [("rice", (1, 1))]


def test_canceled_is_what_a_stopped_calibration_raises(kitchen: Desk) -> None:
    from kebab.app.calibrate import CalibrateRequest

    cancel = threading.Event()
    events = kitchen.app().evaluation().calibrate(CalibrateRequest(), cancel)
    next(events)
    cancel.set()
    with pytest.raises(Canceled):
        next(events)
