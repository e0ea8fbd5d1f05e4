"""`GET /v1/facets`: what a search can be narrowed by, and how many documents each value leaves. Counts, and few stats.

Whether files have changed is asked of each file, so only for an index that is small enough to ask them all.
"""

import os
from collections import Counter
from collections.abc import Mapping

from kebab import __version__
from kebab.app.freshness import freshness, is_stale
from kebab.core.query import Filters
from kebab.core.viewing import MOST_VALUES, FacetReport, FacetValue
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

MOST_FILES = 5000
# Files that were touched are read to see whether they changed; beyond this many bytes nobody waits for it.
_MOST_READ = 32 * 1024 * 1024


def facets(store: Store | None, stale_days: int) -> FacetReport:
    """`store` is None while there is no index."""
    if store is None:
        return FacetReport(__version__, 0, 0, 0)
    with store.snapshot():
        runs = store.runs
        counts = runs.counts()
        media = runs.breakdown("media_type")
        found: dict[str, Mapping[str, int]] = {
            "media": _families(media),
            "lang": runs.breakdown("lang"),
            "tag": runs.tags(),
            "source_type": runs.breakdown("source_type"),
            "code_lang": runs.breakdown("code_lang"),
            "repo": runs.breakdown("repo"),
        }
        if len(sources := runs.breakdown("source_id")) > 1:
            found["source"] = sources
        truncated = counts["documents"] > MOST_FILES
        if not truncated:
            found["freshness"] = _freshness(store, stale_days)
        return FacetReport(
            version=__version__,
            doc_count=counts["documents"],
            chunk_count=counts["chunks"],
            corpus_revision=runs.corpus_revision(),
            facets={name: _top(values) for name, values in found.items()},
            truncated=truncated,
        )


def _families(media: Mapping[str, int]) -> Counter[str]:
    """A family stands for all of its kinds, as in the filter; kinds of code are told by their language."""
    found: Counter[str] = Counter()
    for kind, count in media.items():
        found[kind.partition("/")[0]] += count
    return found


def _freshness(store: Store, stale_days: int) -> Counter[str]:
    found: Counter[str] = Counter()
    left = _MOST_READ
    for row in store.shelf.rows(Filters()):
        found["stale"] += is_stale(row.updated_at, stale_days)
        if _is_touched(row):
            left -= row.byte_len
            found[str(freshness(row)) if left >= 0 else "unknown"] += 1
        else:
            found["fresh"] += 1
    return found


def _is_touched(row: DocumentRow) -> bool:
    """Also when it is gone."""
    try:
        stat = os.stat(row.file_path)  # noqa: PTH116 - asked for thousands of files, and half as dear
    except (OSError, ValueError):
        return True
    return (stat.st_size, stat.st_mtime_ns, stat.st_ino) != (row.stamp.size, row.stamp.mtime_ns, row.stamp.inode)


def _top(values: Mapping[str, int]) -> tuple[FacetValue, ...]:
    ordered = sorted((-count, value) for value, count in values.items() if count)
    return tuple(FacetValue(value, -count) for count, value in ordered[:MOST_VALUES])
