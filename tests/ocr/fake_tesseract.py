"""A program called tesseract that does what a test wants, first on the PATH; and a table as the real one prints it."""

import os
import sys
from pathlib import Path

import pytest

HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
NOT_ON_WINDOWS = pytest.mark.skipif(os.name == "nt", reason="scripts are no programs there")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Path:
    """A Python script as the only tesseract there is. Gives the file in which it may leave word."""
    place = folder / "bin" / "tesseract"
    place.parent.mkdir(exist_ok=True)
    word = folder / "word"
    place.write_text(f"#!{sys.executable} -S\nimport sys, os, time\nWORD = {str(word)!r}\n{body}\n", encoding="utf-8")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", str(place.parent))
    return word


def printed(
    size: tuple[int, int], *lines: tuple[tuple[int, int, int, int], int, list[tuple[str, float]]], text: str
) -> str:
    """What tesseract prints for lines of a box, a block and words with their confidence."""
    rows = [HEADER, "\t".join(["1", "1", "0", "0", "0", "0", "0", "0", *map(str, size), "-1", ""])]
    for box, block, words in lines:
        head = ["4", "1", str(block), "1", "1", "0", *map(str, box), "-1", ""]
        rows.append("\t".join(head))
        rows += [
            "\t".join(["5", "1", str(block), "1", "1", "1", *map(str, box), str(sure), word]) for word, sure in words
        ]
    return "\n".join([*rows, text])
