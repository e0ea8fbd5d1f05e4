"""Zip archives from untrusted bytes: members by name, inflated in memory under limits that a bomb cannot pass.

Gets bytes, gives the bytes of members. Names are only ever compared: nothing is written to a disk, and an archive
inside an archive is just bytes. Sizes are counted while inflating, because what a header says about them may be a lie.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from kebab.core.errors import InvalidInput

MAX_MEMBERS = 20_000
MAX_TOTAL = 200 * 1024 * 1024
MAX_RATIO = 200
FREE_TOTAL = 10 * 1024 * 1024
# A web page inside is read as one text, which takes several times its size.
MAX_PAGE = 48 * 1024 * 1024
# Large pieces, because expat before 2.6 reads an unfinished token again with every piece that is added to it.
STEP = 256 * 1024

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    struct.error,
    ValueError,
    OverflowError,
    NotImplementedError,
    OSError,
)


class Archive:
    """An open archive; `kind` is what the file claims to be, for messages."""

    def __init__(self, raw: bytes, kind: str) -> None:
        self.kind = kind
        self._size = len(raw)
        self._inflated = 0
        _refuse_others(raw, kind)
        # Every member has an entry with this mark, so too many are seen before an object is made for each.
        if raw.count(b"PK\x01\x02") > MAX_MEMBERS:
            raise InvalidInput(f"not a readable {kind}: the archive has more than {MAX_MEMBERS} members")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
        except _DAMAGE as error:
            raise self._damaged() from error
        # Some programs write the separators of Windows, which no name in a document holds otherwise.
        self._members = {info.filename.replace("\\", "/"): info for info in self._zip.infolist()}

    def __contains__(self, name: str) -> bool:
        return name in self._members

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str, most: int = MAX_TOTAL) -> bytes:
        """A member, or its beginning up to about `most` bytes.

        Raises InvalidInput when it is missing, damaged, encrypted or part of a bomb.
        """
        pieces: list[bytes] = []
        for piece in self.chunks(name):
            pieces.append(piece)
            most -= len(piece)
            if most <= 0:
                break
        return b"".join(pieces)

    def chunks(self, name: str) -> Iterator[bytes]:
        """A member piece by piece."""
        info = self._members.get(name)
        if info is None:
            raise InvalidInput(f"not a readable {self.kind}: it has no {_shown(name)}")
        if info.flag_bits & 0x1:
            raise _encrypted(self.kind)
        if info.compress_type not in _METHODS:
            raise InvalidInput(f"not a readable {self.kind}: {_shown(name)} is compressed in an unusual way")
        try:
            with self._zip.open(info) as member:
                while piece := member.read(STEP):
                    self._count(len(piece))
                    yield piece
        except _DAMAGE as error:
            raise self._damaged() from error

    def _count(self, size: int) -> None:
        self._inflated += size
        if self._inflated > MAX_TOTAL or (
            self._inflated > FREE_TOTAL and self._inflated > MAX_RATIO * max(self._size, 1)
        ):
            raise InvalidInput(
                f"not a readable {self.kind}: it unpacks to far more than a document would hold",
                hint="the file may be made to exhaust memory; save a smaller copy if you trust it",
            )

    def _damaged(self) -> InvalidInput:
        return InvalidInput(
            f"not a readable {self.kind}: the archive is damaged", hint="open it in its own program and save it anew"
        )


def _refuse_others(raw: bytes, kind: str) -> None:
    """What is no zip archive is refused with a word about what it is instead."""
    if not raw.strip(b"\x00"):
        raise InvalidInput(f"not a readable {kind}: the file is empty")
    if raw.startswith(_OLE):
        if _ENCRYPTED in raw:
            raise _encrypted(kind)
        raise InvalidInput(
            f"not a readable {kind}: it is a file of an older format under a new name",
            hint=f"open it in its own program and save it as .{kind}",
        )
    if not raw.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        raise InvalidInput(f"not a readable {kind}: it is not a zip archive")


def _encrypted(kind: str) -> InvalidInput:
    return InvalidInput(f"not a readable {kind}: it is encrypted", hint="save a copy without a password")


def _shown(name: str) -> str:
    return " ".join(name[:80].split())
