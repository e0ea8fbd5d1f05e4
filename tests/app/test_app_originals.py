import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.app.originals import Originals
from kebab.core.asset import Asset
from kebab.core.ids import asset_id, content_hash
from kebab.store.store import Store

if TYPE_CHECKING:
    from app_bench import Desk

MEGABYTE = 1024 * 1024


def asset_of(raw: bytes) -> Asset:
    checksum = content_hash(raw)
    return Asset(asset_id(checksum), checksum, len(raw), "markdown", "a.md", "file:///a.md", "2020-01-01T00:00:00Z")


def test_a_copy_is_kept_by_its_content(tmp_path: Path) -> None:
    originals, asset = Originals(tmp_path / "assets", 1), asset_of(b"hello")
    path = originals.keep(asset, b"hello")
    assert path == tmp_path / "assets" / asset.asset_id[:2] / asset.asset_id
    assert path.read_bytes() == b"hello"
    assert [file.name for file in path.parent.iterdir()] == [asset.asset_id]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_copy_is_written_once(tmp_path: Path) -> None:
    originals, asset = Originals(tmp_path, 1), asset_of(b"hello")
    first = originals.keep(asset, b"hello")
    assert first is not None
    os.utime(first, (1, 1))
    assert originals.keep(asset, b"hello") == first
    assert first.stat().st_mtime == 1


@pytest.mark.parametrize(
    ("threshold", "size", "kept"),
    [(0, 0, False), (0, 5, False), (1, MEGABYTE, True), (1, MEGABYTE + 1, False), (1, 0, True)],
)
def test_only_what_is_up_to_the_threshold_is_copied(tmp_path: Path, threshold: int, size: int, kept: bool) -> None:
    raw = b"x" * size
    assert (Originals(tmp_path, threshold).keep(asset_of(raw), raw) is not None) is kept
    assert bool(list(tmp_path.iterdir())) is kept


def test_copies_nobody_needs_leave(tmp_path: Path) -> None:
    originals = Originals(tmp_path, 1)
    wanted, other = asset_of(b"wanted"), asset_of(b"other")
    originals.keep(wanted, b"wanted")
    originals.keep(other, b"other")
    originals.prune({wanted.asset_id})
    assert [file.name for file in tmp_path.glob("*/*")] == [wanted.asset_id]


def test_what_a_killed_run_left_half_written_leaves_too(tmp_path: Path) -> None:
    originals, other = Originals(tmp_path, 1), asset_of(b"other")
    draft = tmp_path / other.asset_id[:2] / f"{other.asset_id}.4711"
    draft.parent.mkdir()
    draft.write_bytes(b"oth")
    originals.prune(set())
    assert list(tmp_path.glob("*/*")) == []


def test_nothing_to_prune_is_nothing(tmp_path: Path) -> None:
    Originals(tmp_path / "missing", 1).prune(set())
    assert not (tmp_path / "missing").exists()


def test_an_ingest_copies_what_it_is_told_to_and_lets_go_of_it(desk: "Desk") -> None:
    desk.flags["storage.copy_threshold_mb"] = 1
    file = desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    desk.ingest()
    copies = list(desk.config.storage.asset_dir.glob("*/*"))
    assert sorted(copy.read_bytes() for copy in copies) == [b"alpha\n", b"beta\n"]
    with Store.reader(desk.index) as store:
        stored = dict(store._db.rows("SELECT storage_path, storage_kind FROM assets"))
    assert stored == {str(copy): "copied" for copy in copies}
    file.unlink()
    desk.ingest()
    assert [copy.read_bytes() for copy in desk.config.storage.asset_dir.glob("*/*")] == [b"beta\n"]


def test_without_a_threshold_no_copy_is_made(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    assert not desk.config.storage.asset_dir.exists()
