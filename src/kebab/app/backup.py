"""`kebab backup`: the database as a plain SQLite file, checked after writing, while others may go on writing."""

import re
from collections.abc import Iterator
from pathlib import Path

from kebab import __version__
from kebab.app.drafts import draft_folder
from kebab.app.transfer import free_place, move
from kebab.config import Config
from kebab.core.clock import now
from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.transfer import (
    DATABASE,
    BackupRequest,
    TransferEvent,
    TransferKind,
    TransferProgress,
    TransferReport,
)
from kebab.store import copying
from kebab.store.index_facts import facts_of
from kebab.store.store import Store

FOLDER = "backups"
_NAME = re.compile(r"(kebab-\d{8}T\d{6}Z)(?:-(\d+))?\.sqlite")


def backup(config: Config, request: BackupRequest) -> Iterator[TransferEvent]:
    """The last event is the report."""
    with Store.reader(config.storage.sqlite):
        pass  # where there is no index, nothing is to be made
    target = _target(config, request)
    with draft_folder(target.parent) as draft:
        copy = draft / DATABASE
        for pages in copying.copy(config.storage.sqlite, copy):
            yield TransferProgress("copying", *pages)
        yield TransferProgress("checking", 0, 0)
        if (problem := copying.quick_problem(copy)) is not None:
            raise IoFailure(
                f"the copy is not sound: {problem}", hint="run `kebab doctor`; the index may be damaged", op="write"
            )
        facts = facts_of(copy)
        move(copy, target)
    yield TransferReport(
        kind=TransferKind.BACKUP,
        file=str(target),
        bytes=target.stat().st_size,
        database=str(config.storage.sqlite),
        kebab_version=__version__,
        facts=facts,
        removed=tuple(_drop_older(target, request.keep)),
    )


def _target(config: Config, request: BackupRequest) -> Path:
    given = request.target.expanduser().absolute() if request.target else config.storage.data_dir / FOLDER
    if request.keep is not None and request.keep < 1:
        raise InvalidInput(f"--keep must be at least 1, not {request.keep}")
    if request.target is None or given.is_dir():
        return _named_by_time(given)
    if request.keep is not None:
        raise InvalidInput("--keep goes with names made of the time", hint="name a folder instead of a file")
    return free_place(config, given, force=request.force)


def _named_by_time(folder: Path) -> Path:
    """After every other one of the same second, also after those that are gone."""
    stem = f"kebab-{re.sub('[-:]|[.][0-9]+', '', now())}"
    numbers = [number for name, number, _ in _named(folder) if name == stem]
    return folder / f"{stem}{f'-{max(numbers) + 1}' if numbers else ''}.sqlite"


def _named(folder: Path) -> list[tuple[str, int, Path]]:
    """The files that have such names, oldest first."""
    if not folder.is_dir():
        return []
    found = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir() if path.is_file())
    return sorted((match[1], int(match[2] or 0), path) for match, path in found if match)


def _drop_older(newest: Path, keep: int | None) -> Iterator[str]:
    """Of the files beside it that are named as it is, all but the last `keep`."""
    if keep is None:
        return
    for _, _, path in _named(newest.parent)[:-keep]:
        if path != newest:
            path.unlink(missing_ok=True)
            yield str(path)
