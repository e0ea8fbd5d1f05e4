"""Runs one benchmark program and records its tables and other lines as JSON, besides printing them.

Usage: python benchmarks/recorded.py OUT PROGRAM [ARGUMENT ...]
"""

import contextlib
import io
import json
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

import measure

Table = dict[str, list[str] | list[list[str]]]


class Tee(io.TextIOBase):
    """Writes to the terminal and remembers."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        sys.__stdout__.write(text) if sys.__stdout__ else None
        return len(text)


def record(program: Path, arguments: Sequence[str]) -> dict[str, object]:
    tables: list[Table] = []
    shown: list[str] = []
    draw = measure.table

    def drawn(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        tables.append({"header": list(map(str, header)), "rows": [list(map(str, row)) for row in rows]})
        shown.append(draw(header, rows))
        return shown[-1]

    measure.table = drawn
    tee = Tee()
    sys.argv = [str(program), *arguments]
    with contextlib.redirect_stdout(tee):
        runpy.run_path(str(program), run_name="__main__")
    rest = tee.text
    for each in shown:
        rest = rest.replace(each, "")
    # The machine is named once for all programs.
    notes = [line.strip() for line in rest.splitlines() if line.strip() and "python -c pass" not in line]
    return {"tables": tables, "notes": notes}


def main() -> None:
    out, program, *arguments = sys.argv[1:]
    found = record(Path(program), arguments)
    Path(out).write_text(json.dumps(found, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
