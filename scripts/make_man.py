"""Writes the man page docs/man/kebab.1 from the commands themselves.

`python scripts/make_man.py --check` fails when it is stale; a test calls it.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "man" / "kebab.1"

# Characters that roff would make into others, or take for its own.
GLYPHS = str.maketrans(
    {"\\": "\\e", "-": "\\-", "`": "\\(ga", "'": "\\(aq", "~": "\\(ti", "^": "\\(ha", "\b": "", '"': "\\(dq"}
)
EXITS = (
    ("0", "All went well; for a search, something was found."),
    ("1", "Nothing was found, or an answer was refused."),
    ("2", "It could not be done; a line on standard error says why."),
    ("3", "The doctor found something wrong."),
    ("130", "It was interrupted."),
)
VARIABLES = (
    ("KEBAB_CONFIG", "The config file to use."),
    ("KEBAB_SECTION_KEY", "A setting, such as KEBAB_SEARCH_DEFAULT_K for search.default_k."),
    ("KEBAB_NO_PAGER", "Long text is printed at once."),
    ("KEBAB_PROGRESS", "With the value plain, progress is shown as lines."),
    ("NO_COLOR", "No colours and no links."),
    ("PAGER", "What long text is shown with; less -FRX if it is not set."),
)
FILES = (
    ("~/.config/kebab/config.toml", "The settings; `kebab init` writes it with a comment for each."),
    ("~/.local/share/kebab/kebab.sqlite", "The index: one file that is the whole knowledge base."),
    ("~/.local/share/kebab/backups", "Where `kebab backup` puts its copies."),
)


def escaped(text: str) -> str:
    """Text that roff prints as it stands."""
    text = text.translate(GLYPHS)
    return f"\\&{text}" if text.startswith(".") else text


def paragraphs(text: str | None) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        yield ".PP"
        yield escaped(" ".join(paragraph.split()))


def listed(term: str, text: str) -> Iterator[str]:
    yield from (".TP", f"\\fB{escaped(term)}\\fR", escaped(text))


def literal(lines: list[str]) -> Iterator[str]:
    yield from (".PP", ".nf", ".RS", *(escaped(line) for line in lines), ".RE", ".fi")


def options(command: click.Command, hidden: set[str]) -> Iterator[str]:
    context = click.Context(command)
    for parameter in command.params:
        if not isinstance(parameter, click.Option) or parameter.name in hidden:
            continue
        if (record := parameter.get_help_record(context)) is not None:
            yield from listed(*record)


def examples(command: click.Command) -> Iterator[str]:
    _, mark, rest = (command.epilog or "").partition("Examples:\n")
    if mark:
        yield from literal([line.strip() for line in rest.splitlines()])


def commands(group: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    assert isinstance(group, click.Group)
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                yield f"{path} {name}", command
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def page() -> Iterator[str]:
    from kebab import __version__
    from kebab.ui.cli.main import kebab

    shared = {parameter.name or "" for parameter in kebab.params}
    yield f'.TH KEBAB 1 "" "kebab {escaped(__version__)}" "kebab"'
    yield from (".SH NAME", "kebab \\- a local knowledge base that answers with evidence")
    yield from (".SH SYNOPSIS", "\\fBkebab\\fR [options] \\fIcommand\\fR [arguments]")
    yield from (".SH DESCRIPTION", *paragraphs(kebab.help), *examples(kebab))
    yield from (".SH OPTIONS", "These may stand before the command or after it.", *options(kebab, set()))
    yield ".SH COMMANDS"
    for path, command in commands(kebab, "kebab"):
        usage = command.collect_usage_pieces(click.Context(command))
        yield f".SS {escaped(path)}"
        yield from literal([f"{path} {' '.join(usage)}"])
        yield from (*paragraphs(command.help), *options(command, shared), *examples(command))
    for title, rows in (("ENVIRONMENT", VARIABLES), ("FILES", FILES), ("EXIT STATUS", EXITS)):
        yield f".SH {title}"
        for row in rows:
            yield from listed(*row)


def main() -> int:
    text = "\n".join(page()) + "\n"
    if "--check" in sys.argv:
        if PAGE.exists() and PAGE.read_text("utf-8") == text:
            return 0
        sys.stderr.write(f"{PAGE.relative_to(ROOT)} is stale; run `make docs`\n")
        return 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
