"""What is derived from a table, by name: a file name that is safe on every system, and the folder it lies in."""

import re
from pathlib import Path

from blake3 import blake3

_UNSAFE = re.compile(r"[^a-z0-9_]+")
_READABLE = 40


def safe_name(table_id: str) -> str:
    """Readable, and different for different tables also where case is not told apart."""
    readable = _UNSAFE.sub("-", table_id.lower())[:_READABLE].strip("-")
    return f"{readable or 'table'}-{fingerprint(table_id)[:8].hex()}"


def fingerprint(table_id: str) -> bytes:
    """Sixteen bytes that stand for the table inside its own file."""
    return blake3(table_id.encode("utf-8", "surrogatepass")).digest(16)


def make_private(folder: Path) -> None:
    """The folder and those above it, readable by their owner only: vectors tell about the text they stand for."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def bytes_below(folder: Path, pattern: str) -> int:
    """Bytes of the files that match; those that vanish meanwhile count nothing."""
    total = 0
    for path in folder.glob(pattern):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total
