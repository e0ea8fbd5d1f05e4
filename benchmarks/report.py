"""Results of a benchmark run to Markdown: the machine, then every part with its tables, date and commit."""

from typing import Any

INTRODUCTION = """# Benchmarks

Written by `python benchmarks/run.py`; do not edit. Figures are CPU time unless a column says wall: the machine is
shared. Each part names the day and the commit it was measured at (a plus sign: with changes not committed), and whether
it was a `--quick` run, which asks less of everything. The programs one by one: [benchmarks](../benchmarks/README.md).
"""


def written(results: dict[str, Any]) -> str:
    lines = [INTRODUCTION, f"Machine: {results['machine']}.", "", "![Quality, speed and scale](benchmarks.svg)"]
    for part in results["parts"].values():
        lines += ["", *section(part)]
    return "\n".join(lines) + "\n"


def section(part: dict[str, Any]) -> list[str]:
    way = "quick run" if part["quick"] else "full run"
    lines = [f"## {part['title']}", ""]
    if "left_out" in part:
        return [*lines, f"Left out: {part['left_out']}."]
    lines += [f"{part['date']}, commit {part['commit']}, {way}, {part['minutes']} min: `{part['how']}`"]
    lines += ["", *(f"- {note}" for note in part["notes"])] if part["notes"] else []
    for each in part["tables"]:
        lines += ["", *markdown(each["header"], each["rows"])]
    return lines


def markdown(header: list[str], rows: list[list[str]]) -> list[str]:
    """A table; a column of numbers is aligned to the right."""
    numeric = [all(_is_number(row[column]) for row in rows) for column in range(len(header))]
    marks = ["---:" if each else "---" for each in numeric]
    return [_line(header), _line(marks), *(_line(row) for row in rows)]


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.strip().replace("|", "\\|") for cell in cells) + " |"


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "").rstrip("%x"))
    except ValueError:
        return False
    return True
