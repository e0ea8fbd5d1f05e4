"""What comes with the package: questions that belong to no collection, and words that may stand for one another."""

from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def foreign_questions() -> tuple[str, ...]:
    """About everything and nothing, half of them Korean."""
    return tuple(_lines("foreign.txt"))


@cache
def synonyms() -> dict[str, str]:
    """Either way round; of several partners the first that is named."""
    found: dict[str, str] = {}
    for line in _lines("synonyms.txt"):
        one, other = line.split()
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


def _lines(name: str) -> list[str]:
    text = (_HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
