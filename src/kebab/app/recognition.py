"""`kebab inspect ocr-stats` and `ocr-failures`: what was read in images and scanned pages, and what could not be read.

Failures come from what the last runs wrote down and from documents with pages that say nothing. A file that was read
since, or that is gone, is no failure any more.
"""

import os
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kebab.app.scope import all_sources
from kebab.config import Config
from kebab.core.asset import Source
from kebab.core.recognition import FAILED, UNREAD_PAGES, OcrFailure, OcrStats, RunNote
from kebab.source import family, media_type

if TYPE_CHECKING:
    from kebab.store.store import Store

# What readers of images and of PDFs say when there was nobody to read, or nothing to be read.
_OCR_REASONS = ("no_ocr", "no_text", "scanned")
_IMAGE = "image"
_ENABLE = "`kebab config set ingest.pdf.ocr.enabled true`, then `kebab ingest`"
_AGAIN = "see `kebab doctor`; `kebab ingest --force-reingest` reads it again"


def ocr_stats(store: "Store") -> OcrStats:
    unread = list(store.readings.unread_pages())
    return OcrStats(store.readings.by_engine(), len(unread), sum(len(each.pages) for each in unread))


def ocr_failures(config: Config, store: "Store") -> list[OcrFailure]:
    """By path. Of a file only what was found last."""
    found: dict[str, OcrFailure] = {}
    for each in store.readings.unread_pages():
        message = f"{len(each.pages)} page{'s' * (len(each.pages) > 1)} of it could not be read"
        hint = _AGAIN if config.pdf_ocr.enabled else _ENABLE
        found[each.doc_path] = OcrFailure(each.doc_path, UNREAD_PAGES, message, hint, each.indexed_at, each.pages)
    indexed = store.readings.indexed_at()
    sources = all_sources(config, store.runs.adhoc_sources())
    for failure in _noted(store.runs.notes()):
        path = failure.doc_path
        read_since = indexed.get(path, "") > failure.seen_at
        if path not in found and not read_since and is_there(path, sources):
            found[path] = failure
    return [found[path] for path in sorted(found)]


def _noted(notes: Iterator[RunNote]) -> Iterator[OcrFailure]:
    for note in notes:
        is_image = family(media_type(PurePosixPath(note.doc_path).name) or "") == _IMAGE
        if note.reason in _OCR_REASONS or (is_image and note.reason and note.hint):
            yield OcrFailure(note.doc_path, note.reason, note.message, note.hint, note.finished_at)
        elif is_image and note.error:
            yield OcrFailure(note.doc_path, FAILED, note.error, None, note.finished_at)


def is_there(path: str, sources: tuple[Source, ...]) -> bool:
    """Also under a name that the file system spells in another form of Unicode."""
    for source in sources:
        relative = source.relative(path)
        if source.workspace_path(relative) == path:
            names = (relative, unicodedata.normalize("NFD", relative))
            return any(os.path.lexists(source.root / name) for name in names)
    return False
