"""`GET /v1/media` of a recording: its file, open for whoever plays it, under a media type of our own choice."""

import os
from typing import IO, NamedTuple

from kebab.app.references import find_document
from kebab.app.seen_files import open_file
from kebab.config import Config
from kebab.core.errors import SpanNotSupported
from kebab.core.query import Freshness
from kebab.store.store import Store

# What a browser is told of each kind of recording; nothing that is not here is ever sent as it is.
PLAYED = {
    "audio/m4a": "audio/mp4",
    "audio/mp3": "audio/mpeg",
    "audio/wav": "audio/wav",
    "audio/flac": "audio/flac",
    "audio/ogg": "audio/ogg",
    "video/mp4": "video/mp4",
}


class Recording(NamedTuple):
    file: IO[bytes]
    size: int
    media: str
    freshness: Freshness


def find_recording(store: Store, config: Config, reference: str) -> Recording:
    """Raises SpanNotSupported for a document that is none."""
    row = find_document(store, reference).row
    media = PLAYED.get(row.media_type)
    if media is None:
        raise SpanNotSupported(f"{row.workspace_path} is no recording", doc_path=row.workspace_path)
    file, state = open_file(store, config, row)
    return Recording(file, os.fstat(file.fileno()).st_size, media, state)
