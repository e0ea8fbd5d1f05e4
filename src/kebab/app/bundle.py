"""An export as a file: a zip that holds a manifest, the database and copies of originals. Reads none that it distrusts.

What a zip says of itself is believed only as far as the manifest says the same, and every byte is counted and hashed on
its way out; no name in it ever becomes a path by itself.
"""

import os
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from kebab.app.manifest import Manifest, Member, from_json, to_json
from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.transfer import TransferProgress
from kebab.store.copying import create, flush

if TYPE_CHECKING:
    import zipfile

MANIFEST = "manifest.json"
_PIECE = 1 << 20
_MANIFEST_LIMIT = 64 << 20
# A database shrinks to a third or so; what would grow a hundredfold is made to fill a disk.
_MOST_GROWTH, _GROWTH_FLOOR = 100, 64 << 20
# The fastest: vectors do not shrink at all, and text little more at ten times the cost.
_LEVEL = 1


def write(
    target: Path, files: Mapping[str, Path], describe: Callable[[Mapping[str, Member]], Manifest]
) -> Iterator[TransferProgress]:
    """A new bundle of `files` by member name; `describe` makes the manifest of what was written."""
    from zipfile import ZIP_DEFLATED, ZipFile

    create(target)
    done, total = 0, sum(path.stat().st_size for path in files.values())
    members: dict[str, Member] = {}
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as bundle:
        for name, path in files.items():
            hashing = _Hashing()
            with path.open("rb") as source, bundle.open(name, "w", force_zip64=True) as out:
                while piece := source.read(_PIECE):
                    hashing.update(piece)
                    out.write(piece)
                    yield TransferProgress("packing", done + hashing.size, total)
            members[name] = hashing.member()
            done += hashing.size
        with bundle.open(MANIFEST, "w") as out:
            out.write(to_json(describe(members)))
    flush(target)


class _Hashing:
    def __init__(self) -> None:
        from blake3 import blake3

        self._hash = blake3()
        self.size = 0

    def update(self, piece: bytes) -> None:
        self._hash.update(piece)
        self.size += len(piece)

    def member(self) -> Member:
        return Member(self.size, self._hash.hexdigest())


class Bundle:
    """A bundle from anywhere, open for reading. Use it in a `with`."""

    def __init__(self, path: Path) -> None:
        from zipfile import ZipFile

        with _doubted(path):
            self._zip = ZipFile(path)
        try:
            with _doubted(path):
                entries = _entries(self._zip)
                self.manifest = self._read_manifest(entries)
                _compare(entries, self.manifest, path.stat().st_size)
        except BaseException:
            self._zip.close()
            raise
        self._path, self._entries = path, entries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def size(self) -> int:
        """What all members take when they are unpacked."""
        return sum(member.bytes for member in self.manifest.members.values())

    def _read_manifest(self, entries: Mapping[str, "zipfile.ZipInfo"]) -> Manifest:
        if MANIFEST not in entries:
            raise InvalidInput("this is no export of kebab: it has no manifest", hint="make one with `kebab export`")
        with self._zip.open(entries[MANIFEST]) as source:
            raw = source.read(_MANIFEST_LIMIT + 1)
        if len(raw) > _MANIFEST_LIMIT:
            raise InvalidInput("the manifest of the export is too large to be one", hint="export it anew")
        return from_json(raw)

    def unpack(self, name: str, target: Path) -> Iterator[int]:
        """The member as a new file, and the bytes written with each piece. Raises InvalidInput if it is not as told."""
        told, hashing = self.manifest.members[name], _Hashing()
        create(target)
        with _doubted(self._path), target.open("wb") as out, self._zip.open(self._entries[name]) as source:
            while piece := source.read(_PIECE):
                hashing.update(piece)
                if hashing.size > told.bytes:
                    break
                _write(out.fileno(), piece)
                yield len(piece)
        if hashing.member() != told:
            raise InvalidInput(
                f"{name} of the export is damaged: its content is not what the manifest says",
                hint="copy the file again, or export it anew",
                path=str(self._path),
            )


def _write(handle: int, piece: bytes) -> None:
    """A failure to write is not one of the bundle, so it is told apart from those at once."""
    rest = memoryview(piece)
    try:
        while rest:
            rest = rest[os.write(handle, rest) :]
    except OSError as error:
        raise IoFailure(f"cannot unpack: {error.strerror}", hint="make room and import again", op="write") from error


def _entries(bundle: "zipfile.ZipFile") -> dict[str, "zipfile.ZipInfo"]:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    found: dict[str, zipfile.ZipInfo] = {}
    for entry in bundle.infolist():
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if entry.filename in found:
            raise InvalidInput(f"the export holds {entry.filename!r} twice", hint="export it anew")
        if (
            kind not in (0, stat.S_IFREG)
            or entry.flag_bits & 1
            or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED)
        ):
            raise InvalidInput(f"{entry.filename!r} of the export is no plain file", hint="export it anew")
        found[entry.filename] = entry
    return found


def _compare(entries: Mapping[str, "zipfile.ZipInfo"], manifest: Manifest, size: int) -> None:
    """The zip and its manifest must name the same members of the same sizes."""
    names = set(entries) - {MANIFEST}
    if extra := sorted(names - set(manifest.members)):
        raise InvalidInput(f"the export holds what its manifest does not name: {extra[0]!r}", hint="export it anew")
    if missing := sorted(set(manifest.members) - names):
        raise InvalidInput(f"the export lacks {missing[0]}", hint="copy the file again, or export it anew")
    for name, member in manifest.members.items():
        if entries[name].file_size != member.bytes:
            raise InvalidInput(f"{name} of the export is not of the size its manifest says", hint="export it anew")
    total = sum(member.bytes for member in manifest.members.values())
    if total > max(_GROWTH_FLOOR, size * _MOST_GROWTH):
        raise InvalidInput(f"the export would unpack to {total:,} bytes, which no real one does", hint="export it anew")


@contextmanager
def _doubted(path: Path) -> Iterator[None]:
    """Whatever the zip reader stumbles over is a fault of the file."""
    from zipfile import BadZipFile, LargeZipFile

    try:
        yield
    except (BadZipFile, LargeZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise InvalidInput(
            f"{path} is damaged or no export of kebab: {error}",
            hint="copy the file again, or export it anew with `kebab export`",
            path=str(path),
        ) from error
    except (OverflowError, LookupError, MemoryError) as error:
        raise InvalidInput(f"{path} is damaged or no export of kebab", hint="export it anew", path=str(path)) from error
    except OSError as error:
        raise IoFailure(f"cannot read {path}: {error.strerror}", path=str(path), op="read") from error
