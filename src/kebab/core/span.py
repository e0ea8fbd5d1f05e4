"""Where in a source something stands."""

from typing import NamedTuple, TypeAlias


class LineSpan(NamedTuple):
    """Whole source lines, 1-based, both ends included."""

    start: int
    end: int

    def to_json(self) -> dict[str, str | int]:
        return {"kind": "line", "start": self.start, "end": self.end}

    def canonical(self) -> str:
        """`to_json` as canonical JSON, for the ids of blocks."""
        return f'{{"end":{self.end},"kind":"line","start":{self.start}}}'


SourceSpan: TypeAlias = LineSpan
