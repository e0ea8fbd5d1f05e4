"""The walk: a source's folder in, the files kebab will read out, with an account of everything left aside.

Reads no content but ignore files and cache tags, and raises only for the root itself: whatever is wrong below it is
counted and the walk goes on. Folders are walked in order of their names, so the same tree gives the same result, down
to the examples. Rules come from `judge`, links from `entry`; after them a file must be of a known media type, included,
and not too large.
"""

import os
import re
import stat
import threading
from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from kebab.core.asset import FoundFile, Source
from kebab.core.text import nfc
from kebab.source.builtin import CACHE_MARKER, CACHE_SIGNATURE, VENV_MARKER
from kebab.source.entry import Entry, Folder, Links
from kebab.source.generated import named_generated
from kebab.source.ignore import GITIGNORE, KEBABIGNORE, Ignores, outside
from kebab.source.judge import Judge
from kebab.source.media import media_type
from kebab.source.read import file_stamp, read_regular
from kebab.source.result import ScanRequest, ScanResult, Skip, Tally
from kebab.source.root import names_to_subtree, unusable, usable_root

# Stray bytes (surrogates), control characters and line breaks; a backslash would become a slash in the workspace path.
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")
_IGNORE_FILES = frozenset({GITIGNORE, KEBABIGNORE})


def scan(source: Source, request: ScanRequest, cancel: threading.Event | None = None) -> ScanResult:
    """Every file of `source` that kebab can read. Raises IoFailure or InvalidInput when the root cannot be used.

    A subtree that is not there gives an empty result: its files are gone, which is for the caller to act on.
    """
    return _Walk(source, request, usable_root(source.root)).run(cancel or threading.Event())


class _Walk:
    def __init__(self, source: Source, request: ScanRequest, root: str) -> None:
        real_root = os.path.realpath(root)
        self._source = source
        self._max_bytes = request.max_file_bytes
        self._pins = names_to_subtree(request, root)
        self._links = Links(root, real_root, follow=request.follow_symlinks)
        self._honour = request.honour_ignores
        self._judge = Judge(source, honour=request.honour_ignores)
        self._tally = Tally()
        self._top = Folder(root, "", outside(Path(real_root)), included=self._judge.takes_all)

    def run(self, cancel: threading.Event) -> ScanResult:
        # A stack of our own: no depth of folders can exhaust it.
        stack = [self._top]
        while stack and not cancel.is_set():
            below: list[Folder] = []
            folder, entries = self._enter(stack.pop())
            for raw in entries:
                if cancel.is_set():
                    break
                if (child := self._visit(folder, raw)) is not None:
                    below.append(child)
            stack += reversed(below)
        return self._tally.result(canceled=cancel.is_set())

    def _enter(self, folder: Folder) -> tuple[Folder, list[os.DirEntry[str]]]:
        """The folder with its own ignore files in force, and the entries to visit in it."""
        entries = self._list(folder)
        by_name = {raw.name: raw for raw in entries}
        if self._judge.suspects(folder, by_name) and (VENV_MARKER in by_name or _is_cache_tag(by_name[CACHE_MARKER])):
            self._skip(Skip.BUILTIN_BLACKLIST, folder.rel)
            return folder, []
        ignores = self._ignores(folder, by_name)
        if ignores is None:
            return folder, []
        folder = replace(folder, ignores=ignores, in_crate="Cargo.toml" in by_name)
        depth = folder.rel.count("/")
        if depth < len(self._pins):
            entries = [raw for raw in entries if nfc(raw.name) == self._pins[depth]]
        return folder, entries

    def _list(self, folder: Folder) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder.path) as entries:
                return sorted(entries, key=attrgetter("name"))
        except OSError as error:
            if not folder.rel:
                raise unusable(folder.path, error) from error
            # A folder just removed is no failure; one that cannot be listed may well still hold its files.
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                self._tally.unlisted.append(self._source.workspace_path(folder.rel))
                self._fail(folder.rel, error)
            return []

    def _ignores(self, folder: Folder, by_name: Mapping[str, os.DirEntry[str]]) -> Ignores | None:
        """None when an ignore file cannot be read: what it meant to hide must not be taken."""
        ignores = folder.ignores
        for name, extended in ((GITIGNORE, Ignores.with_git), (KEBABIGNORE, Ignores.with_kebab)):
            raw = by_name.get(name)
            try:
                if raw is not None and raw.is_file():
                    ignores = extended(ignores, os.path.realpath(raw.path), folder.rel)
            except OSError as error:
                self._fail(folder.rel + name, error)
                self._tally.unlisted.append(self._source.workspace_path(folder.rel))
                return None
        return ignores

    def _visit(self, folder: Folder, raw: os.DirEntry[str]) -> Folder | None:
        """Takes or counts one entry; a folder to be walked is handed back."""
        if raw.name in _IGNORE_FILES:
            return None
        if _BAD_NAME.search(raw.name) is not None:
            self._skip(Skip.NAME, folder.rel + raw.name)
            return None
        try:
            entry = self._links.look(folder, raw)
        except OSError as error:
            self._fail(folder.rel + nfc(raw.name), error)
            return None
        place = entry.place
        self._tally.scanned += not place.is_dir and place.fault is None
        included = self._judge.includes(folder, entry)
        if (reason := self._judge.reason(folder, entry, included=included) or place.fault) is not None:
            self._skip(reason, entry.rel)
        elif place.is_dir:
            return Folder(place.path, entry.rel, folder.ignores, included, entry.raw_is_nfc, place.trail)
        else:
            self._take(entry, included=included)
        return None

    def _take(self, entry: Entry, *, included: bool) -> None:
        # A lock file is told as one also where no parser knows its kind.
        if included and self._honour and named_generated(entry.name):
            self._skip(Skip.GENERATED, entry.rel)
        elif (media := media_type(entry.name)) is None:
            self._tally.unsupported(self._source.workspace_path(entry.rel))
        elif not included:
            self._skip(Skip.EXCLUDED, entry.rel)
        else:
            self._measure(entry, media)

    def _measure(self, entry: Entry, media: str) -> None:
        path = Path(entry.place.path)
        try:
            status = path.lstat()
        except FileNotFoundError:
            return
        except OSError as error:
            self._fail(entry.rel, error)
            return
        if not stat.S_ISREG(status.st_mode):
            self._skip(Skip.SPECIAL, entry.rel)
        elif self._max_bytes is not None and status.st_size > self._max_bytes:
            self._skip(Skip.SIZE_EXCEEDED, entry.rel)
        else:
            shown = self._source.workspace_path(entry.rel)
            file = FoundFile(self._source.source_id, path, shown, media, file_stamp(status))
            self._tally.found(file, raw_is_nfc=entry.raw_is_nfc)

    def _skip(self, reason: Skip, rel: str) -> None:
        self._tally.skip(reason, self._source.workspace_path(rel))

    def _fail(self, rel: str, error: OSError) -> None:
        self._tally.fail(self._source.workspace_path(rel), error)


def _is_cache_tag(tag: os.DirEntry[str]) -> bool:
    try:
        return tag.is_file(follow_symlinks=False) and read_regular(tag.path, len(CACHE_SIGNATURE)) == CACHE_SIGNATURE
    except OSError:
        return False
