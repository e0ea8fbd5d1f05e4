"""An image's bytes to its pages through a worker. What comes back is checked, since it has handled hostile bytes."""

from collections.abc import Generator, Iterator, Mapping
from typing import NamedTuple, Protocol

from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.errors import IoFailure, LeftAside
from kebab.core.reading import ImageForm, Json
from kebab.core.span import RegionPlace
from kebab.parse.worker import Reply, WorkerFailed

MOST_PIXELS = 100_000_000
MOST_PAGES = 50

_PREPARE = "kebab.parse.image.reading:prepare"
_INSTALL = "pip install 'kebab[image]'"


class Sandbox(Protocol):
    """The part of a `Worker` that is needed here."""

    def stream(self, target: str, raw: bytes, arguments: Mapping[str, Json], *, together: bool) -> Iterator[Reply]: ...

    def close(self) -> None: ...


class Facts(NamedTuple):
    """What an image says of itself; `taken` is RFC 3339."""

    width: int
    height: int
    form: str
    taken: str | None
    camera: str


class Page(NamedTuple):
    """A page, or a column of one, as an engine wants it. `area` is where it stands on the page."""

    number: int
    facts: Facts
    size: tuple[int, int]
    area: RegionPlace
    png: bytes


def fetch(worker: Sandbox, raw: bytes, form: ImageForm, most: int = MOST_PAGES) -> Generator[Page | None, None, None]:
    """The pages one by one; None in the end when there are more than are read. To be closed, as the worker waits.

    Raises LeftAside for an image that cannot be for the index, and IoFailure for a damaged one.
    """
    wish: dict[str, Json] = {**form._asdict(), "most_pixels": MOST_PIXELS, "most_pages": most}
    problem: Exception | None = None
    for reply in worker.stream(_PREPARE, raw, wish, together=False):
        told = reply.value
        if not isinstance(told, dict):
            raise _senseless()
        if "problem" in told:
            # Raised when the worker is done, which would else be ended in the middle of its answer.
            problem = _refused(told)
        else:
            yield None if told.get("more") else _page(told, reply.data)
    if problem is not None:
        raise problem


def _page(told: dict[str, Json], png: bytes) -> Page:
    facts = _facts(told)
    area = told.get("area")
    if not isinstance(area, list) or len(area) != len(RegionPlace._fields):
        raise _senseless()
    x, y, w, h = (part if isinstance(part, int) and part >= 0 else 0 for part in area)
    return Page(_number(told, "page"), facts, (facts.width, facts.height), RegionPlace(x, y, max(1, w), max(1, h)), png)


def _facts(told: dict[str, Json]) -> Facts:
    taken, offset = _text(told, "taken"), _text(told, "offset")
    width, height = _number(told, "width"), _number(told, "height")
    return Facts(width, height, _text(told, "format"), moment(taken, offset), _text(told, "camera"))


def moment(taken: str, offset: str) -> str | None:
    """`2024:05:03 10:20:30` and `+09:00`; without a zone it is taken as UTC, as a bare date of a note is."""
    date, _, time = taken.strip().partition(" ")
    try:
        return rfc3339(parse_rfc3339(f"{date.replace(':', '-')}T{time}{offset.strip()}"))
    except (ValueError, OverflowError):
        return None


def _refused(told: dict[str, Json]) -> Exception:
    problem, message = _text(told, "problem"), _text(told, "message")
    if problem == "too_large":
        return LeftAside("too_large", f"the image {message}", hint="save a smaller copy of it")
    if problem == "no_package":
        return LeftAside("no_package", message, hint=_INSTALL)
    return IoFailure(f"the image cannot be decoded: {message}", hint="open and save it anew, or leave it out")


def _number(told: dict[str, Json], name: str) -> int:
    value = told.get(name)
    if not isinstance(value, int) or value < 1:
        raise _senseless()
    return value


def _text(told: dict[str, Json], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def _senseless() -> WorkerFailed:
    return WorkerFailed("the image reader gave an answer that makes no sense")
