"""Find the files: a folder in, the files worth reading out, with a reason for every one left aside."""

from kebab.source.binary import is_binary
from kebab.source.generated import generated_reason
from kebab.source.git import Repositories
from kebab.source.media import MEDIA_TYPES, code_lang, family, known_media_types, media_type
from kebab.source.read import read_stable
from kebab.source.result import ScanRequest, ScanResult
from kebab.source.root import usable_root
from kebab.source.walk import scan

__all__ = [
    "MEDIA_TYPES",
    "Repositories",
    "ScanRequest",
    "ScanResult",
    "code_lang",
    "family",
    "generated_reason",
    "is_binary",
    "known_media_types",
    "media_type",
    "read_stable",
    "scan",
    "usable_root",
]
