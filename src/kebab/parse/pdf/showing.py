"""A PDF's pages as pictures and places, through a worker. What comes back is checked: it has handled hostile bytes."""

from kebab.parse.pdf.values import Told
from kebab.parse.worker import Worker, WorkerFailed

_DRAW, _SIZES, _FIND = (f"kebab.parse.pdf.drawing:{name}" for name in ("draw", "sizes", "find"))
_PNG = b"\x89PNG\r\n\x1a\n"


def draw(worker: Worker, raw: bytes, page: int, width: int) -> bytes | None:
    """The page as a PNG; None where there is no such page."""
    replies = list(worker.stream(_DRAW, raw, {"page": page, "width": width}))
    if not replies:
        return None
    if not replies[0].data.startswith(_PNG):
        raise _senseless()
    return replies[0].data


def sizes(worker: Worker, raw: bytes, first: int, most: int) -> tuple[int, list[tuple[float, float]]]:
    """How many pages there are, and the sizes of those from `first` on."""
    told: Told = worker.call(_SIZES, raw, {"first": first, "most": most})
    try:
        count, pages = told
        return int(count), [(float(width), float(height)) for width, height in pages]
    except (TypeError, ValueError) as error:
        raise _senseless() from error


def find(worker: Worker, raw: bytes, page: int, quote: str) -> tuple[tuple[float, float, float, float], ...] | None:
    """Where the quote stands on the page; nothing where it is not found, None where there is no such page."""
    told: Told = worker.call(_FIND, raw, {"page": page, "quote": quote})
    if told is None:
        return None
    try:
        return tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in told)
    except (TypeError, ValueError) as error:
        raise _senseless() from error


def _senseless() -> WorkerFailed:
    return WorkerFailed("the picture maker gave an answer that makes no sense")
