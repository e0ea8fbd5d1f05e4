"""Git's small files as facts: what HEAD points at, the commit of a branch, the name of the remote. Reads, never raises.

Every read is bounded and opens regular files only. A repository that keeps its branches in reftables has a name and
nothing else to tell.
"""

import re
from pathlib import Path
from typing import NamedTuple

from kebab.source.read import read_regular

COMMIT_DIGITS = 12

_REF_BYTES = 4096
_CONFIG_BYTES = 1 << 18
_PACKED_BYTES = 1 << 23
_MAX_HOPS = 5
_MAX_NAME = 100
_SYMBOLIC = "ref:"
_BRANCHES = "refs/heads/"
# What git puts into HEAD of a repository with reftables, for programs that do not know them.
_REFTABLE = "refs/heads/.invalid"

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SECTION = re.compile(r'\[\s*remote\s+"origin"\s*\]\s*(.*)', re.IGNORECASE)
_URL = re.compile(r"url\s*=\s*(.+)", re.IGNORECASE)
_UNFIT = re.compile(r"[\x00-\x20\x7f-\x9f~^:?*\[\\]|@\{|\.\.|//|^/|/$|(?:^|/)\.|\.lock(?:/|$)")


class Head(NamedTuple):
    """`branch` is None when a commit is checked out by itself, `commit` is None on a branch without one."""

    branch: str | None = None
    commit: str | None = None


def read_lines(path: Path, limit: int) -> list[str]:
    """The lines of a small file that are not blank; none when it is large, binary, missing or not a file."""
    try:
        raw = read_regular(path, limit + 1)
        text = raw.decode("utf-8") if len(raw) <= limit else ""
    except (OSError, ValueError):
        return []
    return [] if "\x00" in text else [line.strip() for line in text.splitlines() if line.strip()]


def read_head(git: Path, shared: Path) -> Head:
    """What is checked out: `git` is the work tree's own folder, `shared` the one that holds the branches."""
    first = _first_line(git / "HEAD")
    if not first.startswith(_SYMBOLIC):
        return Head(None, _commit(first))
    ref = first.removeprefix(_SYMBOLIC).strip()
    if ref == _REFTABLE or not _is_ref(ref):
        return Head()
    branch = ref.removeprefix(_BRANCHES) if ref.startswith(_BRANCHES) else None
    return Head(branch, _resolve(shared, ref))


def remote_name(config: Path) -> str | None:
    """The last part of where `origin` is, without `.git`; None when there is none or it cannot be a name."""
    inside = False
    for line in read_lines(config, _CONFIG_BYTES):
        if line.startswith("["):
            section = _SECTION.match(line)
            inside, setting = section is not None, section[1] if section else ""
        else:
            setting = line
        if inside and (match := _URL.match(setting)):
            return _name_of(match[1].strip().strip('"'))
    return None


def _name_of(url: str) -> str | None:
    if "://" in url:
        # Whatever stands before the path may hold a password.
        _host, _slash, path = url.partition("://")[2].partition("/")
    else:
        path = url.replace("\\", "/").rpartition(":")[2]
    name = path.partition("?")[0].rstrip("/").rpartition("/")[2].removesuffix(".git")
    fit = 0 < len(name) <= _MAX_NAME and name.isprintable() and "@" not in name and name not in (".", "..")
    return name if fit else None


def _resolve(shared: Path, ref: str) -> str | None:
    """The commit of a branch; a branch may be a name for another one."""
    for _hop in range(_MAX_HOPS):
        first = _first_line(shared / ref)
        if not first:
            return _packed(shared, ref)
        if not first.startswith(_SYMBOLIC):
            return _commit(first)
        ref = first.removeprefix(_SYMBOLIC).strip()
        if not _is_ref(ref):
            return None
    return None


def _packed(shared: Path, ref: str) -> str | None:
    try:
        raw = b"\n" + read_regular(shared / "packed-refs", _PACKED_BYTES)
    except (OSError, ValueError):
        return None
    at = raw.find(b" " + ref.encode() + b"\n")
    if at < 0:
        return None
    start = raw.rfind(b"\n", 0, at) + 1
    return _commit(raw[start:at].decode("latin-1"))


def _first_line(path: Path) -> str:
    return next(iter(read_lines(path, _REF_BYTES)), "")


def _commit(text: str) -> str | None:
    return text[:COMMIT_DIGITS] if _COMMIT.fullmatch(text) else None


def _is_ref(ref: str) -> bool:
    return ref.startswith("refs/") and len(ref) < 1000 and _UNFIT.search(ref) is None
