"""The manifest of an export, to JSON and back: versions, counts, and size and hash of every member. Trusts no field."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kebab.core.embedding import EmbeddingModel
from kebab.core.errors import InvalidInput, SchemaTooNew
from kebab.core.ids import asset_id, short_hash
from kebab.core.transfer import DATABASE, ORIGINALS, IndexFacts

FORMAT = "kebab-export"
FORMAT_VERSION = 1
_MOST = 1 << 53
_HASH = re.compile(r"[0-9a-f]{64}")
_ORIGINAL = re.compile(rf"{ORIGINALS}/([0-9a-f]{{2}})/(\1[0-9a-f]{{30}})")


class Member(NamedTuple):
    bytes: int
    blake3: str


@dataclass(frozen=True, slots=True)
class Manifest:
    kebab_version: str
    created_at: str
    facts: IndexFacts
    members: Mapping[str, Member]


def is_original(name: str) -> bool:
    return _ORIGINAL.fullmatch(name) is not None


def to_json(manifest: Manifest) -> bytes:
    facts = manifest.facts
    model = facts.model._asdict() | {"input_version": facts.input_version} if facts.model else None
    value = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "kebab_version": manifest.kebab_version,
        "created_at": manifest.created_at,
        "schema_version": facts.schema,
        "index_id": facts.index_id,
        "corpus_revision": facts.corpus_revision,
        "analyser": facts.analyser,
        "parsers": facts.parsers,
        "chunkers": facts.chunkers,
        "embedding_model": model,
        # One word to compare: two exports with the same one hold vectors that can be compared.
        "model_fingerprint": short_hash(model) if model else None,
        "counts": {name: getattr(facts, name) for name in _COUNTS},
        "members": {name: member._asdict() for name, member in sorted(manifest.members.items())},
    }
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")


_COUNTS = ("documents", "chunks", "assets", "vectors")


def from_json(raw: bytes) -> Manifest:
    """Raises InvalidInput for what is no manifest, SchemaTooNew for one of a later format."""
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise _wrong(f"not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise _wrong("not one of kebab's")
    version = _number(value, "format_version")
    if version > FORMAT_VERSION:
        raise SchemaTooNew(
            f"the export was made by a newer kebab (format {version}, this one knows {FORMAT_VERSION})",
            hint="upgrade kebab",
            found=version,
            expected=FORMAT_VERSION,
        )
    return Manifest(_text(value, "kebab_version"), _text(value, "created_at"), _facts(value), _members(value))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A name that stands twice would mean one thing to us and another to somebody else."""
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name stands twice")
    return value


def _facts(value: Mapping[str, object]) -> IndexFacts:
    model, counts = value.get("embedding_model"), _object(value, "counts")
    identity = None
    if model is not None:
        model = _object(value, "embedding_model")
        provider, name, version = (_text(model, field) for field in ("provider", "model", "version"))
        identity = EmbeddingModel(provider, name, version, _number(model, "dimensions"))
    return IndexFacts(
        _number(value, "schema_version"),
        _text(value, "index_id"),
        _number(value, "corpus_revision"),
        _text(value, "analyser"),
        _texts(value, "parsers"),
        _texts(value, "chunkers"),
        identity,
        _text(model, "input_version") if isinstance(model, dict) else None,
        *(_number(counts, name) for name in _COUNTS),
    )


def _members(value: Mapping[str, object]) -> dict[str, Member]:
    found = _object(value, "members")
    if DATABASE not in found:
        raise _wrong(f"it does not name {DATABASE}")
    members = {}
    for name in found:
        if name != DATABASE and not is_original(name):
            raise _wrong(f"it names a member that has no place here: {name!r}")
        entry = _object(found, name)
        member = Member(_number(entry, "bytes"), _text(entry, "blake3"))
        if not _HASH.fullmatch(member.blake3):
            raise _wrong(f"the hash of {name} is none")
        if name != DATABASE and asset_id(member.blake3) != name.rpartition("/")[2]:
            raise _wrong(f"{name} is not named after its content")
        members[name] = member
    return members


def _field(value: Mapping[str, object], name: str, fits: Callable[[object], bool]) -> Any:  # noqa: ANN401 - as it fits
    found = value.get(name)
    if not fits(found):
        raise _wrong(f"{name} is missing or of the wrong kind")
    return found


def _text(value: Mapping[str, object], name: str) -> str:
    return str(_field(value, name, lambda found: isinstance(found, str)))


def _texts(value: Mapping[str, object], name: str) -> tuple[str, ...]:
    return tuple(_field(value, name, _are_texts))


def _are_texts(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(each, str) for each in found)


def _number(value: Mapping[str, object], name: str) -> int:
    return int(_field(value, name, lambda found: type(found) is int and 0 <= found < _MOST))


def _object(value: Mapping[str, object], name: str) -> dict[str, object]:
    found: dict[str, object] = _field(value, name, lambda found: isinstance(found, dict))
    return found


def _wrong(what: str) -> InvalidInput:
    return InvalidInput(f"the manifest of the export cannot be used: {what}", hint="export it anew with `kebab export`")
