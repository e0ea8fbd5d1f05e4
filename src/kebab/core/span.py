"""Where in a source something stands."""

from typing import Any, NamedTuple, TypeAlias


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


class CodePlace(NamedTuple):
    """A unit of source code. `symbol` is None for text that belongs to no unit."""

    symbol: str | None
    lang: str | None

    def to_json(self) -> dict[str, str | int | None]:
        return {"kind": "code", "symbol": self.symbol, "lang": self.lang}


class PagePlace(NamedTuple):
    """A page, or a slide, from 1; characters count from the start of the page's text."""

    page: int
    char_start: int
    char_end: int

    def to_json(self) -> dict[str, str | int | None]:
        return {"kind": "page", "page": self.page, "char_start": self.char_start, "char_end": self.char_end}


class RegionPlace(NamedTuple):
    """A rectangle of an image, in pixels from its upper left corner."""

    x: int
    y: int
    w: int
    h: int

    def to_json(self) -> dict[str, str | int | None]:
        return {"kind": "region", "x": self.x, "y": self.y, "w": self.w, "h": self.h}


class CaptionPlace(NamedTuple):
    """What a model said of an image as a whole."""

    model: str

    def to_json(self) -> dict[str, str | int | None]:
        return {"kind": "caption", "model": self.model}


class TimePlace(NamedTuple):
    """A stretch of a recording."""

    start_ms: int
    end_ms: int
    speaker: str | None = None

    def to_json(self) -> dict[str, str | int | None]:
        return {"kind": "time", "start_ms": self.start_ms, "end_ms": self.end_ms, "speaker": self.speaker}


# What a person would open, where the lines of the extracted text are not it. Lines are always known besides.
Place: TypeAlias = CodePlace | PagePlace | RegionPlace | CaptionPlace | TimePlace

_PLACES: dict[str, type[Place]] = {
    "code": CodePlace,
    "page": PagePlace,
    "region": RegionPlace,
    "caption": CaptionPlace,
    "time": TimePlace,
}


def place_from_json(raw: dict[str, Any]) -> Place:
    """The inverse of `to_json`."""
    fields = {key: value for key, value in raw.items() if key != "kind"}
    return _PLACES[raw["kind"]](**fields)
