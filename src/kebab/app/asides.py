"""Files that nobody could read, as a few lines that name one of them; a watch says each of them once.

Only files for which something can be done are told of: those with a hint. The others are counted by reason.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from kebab.core.events import Aside, IngestItem, IngestReport

# Messages that differ in a size or a number of pages are about the same.
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class _Kind(NamedTuple):
    reason: str
    message: str
    hint: str


def unread(items: Iterable[IngestItem]) -> tuple[str, ...]:
    """A line for each reason, with the first file it holds for."""
    found: dict[_Kind, list[str]] = {}
    for item in items:
        if (why := item.aside) is not None and why.hint is not None:
            kind = _Kind(why.reason, _NUMBER.sub("#", why.message), why.hint)
            said = f"{item.doc_path}: {why.message}; {why.hint}"
            found.setdefault(kind, []).append(said)
    return tuple(_line(said) for said in found.values())


def _line(said: list[str]) -> str:
    return said[0] if len(said) == 1 else f"{len(said)} files, such as {said[0]}"


class Told:
    """Remembers of which files a watch has spoken."""

    def __init__(self) -> None:
        self._known: dict[str, Aside] = {}

    def once(self, report: IngestReport) -> IngestReport:
        """The report without warnings about files that were told of before, for the same reason."""
        items = report.items or ()
        fresh = [item for item in items if item.aside is not None and self._known.get(item.doc_path) != item.aside]
        for item in items:
            if item.aside is None:
                # Read by now; should it fail again, that is news.
                self._known.pop(item.doc_path, None)
            else:
                self._known[item.doc_path] = item.aside
        said = set(unread(items))
        kept = [warning for warning in report.warnings if warning not in said]
        return replace(report, warnings=(*kept, *unread(fresh)))
