"""`kebab cache` and `kebab inspect ocr-*` for people and programs, and the lines of an ingest that reads slowly."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from kebab.core.events import AssetPhase, PdfOcrFinished, PdfOcrStarted
from kebab.core.phases import PhaseKind
from kebab.core.reading import OcrLine
from kebab.ocr import OCR_ENGINES
from kebab.parse.image import parser as image_parser
from kebab.ui.cli import progress
from older_index import made_older
from stand_ins.pictures import corner, file_of
from stand_ins.readers import InProcess, ScriptedOcr
from wire_schemas import check

if TYPE_CHECKING:
    from ui_bench import Home

MOMENT = "2024-01-01T00:00:00Z"


@pytest.fixture
def read(home: "Home", monkeypatch: pytest.MonkeyPatch) -> "Home":
    """Two images that were read, and one that could not be."""
    engine = ScriptedOcr([OcrLine("rice", 1, 1, 30, 9, 0.8)])
    monkeypatch.setitem(OCR_ENGINES, "tesseract", lambda _settings: engine)
    monkeypatch.setattr(image_parser, "Worker", lambda *_: InProcess())
    monkeypatch.setenv("KEBAB_MODELS_EMBEDDING_PROVIDER", "none")
    for name, size in (("a.png", (40, 20)), ("b.png", (50, 30))):
        (home.path / "KnowledgeBase" / name).write_bytes(file_of(corner(size)))
    (home.path / "KnowledgeBase/bad\u202e.png").write_bytes(b"nothing")
    assert home.run("ingest", "--quiet").status == 0
    return home


def sent(home: "Home", *arguments: str) -> Any:
    said = home.run(*arguments, "--json")
    assert (said.status, said.err) == (0, "")
    value = json.loads(said.out)
    check(value)
    return value


def test_the_cache_is_told_by_kind_and_pruned_to_a_size(read: "Home") -> None:
    said = read.run("cache", "status")
    assert (said.status, said.err) == (0, "")
    kind, total = said.out.splitlines()
    assert kind.split()[:3] == ["ocr", "2", "results"]
    assert "oldest use 20" in kind
    assert total.split()[:3] == ["all", "2", "results"]
    assert total.endswith(" of 537 MB")
    assert read.run("cache", "prune").out.splitlines()[0] == "dropped 0 results"
    assert read.run("cache", "prune", "--all").out.splitlines() == [
        "dropped 2 results",
        "all         0 results       0 B of 537 MB",
    ]
    assert sent(read, "cache", "prune", "--max-mb", "0")["dropped"] == 0


def test_a_prune_takes_one_size_and_writes(read: "Home") -> None:
    both = read.run("cache", "prune", "--all", "--max-mb", "3")
    assert (both.status, "not both" in both.err) == (2, True)
    assert read.run("cache", "prune", "--max-mb", "-1").status == 2
    assert "writes" in read.run("cache", "prune", "--all", "--readonly").err
    assert sent(read, "cache", "status")["entries"] == 2


def test_an_older_index_has_nothing_in_the_cache(read: "Home") -> None:
    made_older(read.index, 3)
    assert sent(read, "cache", "status")["entries"] == 0
    assert sent(read, "inspect", "ocr-stats")["documents"] == 2


def test_what_was_read_is_told_in_a_line_for_each_engine(read: "Home") -> None:
    said = read.run("inspect", "ocr-stats")
    assert said.out == "image  2 documents, 2 pages, 2 regions, 2 lines, 80% sure  (scripted:1:kor:)\n"
    (reader,) = sent(read, "inspect", "ocr-stats")["readers"]
    assert (reader["media"], reader["documents"], reader["mean_confidence"]) == ("image", 2, 0.8)


def test_what_could_not_be_read_is_told_safely_with_its_reason(read: "Home") -> None:
    said = read.run("inspect", "ocr-failures")
    assert said.status == 0
    assert "\u202e" not in said.out
    assert ".png: failed: the image cannot be decoded" in said.out
    (failure,) = sent(read, "inspect", "ocr-failures")["failures"]
    assert (failure["doc_path"], failure["reason"]) == ("bad\u202e.png", "failed")


def test_an_index_without_pictures_says_so(home: "Home", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEBAB_MODELS_EMBEDDING_PROVIDER", "none")
    (home.path / "KnowledgeBase/a.md").write_text("words\n", encoding="utf-8")
    home.run("ingest", "--quiet")
    stats, failures = home.run("inspect", "ocr-stats"), home.run("inspect", "ocr-failures")
    assert (stats.status, stats.out, stats.err) == (0, "", "no text was read in images or scanned pages\n")
    assert (failures.status, failures.out, failures.err) == (0, "", "nothing was left unread\n")


@pytest.mark.parametrize("command", [("cache", "status"), ("cache", "prune"), ("inspect", "ocr-stats")])
def test_without_an_index_there_is_nothing_to_tell(home: "Home", command: tuple[str, ...]) -> None:
    said = home.run(*command)
    assert (said.status, said.out) == (2, "")
    assert "kebab ingest" in said.err
    assert not home.index.exists()


def test_every_phase_has_words_and_pages_have_numbers() -> None:
    told = [progress._line(AssetPhase(MOMENT, 2, 9, "a/scan.png", kind, "m")) for kind in PhaseKind]
    assert told[0] == "[2/9] reading text in a/scan.png"
    assert len({*told}) == len(PhaseKind)
    assert progress._line(PdfOcrStarted(MOMENT, 2, 9, "b.pdf", 7, 30)) == "[2/9] reading page 7 of b.pdf"
    assert progress._line(PdfOcrFinished(MOMENT, 2, 9, "b.pdf", 7, 30)) is None


def test_a_bar_and_plain_lines_say_what_is_read(read: "Home", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEBAB_PROGRESS", "plain")
    read.run("cache", "prune", "--all")
    said = read.run("ingest", "--force-reingest")
    assert "reading text in a.png" in said.err
    assert said.err.index("reading text in a.png") < said.err.index("updated a.png")
