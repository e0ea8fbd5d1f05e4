"""`kebab eval` as its users run it: a suite made, edited, measured, stopped half-way, compared, and used as a gate."""

import json
import signal
from pathlib import Path

import pytest
from kebab_process import EXAMPLES, answer, kebab, objects, on_terminal, plant, refusal, start, well

SUITE = """\
queries:
  - {id: rice, text: how much water does brown rice need, expected: {doc: rice.md, quote: two cups of water}}
  - {id: 밥, text: 현미 물, expected: "쌀/*.md", variants: [현미밥에 붓는 물]}
  - {id: backup, text: nightly backup, expected: dev/backup.md}
  - {id: bad, txt: oops}
"""
RUNS = ".local/share/kebab/runs"


def suite(home: Path, text: str = SUITE) -> Path:
    return plant(home / "suites", {"suite.yaml": text}) / "suite.yaml"


def test_the_example_suite_fits_the_example_notes(library: Path) -> None:
    run = answer(library, "eval", "run", EXAMPLES.parent / "suite.yaml", "--ask", "--readonly")
    assert [problem for problem in run["problems"] if "line" in problem] == []
    (summary,) = run["summaries"]
    assert summary["queries"] == 23
    assert summary["metrics"]["hit_at_k"]["value"] > 0.8
    assert summary["metrics"]["refusal_recall"]["value"] == 1.0
    assert not (library / RUNS).exists(), "--readonly keeps nothing"


def test_a_run_shows_its_figures_and_says_what_is_wrong_with_the_suite(home: Path) -> None:
    done = well(kebab(home, "eval", "run", suite(home)))
    assert done.lines[0].endswith("suite, 4 queries, k 10")
    assert [line.split() for line in done.lines if line.startswith("hit@1")] == [["hit@1", "1.000", "4"]]
    assert "suite: line 5: `txt` is no key here; is it `text`?" in done.err
    assert "note: mode vector was left out: no embedding model is configured" in done.err
    (folder,) = (home / RUNS).iterdir()
    assert {path.name for path in folder.iterdir()} == {"run.json", "report.md", "report.html"}
    assert f"wrote {folder}" in done.err
    assert kebab(home, "eval", "run", suite(home), "--quiet").err == ""


def test_a_regression_is_exit_one_and_averages_alone_may_forgive_it(home: Path) -> None:
    path = suite(home)
    well(kebab(home, "eval", "run", path, "--quiet"))
    assert answer(home, "eval", "compare", "last", "last")["ok"] is True
    (home / "notes/dev/backup.md").write_text("# Gone\n\nNothing.\n", encoding="utf-8")
    plant(home / "notes", {"other.md": "# Backup\n\nA nightly backup.\n"})
    well(kebab(home, "ingest", "--quiet"))
    well(kebab(home, "eval", "run", path, "--quiet"))
    found = answer(home, "eval", "compare", "last~1", "last", status=1)
    assert (found["ok"], [query["id"] for query in found["queries"]]) == (False, ["backup"])
    spoken = well(kebab(home, "eval", "compare", "last~1", "last", "--tolerance", "0.3"), 1)
    assert "1 worse:" in spoken.out
    assert "WORSE" not in spoken.out
    well(kebab(home, "eval", "compare", "last~1", "last", "--tolerance", "0.3", "--averages"))
    well(kebab(home, "eval", "compare", "last~1", "last", "--tolerance", "1"))
    rows = well(kebab(home, "eval", "aggregate")).lines
    assert [row.split()[2] for row in rows[1:]] == ["lexical", "lexical"]
    steady = answer(home, "eval", "variants", "last")
    assert steady["groups"][0]["ranks"] == [1, 1]


def test_ctrl_c_keeps_what_was_measured(home: Path) -> None:
    many = "queries:\n" + "".join(f"  - {{id: q{n}, text: brown rice {n}, expected: rice.md}}\n" for n in range(5000))
    process = start(home, "eval", "run", suite(home, many), "--ask", env={"KEBAB_PROGRESS": "plain"}, cwd=home)
    assert b"[1/5000] lexical: brown rice 0" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err[-2000:]
    assert b"stopped before its end" in err
    assert b"Traceback" not in err
    assert b"hit@1" in out
    (folder,) = (home / RUNS).iterdir()
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert run["aborted"] is True
    assert 1 <= len(run["results"]) < 5000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("queries:\n- text: a\n  b: [\n", "suite.yaml: line 4: not YAML"),
        ("queries:\n- &a {text: a}\n- *a\n", "suite.yaml: line 2: anchors and aliases"),
        ("[" * 24_000, "nested more than 8 deep"),
    ],
)
def test_a_broken_suite_is_one_line_with_its_place(home: Path, text: str, said: str) -> None:
    assert said in refusal(kebab(home, "eval", "run", suite(home, text), "--json"), "invalid_input")["message"]


def test_mistakes_are_told_as_such(home: Path) -> None:
    path = suite(home)
    for given in (
        ("run",),
        ("run", path, "--modes", "telepathy"),
        ("run", path, "--modes", "vector"),
        ("run", path, "--k", "0"),
        ("compare", "last", "last"),
        ("variants", "nothing"),
        ("aggregate", "nothing"),
        ("make", "--n", "0"),
    ):
        error = refusal(kebab(home, "eval", *given, "--json"), "invalid_input")
        assert error.get("hint") or "--k" in error["message"] or "--" in error["message"], error
    assert well(kebab(home, "eval", "aggregate"), 1).err == "no runs; `kebab eval run` makes one\n"


def test_a_proposed_suite_is_where_a_run_looks_for_it(home: Path) -> None:
    made = well(kebab(home, "eval", "make", "--n", "5"))
    assert made.out.startswith(f"5 queries in {home / RUNS / 'suite.yaml'}") or "queries in" in made.out
    assert answer(home, "eval", "run")["suite"]["name"] == "proposed"
    refusal(kebab(home, "eval", "make", "--json"), "invalid_input")
    printed = well(kebab(home, "eval", "make", "--n", "5", "--out", "-"))
    assert printed.out == (home / RUNS / "suite.yaml").read_text(encoding="utf-8")


def test_a_calibrated_gate_is_what_holds_from_then_on(home: Path) -> None:
    shown = well(kebab(home, "eval", "calibrate"))
    assert shown.lines[0].startswith("score_gate ")
    assert sum("fitted" in line and "." in line.split()[0] for line in shown.lines) == 1
    found = answer(home, "eval", "calibrate", "--write")
    assert found["written"].endswith("config.toml")
    told = answer(home, "config", "get", "rag.score_gate")
    assert told["value"] == found["gate"]
    assert told["origin"].startswith("file:")
    assert "# calibrated: " in (home / ".config/kebab/config.toml").read_text(encoding="utf-8")


def test_progress_is_drawn_on_a_terminal_only_and_nothing_drives_it(home: Path) -> None:
    hostile = 'queries:\n  - {text: "brown \\e[31mrice\\x07", id: a, expected: rice.md}\n'
    screen = on_terminal(home, "eval", "run", suite(home, hostile), env={"NO_COLOR": "1"})
    assert screen.status == 0
    assert "\x1b[31m" not in screen.out
    assert "\x07" not in screen.out
    lines = well(kebab(home, "eval", "run", suite(home), env={"KEBAB_PROGRESS": "plain"})).err
    assert "[4/4] lexical: nightly backup" in lines


def test_json_is_one_object_and_silence(home: Path) -> None:
    done = well(kebab(home, "eval", "run", suite(home), "--json", "--out", home / "out"))
    (run,) = objects(done)
    assert done.err == ""
    assert [Path(path).name for path in run["written"]] == ["run.json", "report.md", "report.html"]
    assert not (home / RUNS).exists()
