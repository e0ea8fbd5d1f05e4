"""Nearest neighbours over vectors the store keeps. ENGINES lists every engine; what they write can be rebuilt."""

from kebab.vectors.lance import LanceEngine
from kebab.vectors.scan import ScanEngine

# Both are made with the folder for their files and whether they may write there. Neither loads anything heavy before
# it is used.
ENGINES: dict[str, type[ScanEngine] | type[LanceEngine]] = {
    "scan": ScanEngine,
    "lance": LanceEngine,
}
