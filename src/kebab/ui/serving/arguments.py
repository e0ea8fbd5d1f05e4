"""JSON arguments against rows of the option table: their schema, their check, and the requests made from them."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from kebab.core.answer import Question
from kebab.core.errors import InvalidInput
from kebab.core.query import Query, SearchMode, SearchSettings
from kebab.ui.options import FILTERS, SEARCH, Kind, Option, filters_of
from kebab.wire.value import Json, plain_text

MAX_QUERIES = 100
_LONGEST_NAME = 80
QUERY = Option(
    "query", Kind.TEXT, 'What to look for: words, a question, or a "phrase in quotes".', "text", required=True
)

_TYPES = {Kind.TEXT: "string", Kind.WHOLE: "integer", Kind.NUMBER: "number", Kind.FLAG: "boolean"}
_KINDS = {
    Kind.TEXT: "a text",
    Kind.TEXTS: "a list of texts",
    Kind.WHOLE: "a whole number",
    Kind.NUMBER: "a number",
    Kind.FLAG: "true or false",
    Kind.QUERIES: "a list of objects",
}


def input_schema(rows: Sequence[Option]) -> Json:
    """What a tool with these options takes."""
    required = [row.name for row in rows if row.required]
    return {
        "type": "object",
        "properties": {row.name: _property(row) for row in rows},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _property(row: Option) -> Json:
    described: Json = {"description": row.help}
    if row.kind is Kind.QUERIES:
        item = input_schema((QUERY, *SEARCH, *FILTERS))
        return {**described, "type": "array", "items": item, "minItems": 1, "maxItems": MAX_QUERIES}
    if row.kind is Kind.TEXTS:
        return {**described, "type": "array", "items": {"type": "string"}}
    limits = {"minimum": row.least, "maximum": row.most, "enum": list(row.choices) or None, "default": row.default}
    if row.required and row.kind is Kind.TEXT:
        limits["minLength"] = 1
    return {
        **described,
        "type": _TYPES[row.kind],
        **{name: value for name, value in limits.items() if value is not None},
    }


def checked(rows: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """A value for every row. Null is the same as absent. Raises InvalidInput with the name that cannot be used."""
    names = [row.name for row in rows]
    for name in given:
        if name not in names:
            # Looking for what is like it takes time for every letter, and a client may send millions.
            told = plain_text(name[:_LONGEST_NAME])
            near = get_close_matches(told, names, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names)}" if names else None
            raise InvalidInput(f"there is no argument {told!r}", hint=hint, field=told)
    return {row.name: _checked(row, given.get(row.name)) for row in rows}


def _checked(row: Option, value: object) -> object:
    if value is None:
        if row.required:
            raise InvalidInput(f"{row.name} is needed", field=row.name)
        return () if row.kind is Kind.TEXTS else row.default
    value = _CHECKS[row.kind](value)
    if value is None:
        raise InvalidInput(f"{row.name} must be {_KINDS[row.kind]}", field=row.name)
    if row.choices and value not in row.choices:
        raise InvalidInput(f"{row.name} must be one of {', '.join(row.choices)}", field=row.name)
    if isinstance(value, int | float) and not _within(row, value):
        raise InvalidInput(f"{row.name} must be {_KINDS[row.kind]} from {row.least} to {row.most}", field=row.name)
    return value


def _within(row: Option, value: float) -> bool:
    return (row.least is None or value >= row.least) and (row.most is None or value <= row.most)


def _text(value: object) -> str | None:
    return plain_text(value) if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...] | None:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        return None
    return tuple(dict.fromkeys(plain_text(each) for each in values if each))


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(value: object) -> int | None:
    """A program may write 10.0 and mean 10."""
    number = _number(value)
    return int(number) if isinstance(number, int) or (number is not None and number.is_integer()) else None


_CHECKS: dict[Kind, Callable[[object], Any]] = {
    Kind.TEXT: _text,
    Kind.TEXTS: _texts,
    Kind.WHOLE: _whole,
    Kind.NUMBER: _number,
    Kind.FLAG: lambda value: value if isinstance(value, bool) else None,
    Kind.QUERIES: lambda value: value if isinstance(value, list) else None,
}


def query_of(values: Mapping[str, Any], settings: SearchSettings) -> Query:
    """What is searched for; what was not given is as the settings say."""
    return Query(
        text=values.get("query", ""),
        mode=SearchMode(values["mode"]),
        k=settings.default_k if values["k"] is None else values["k"],
        filters=filters_of(values),
        snippet_chars=settings.snippet_chars if values["snippet_chars"] is None else values["snippet_chars"],
        max_per_doc=values["max_per_doc"],
        max_tokens=values["max_tokens"],
        cursor=values.get("cursor", ""),
        trace=values["trace"],
    )


def question_of(values: Mapping[str, Any], settings: SearchSettings) -> Question:
    return Question(
        text=values["question"],
        mode=SearchMode(values["mode"]),
        k=settings.default_k if values["k"] is None else values["k"],
        filters=filters_of(values),
        temperature=values["temperature"],
        seed=values["seed"],
        multi_hop=values["multi_hop"],
        session_id=values["session"],
    )
