"""Private copies of original files, by content. Off unless `storage.copy_threshold_mb` says otherwise."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from kebab.core.asset import Asset

_SHARD = re.compile(r"[0-9a-f]{2}")
_COPY = re.compile(r"[0-9a-f]{32}(?:\.[0-9]+)?")


class Originals:
    """`asset_dir/<first two digits>/<asset id>`, written whole or not at all. Nothing else in the folder is ours."""

    def __init__(self, folder: Path, threshold_mb: int) -> None:
        self._folder = folder
        self._limit = threshold_mb * 1024 * 1024

    def keep(self, asset: Asset, raw: bytes) -> Path | None:
        if len(raw) > self._limit or not self._limit:
            return None
        target = self._folder / asset.asset_id[:2] / asset.asset_id
        if target.exists():
            return target
        for folder in (self._folder, target.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = target.with_name(f"{target.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(raw)
        draft.replace(target)
        return target

    def copies(self) -> Iterator[Path]:
        if not self._folder.is_dir():
            return
        for shard in sorted(self._folder.iterdir()):
            if _SHARD.fullmatch(shard.name) and shard.is_dir() and not shard.is_symlink():
                for copy in sorted(shard.iterdir()):
                    if _COPY.fullmatch(copy.name) and copy.name.startswith(shard.name) and copy.is_file():
                        yield copy

    def prune(self, wanted: set[str]) -> list[Path]:
        """Drops the copies no document needs any more, and the folders that are empty then."""
        dropped = [copy for copy in self.copies() if copy.name not in wanted]
        for copy in dropped:
            copy.unlink(missing_ok=True)
        for folder in {copy.parent for copy in dropped}:
            if not any(folder.iterdir()):
                folder.rmdir()
        return dropped
