"""Changed paths to the parts of the known folders that an ingest has to look at: few, none inside another."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from kebab.app.external import FOLDER as EXTERNAL
from kebab.app.scope import Scope
from kebab.config import Config
from kebab.core.asset import DEFAULT_SOURCE, Source
from kebab.source.changes import affected

# Each part is a walk from the root down to it; with more of them, the folders that hold them are walked instead.
MOST_PARTS = 64
# A checkout, an unpacked archive: looking at everything is faster than sorting out what was told.
FLOOD = 5000


class Ground(NamedTuple):
    """What is watched: the sources, the innermost first, by the real path of their root, and folders that are ours."""

    sources: tuple[tuple[str, Source], ...]
    private: tuple[str, ...]

    @property
    def roots(self) -> list[Path]:
        """Without those that lie in another."""
        names = sorted({root for root, _ in self.sources})
        return [Path(root) for root in names if not any(is_below(root, other) for other in names if other != root)]


def ground_of(config: Config, sources: Iterable[Source]) -> Ground:
    real = [(source.root.resolve().as_posix(), source) for source in sources]
    real.sort(key=lambda each: len(each[0]), reverse=True)
    ours = (config.storage.data_dir, config.storage.sqlite.parent, config.storage.asset_dir, config.storage.vector_dir)
    more = (config.storage.model_dir, config.logging.dir, config.cache_dir)
    roots = {root for root, _ in real}
    private = {path.resolve().as_posix() for path in (*ours, *more) if path is not None}
    # An index that lies in the very folder of the notes: only its own files can be told apart then, see `is_ours`.
    return Ground(tuple(real), tuple(sorted(private - roots)))


def is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def is_ours(path: str, config: Config, ground: Ground) -> bool:
    """Written by kebab itself; looking at it would make it write again."""
    if any(is_below(path, folder) for folder in ground.private):
        return True
    return path.startswith((config.storage.sqlite.parent.resolve() / config.storage.sqlite.name).as_posix())


def scope_of(paths: Iterable[str], ground: Ground) -> Scope | None:
    """What to ingest; None when nothing of it is for the index."""
    wanted: dict[str, set[str]] = {}
    for path in paths:
        found = next(((root, source) for root, source in ground.sources if is_below(path, root)), None)
        if found is None:
            continue
        root, source = found
        part = affected(path, root)
        if part is None:
            continue
        if source.source_id == DEFAULT_SOURCE and is_below(part, f"{root}/{EXTERNAL}"):
            part = root
        wanted.setdefault(source.source_id, set()).add(part)
    return _scope(wanted, ground) if wanted else None


def _scope(wanted: Mapping[str, set[str]], ground: Ground) -> Scope:
    sources, parts = [], {}
    for root, source in ground.sources:
        if source.source_id not in wanted:
            continue
        sources.append(source)
        few = _few(wanted[source.source_id], root)
        if few != {root}:
            parts[source.source_id] = tuple(Path(part) for part in sorted(few))
    return Scope(tuple(sources), parts=parts)


def _few(parts: set[str], root: str) -> set[str]:
    few = outermost(parts)
    while len(few) > MOST_PARTS:
        few = outermost({root if part == root else part.rpartition("/")[0] for part in few})
    return few


def outermost(parts: set[str]) -> set[str]:
    """Without those inside another."""
    kept: set[str] = set()
    last = ""
    # With the separator last of all characters, what lies in a folder follows right behind it.
    for part in sorted(parts, key=lambda path: path.replace("/", "\0")):
        if not last or not is_below(part, last):
            kept.add(part)
            last = part
    return kept
