"""Which folders a run covers: those of the config, those ingested before, or the one named on the command line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from kebab.config import Config
from kebab.core.asset import DEFAULT_SOURCE, Source
from kebab.core.errors import InvalidInput
from kebab.core.ids import short_hash
from kebab.core.text import nfc

_GLOB_MARK, _ESCAPED = re.compile(r"([*?\[\]\\!# ])"), r"\\\1"
_NOT_SLUG = re.compile(r"[^a-z0-9가-힣_-]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """Sources to scan; `subtree` limits a single one; `adhoc` is one the index has to remember.

    `parts` limits sources by their id to several subtrees each, none inside another.
    """

    sources: tuple[Source, ...]
    subtree: Path | None = None
    adhoc: Source | None = None
    narrowed: bool = False
    parts: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)

    def subtrees(self, source: Source) -> tuple[Path | None, ...]:
        """What of a source is scanned; None is all of it."""
        return self.parts.get(source.source_id, (self.subtree,))


@dataclass(frozen=True, slots=True)
class ScopeRequest:
    path: Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def resolve(config: Config, remembered: Mapping[str, str], request: ScopeRequest) -> Scope:
    """`remembered` maps the roots of folders ingested before to their source ids."""
    known = all_sources(config, remembered)
    narrowed = bool(request.include or request.exclude)
    if request.path is None:
        sources = [source for source in known if not _unmade(config, source)]
        if not sources:
            raise InvalidInput(
                f"there is no folder {config.workspace.root} yet, and no other one was named",
                hint="`kebab ingest FOLDER` indexes your notes; `kebab init --workspace FOLDER` makes it the default",
                path=str(config.workspace.root),
            )
        return Scope(tuple(_narrow(source, request) for source in sources), narrowed=narrowed)
    path = request.path.expanduser().absolute()
    if not path.exists():
        raise InvalidInput(f"{request.path} does not exist", hint="name a folder that holds your notes", path=str(path))
    path = path.resolve()
    owner = owner_of(path, known)
    if owner is not None:
        subtree = None if path == owner.root.resolve() else path
        return Scope((_narrow(owner, request),), subtree, narrowed=narrowed)
    if not path.is_dir():
        raise InvalidInput(
            f"{request.path} is not in a known folder", hint=f"use `kebab ingest-file {request.path}`", path=str(path)
        )
    adhoc = _adhoc(config, path, known)
    adhoc = _without_inner(adhoc, (*known, adhoc))
    return Scope((_narrow(adhoc, request),), adhoc=adhoc, narrowed=narrowed)


def all_sources(config: Config, remembered: Mapping[str, str]) -> tuple[Source, ...]:
    """Every known folder, the default one first. What lies in an inner one belongs to it alone."""
    sources = (*config.sources(), *_remembered(config, remembered))
    return tuple(_without_inner(source, sources) for source in sources)


def refuse_other_roots(sources: tuple[Source, ...], indexed: Mapping[str, str]) -> None:
    """An index follows a folder that was moved, but is not emptied because a config names another one."""
    for source in sources:
        before = Path(indexed.get(source.source_id, source.root))
        if before.resolve() != source.root.resolve() and before.is_dir():
            raise InvalidInput(
                f"this index holds {before} as source {source.source_id}, and now {source.root} is named instead",
                hint="give this config a storage.data_dir of its own, or `kebab reset --data-only` to start over",
                indexed=str(before),
                named=str(source.root),
            )


def owner_of(path: Path, sources: tuple[Source, ...]) -> Source | None:
    """The innermost source that holds `path`, which is resolved."""
    holding = [source for source in sources if path == source.root.resolve() or source.root.resolve() in path.parents]
    return max(holding, key=lambda source: len(source.root.resolve().parts), default=None)


def _without_inner(source: Source, sources: tuple[Source, ...]) -> Source:
    root = source.root.resolve()
    inner = [other.root.resolve() for other in sources if root in other.root.resolve().parents]
    globs = tuple(f"/{_GLOB_MARK.sub(_ESCAPED, path.relative_to(root).as_posix())}/" for path in inner)
    return replace(source, exclude=(*source.exclude, *globs)) if globs else source


def _remembered(config: Config, remembered: Mapping[str, str]) -> list[Source]:
    configured = {source.source_id for source in config.sources()}
    replaced_roots = replaced(config, remembered)
    base = config.sources()[0]
    return [
        Source(source_id, Path(root), base.include, base.exclude)
        for root, source_id in sorted(remembered.items())
        if source_id not in configured and root not in replaced_roots
    ]


def replaced(config: Config, remembered: Mapping[str, str]) -> dict[str, str]:
    """Of the remembered folders, those that the config names now, under an id of its own."""
    roots = {source.root.resolve(): source.source_id for source in config.sources()}
    return {root: name for root, name in remembered.items() if roots.get(Path(root).resolve(), name) != name}


def _unmade(config: Config, source: Source) -> bool:
    """The default root, when nobody set it and nobody made it."""
    default = source.source_id == DEFAULT_SOURCE and config.origins.get("workspace.root") == "default"
    return default and not source.root.exists()


def _narrow(source: Source, request: ScopeRequest) -> Source:
    return replace(source, include=request.include or source.include, exclude=(*source.exclude, *request.exclude))


def _adhoc(config: Config, path: Path, known: tuple[Source, ...]) -> Source:
    taken = {source.source_id for source in known}
    slug = _NOT_SLUG.sub("-", nfc(path.name).lower()).strip("-")[:24] or "folder"
    name = slug if slug not in taken else f"{slug}-{short_hash(str(path))[:6]}"
    base = config.sources()[0]
    return Source(name, path, base.include, base.exclude)
