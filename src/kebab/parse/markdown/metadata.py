"""Fields of front matter to `Metadata`, a title and a language.

Gets the fields as written and the `ParseContext`, gives what a document is filed under. Front matter wins over the
source's settings, and those over the defaults. A wrong value costs its own key and a warning; unknown keys are kept.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TypeVar

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.document import Block, BlockKind, Metadata, UserValue
from kebab.core.ports import ParseContext
from kebab.parse.markdown.names import one_line, well_formed
from kebab.parse.markdown.values import as_moment, as_text, is_absent, user_value

_LANG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*", re.IGNORECASE)

_TRUST_LEVELS = f"one of {', '.join(TrustLevel)}"
_SOURCE_TYPES = f"one of {', '.join(SourceType)}"

_T = TypeVar("_T")
_E = TypeVar("_E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the front matter says; no title or language when it is silent."""

    metadata: Metadata
    title: str | None
    lang: str | None
    warnings: tuple[str, ...]


def read(fields: Mapping[str, object], context: ParseContext) -> Facts:
    form = _Form(fields)
    title = form.take(_name, "title", meaning="a line of text")
    lang = form.take(_language, "lang", "language", meaning="a language code")
    trust = form.take(_member(TrustLevel), "trust", "trust_level", meaning=_TRUST_LEVELS)
    source_type = form.take(_member(SourceType), "source_type", meaning=_SOURCE_TYPES)
    metadata = Metadata(
        created_at=form.take(as_moment, "created", "created_at", "date", meaning="a date") or context.file_created_at,
        updated_at=form.take(as_moment, "updated", "updated_at", "modified", "lastmod", meaning="a date")
        or context.file_updated_at,
        source_type=source_type or context.source_type or SourceType.MARKDOWN,
        trust_level=trust or context.trust_level or TrustLevel.PRIMARY,
        tags=form.take(_tags, "tags", meaning="a list of words") or (),
        aliases=form.take(_aliases, "aliases", "alias", meaning="a list of names") or (),
        user_id_alias=form.take(_name, "id", meaning="a line of text"),
        user=form.rest(),
    )
    return Facts(metadata, title, lang, tuple(form.warnings))


def title(own: str | None, blocks: Sequence[Block], workspace_path: str) -> str:
    """The front matter's title, else the first top heading, else the first heading, else the file's name."""
    if own:
        return own
    headings = [block.payload for block in blocks if block.kind is BlockKind.HEADING and block.payload["text"]]
    top = next((heading for heading in headings if heading["level"] == 1), headings[0] if headings else None)
    name = str(top["text"]) if top else one_line(PurePosixPath(workspace_path).stem)
    return name or workspace_path


class _Form:
    """Fields being filled in: each is taken once, and what nobody took is the user's own."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.warnings: list[str] = []
        self._fields = dict(fields)
        self._keys = {key.strip().lower(): key for key in reversed(self._fields)}

    def take(self, read_as: Callable[[object], _T], *names: str, meaning: str) -> _T | None:
        """The first of `names` that is there and valid; an invalid one is dropped with a warning."""
        for name in names:
            key = self._keys.get(name)
            if key is None:
                continue
            value = self._fields.pop(key)
            if is_absent(value):
                continue
            try:
                return read_as(value)
            except ValueError:
                self.warnings.append(f"front matter: {name} is not {meaning}: {_shown(value)}")
        return None

    def rest(self) -> dict[str, UserValue]:
        kept: dict[str, UserValue] = {}
        for key, value in self._fields.items():
            try:
                kept[well_formed(key)] = user_value(value)
            except ValueError as error:
                self.warnings.append(f"front matter: {one_line(key)} is left out: {error}")
        return kept


def _name(value: object) -> str:
    name = one_line(as_text(value))
    if not name:
        raise ValueError("empty")
    return name


def _language(value: object) -> str:
    match = _LANG.fullmatch(as_text(value).strip())
    if match is None:
        raise ValueError("not a language code")
    return match[1].lower()


def _tags(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        words = [as_text(word) for word in value if not is_absent(word)]
    else:
        text = as_text(value)
        words = text.split(",") if "," in text else text.split()
    return _distinct(word.strip().lstrip("#") for word in words)


def _aliases(value: object) -> tuple[str, ...]:
    return _distinct(as_text(name) for name in (value if isinstance(value, list) else [value]) if not is_absent(name))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clean for name in names if (clean := one_line(name))))


def _member(kind: type[_E]) -> Callable[[object], _E]:
    return lambda value: kind(as_text(value).strip().lower())


def _shown(value: object) -> str:
    text = repr(str(value)) if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
