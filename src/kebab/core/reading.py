"""What reads images and recordings, as ports: lines with their boxes, captions, spoken segments, and what they cost.

An engine gets bytes and gives values; it never learns whose file it reads. Reading is slow, so every result is kept in
a `Cache` under a key of all that shaped it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeAlias

from kebab.core.ids import short_hash

# A gap between paragraphs is this many times the usual one between lines, or so many times the height of a line.
_WIDER = 1.6
_FAR = 2.5

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


class Identity(NamedTuple):
    """Who reads, as exactly as results depend on it; `settings` is whatever else shapes them."""

    name: str
    version: str
    languages: tuple[str, ...] = ()
    settings: str = ""

    @property
    def key(self) -> str:
        """All of it in one word."""
        return ":".join((self.name, self.version, "+".join(self.languages), self.settings))


class ImageForm(NamedTuple):
    """The form in which an engine wants an image: enlarged at most so many times, within these bounds.

    `columns`: it reads straight across, and wants columns of text one by one.
    """

    scale: int = 1
    max_pixels: int = 16_000_000
    max_side: int = 16_000
    colour: bool = False
    columns: bool = False


class OcrLine(NamedTuple):
    """A line of text in an image and its box in pixels. `opens`: the engine saw a paragraph or column begin here."""

    text: str
    x: int
    y: int
    w: int
    h: int
    confidence: float = 1.0
    opens: bool = False


class Recognised(NamedTuple):
    """The lines of an image in reading order, and the size of the image their boxes belong to."""

    lines: tuple[OcrLine, ...]
    width: int
    height: int


def paragraphs(lines: Sequence[OcrLine]) -> list[list[OcrLine]]:
    """Lines in groups: a new one where the engine says so, where a gap is wider than most, or where a column begins."""
    gaps = sorted(gap for above, below in pairwise(lines) if (gap := below.y - above.y - above.h) > 0)
    usual = gaps[len(gaps) // 2] if gaps else 0
    found: list[list[OcrLine]] = []
    for line in lines:
        if not found or line.opens or _parted(found[-1][-1], line, usual):
            found.append([])
        found[-1].append(line)
    return found


def _parted(above: OcrLine, below: OcrLine, usual: int) -> bool:
    gap, height = below.y - above.y - above.h, min(above.h, below.h)
    return below.y + below.h <= above.y or gap > max(_WIDER * usual, height / 2) or gap > _FAR * height


class OcrEngine(Protocol):
    """Text in images. Loads and starts nothing before it is asked."""

    @property
    def identity(self) -> Identity:
        """Raises MissingExtra when the engine is not on this machine."""
        ...

    @property
    def form(self) -> ImageForm: ...

    def read(self, image: bytes) -> Recognised:
        """The text of a PNG. Raises a KebabError, also when it takes too long."""
        ...


class Captioner(Protocol):
    """What an image shows, in a sentence or two."""

    @property
    def identity(self) -> Identity: ...

    @property
    def model(self) -> str: ...

    @property
    def form(self) -> ImageForm: ...

    def caption(self, image: bytes) -> str:
        """Of a PNG; empty when the model has nothing to say. Raises a KebabError."""
        ...


class Segment(NamedTuple):
    """Words spoken in one go. Times count from the beginning of the recording."""

    start_ms: int
    end_ms: int
    text: str
    speaker: str | None = None
    confidence: float | None = None


class Transcript(NamedTuple):
    """The language is an ISO 639-1 code, None when the engine does not say. `segments` may take long to come."""

    language: str | None
    segments: Iterator[Segment]


class Transcriber(Protocol):
    """Speech to text."""

    @property
    def identity(self) -> Identity: ...

    def transcribe(self, recording: bytes) -> Transcript:
        """The words of an audio or video file. It and its segments raise a KebabError."""
        ...


class Cache(Protocol):
    """Results by key. Never the reason a file cannot be read: what is lost is made again."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes, kind: str = "") -> None:
        """`kind` is for whoever looks at what is kept; the key alone decides what is found."""
        ...


def derivation_key(kind: str, checksum: str, identity: Identity, more: str = "") -> str:
    """What a result of `kind` is kept under: the content it was made from, and everything that shaped it."""
    return short_hash({"kind": kind, "input": checksum, "more": more, **identity._asdict()})


def recall(cache: Cache | None, key: str) -> dict[str, Any] | None:
    """What was kept; None when there is nothing, or nothing that can be read."""
    kept = cache.get(key) if cache is not None else None
    if kept is None:
        return None
    try:
        value = json.loads(kept)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def keep(cache: Cache | None, key: str, value: dict[str, Json], kind: str) -> None:
    if cache is not None:
        cache.put(key, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"), kind)
