"""The READMEs say what is there: commands that exist, files that exist, and the same in both languages."""

import re
from pathlib import Path

import click
import pytest

from kebab.ui.cli.main import kebab

REPOSITORY = Path(__file__).resolve().parents[2]
READMES = [REPOSITORY / "README.md", REPOSITORY / "README.ko.md"]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in READMES}


def command_lines(text: str) -> list[str]:
    """Everything that is to be typed, in fences and in lines, without comments."""
    fenced = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found = [*fenced, *re.findall(r"`(kebab [^`]+)`", prose)]
    return [line.partition(" #")[0].strip() for line in found if line.startswith("kebab")]


def resolved(line: str) -> click.Command:
    command: click.Command = kebab
    context = click.Context(kebab)
    for word in line.split()[1:]:
        if not isinstance(command, click.Group) or (found := command.get_command(context, word)) is None:
            break
        command = found
    assert command is not kebab, f"there is no such command: {line}"
    return command


@pytest.mark.parametrize("name", PAGES)
def test_every_command_it_names_is_there_with_its_options(name: str) -> None:
    lines = command_lines(PAGES[name])
    assert len(lines) > 15
    for line in lines:
        known = {option for parameter in resolved(line).params for option in parameter.opts}
        assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= known, line


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", PAGES[name]) if "://" not in link]
    assert len(links) > 10
    assert [link for link in links if not (REPOSITORY / link.partition("#")[0]).exists()] == []


def test_both_languages_say_the_same() -> None:
    english, korean = PAGES.values()
    unquoted = ([re.sub(r'"[^"]*"', '""', line) for line in command_lines(page)] for page in (english, korean))
    assert sorted(next(unquoted)) == sorted(next(unquoted))
    for what in (r"^##? ", r"^\| ", r"^```", r"^[0-9]\. "):
        counts = [len(re.findall(what, page, re.MULTILINE)) for page in (english, korean)]
        assert counts[0] == counts[1], what
    for row, other in zip(*(re.findall(r"^\|.*\|$", page, re.MULTILINE) for page in (english, korean)), strict=True):
        assert figures(row) == figures(other), (row, other)


def figures(row: str) -> list[str]:
    return sorted(re.findall(r"(?<![A-Za-z])[0-9]*[.,]?[0-9]+(?:,[0-9]{3})*", row))


def test_no_figure_waits_to_be_filled_in() -> None:
    for page in PAGES.values():
        assert "@" not in re.sub(r"(recall|nDCG|MRR)@", "", page)
