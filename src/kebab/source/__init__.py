"""Find the files: a folder in, the files worth reading out, with a reason for every one left aside."""

from kebab.source.media import MEDIA_TYPES, media_type
from kebab.source.read import read_stable
from kebab.source.result import ScanRequest, ScanResult
from kebab.source.root import usable_root
from kebab.source.walk import scan

__all__ = ["MEDIA_TYPES", "ScanRequest", "ScanResult", "media_type", "read_stable", "scan", "usable_root"]
