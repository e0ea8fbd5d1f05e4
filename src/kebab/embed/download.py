"""One file from a hub to disk, whole or not at all. A download that broke off goes on where it stopped."""

import os
import re
from collections.abc import Generator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from kebab.core.errors import ModelInvalid, ModelUnreachable

if TYPE_CHECKING:
    import httpx2

_OK = 200
_NOT_FOUND = 404
_PARTIAL = 206
_UNSATISFIABLE = 416
_PASSING = (408, 429)
_SERVER_FAULT = 500
_NO_TAG = "0"
_STEP = 1 << 18
# Below this a file is configuration, whose size says nothing.
_SIZED = 100_000


class Wanted(NamedTuple):
    """A file to fetch. `about` is the size it should roughly have; a web page in its place is far off."""

    url: str
    target: Path
    about: int


class Done(NamedTuple):
    """Bytes on disk, and bytes in all if the hub said so."""

    bytes: int
    total: int | None


def fetch(client: "httpx2.Client", wanted: Wanted) -> Generator[Done, None, None]:
    """Raises ModelInvalid, ModelUnreachable, OSError or an error of the client. May be left at any step."""
    begun = next(iter(_parts(wanted.target)), None)
    start = begun.stat().st_size if begun else 0
    # Compressed replies have another length than the file.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
    with client.stream("GET", wanted.url, headers=headers) as reply:
        if not start or reply.status_code not in (_PARTIAL, _UNSATISFIABLE):
            _check_status(reply, wanted)
            _discard(wanted.target)
            yield from _keep(reply, wanted, 0)
            return
        if begun and _goes_on(reply, wanted, begun, start):
            yield from _keep(reply, wanted, start)
            return
    _discard(wanted.target)
    yield from fetch(client, wanted)


def _keep(reply: "httpx2.Response", wanted: Wanted, start: int) -> Iterator[Done]:
    length = reply.headers.get("Content-Length", "")
    total = start + int(length) if length.isdecimal() else None
    _check_size(wanted, total)
    part = _part(wanted, reply)
    done = shown = start
    with open_private(part, at_end=bool(start)) as out:
        yield Done(done, total)
        for piece in reply.iter_bytes():
            done += out.write(piece)
            if done - shown >= _STEP:
                shown = done
                yield Done(done, total)
        out.flush()
        os.fsync(out.fileno())
    if total not in (None, done):
        part.unlink()
        raise ModelInvalid(f"{wanted.target.name} came as {done} bytes, and {total} were announced", url=wanted.url)
    _check_size(wanted, done)
    part.replace(wanted.target)


def _check_status(reply: "httpx2.Response", wanted: Wanted) -> None:
    status, host, name = reply.status_code, reply.url.host, wanted.target.name
    if status == _OK:
        return
    if status in _PASSING or status >= _SERVER_FAULT:
        raise ModelUnreachable(f"{host} answers {status}", hint="try again later", url=wanted.url, status=status)
    problem = f"{host} has no {name}" if status == _NOT_FOUND else f"{host} does not give {name} ({status})"
    raise ModelInvalid(problem, hint="check HF_ENDPOINT, if it is set", url=wanted.url, status=status)


def _check_size(wanted: Wanted, size: int | None) -> None:
    if size is not None and wanted.about >= _SIZED and not wanted.about / 2 <= size <= wanted.about * 2:
        raise ModelInvalid(
            f"{wanted.target.name} has {size} bytes on the hub, and about {wanted.about} are expected",
            hint="something between here and the hub answers in its place, or the model was replaced",
            url=wanted.url,
        )


def _goes_on(reply: "httpx2.Response", wanted: Wanted, begun: Path, start: int) -> bool:
    """Whether the reply is the rest of the same file."""
    span = re.match(r"bytes (\d+)-", reply.headers.get("Content-Range", ""))
    same = _tag(reply) != _NO_TAG and begun == _part(wanted, reply)
    return reply.status_code == _PARTIAL and same and span is not None and int(span[1]) == start


def _part(wanted: Wanted, reply: "httpx2.Response") -> Path:
    return wanted.target.with_name(f".{wanted.target.name}.{_tag(reply)}.part")


def _parts(target: Path) -> list[Path]:
    """What earlier downloads of the file left."""
    pattern = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]+\.part")
    return [path for path in sorted(target.parent.iterdir()) if pattern.fullmatch(path.name)]


def _discard(target: Path) -> None:
    for part in _parts(target):
        part.unlink(missing_ok=True)


def _tag(reply: "httpx2.Response") -> str:
    """Names a version of a file, so that the parts of two are never put together."""
    version = reply.headers.get("ETag", "")
    return sha256(version.encode()).hexdigest()[:16] if version and not version.startswith("W/") else _NO_TAG


def open_private(path: Path, *, at_end: bool = False) -> BinaryIO:
    """A file to write that is the user's alone."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if at_end else os.O_TRUNC)
    return os.fdopen(os.open(path, flags, 0o600), "ab" if at_end else "wb")
