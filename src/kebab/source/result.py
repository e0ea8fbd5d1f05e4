"""What a scan is asked and what it answers, and the tally it keeps on the way. Knows nothing of how files are found."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from kebab.core.asset import FoundFile
from kebab.core.events import SkipCount
from kebab.source.media import extension

_MAX_EXAMPLES = 5
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Skip(StrEnum):
    """Why a file, or a whole folder, is not in the result. A pruned folder counts once."""

    GITIGNORE = "gitignore"
    KEBABIGNORE = "kebabignore"
    BUILTIN_BLACKLIST = "builtin_blacklist"
    SECRET = "secret"  # noqa: S105 - a reason, not a password
    GENERATED = "generated"
    SIZE_EXCEEDED = "size_exceeded"
    EXCLUDED = "excluded"
    SYMLINK = "symlink"
    SPECIAL = "special"
    UNREADABLE = "unreadable"
    NAME = "name"
    DUPLICATE_PATH = "duplicate_path"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """`subtree` limits the scan to a folder or one file below the root (relative paths start at the root).

    Rules of the folders above it still apply. `honour_ignores=False` takes the user's word for a file named outright:
    ignore files, the built-in list, include and exclude are not asked; secrets, sizes and names still are.
    """

    subtree: Path | None = None
    max_file_bytes: int | None = None
    follow_symlinks: bool = True
    honour_ignores: bool = True


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The files in order of their workspace path, and an account of everything else.

    `scanned` counts the regular files seen, taken or not; what lies in a pruned folder was not seen. `unlisted` holds
    the workspace prefixes (`notes/private/`) of folders that could not be listed, `errors` the workspace paths that the
    file system refused, each with a message: nothing is known about either, so neither may be taken for deleted.
    """

    files: tuple[FoundFile, ...] = ()
    scanned: int = 0
    skips: Mapping[str, SkipCount] = field(default_factory=dict)
    by_extension: Mapping[str, int] = field(default_factory=dict)
    errors: tuple[tuple[str, str], ...] = ()
    unlisted: tuple[str, ...] = ()
    canceled: bool = False


@dataclass(slots=True)
class Tally:
    """The one mutable thing of a scan."""

    scanned: int = 0
    unlisted: list[str] = field(default_factory=list)
    _files: dict[str, tuple[FoundFile, bool]] = field(default_factory=dict)
    _counts: dict[Skip, int] = field(default_factory=dict)
    _examples: dict[Skip, list[str]] = field(default_factory=dict)
    _extensions: dict[str, int] = field(default_factory=dict)
    _errors: list[tuple[str, str]] = field(default_factory=list)

    def found(self, file: FoundFile, *, raw_is_nfc: bool) -> None:
        """Two names that differ only in Unicode form are one workspace path: the one already in NFC keeps it."""
        twin = self._files.get(file.workspace_path)
        if twin is not None:
            self.skip(Skip.DUPLICATE_PATH, file.workspace_path)
        if twin is None or (raw_is_nfc and not twin[1]):
            self._files[file.workspace_path] = (file, raw_is_nfc)

    def skip(self, reason: Skip, path: str) -> None:
        self._counts[reason] = self._counts.get(reason, 0) + 1
        examples = self._examples.setdefault(reason, [])
        if len(examples) < _MAX_EXAMPLES:
            examples.append(printable(path))

    def unsupported(self, path: str) -> None:
        self.skip(Skip.UNSUPPORTED, path)
        suffix = extension(path.rsplit("/", 1)[-1])
        self._extensions[suffix] = self._extensions.get(suffix, 0) + 1

    def fail(self, path: str, error: OSError) -> None:
        self.skip(Skip.UNREADABLE, path)
        self._errors.append((path, error.strerror or str(error)))

    def result(self, *, canceled: bool) -> ScanResult:
        return ScanResult(
            files=tuple(self._files[path][0] for path in sorted(self._files)),
            scanned=self.scanned,
            skips={
                reason.value: SkipCount(self._counts[reason], tuple(self._examples[reason]))
                for reason in Skip
                if reason in self._counts
            },
            by_extension=dict(sorted(self._extensions.items())),
            errors=tuple(self._errors),
            unlisted=tuple(sorted(self.unlisted)),
            canceled=canceled,
        )


def printable(path: str) -> str:
    """A name that is not text, made fit to be shown: stray bytes and control characters are escaped."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
