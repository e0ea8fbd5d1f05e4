"""What a benchmark run writes: tables in Markdown, a plot that is sound XML, figures of runs that were stopped."""

import runpy
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads a program of the folder as its own command would, without running it."""
    monkeypatch.syspath_prepend(str(FOLDER))
    known = set(sys.modules)

    def load(name: str) -> dict[str, Any]:
        return runpy.run_path(str(FOLDER / f"{name}.py"))

    yield load
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(str(FOLDER)):
            del sys.modules[name]


RESULTS: dict[str, Any] = {
    "machine": "a machine",
    "parts": {
        "quality": {
            "title": "Quality",
            "date": "2026-01-01",
            "commit": "abc",
            "quick": True,
            "minutes": 1.0,
            "how": "quality.py sets",
            "notes": ["a note"],
            "tables": [
                {
                    "header": ["set", "mode", "nDCG@10"],
                    "rows": [["<a&b>", "hybrid", "0.8000"], ["<a&b>", "lexical", "0.4000"]],
                }
            ],
        },
        "ocr": {"title": "OCR", "date": "2026-01-01", "commit": "abc", "quick": True, "left_out": "no tesseract"},
    },
}


def test_a_report_names_the_machine_the_day_the_commit_and_what_is_left_out(program: Any) -> None:
    text = program("report")["written"](RESULTS)
    assert "Machine: a machine." in text
    assert "2026-01-01, commit abc, quick run, 1.0 min: `quality.py sets`" in text
    assert "| set | mode | nDCG@10 |\n| --- | --- | ---: |\n| <a&b> | hybrid | 0.8000 |" in text
    assert "Left out: no tesseract." in text


def test_a_plot_is_sound_xml_with_bars_in_proportion(program: Any) -> None:
    root = ET.fromstring(program("plot")["drawn"](RESULTS))
    space = "{http://www.w3.org/2000/svg}"
    longer, shorter = (float(bar.attrib["width"]) for bar in root.iter(f"{space}rect"))
    assert longer == pytest.approx(2 * shorter, abs=0.2)
    assert "<a&b>, hybrid" in [text.text for text in root.iter(f"{space}text")]


def test_a_plot_of_nothing_is_sound_too(program: Any) -> None:
    ET.fromstring(program("plot")["drawn"]({"parts": {}}))


def test_an_ingest_that_was_stopped_and_taken_up_counts_both_runs(program: Any) -> None:
    def line(chunks: int, cpu: float, *, done: bool = False) -> dict[str, float]:
        return {"chunks": chunks, "files": chunks // 10, "cpu_s": cpu, "wall_s": 2 * cpu, "peak_mb": 9, "done": done}

    lines = [line(1000, 1.0), line(2000, 2.0), line(1000, 3.0), line(2000, 6.0, done=True)]
    row = dict(zip(program("scale")["INGEST"], program("scale")["ingest_row"](lines), strict=True))
    assert row["chunks"] == "4000"
    assert (row["CPU ms/chunk"], row["first tenth"], row["last tenth"], row["wall ms/chunk"]) == (
        *("2.00", "1.00", "3.00"),
        "4.00",
    )


def test_a_percentile_is_a_value_that_was_measured(program: Any) -> None:
    percentile = program("scale_search")["percentile"]
    assert percentile([5.0], 0.95) == 5.0
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95.0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0


def test_the_same_seed_makes_the_same_notes(program: Any, tmp_path: Path) -> None:
    corpus = program("scale_corpus")
    words = tmp_path / "words"
    words.mkdir()
    chosen = [f"word{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{chr(97 + n // 100)}" for n in range(1200)]
    hangul = [chr(0xAC00 + n) + chr(0xAC00 + 2 * n) for n in range(1200)]
    (words / "a.md").write_text(" ".join(chosen + hangul), "utf-8")
    for name in ("one", "two"):
        corpus["write"](tmp_path / name, 80, corpus["lexicons"](words, 1), 1)
    texts = [{path.name: path.read_text("utf-8") for path in (tmp_path / name).rglob("*.*")} for name in ("one", "two")]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 2
    asked = corpus["questions"](tmp_path / "one", 12, 1)
    assert [len(question.split()) for question in asked] == [1, 2, 3, 4, 5, 6] * 2
