"""What is wrong with a table's file: every row of the one against every row of the other."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from kebab.core.ports import VectorTable
from kebab.vectors.scan.file import MISSING, Opened
from kebab.vectors.scan.search import Mismatch, missing_from
from kebab.vectors.scan.segment import BATCH_ROWS, Segment, join, last_key, places_of, row_count, without

if TYPE_CHECKING:
    from kebab.vectors.arrays import Keys

_SAMPLE = 256


def problem(found: Opened, table: VectorTable) -> str | None:
    """None when the file says what the table says, as far as it goes."""
    if found.flaw == MISSING:
        return "the scan file is missing" if table.count() else None
    if found.flaw is not None:
        return f"the scan file is {found.flaw}, from byte {found.end} on"
    return _differences(join(found.segments), table)


def _differences(whole: Segment, table: VectorTable) -> str | None:
    import numpy as np

    seen = np.zeros(len(whole), np.bool_)
    rows = (row for row in table.rows(0))
    while batch := [row for row in islice(rows, BATCH_ROWS) if row.record_key <= whole.last()]:
        keys = np.fromiter((row.record_key for row in batch), np.int64, len(batch))
        places = places_of(whole.keys, keys)
        if len(places) < len(keys):
            return "the scan file lacks rows of the table"
        try:
            missing_from(batch, whole.take(places), table.dimensions)
        except Mismatch:
            return "the scan file has rows that differ from the table's"
        seen[places] = True
    unseen = whole.keys[~seen]
    if len(places_of(unseen, np.array(table.removed(), np.int64))) < len(unseen):
        return "the scan file has rows that the table does not have and did not remove"
    return None


def plausible(segments: Sequence[Segment], table: VectorTable, removed: "Keys") -> bool:
    """Whether a file seems to be the table's: counted, and a sample compared. Cheap enough for every ingest."""
    import numpy as np

    if last_key(segments) > table.last_key():
        return False
    for segment in segments:
        places = np.linspace(0, len(segment) - 1, _SAMPLE // len(segments) + 2).astype(np.int64)
        (sample,) = without([segment.take(np.unique(places))], removed)
        try:
            if len(missing_from(table.at(sample.keys.tolist()), sample, table.dimensions)):
                return False
        except Mismatch:
            return False
    return True


def covers(segments: Sequence[Segment], table: VectorTable) -> bool:
    """Whether the segments have every row of a table that may be an earlier state than they were made of.

    A search goes on seeing the state it began with, and a file made anew meanwhile lacks what was replaced since.
    """
    import numpy as np

    newest = table.last_key()
    if last_key(segments) <= newest:
        return True
    later = sum(len(segment) - int(np.searchsorted(segment.keys, newest, side="right")) for segment in segments)
    return live_rows(segments, np.array(table.removed(), np.int64)) - later == table.count()


def live_rows(segments: Sequence[Segment], removed: "Keys") -> int:
    return row_count(segments) - sum(len(places_of(segment.keys, removed)) for segment in segments)
