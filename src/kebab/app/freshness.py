"""Is the file still what was indexed? Answered from its stamp, and by reading it only when the stamp moved."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from kebab.app.plain_files import read_plain
from kebab.core.clock import parse_rfc3339
from kebab.core.ids import content_hash
from kebab.core.query import Freshness
from kebab.store.shelf import DocumentRow

# Larger files are not worth reading to decorate a search hit.
_READ_LIMIT = 64 * 1024 * 1024


def freshness(row: DocumentRow) -> Freshness:
    path = Path(row.file_path)
    try:
        stat = path.stat()
        if (stat.st_size, stat.st_mtime_ns, stat.st_ino) == (row.stamp.size, row.stamp.mtime_ns, row.stamp.inode):
            return Freshness.FRESH
        if stat.st_size != row.byte_len:
            return Freshness.CHANGED
        if not path.is_file() or stat.st_size > _READ_LIMIT:
            return Freshness.UNKNOWN
        return Freshness.FRESH if content_hash(read_plain(path, _READ_LIMIT)) == row.checksum else Freshness.CHANGED
    except (FileNotFoundError, NotADirectoryError):
        return Freshness.MISSING
    except OSError:
        return Freshness.UNKNOWN


def is_stale(indexed_at: str, threshold_days: int) -> bool:
    """Whether the document was last processed longer ago than `search.stale_threshold_days`; 0 turns it off."""
    if threshold_days <= 0:
        return False
    return datetime.now(UTC) - parse_rfc3339(indexed_at) > timedelta(days=threshold_days)
