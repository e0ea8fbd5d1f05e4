"""`kebab export`: the whole knowledge base as one file, made from one state of it while others may go on writing.

In the file: the database (text, chunks, full text, vectors, answers and sessions) and the copies of original files
that `storage.copy_threshold_mb` had made. Not in it: other original files, models, the configuration, and the address
of a model server.
"""

from collections.abc import Iterator
from pathlib import Path

from kebab import __version__
from kebab.app import bundle
from kebab.app.drafts import draft_folder
from kebab.app.manifest import Manifest
from kebab.app.originals import Originals
from kebab.config import Config
from kebab.core.clock import now
from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.transfer import (
    DATABASE,
    ORIGINALS,
    ExportRequest,
    TransferEvent,
    TransferKind,
    TransferProgress,
    TransferReport,
)
from kebab.store import copying
from kebab.store.index_facts import facts_of
from kebab.store.store import Store


def export(config: Config, request: ExportRequest) -> Iterator[TransferEvent]:
    """The last event is the report."""
    target = free_place(config, request.target, force=request.force)
    with Store.reader(config.storage.sqlite):
        pass  # where there is no index, nothing is to be made
    with draft_folder(target.parent) as draft:
        whole, shared, packed = draft / "whole", draft / DATABASE, draft / "packed"
        for pages in copying.copy(config.storage.sqlite, whole):
            yield TransferProgress("copying", *pages)
        yield TransferProgress("compacting", 0, 0)
        copying.clean(whole, answers=request.answers)
        copying.compact(whole, shared)
        whole.unlink()
        facts = facts_of(shared)
        originals = _originals(config, shared)
        files = {DATABASE: shared, **originals}
        yield from _packed(packed, files, Manifest(__version__, now(), facts, {}))
        move(packed, target)
    yield TransferReport(
        kind=TransferKind.EXPORT,
        file=str(target),
        bytes=target.stat().st_size,
        database=str(config.storage.sqlite),
        kebab_version=__version__,
        facts=facts,
        originals=len(originals),
    )


def _packed(target: Path, files: dict[str, Path], manifest: Manifest) -> Iterator[TransferEvent]:
    from dataclasses import replace

    try:
        yield from bundle.write(target, files, lambda members: replace(manifest, members=dict(members)))
    except OSError as error:
        raise IoFailure(
            f"cannot write the export: {error.strerror}", hint="make room, or name another place", op="write"
        ) from error


def _originals(config: Config, database: Path) -> dict[str, Path]:
    """The copies of files that the database knows, by the names they have in an export."""
    with Store.reader(database) as store:
        known = store.shelf.asset_ids()
    copies = Originals(config.storage.asset_dir, config.storage.copy_threshold_mb).copies()
    return {f"{ORIGINALS}/{copy.parent.name}/{copy.name}": copy for copy in copies if copy.name in known}


def free_place(config: Config, target: Path, *, force: bool) -> Path:
    """Where a file may be put: a name that is free, or one of a file that may be replaced. Never that of the index."""
    target = Path(target).expanduser().absolute()
    if target.is_dir():
        raise InvalidInput(f"{target} is a folder", hint="name the file that is to be written", path=str(target))
    if not target.exists() and not target.is_symlink():
        return target
    if target.exists() and config.storage.sqlite.exists() and target.samefile(config.storage.sqlite):
        raise InvalidInput(f"{target} is the index itself", hint="name another file", path=str(target))
    if target.exists() and not target.is_file():
        raise InvalidInput(f"{target} is no plain file", hint="name another file", path=str(target))
    if not force:
        raise InvalidInput(f"{target} exists already", hint="name another file, or add --force", path=str(target))
    return target


def move(finished: Path, target: Path) -> None:
    try:
        finished.replace(target)
    except OSError as error:
        raise IoFailure(
            f"cannot write {target}: {error.strerror}", hint="name another place", path=str(target), op="write"
        ) from error
