"""What `quality.py --keep` takes over from an earlier run: an index of the same files, and of no others."""

import json
import runpy
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
ROWS = [{"id": "a", "text": "def boil(): ...", "lang": "python"}, {"id": "b", "title": "Rice", "text": "Brown rice."}]


@pytest.fixture
def quality(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(FOLDER))
    return runpy.run_path(str(FOLDER / "quality.py"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "brown rice"}\n')
    (folder / "qrels.tsv").write_text("query\tdocument\tgrade\nq\tb\t1\n")
    return folder


def names(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "notes").rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("name", "content"),
    [("000/000000.md", "brown rice of another set\n"), ("000/000001.md", "# Rice\n\nWhite rice.\n")],
    ids=["another name", "another content"],
)
def test_an_index_of_other_files_is_made_anew(
    quality: dict[str, Any], data: Path, tmp_path: Path, name: str, content: str
) -> None:
    home = tmp_path / "kept"
    options = Namespace(set=["models.embedding.provider=none"], modes="lexical", limit=None)
    stray = home / "notes" / name
    stray.parent.mkdir(parents=True)
    stray.write_text(content)
    (home / "data").mkdir()
    (home / "data/left-over").touch()
    (line,) = quality["measure_set"](data, home, options)
    assert line[:4] == ["set", "lexical", "1", "1.0000"]
    assert names(home) == ["000000.py", "000001.md"]
    assert not (home / "data/left-over").exists()


def test_an_index_of_the_same_files_is_kept(quality: dict[str, Any], data: Path, tmp_path: Path) -> None:
    home = tmp_path / "kept"
    first = quality["write_notes"](data, home)
    before = (home / "notes/000/000000.py").stat().st_mtime_ns
    (home / "data").mkdir()
    assert quality["write_notes"](data, home) == first == {"000/000000.py": "a", "000/000001.md": "b"}
    assert (home / "notes/000/000000.py").stat().st_mtime_ns == before
    assert (home / "data").exists()
