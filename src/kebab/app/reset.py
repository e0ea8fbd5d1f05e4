"""`kebab reset`: removes what kebab made, and only at the paths of the loaded config."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from kebab.app.originals import Originals
from kebab.app.scope import all_sources
from kebab.app.sweep import is_gone
from kebab.config import Config
from kebab.core.errors import IoFailure
from kebab.core.inspection import ResetReport
from kebab.core.query import Filters
from kebab.store.fulltext_impacts import SUFFIX as IMPACTS
from kebab.store.lock import WriterLock
from kebab.store.store import Store

SQLITE_SIDES = ("", "-wal", "-shm", "-journal", IMPACTS)


def targets(config: Config, scope: str) -> list[Path]:
    """What a reset of this scope would remove, as far as it exists. Never the workspace."""
    data = [config.storage.sqlite.with_name(config.storage.sqlite.name + side) for side in SQLITE_SIDES]
    data += config.storage.sqlite.parent.glob(f"{config.storage.sqlite.name}{IMPACTS}.*.draft")
    data += _originals(config).copies()
    vectors = _vector_files(config)
    settings = [config.file] if config.file is not None else []
    wanted = {
        "all": [*data, *vectors, *settings],
        "data_only": [*data, *vectors],
        "config_only": settings,
        "vector_only": vectors,
        "orphans_only": [],
    }[scope]
    return [path for path in wanted if path.exists() or path.is_symlink()]


def _vector_files(config: Config) -> list[Path]:
    """What vector engines derived: files of the one, and the folders of the other's tables."""
    folder = config.storage.vector_dir
    if not folder.is_dir():
        return []
    return sorted([*folder.glob("*.scan"), *folder.glob("*.scan.*"), *folder.glob("*.lance")])


def _originals(config: Config) -> Originals:
    return Originals(config.storage.asset_dir, config.storage.copy_threshold_mb)


@contextmanager
def exclusive(config: Config) -> Iterator[None]:
    """Nobody may be writing while data is removed. Without a data directory there is nobody to shut out."""
    if not config.storage.lock.parent.is_dir():
        yield
        return
    with WriterLock(config.storage.lock):
        yield


def reset(config: Config, scope: str) -> ResetReport:
    """The caller holds the writer lock when data is removed."""
    removed = []
    for path in targets(config, scope):
        try:
            _remove(path)
        except OSError as error:
            raise IoFailure(f"cannot remove {path}: {error.strerror}", path=str(path), op="remove") from error
        removed.append(str(path))
        if path.parent.parent == config.storage.asset_dir and not any(path.parent.iterdir()):
            path.parent.rmdir()
    return ResetReport(scope, tuple(removed))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        import shutil

        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def purge_vectors(config: Config, store: Store) -> ResetReport:
    """Every vector of every model and what was derived from them; the next ingest makes them anew."""
    count = store.embeddings.drop_all()
    return replace(reset(config, "vector_only"), embedding_rows_truncated=count)


def purge_orphans(config: Config, store: Store) -> ResetReport:
    """Drops documents whose file is gone and documents of folders that are no longer known."""
    known = {source.source_id: source for source in all_sources(config, store.runs.adhoc_sources())}
    orphans = [
        row.workspace_path
        for row in store.shelf.rows(Filters())
        if row.source_id not in known or is_gone(known[row.source_id], row.workspace_path, row.file_path)
    ]
    for path in orphans:
        store.documents.drop(path)
    for root, source_id in store.runs.adhoc_sources().items():
        if not Path(root).is_dir() and not store.shelf.known(source_id):
            store.runs.drop_source(source_id)
    return ResetReport("orphans_only", orphans_purged=len(orphans), purged_paths=tuple(orphans))
