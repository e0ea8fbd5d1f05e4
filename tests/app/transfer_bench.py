"""Exports made, taken apart and put together otherwise."""

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from app_bench import Desk
from blake3 import blake3

from kebab.core.transfer import BackupRequest, ExportRequest, ImportRequest, TransferEvent, TransferReport

MANIFEST, DATABASE = "manifest.json", "kebab.sqlite"
NOTES = {
    "rice.md": "# Rice\n\nOne cup of brown rice needs two cups of water.\n",
    "쌀/현미밥.md": "# 현미밥\n\n불린 현미 한 컵에 물 1.2컵을 붓는다.\n",
    "dev/backup.md": "# Backup\n\nRestore the nightly backup with pg_restore.\n",
}


def last(events: Iterable[TransferEvent]) -> TransferReport:
    *_, report = events
    assert isinstance(report, TransferReport)
    return report


def filled(desk: Desk) -> Desk:
    for name, text in NOTES.items():
        desk.write(name, text)
    desk.ingest()
    return desk


def export(desk: Desk, name: str = "notes.kebab", **options: Any) -> Path:
    return Path(last(desk.app().export(ExportRequest(desk.home / name, **options))).file)


def bring_in(desk: Desk, file: Path, **options: Any) -> TransferReport:
    desk.open.close()  # nobody else reads the index
    return last(desk.app().import_file(ImportRequest(file, **options)))


def backup(desk: Desk, target: Path | None = None, **options: Any) -> TransferReport:
    return last(desk.app().backup(BackupRequest(target, **options)))


def elsewhere(desk: Desk, name: str = "other") -> Desk:
    """Another machine, as far as kebab can tell: another home, and no folder of notes."""
    home = desk.home / name
    home.mkdir()
    return Desk(home, home / "kb", dict(desk.flags), open=desk.open)


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def packed(target: Path, content: Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, raw in content:
            bundle.writestr(name, raw)
    return target


def retold(file: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """The same export with another manifest."""
    parts = members(file)
    manifest = json.loads(parts[MANIFEST])
    change(manifest)
    parts[MANIFEST] = json.dumps(manifest).encode()
    return packed(file.with_name("retold.kebab"), parts.items())


def with_database(file: Path, database: Path) -> Path:
    """The same export with another database, and a manifest that vouches for it."""
    parts, raw = members(file), database.read_bytes()
    manifest = json.loads(parts[MANIFEST])
    manifest["members"][DATABASE] = {"bytes": len(raw), "blake3": blake3(raw).hexdigest()}
    parts |= {DATABASE: raw, MANIFEST: json.dumps(manifest).encode()}
    return packed(file.with_name("forged.kebab"), parts.items())


def drafts(folder: Path) -> list[Path]:
    return sorted(folder.rglob(".kebab-draft-*"))
