"""`kebab models pull`: a model's files from a hub into its folder, as a stream of progress. All else works offline.

`pulling` lists the files that are there while a pull is under way. Its renaming to `pulled.json` completes the folder.
"""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import NamedTuple

from kebab.core.embedding import ModelFolders
from kebab.core.errors import Canceled
from kebab.embed import catalogue
from kebab.embed.catalogue import MANIFEST, OPTIONAL, UNFINISHED, KnownModel
from kebab.embed.download import Wanted, fetch, open_private
from kebab.embed.hub import HUB, REVISION, check_reachable, open_client, reported


class Progress(NamedTuple):
    """Of one file, in bytes. `total` is None when the hub does not say it."""

    file: str
    done: int
    total: int | None


def pull(model: KnownModel, folders: ModelFolders, hub: str = HUB, cancel: Event | None = None) -> Iterator[Progress]:
    """Fetches what is not there; a model that is complete needs no network and makes no progress.

    Raises ModelUnreachable, TimedOut, ModelInvalid, IoFailure, ConfigInvalid or Canceled. A later pull goes on from
    there.
    """
    _, pulled, folder = catalogue.state_of(model, folders)
    if pulled:
        return
    retry = f"kebab models pull {model.name}"
    check_reachable(hub, f"{retry} when online; offline, put {_needed(model)} into {folder}")
    with reported(hub, folder, retry), open_client() as client:
        sizes = _begin(folder)
        for file in model.files:
            target = folder / file.path
            if file.path not in sizes:
                _make_private(target.parent)
                wanted = Wanted(f"{hub}/{model.repository}/resolve/{REVISION}/{file.path}", target, file.size)
                with closing(fetch(client, wanted)) as steps:
                    for done in steps:
                        yield Progress(file.path, done.bytes, done.total)
                        _check(cancel, retry)
                sizes[file.path] = target.stat().st_size
                _note(folder, sizes)
            yield Progress(file.path, sizes[file.path], sizes[file.path])
        (folder / UNFINISHED).replace(folder / MANIFEST)


def _needed(model: KnownModel) -> str:
    """The names of the files a folder filled by hand has to hold."""
    names = [name for file in reversed(model.files) if (name := Path(file.path).name) != OPTIONAL]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _check(cancel: Event | None, retry: str) -> None:
    if cancel is not None and cancel.is_set():
        raise Canceled("the pull was stopped", hint=f"{retry} goes on where it stopped")


def _begin(folder: Path) -> dict[str, int]:
    """The files an earlier pull completed, by size; what was damaged since is not among them."""
    _make_private(folder)
    if (folder / MANIFEST).is_file():
        (folder / MANIFEST).replace(folder / UNFINISHED)
    listed = catalogue.listed_sizes(folder / UNFINISHED)
    whole = {path: size for path, size in listed.items() if catalogue.has_size(folder / path, size)}
    _note(folder, whole)
    return whole


def _note(folder: Path, sizes: dict[str, int]) -> None:
    draft = folder / f".{UNFINISHED}.{os.getpid()}"
    with open_private(draft) as out:
        out.write(json.dumps({"files": sizes}, indent=1).encode())
        out.flush()
        os.fsync(out.fileno())
    draft.replace(folder / UNFINISHED)


def _make_private(folder: Path) -> None:
    """`mkdir` gives its mode to the last folder only."""
    if not folder.is_dir():
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
