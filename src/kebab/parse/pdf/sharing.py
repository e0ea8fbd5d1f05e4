"""Who reads a PDF: one worker, or two that take turns with its pages. Gives what they tell, in order of pages.

PDFium reads one page at a time and its text is then laid out here, so a second process is what makes reading as fast as
PDFium alone. A file that may be at fault is read by one, so that it is known which page it was.
"""

import os
from collections.abc import Generator
from contextlib import ExitStack, closing

from kebab.parse.pdf.values import Told
from kebab.parse.worker import Limits, Worker

_READ = "kebab.parse.pdf.reading:read"
_LIMITS = Limits(result_mb=160)
_NAME = "PDF reader"
# Files with fewer pages are read before two are at work. A process is started once this many pages were there to read.
_FEWEST_PAGES = 4
_WORTH_A_START = 64
# A larger file is mostly pictures, and would take memory twice.
_LARGEST = 32 * 1024 * 1024


class Readers:
    """`helper` takes every other page of files that are worth it. Nothing starts before the first file."""

    def __init__(self, worker: Worker, helper: Worker | None = None) -> None:
        self.worker = worker
        self.helper = helper
        self._pages = 0

    @classmethod
    def usual(cls) -> "Readers":
        helper = Worker(_LIMITS, _NAME) if (os.cpu_count() or 1) > 1 else None
        return cls(Worker(_LIMITS, _NAME), helper)

    def close(self) -> None:
        self.worker.close()
        if self.helper is not None:
            self.helper.close()

    def told(self, raw: bytes, first: int, last: int, *, careful: bool) -> Generator[Told, None, None]:
        """`careful` asks one alone, who sends every page by itself."""
        arguments = {"first": first, "last": last}
        helper = None if careful or len(raw) > _LARGEST else self.helper
        share = max(_FEWEST_PAGES, _WORTH_A_START - self._pages) if helper is not None else 0
        others: Generator[Told, None, None] | None = None
        with ExitStack() as asked:
            own = asked.enter_context(
                closing(_replies(self.worker, raw, {**arguments, "share": share}, careful=careful))
            )
            for value in own:
                yield value
                if value[0] == "facts" and others is None and helper is not None and value[1].get("shared"):
                    turns = {**arguments, "first": first + 1, "step": 2}
                    others = asked.enter_context(closing(_replies(helper, raw, turns, careful=careful)))
                    # The facts again.
                    next(others, None)
                elif value[0] == "page":
                    self._pages += 1
                    if others is not None and (following := next(others, None)) is not None:
                        yield following
            if others is not None:
                # To the end of the answer: leaving it early would end the helper.
                yield from others


def _replies(worker: Worker, raw: bytes, arguments: dict[str, int], *, careful: bool) -> Generator[Told, None, None]:
    replies = worker.stream(_READ, raw, arguments, together=not careful)
    try:
        for reply in replies:
            yield reply.value
    finally:
        replies.close()  # type: ignore[attr-defined]
