"""What is too much for one document: the beginning is read, the rest is named, and memory stays within bounds."""

import subprocess
import sys
from pathlib import Path

import pytest

from kebab.parse import building
from kebab.parse.building import read_text
from kebab.parse.markdown import MarkdownParser, pieces
from office_samples import read

# Parses a note of three million marks in a process of its own, and says what it took at most, in MB.
PEAK = """
import sys
from kebab.parse.markdown import pieces
try:
    pieces.read("[" * 3_000_000)
except pieces.TooManyMarks:
    pass
with open("/proc/self/status") as status:
    print(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")))
"""


@pytest.mark.parametrize(
    ("text", "kept", "lines"),
    [
        ("일일일\n이이\n삼삼삼삼\n", "일일일\n이이\n", "2 lines were"),
        ("one two three four", "one two th", "10 characters were"),
        ("a\nb\nc\nd\ne\n", "a\nb\nc\n", "3 lines were"),
        ("a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", "a\n\n\n", "3 lines were"),
    ],
)
def test_only_the_beginning_of_too_much_text_is_read(
    monkeypatch: pytest.MonkeyPatch, text: str, kept: str, lines: str
) -> None:
    monkeypatch.setattr(building, "MAX_TEXT", 10)
    monkeypatch.setattr(building, "MAX_LINES", 3)
    assert read_text(text.encode()) == (kept, [f"only the first {lines} read: there is too much text"])


@pytest.mark.parametrize("text", ["", "a\nb\nc\n", "a\nb\nc", "0123456789", "\n\n\n"])
def test_what_fits_is_read_whole(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(building, "MAX_TEXT", 10)
    monkeypatch.setattr(building, "MAX_LINES", 3)
    assert read_text(text.encode()) == (text, [])


def test_a_note_with_more_marks_than_words_is_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MAX_MARKS", 20)
    document = read(MarkdownParser(), b"# A\n\n" + b"[x](y) " * 20 + b"\n", "a.md", "markdown")
    assert [block.kind for block in document.blocks] == ["paragraph", "paragraph"]
    assert document.warnings == ("structure could not be read, kept as paragraphs: TooManyMarks",)
    plain = read(MarkdownParser(), b"# A\n\n" + b"words " * 20 + b"\n", "a.md", "markdown")
    assert plain.blocks[0].kind == "heading"


# What getrusage says of a new process may be the peak of the one that started it.
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say what a process took")
def test_marks_without_end_take_little_memory() -> None:
    done = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True, timeout=60)
    assert int(done.stdout) < 120


def test_of_plain_ascii_in_lines_more_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MAX_TEXT", 10)
    assert read_text(b"one\ntwo\nthree\nfour\n") == ("one\ntwo\nthree\nfour\n", [])
    assert read_text("하나\n둘\n셋\n넷\n다섯\n".encode())[0] == "하나\n둘\n셋\n넷\n"
