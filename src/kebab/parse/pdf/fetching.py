"""A PDF's bytes to `Pdf`, through a worker. A page that is too much for the reader is named, and the rest is read.

What comes from the worker is checked, since it has handled hostile bytes.
"""

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from kebab.core.errors import KebabError, LeftAside
from kebab.parse.pdf import layout
from kebab.parse.pdf.sharing import Readers
from kebab.parse.pdf.values import Entry, Facts, Page, Pdf, Told
from kebab.parse.worker import WorkerFailed

_MOST_FAILURES = 3
# A line counts as this many characters at least: what a row takes in memory is not its letters.
_LEAST_LINE = 32
_STATES = ("text", "picture", "blank", "broken")


class PdfUnreadable(KebabError):
    """The file is damaged, or is no PDF."""


class Caps(NamedTuple):
    """How much of one file is read: pages, and characters of text in all."""

    pages: int = 20_000
    chars: int = 16_000_000


def fetch(readers: Readers, raw: bytes, caps: Caps) -> Pdf:
    reader = _Reader(readers, raw, caps)
    while reader.goes_on():
        pass
    return reader.pdf()


class _Reader:
    """Reads until the end, and after a failure from the page after the one that failed."""

    def __init__(self, readers: Readers, raw: bytes, caps: Caps) -> None:
        self._readers = readers
        self._raw = raw
        self._caps = caps
        self._facts: Facts | None = None
        self._pages: list[Page] = []
        self._outline: list[Entry] = []
        self._warnings: list[str] = []
        self._chars = self._failures = 0
        self._careful = False
        self._problem: Exception | None = None

    def goes_on(self) -> bool:
        """One call to the worker; whether there is more to read after it."""
        first = len(self._pages) + 1
        try:
            for _ in self._take(first):
                if self._chars > self._caps.chars:
                    self._warnings.append(f"only the first {len(self._pages)} pages were read: there is too much text")
                    return False
        except WorkerFailed as failed:
            return self._after(failed, first)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError) as error:
            raise WorkerFailed("the PDF reader gave an answer that makes no sense") from error
        if self._problem is not None:
            raise self._problem
        return False

    def pdf(self) -> Pdf:
        assert self._facts is not None
        if self._facts.pages > self._caps.pages:
            self._warnings.append(f"only the first {self._caps.pages} of {self._facts.pages} pages were read")
        broken = [page.number for page in self._pages if page.state == "broken"]
        if broken:
            self._warnings.append(f"{ranges(broken)} could not be read")
        return Pdf(self._facts, self._pages, self._outline, self._warnings)

    def _take(self, first: int) -> Iterator[None]:
        with closing(self._readers.told(self._raw, first, self._caps.pages, careful=self._careful)) as told:
            for value in told:
                self._keep(value)
                yield

    def _keep(self, value: Told) -> None:
        kind = value[0]
        if kind == "problem":
            # Told after the worker has finished its answer: leaving it in the middle of one would end it.
            self._problem = _explained(value[1])
        elif kind == "facts":
            self._facts = _facts(value[1])
        elif kind == "page":
            page = _page(value)
            if page.number != len(self._pages) + 1:
                raise ValueError("pages come in order")
            self._pages.append(page)
            self._chars += max(len(value[2]), _LEAST_LINE * len(page.rows))
        else:
            self._outline = [_entry(row) for row in value[1]]

    def _after(self, failed: WorkerFailed, first: int) -> bool:
        if self._facts is None:
            raise failed
        reached = len(self._pages) + 1
        if not self._careful:
            # Pages that travelled together were lost together; the one at fault is found by going one by one.
            self._careful = True
            return True
        self._failures += 1
        if reached > min(self._facts.pages, self._caps.pages):
            self._warnings.append(f"the outline could not be read: {failed.message}")
            return False
        self._pages.append(Page(reached, [], "failed"))
        self._warnings.append(f"page {reached} could not be read: {failed.message}")
        if self._failures >= _MOST_FAILURES and not any(page.rows for page in self._pages[first - 1 :]):
            raise failed
        return self._failures < _MOST_FAILURES * 2


def _explained(problem: str) -> Exception:
    if problem == "encrypted":
        hint = "Save a copy without a password, and the copy is read."
        return LeftAside("encrypted", "the PDF is encrypted and needs a password", hint=hint)
    if problem == "no pages":
        return LeftAside("empty", "the PDF has no pages")
    return PdfUnreadable(
        "the PDF is damaged, or is no PDF", hint="Open it in a viewer; if that works, print it to a new PDF."
    )


def _facts(value: Told) -> Facts:
    given = [value[key] for key in ("Title", "Author", "CreationDate", "ModDate")]
    return Facts(int(value["pages"]), *(str(text)[:2000] for text in given))


def _page(value: Told) -> Page:
    _, number, text, boxes, state, *rest = value
    if not isinstance(text, str) or state not in _STATES or not set(map(type, boxes)) <= {int}:
        raise ValueError("not a page")
    fields = tuple(str(field) for field in rest[0]) if rest else ()
    return Page(int(number), layout.rows(text, boxes), state, fields)


def _entry(row: Told) -> Entry:
    level, title, page, height = row
    if not isinstance(level, int) or not all(side is None or isinstance(side, int) for side in (page, height)):
        raise ValueError("not a bookmark")
    return Entry(level, str(title), page, height)


def ranges(numbers: list[int]) -> str:
    """Page numbers in order, as a person writes them: `page 3`, `pages 3-9, 12`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [f"{low}" if low == high else f"{low}-{high}" for low, high in runs[:20]]
    more = ", ..." if len(runs) > 20 else ""
    return f"{'page' if len(numbers) == 1 else 'pages'} {', '.join(shown)}{more}"
