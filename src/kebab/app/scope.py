"""Which folders a run covers: those of the config, those ingested before, or the one named on the command line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kebab.config import Config
from kebab.core.asset import DEFAULT_SOURCE, Source
from kebab.core.errors import InvalidInput
from kebab.core.ids import short_hash
from kebab.core.text import nfc

_NOT_SLUG = re.compile(r"[^a-z0-9가-힣_-]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """Sources to scan; `subtree` limits a single one; `adhoc` is one the index has to remember."""

    sources: tuple[Source, ...]
    subtree: Path | None = None
    adhoc: Source | None = None
    narrowed: bool = False


@dataclass(frozen=True, slots=True)
class ScopeRequest:
    path: Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def resolve(config: Config, remembered: Mapping[str, str], request: ScopeRequest) -> Scope:
    """`remembered` maps the roots of folders ingested before to their source ids."""
    known = [*config.sources(), *_remembered(config, remembered)]
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
    for source in known:
        root = source.root.resolve()
        if path == root or root in path.parents:
            return Scope((_narrow(source, request),), None if path == root else path, narrowed=narrowed)
    if not path.is_dir():
        raise InvalidInput(
            f"{request.path} is not in a known folder", hint=f"use `kebab ingest-file {request.path}`", path=str(path)
        )
    adhoc = _adhoc(config, path, known)
    return Scope((_narrow(adhoc, request),), adhoc=adhoc, narrowed=narrowed)


def all_sources(config: Config, remembered: Mapping[str, str]) -> tuple[Source, ...]:
    return (*config.sources(), *_remembered(config, remembered))


def _remembered(config: Config, remembered: Mapping[str, str]) -> list[Source]:
    configured = {source.source_id for source in config.sources()}
    base = config.sources()[0]
    return [
        Source(source_id, Path(root), base.include, base.exclude)
        for root, source_id in sorted(remembered.items())
        if source_id not in configured
    ]


def _unmade(config: Config, source: Source) -> bool:
    """The default root, when nobody set it and nobody made it."""
    default = source.source_id == DEFAULT_SOURCE and config.origins.get("workspace.root") == "default"
    return default and not source.root.exists()


def _narrow(source: Source, request: ScopeRequest) -> Source:
    return replace(source, include=request.include or source.include, exclude=(*source.exclude, *request.exclude))


def _adhoc(config: Config, path: Path, known: list[Source]) -> Source:
    taken = {source.source_id for source in known}
    slug = _NOT_SLUG.sub("-", nfc(path.name).lower()).strip("-")[:24] or "folder"
    name = slug if slug not in taken else f"{slug}-{short_hash(str(path))[:6]}"
    base = config.sources()[0]
    return Source(name, path, base.include, base.exclude)
