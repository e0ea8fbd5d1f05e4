"""Requests for texts of the index, and notes to ask about."""

import json
from typing import TYPE_CHECKING

from kebab.core.fetching import FetchKind, FetchRequest, FetchResult
from kebab.wire.fetch import encode_fetch
from wire_schemas import check

if TYPE_CHECKING:
    from app_bench import Desk

SECTIONS = "".join(f"## Part {number}\n\nThe part with number {number}.\n\n" for number in range(12))
LATER = 1_700_000_100


def fetch(desk: "Desk", kind: FetchKind, reference: str, **options: int) -> FetchResult:
    """What an agent gets, which the schema must accept."""
    result = desk.app(readonly=True).fetch(FetchRequest(kind, reference, **options))
    check(json.loads(json.dumps(encode_fetch(result))))
    return result


def write_notes(desk: "Desk") -> "Desk":
    desk.write("parts.md", SECTIONS)
    desk.write("쌀/현미 밥.md", "# 현미밥\r\n\r\n물 1.2컵\r\n\r\n끝")
    desk.write("a#b.md", "# Sharp\n")
    desk.write("empty.md", "")
    desk.write("app/main.py", "def boil():\n    return 1\n")
    desk.ingest()
    return desk


def chunks(desk: "Desk", path: str = "parts.md") -> list[str]:
    return [chunk.chunk_id for chunk in desk.app().inspect_doc(path).chunks]
