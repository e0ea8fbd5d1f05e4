"""What documents say about how their text was read from pictures: by which engine, how much, and which pages not."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from kebab.core.recognition import RecognisedBy
from kebab.store.sql import Database

_PICTURES = "FROM documents WHERE (media_type = 'pdf' OR media_type GLOB 'image/*')"
_UNREAD = "metadata_json -> '$.user.pdf.unread_pages'"


class UnreadPages(NamedTuple):
    """Of a document of which the rest is in the index."""

    doc_path: str
    indexed_at: str
    pages: tuple[int, ...]


class Readings:
    """Reads `documents`, and of them only images and PDFs."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def by_engine(self) -> tuple[RecognisedBy, ...]:
        """What was read, by the sort of file and then by engine."""
        rows = self._db.rows(
            f"""SELECT media, engine, count(*), sum(pages), sum(coalesce(regions, 0)), sum(lines),
                  sum(confidence * lines) / sum(CASE WHEN confidence IS NOT NULL THEN lines END)
                FROM (
                  SELECT media, told ->> 'engine' AS engine, told ->> 'pages' AS pages, told ->> 'regions' AS regions,
                    told ->> 'lines' AS lines, told ->> 'confidence' AS confidence
                  FROM (
                    SELECT iif(media_type = 'pdf', 'pdf', 'image') AS media,
                      coalesce(metadata_json -> '$.user.image.ocr', metadata_json -> '$.user.pdf.ocr') AS told
                    {_PICTURES}))
                WHERE engine IS NOT NULL GROUP BY media, engine ORDER BY media, engine"""
        )
        return tuple(RecognisedBy(*row) for row in rows)

    def unread_pages(self) -> Iterator[UnreadPages]:
        sql = f"SELECT workspace_path, updated_at, {_UNREAD} {_PICTURES} AND {_UNREAD} IS NOT NULL ORDER BY 1"
        for path, indexed_at, pages in self._db.stream(sql):
            yield UnreadPages(path, indexed_at, tuple(json.loads(pages)))

    def indexed_at(self) -> dict[str, str]:
        """Every image and PDF by its path."""
        return dict(self._db.rows(f"SELECT workspace_path, updated_at {_PICTURES}"))
