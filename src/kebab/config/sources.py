"""The `[[workspace.sources]]` tables: more folders, each with a name of its own."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from kebab.config.layers import unknown_name
from kebab.config.origin import Origin
from kebab.config.schema import SOURCE_KEYS
from kebab.core.asset import DEFAULT_SOURCE, Source, SourceType, TrustLevel

PathReader: TypeAlias = Callable[[object, Origin], Path]


def read_sources(
    tables: Sequence[Mapping[str, object]], origin: Origin, default: Source, read_path: PathReader
) -> tuple[tuple[Source, ...], list[str]]:
    """The sources and what is odd about them. `default` lends its patterns and must not share its root."""
    warnings: list[str] = []
    sources: list[Source] = [default]
    for number, table in enumerate(tables):
        here = origin.of(f"{origin.key}[{number}]")
        fields = _fields(table, here, warnings)
        source = _source(fields, default, read_path(fields["root"], here.of(f"{here.key}.root")))
        _check_id(source, sources, here.of(f"{here.key}.id"))
        _check_root(source, sources, here.of(f"{here.key}.root"))
        sources.append(source)
    return tuple(sources[1:]), warnings


def _fields(table: Mapping[str, object], here: Origin, warnings: list[str]) -> dict[str, Any]:
    known = {key.path: key for key in SOURCE_KEYS}
    fields: dict[str, Any] = {}
    for name, raw in table.items():
        origin = here.of(f"{here.key}.{name}")
        if name in known:
            fields[name] = origin.accept(known[name], raw)
        else:
            warnings.append(unknown_name("key", origin, (f"{here.key}.{each}" for each in known)))
    for name in ("id", "root"):
        if name not in fields:
            raise here.refuse(f"needs a key {name}")
    return fields


def _source(fields: Mapping[str, Any], default: Source, root: Path) -> Source:
    return Source(
        source_id=fields["id"],
        root=root,
        include=fields.get("include", default.include),
        exclude=fields.get("exclude", default.exclude),
        trust_level=TrustLevel(fields["trust_level"]) if "trust_level" in fields else None,
        source_type=SourceType(fields["source_type"]) if "source_type" in fields else None,
    )


def _check_id(source: Source, others: Sequence[Source], origin: Origin) -> None:
    if re.fullmatch("[a-z0-9_-]{1,32}", source.source_id) is None:
        raise origin.refuse(f"must be 1 to 32 of a-z, 0-9, _ and -, not {source.source_id!a}")
    if source.source_id == DEFAULT_SOURCE:
        raise origin.refuse(f"cannot be {DEFAULT_SOURCE}: that is the name of workspace.root")
    if any(source.source_id == other.source_id for other in others):
        raise origin.refuse(f"is used twice: {source.source_id}")


def _check_root(source: Source, others: Sequence[Source], origin: Origin) -> None:
    # Links are followed, as two names for one folder would index it twice. A folder inside another is fine: what lies
    # in it belongs to the inner one.
    here = _real(source.root)
    for other in others:
        if here == _real(other.root):
            raise origin.refuse(f"is the folder of source {other.source_id} already: {other.root}")


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
