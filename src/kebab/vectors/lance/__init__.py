"""The second engine: LanceDB tables beside the store, for those who share them with other programs."""

from kebab.vectors.lance.engine import LanceEngine

__all__ = ["LanceEngine"]
