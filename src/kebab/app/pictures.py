"""`GET /v1/page_image` and `/v1/media`: files as pictures, made by a worker, since files are anyone's.

No byte of a file reaches whoever looks at the picture: it is drawn or encoded anew, within bounds of size and time.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from kebab.app.references import find_document
from kebab.app.seen_files import read_file
from kebab.config import Config
from kebab.core.asset import PAGED
from kebab.core.errors import InvalidInput, KebabError, LeftAside, SpanNotSupported
from kebab.core.query import Freshness
from kebab.core.reading import ImageForm
from kebab.core.viewing import PageBoxes, Picture
from kebab.parse.image.fetching import fetch
from kebab.parse.pdf import showing
from kebab.parse.worker import Limits, Worker
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

WIDTHS = range(100, 2401)
_LONGEST_QUOTE = 20_000
_FORM = ImageForm(max_pixels=4_000_000, max_side=4096, colour=True)
_LIMITS = Limits(memory_mb=1024, cpu_s=30, wall_s=20.0, result_mb=64)


class Pictures:
    """Has a process of its own from the first picture on, until it is closed."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        self._config = config
        self._worker = Worker(_LIMITS, "picture maker")

    def close(self) -> None:
        self._worker.close()

    def page(self, reference: str, number: int, width: int) -> Picture:
        if width not in WIDTHS:
            raise InvalidInput(f"width must be from {WIDTHS[0]} to {WIDTHS[-1]}", field="width")
        row, raw, state = self._pdf(reference)
        with _shown(row):
            png = showing.draw(self._worker, raw, number, width)
        if png is None:
            raise _no_page(row, number)
        return Picture(png, "image/png", state)

    def boxes(self, reference: str, number: int, quote: str) -> PageBoxes:
        row, raw, _ = self._pdf(reference)
        with _shown(row):
            found = showing.find(self._worker, raw, number, quote[:_LONGEST_QUOTE])
        if found is None:
            raise _no_page(row, number)
        return PageBoxes(number, found)

    def sizes(self, row: DocumentRow, first: int, most: int) -> tuple[int, Sequence[tuple[float, float]]] | None:
        """How many pages a PDF has, and the sizes of those from `first` on; None if it cannot be opened."""
        try:
            raw, _ = read_file(self._store, self._config, row)
            return showing.sizes(self._worker, raw, first, most)
        except KebabError:
            return None

    def image(self, reference: str) -> Picture:
        row = find_document(self._store, reference).row
        if not row.media_type.startswith("image/"):
            raise SpanNotSupported(f"{row.workspace_path} is no image", doc_path=row.workspace_path)
        raw, state = read_file(self._store, self._config, row)
        with _shown(row), closing(fetch(self._worker, raw, _FORM, most=1)) as pages:
            drawn = [page.png for page in pages if page is not None]
        if not drawn:
            raise SpanNotSupported(f"{row.workspace_path} has no picture in it")
        return Picture(drawn[0], "image/png", state)

    def _pdf(self, reference: str) -> tuple[DocumentRow, bytes, Freshness]:
        row = find_document(self._store, reference).row
        if row.media_type not in PAGED:
            raise SpanNotSupported(f"{row.workspace_path} is no PDF", doc_path=row.workspace_path)
        return row, *read_file(self._store, self._config, row)


@contextmanager
def _shown(row: DocumentRow) -> Iterator[None]:
    """What goes wrong with a file is told as one thing: it cannot be shown."""
    try:
        yield
    except (KebabError, LeftAside) as error:
        raise SpanNotSupported(f"{row.workspace_path} cannot be shown: {error.message}", hint=error.hint) from error


def _no_page(row: DocumentRow, number: int) -> InvalidInput:
    return InvalidInput(f"{row.workspace_path} has no page {number} that can be shown", page=number)
