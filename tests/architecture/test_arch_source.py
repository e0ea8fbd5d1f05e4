"""The shape of the source: what each file says of itself, how large it may grow, and what it may not be called."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src/kebab"
FILES = sorted(SOURCE.rglob("*.py"))
NAMES = [str(path.relative_to(SOURCE)) for path in FILES]
MOST_LINES = 400
LONGEST_FUNCTION = 60
VAGUE = ("util", "utils", "helper", "helpers", "manager", "managers", "common", "base", "misc", "shared", "lib")


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_there_is_something_to_check() -> None:
    assert len(FILES) > 80


@pytest.mark.parametrize("name", NAMES)
def test_a_module_says_what_it_is(name: str) -> None:
    docstring = ast.get_docstring(parsed(SOURCE / name))
    assert docstring
    assert docstring.splitlines()[0].rstrip().endswith((".", ":", "`")), docstring.splitlines()[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_stays_readable(name: str) -> None:
    assert len((SOURCE / name).read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", NAMES)
def test_a_function_stays_readable(name: str) -> None:
    lengths = {
        node.name: (node.end_lineno or 0) - min([node.lineno, *(each.lineno for each in node.decorator_list)]) + 1
        for node in functions(parsed(SOURCE / name))
    }
    assert {function: length for function, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [name for name in NAMES if Path(name).stem.strip("_") in VAGUE] == []
    assert [name for name in NAMES if re.search(r"_?v\d+$|\d{4}", Path(name).stem)] == [], (
        "no version or date in a name"
    )


def test_no_class_is_a_manager_helper_util_or_base() -> None:
    classes = {
        f"{name}:{node.name}"
        for name, path in zip(NAMES, FILES, strict=True)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and re.search(r"Manager|Helper|Utils?$|^Base|Base$|Mixin|Impl$", node.name)
    }
    assert classes == set()


def test_nothing_prints_but_click() -> None:
    calls = [
        f"{name}:{node.lineno}"
        for name, path in zip(NAMES, FILES, strict=True)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "breakpoint")
    ]
    assert calls == []


def test_only_the_interfaces_speak_or_exit() -> None:
    wrong = [
        f"{name}:{node.lineno}"
        for name, path in zip(NAMES, FILES, strict=True)
        if not name.startswith(("ui/", "__main__"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in {("sys", "exit"), ("sys", "stdout"), ("sys", "stderr"), ("os", "_exit")}
    ]
    assert wrong == []


def first_assignment(tree: ast.Module) -> str | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            return node.target.id
    return None


def test_a_version_is_the_first_thing_a_parser_or_chunker_says() -> None:
    versioned = []
    for name in NAMES:
        if not name.startswith(("parse/", "chunk/")):
            continue
        tree = parsed(SOURCE / name)
        names = {
            node.targets[0].id
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        if "VERSION" in names:
            versioned.append(name)
            assert first_assignment(tree) == "VERSION", name
    assert {name.partition("/")[0] for name in versioned} == {"parse", "chunk"}


def _versions_of(module: ModuleType) -> list[str]:
    """The module's own version, or those of the modules beside it, as patterns."""
    beside = [name for name in sys.modules if name.startswith(module.__name__.rpartition(".")[0] + ".")]
    modules = [module] if hasattr(module, "VERSION") else [sys.modules[name] for name in beside]
    told = [each.VERSION for each in modules if hasattr(each, "VERSION")]
    told += [version for each in modules for version in getattr(each, "VERSIONS", {}).values()]
    return [re.sub(r"\\\{\w+\\\}", r"[\\w.-]+", re.escape(version)) for version in told]


def test_every_registered_parser_and_chunker_has_the_version_of_its_module() -> None:
    from kebab.chunk import CHUNKERS
    from kebab.parse import PARSERS

    for part in (*PARSERS.values(), *CHUNKERS.values()):
        module = type(part).__module__ if not isinstance(part, type) else part.__module__
        # One parser for many languages has a version for each, of one form.
        versions = _versions_of(sys.modules[module])
        assert any(re.fullmatch(form, part.version) for form in versions), part


def test_no_ticket_numbers_dates_or_leftovers_in_the_source() -> None:
    marks = re.compile(
        r"\b(TODO|FIXME|XXX|HACK)\b|#\d{2,}\b(?!.*noqa)|\b(p\d{1,2}-(?:fb-)?\d+|fb-\d+)\b|\b20\d\d-\d\d-\d\d\b"
    )
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, path in zip(NAMES, FILES, strict=True)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for comment in [line.partition("# ")[2]]
        if marks.search(comment)
    ]
    assert found == []


def test_heavy_packages_are_imported_where_they_are_needed() -> None:
    """The linter bans them at the top of a module, except in parsers, which an ingest loads, and in `kebab tui`."""
    heavy = {
        "mecab",
        "_mecab",
        "rich",
        "tomlkit",
        "yaml",
        "pyromark",
        "numpy",
        "onnxruntime",
        "mcp",
        "textual",
        "httpx2",
    }
    found = []
    for name, path in zip(NAMES, FILES, strict=True):
        if name.startswith(("parse/", "ui/tui/")):
            continue
        for node in parsed(path).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [f"{name}: {each}" for each in names if each.partition(".")[0] in heavy]
    assert found == []
