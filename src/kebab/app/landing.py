"""`kebab import`: an export or a backup becomes the index, checked before it takes a place and again when it has it.

Everything happens in a draft beside the index, under its writer lock; the index that is there is whole until one rename
puts the new one in its place.
"""

import shutil
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from kebab.app import doctor
from kebab.app import reset as resetting
from kebab.app.bundle import Bundle
from kebab.app.drafts import draft_folder
from kebab.app.originals import Originals
from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.embedding import EmbeddingModel, EmbeddingSettings
from kebab.core.errors import InvalidInput, IoFailure, KebabError
from kebab.core.inspection import Check
from kebab.core.transfer import (
    DATABASE,
    ImportRequest,
    IndexFacts,
    TransferEvent,
    TransferKind,
    TransferProgress,
    TransferReport,
)
from kebab.store import copying
from kebab.store.arrival import Arrival
from kebab.store.index_facts import facts_of
from kebab.store.intake import admit
from kebab.store.lock import WriterLock
from kebab.store.store import Store

_SQLITE_MAGIC = b"SQLite format 3\0"
_PIECE = 1 << 20
_SPARE = 64 << 20
Result = TypeVar("Result")
Steps: TypeAlias = Generator[TransferEvent, None, Result]


class Staged(NamedTuple):
    """What came out of the file. A backup has no manifest, so it says nothing of who made it."""

    originals: tuple[Path, ...] = ()
    kebab_version: str | None = None
    facts: IndexFacts | None = None


def placed(config: Config, folder: Path | None) -> Config:
    """The same configuration with its index in `folder`."""
    if folder is None:
        return config
    folder = folder.expanduser().absolute()
    storage = replace(
        config.storage,
        data_dir=folder,
        sqlite=folder / DATABASE,
        asset_dir=folder / "assets",
        vector_dir=folder / "vectors",
    )
    return replace(config, storage=storage)


def land(config: Config, request: ImportRequest) -> Iterator[TransferEvent]:
    """The last event is the report. `config` is that of the place where it lands."""
    index, file = config.storage.sqlite, request.file.expanduser().absolute()
    _refuse_index(index, file, force=request.force)
    with draft_folder(index.parent) as draft, WriterLock(config.storage.lock):
        _refuse_index(index, file, force=request.force)
        staged = yield from _stage(file, draft)
        notes = yield from _prepared(config, request, draft / DATABASE, staged)
        for copy in staged.originals:
            _keep_original(copy, config.storage.asset_dir)
        replaced = index.exists()
        copying.put_in_place(draft / DATABASE, index)
        yield TransferProgress("checking", 0, 0)
        checks = _settle(config)
    facts = facts_of(index)
    yield TransferReport(
        kind=TransferKind.IMPORT,
        file=str(file),
        bytes=file.stat().st_size,
        database=str(index),
        kebab_version=staged.kebab_version,
        facts=facts,
        originals=len(staged.originals),
        readonly=request.readonly,
        replaced=replaced,
        checks=checks,
        notes=(*notes, *_absent(index, readonly=request.readonly)),
    )


def _refuse_index(index: Path, file: Path, *, force: bool) -> None:
    if not file.is_file():
        raise InvalidInput(f"{file} is not a file", hint="`kebab export FILE` makes one", path=str(file))
    if not index.exists():
        return
    if index.samefile(file):
        raise InvalidInput(f"{file} is the index itself", hint="name an export or a backup", path=str(file))
    if not force:
        raise InvalidInput(
            f"there is an index at {index} already",
            hint="--to DIR imports beside it, --force replaces it; `kebab backup` first keeps what is there",
            path=str(index),
        )


def _stage(file: Path, draft: Path) -> "Steps[Staged]":
    """The database of the file in the draft, and the originals that came with it."""
    try:
        with file.open("rb") as opened:
            plain = opened.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
    except OSError as error:
        raise IoFailure(f"cannot read {file}: {error.strerror}", path=str(file), op="read") from error
    if plain:
        _refuse_without_room(draft, file.stat().st_size)
        yield from _copied(file, draft / DATABASE)
        return Staged()
    with Bundle(file) as bundle:
        _refuse_without_room(draft, bundle.size)
        done, originals = 0, []
        for number, name in enumerate(bundle.manifest.members):
            target = draft / (DATABASE if name == DATABASE else f"original-{number}")
            for size in bundle.unpack(name, target):
                done += size
                yield TransferProgress("unpacking", done, bundle.size)
            if name != DATABASE:
                originals.append(target.rename(draft / name.rpartition("/")[2]))
        return Staged(tuple(originals), bundle.manifest.kebab_version, bundle.manifest.facts)


def _copied(file: Path, target: Path) -> Iterator[TransferEvent]:
    copying.create(target)
    done, total = 0, file.stat().st_size
    try:
        with file.open("rb") as source, target.open("wb") as out:
            while piece := source.read(_PIECE):
                out.write(piece)
                done += len(piece)
                yield TransferProgress("unpacking", done, total)
    except OSError as error:
        raise IoFailure(f"cannot copy {file}: {error.strerror}", hint="check the space", op="write") from error


def _refuse_without_room(draft: Path, size: int) -> None:
    free = shutil.disk_usage(draft).free
    if free < size + _SPARE:
        raise IoFailure(
            f"there is no room for the import: it takes {size // 1_000_000:,} MB, {free // 1_000_000:,} MB are free",
            hint="make room, or import to another place with --to",
            op="write",
        )


def _prepared(config: Config, request: ImportRequest, database: Path, staged: Staged) -> "Steps[list[str]]":
    """Checks the staged database and makes it one of this machine."""
    yield TransferProgress("checking", 0, 0)
    admit(database)
    if staged.facts is not None and staged.facts != facts_of(database):
        raise InvalidInput("the manifest of the export tells of another database than it holds", hint="export it anew")
    yield TransferProgress("preparing", 0, 0)
    arrival = Arrival(database)
    notes = arrival.prepare(config.storage.asset_dir, lambda identity: _reached(config, identity))
    arrival.finish(readonly=request.readonly)
    return notes


def _reached(config: Config, identity: EmbeddingModel) -> EmbeddingSettings | None:
    """How a model of the import is reached from here; None for a server that the configuration does not name."""
    from kebab.embed import EMBEDDERS, GREETINGS

    wanted = config.embedding
    if identity.provider == wanted.provider:
        return wanted._replace(model=identity.model, version=identity.version, dimensions=identity.dimensions)
    if identity.provider in GREETINGS or identity.provider not in EMBEDDERS:
        return None
    return EmbeddingSettings(*identity)


def _keep_original(copy: Path, asset_dir: Path) -> None:
    """Named after its content, so one that is there already is the same."""
    target = asset_dir / copy.name[:2] / copy.name
    try:
        for folder in (asset_dir, target.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not target.exists():
            shutil.move(copy, target)
    except OSError as error:
        raise IoFailure(f"cannot write {target}: {error.strerror}", path=str(target), op="write") from error


def _settle(config: Config) -> tuple[Check, ...]:
    """What is derived from the new index is made, what was of the old one goes, and the doctor looks at the rest."""
    vectors = VectorSide(config, readonly=False)
    resetting.reset(config, "vector_only")
    with Store.reader(config.storage.sqlite) as store:
        Originals(config.storage.asset_dir, config.storage.copy_threshold_mb).prune(store.shelf.asset_ids())
        active = store.embeddings.active() if store.has_vectors and vectors.configured else None
        if active is not None:
            try:
                vectors.engine.rebuild(store.embeddings.table(active))
            except KebabError as error:
                return (Check("vector_engine", ok=False, detail=error.message, hint=error.hint),)
        return tuple(doctor.index_checks(config, store, vectors))


def _absent(index: Path, *, readonly: bool) -> Iterator[str]:
    """Folders that the index was made from and that are not on this machine."""
    with Store.reader(index) as store:
        roots = sorted(root for root in store.runs.roots().values() if not Path(root).is_dir())
    if not roots:
        return
    yield f"not on this machine: {', '.join(roots)}; their documents are shown as missing, their text is here"
    if not readonly:
        yield "`kebab ingest` follows the folders of this machine, and what is not in them leaves the index"
