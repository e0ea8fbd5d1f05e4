"""The default engine: scans two bits per number in a mapped file, and asks the table for the exact vectors."""

from collections.abc import Collection
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from kebab.core.embedding import Neighbour, Vector
from kebab.core.errors import IoFailure, ReadonlyMode
from kebab.core.ports import VectorTable
from kebab.vectors.exact import ExactEngine
from kebab.vectors.naming import bytes_below, fingerprint, safe_name
from kebab.vectors.packed import unit
from kebab.vectors.scan import file
from kebab.vectors.scan.file import Opened
from kebab.vectors.scan.layout import Owner
from kebab.vectors.scan.search import Mismatch, Question, search
from kebab.vectors.scan.segment import SEGMENT_ROWS, Segment, grouped, last_key, row_count, streamed, without
from kebab.vectors.scan.verify import covers, live_rows, plausible, problem

# So many rows behind the file are scanned from memory; more are worth a new file, if a search may write one.
_LONGEST_TAIL = 20_000
_MOST_SEGMENTS = 16
_MOST_REMOVED = 0.2


class Held(NamedTuple):
    """What is kept of a table between searches: its file, the rows behind it, and how far these reach."""

    opened: Opened
    tail: tuple[Segment, ...]
    seen: int

    def segments(self) -> tuple[Segment, ...]:
        return self.opened.segments + self.tail


class ScanEngine:
    """Derives one file per table. Files that are lost, damaged or another's cost time, never a result.

    Safe to share between threads: what is held is replaced, never changed. A search may write too, but only whole new
    files that take the place of the old one, so it needs no lock. A search that began before rows were removed, with no
    others added, may miss them already: a file made anew has them no more.
    """

    def __init__(self, folder: Path, *, writable: bool) -> None:
        self._folder = folder
        self._writable = writable
        self._can_mend = writable
        self._held: dict[str, Held] = {}

    def nearest(
        self, table: VectorTable, query: Vector, limit: int, documents: Collection[int] | None
    ) -> list[Neighbour]:
        question = Question(unit(query, table.dimensions), limit, documents)
        if limit <= 0 or (documents is not None and not documents):
            return []
        for _ in range(2):
            held = self._current(table)
            if not covers(held.segments(), table):
                break
            try:
                return search(held.segments(), table, question)
            except Mismatch:
                # Not opened again before it changes; meanwhile all rows are behind the file.
                distrusted = Opened((), 0, "of another state of the table", held.opened.identity)
                self._held[table.table_id] = Held(distrusted, (), 0)
        return ExactEngine().nearest(table, query, limit, documents)

    def follow(self, table: VectorTable) -> None:
        """A file that cannot be written is no failure: searches do without it, and `problem` names it."""
        if not self._writable:
            return
        self._held.pop(table.table_id, None)
        with suppress(OSError):
            path = self._path(table.table_id)
            file.sweep(path)
            name = self._extended(table, path)
            if name is not None:
                file.promote(name, path)

    def rebuild(self, table: VectorTable) -> int:
        if not self._writable:
            raise ReadonlyMode("the vector files cannot be rebuilt under --readonly", hint="run it without --readonly")
        path = self._path(table.table_id)
        self._held.pop(table.table_id, None)
        try:
            file.sweep(path)
            name, rows = self._draft(table, (), 0)
            file.promote(name, path)
        except OSError as error:
            raise IoFailure(
                f"cannot write {path}: {error.strerror}",
                hint="check the data directory and the free space",
                path=str(path),
                op="write",
            ) from error
        return rows

    def problem(self, table: VectorTable) -> str | None:
        return problem(file.opened(self._path(table.table_id), _owner(table)), table)

    def drop(self, table_id: str) -> None:
        self._held.pop(table_id, None)
        path = self._path(table_id)
        file.sweep(path)
        with suppress(OSError):
            path.unlink()

    def size(self) -> int:
        return bytes_below(self._folder, "*.scan*")

    def _path(self, table_id: str) -> Path:
        return self._folder / f"{safe_name(table_id)}.scan"

    def _current(self, table: VectorTable) -> Held:
        """The file as it is now and the rows behind it, mostly from what is held."""
        path = self._path(table.table_id)
        held = self._held.get(table.table_id)
        if held is None or file.identity(path) != held.opened.identity:
            opened = file.opened(path, _owner(table))
            held = Held(opened, (), last_key(opened.segments))
        newest = table.last_key()
        if newest > held.seen:
            more = chain(held.tail, streamed(table.rows(held.seen), table.dimensions))
            held = Held(held.opened, tuple(grouped(more)), newest)
        held = self._mended(table, held)
        self._held[table.table_id] = held
        return held

    def _mended(self, table: VectorTable, held: Held) -> Held:
        """With a new file, when there is much behind the old one or something is wrong with it."""
        if not (self._can_mend and held.tail and (held.opened.flaw or row_count(held.tail) > _LONGEST_TAIL)):
            return held
        path = self._path(table.table_id)
        try:
            name, _ = self._draft(table, held.segments(), held.seen)
            file.promote(name, path)
        except OSError:
            self._can_mend = False
            return held
        opened = file.opened(path, _owner(table))
        # Another process may have put a file of its own there meanwhile.
        if opened.flaw or last_key(opened.segments) < last_key(held.tail):
            return held
        return Held(opened, (), held.seen)

    def _extended(self, table: VectorTable, path: Path) -> Path | None:
        """Adds what is behind the file to it, or gives a draft to take its place.

        Nothing of the old file is mapped any more once this returns; some systems replace no mapped file.
        """
        import numpy as np

        opened = file.opened(path, _owner(table))
        removed = np.array(table.removed(), np.int64)
        if not plausible(opened.segments, table, removed):
            return self._draft(table, (), 0)[0]
        if opened.flaw is None:
            behind = grouped(streamed(table.rows(last_key(opened.segments)), table.dimensions))
            file.append(path, opened, behind, _owner(table))
            opened = file.opened(path, _owner(table))
        alive = live_rows(opened.segments, removed)
        if opened.flaw is None and alive != table.count():
            return self._draft(table, (), 0)[0]
        if opened.flaw is not None or _scattered(opened.segments, alive):
            return self._draft(table, opened.segments, last_key(opened.segments))[0]
        return None

    def _draft(self, table: VectorTable, segments: tuple[Segment, ...], after: int) -> tuple[Path, int]:
        """A new file: the segments without removed rows, and the rows of the table behind them."""
        import numpy as np

        alive = without(segments, np.array(table.removed(), np.int64))
        behind = streamed(table.rows(after), table.dimensions)
        return file.draft(self._path(table.table_id), grouped(chain(alive, behind)), _owner(table))


def _owner(table: VectorTable) -> Owner:
    return Owner(fingerprint(table.table_id), table.dimensions)


def _scattered(segments: tuple[Segment, ...], alive: int) -> bool:
    """Whether the file is worth writing anew: in many small pieces, or with many removed rows."""
    rows = row_count(segments)
    whole = 2 * rows // SEGMENT_ROWS
    return len(segments) > whole + _MOST_SEGMENTS or alive < rows * (1 - _MOST_REMOVED)
