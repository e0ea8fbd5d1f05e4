"""Writes what can be derived from the code: docs/cli.md from the commands' help, and the tree in docs/ARCHITECTURE.md.

`python scripts/generate_docs.py --check` fails when they are stale; a test calls it.
"""

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
CLI_DOC = ROOT / "docs" / "cli.md"
ARCHITECTURE = ROOT / "docs" / "ARCHITECTURE.md"
START, END = "<!-- tree: generated -->", "<!-- /tree -->"
WIDTH = 100


def commands(group: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, group
    if isinstance(group, click.Group):
        context = click.Context(group, info_name=path)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield from commands(command, f"{path} {name}")


def cli_page() -> str:
    from kebab.ui.cli.main import kebab

    parts = ["# Commands", "", "Generated from `--help` by `make docs`; do not edit.", ""]
    for path, command in commands(kebab, "kebab"):
        names = ["-h", "--help"]
        context = click.Context(
            command, info_name=path, max_content_width=WIDTH, terminal_width=WIDTH, help_option_names=names
        )
        parts += [f"## `{path}`", "", "```text", command.get_help(context).rstrip(), "```", ""]
    return "\n".join(parts).rstrip() + "\n"


def docstring(path: Path) -> str:
    """The first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return text.split("\n")[0].rstrip(".")


def tree() -> str:
    package = ROOT / "src" / "kebab"
    lines = ["```text", "src/kebab/"]
    for folder in sorted(path for path in package.iterdir() if path.is_dir() and (path / "__init__.py").exists()):
        lines.append(f"  {folder.name}/{'':<{23 - len(folder.name)}}{docstring(folder / '__init__.py')}")
        for path in sorted(folder.rglob("*.py")):
            if path.name != "__init__.py":
                name = path.relative_to(folder).as_posix()
                lines.append(f"    {name:<24}{docstring(path)}")
    top = (path for path in sorted(package.glob("*.py")) if path.name != "__init__.py")
    return "\n".join([*lines, *(f"  {path.name:<24}{docstring(path)}" for path in top), "```"])


def architecture_page() -> str:
    text = ARCHITECTURE.read_text("utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{tree()}\n{END}{after}"


def main() -> int:
    importlib.invalidate_caches()
    pages = {CLI_DOC: cli_page(), ARCHITECTURE: architecture_page()}
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(ROOT)} is stale; run `make docs`\n")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
