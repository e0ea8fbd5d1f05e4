"""Private copies of original files, by content. Off unless `storage.copy_threshold_mb` says otherwise."""

import os
from pathlib import Path

from kebab.core.asset import Asset


class Originals:
    """`asset_dir/<first two digits>/<asset id>`, written whole or not at all."""

    def __init__(self, folder: Path, threshold_mb: int) -> None:
        self._folder = folder
        self._limit = threshold_mb * 1024 * 1024

    def keep(self, asset: Asset, raw: bytes) -> Path | None:
        if len(raw) > self._limit or not self._limit:
            return None
        target = self._folder / asset.asset_id[:2] / asset.asset_id
        if target.exists():
            return target
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = target.with_name(f"{target.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(raw)
        draft.replace(target)
        return target

    def prune(self, wanted: set[str]) -> None:
        """Drops the copies no document needs any more."""
        if not self._folder.is_dir():
            return
        for copy in self._folder.glob("??/*"):
            if copy.name.partition(".")[0] not in wanted:
                copy.unlink(missing_ok=True)
