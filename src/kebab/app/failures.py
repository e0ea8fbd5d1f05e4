"""`GET /v1/failures`: files that are not in the index, or not all of them, and why. From what the last runs wrote down.

A file that was read since, or that is gone, is no failure any more.
"""

from kebab.app.recognition import is_there, ocr_failures
from kebab.app.scope import all_sources
from kebab.config import Config
from kebab.core.recognition import FAILED, OcrFailure
from kebab.store.store import Store

MOST = 500


def failures(config: Config, store: Store) -> list[OcrFailure]:
    """By path; what could not be read in images and scanned pages, and what failed of any other kind."""
    found = {failure.doc_path: failure for failure in ocr_failures(config, store)}
    indexed = store.readings.indexed_at()
    sources = all_sources(config, store.runs.adhoc_sources())
    for note in store.runs.notes():
        path = note.doc_path
        if len(found) >= MOST or not note.error or path in found:
            continue
        if indexed.get(path, "") <= note.finished_at and is_there(path, sources):
            found[path] = OcrFailure(path, FAILED, note.error, None, note.finished_at)
    return [found[path] for path in sorted(found)]
