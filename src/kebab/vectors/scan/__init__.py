"""The default engine: two bits per number in a memory-mapped file, exact vectors from the store."""

from kebab.vectors.scan.engine import ScanEngine

__all__ = ["ScanEngine"]
