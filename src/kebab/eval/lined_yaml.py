"""YAML text to mappings, lists and text that know their lines, and nothing else that YAML can do.

A suite is untrusted: it has limits of size, depth and number of values, and may use neither anchors nor tags. It is
built from parser events on a stack of its own, because PyYAML's loaders recurse and turn `no` into False.
"""

from typing import NamedTuple, TypeAlias

from kebab.core.errors import InvalidInput

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 8
MAX_VALUES = 500_000

Value: TypeAlias = "Text | Items | Table"


class Text(NamedTuple):
    """A scalar; `plain` when it stands without quotes, so that `false` may mean no."""

    line: int
    text: str
    plain: bool


class Items(NamedTuple):
    line: int
    items: "tuple[Value, ...]"


class Table(NamedTuple):
    line: int
    rows: "tuple[tuple[Text, Value], ...]"


class _Open:
    """A mapping or list whose end has not come yet."""

    __slots__ = ("is_table", "line", "values")

    def __init__(self, line: int, *, is_table: bool) -> None:
        self.line = line
        self.is_table = is_table
        self.values: list[Value] = []

    def closed(self) -> Value:
        if not self.is_table:
            return Items(self.line, tuple(self.values))
        rows = []
        for key, value in zip(self.values[::2], self.values[1::2], strict=True):
            if not isinstance(key, Text):
                raise broken(key.line, "a key must be a word")
            rows.append((key, value))
        return Table(self.line, tuple(rows))


def broken(line: int | None, message: str) -> InvalidInput:
    hint = "`kebab eval make` writes one to start from"
    if line is None:
        return InvalidInput(message, hint=hint)
    return InvalidInput(f"line {line}: {message}", hint=hint, line=line)


def load(text: str) -> "Value | None":
    """The first document; None when there is nothing but comments. Raises InvalidInput with the line."""
    import yaml

    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise broken(None, f"the suite is larger than {MAX_BYTES // (1024 * 1024)} MB")
    try:
        return _built(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise broken(line, f"not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise broken(None, f"not YAML: {' '.join(str(error).split())[:200]}") from error
    except RecursionError as error:
        raise broken(None, f"nested more than {MAX_DEPTH} deep") from error


def _built(text: str) -> "Value | None":
    import yaml

    # The C parser is ten times as fast and reads the same; its events hold no objects but text.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stack, count = [_Open(0, is_table=False)], 0
    for event in yaml.parse(text, Loader=loader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.NodeEvent):
            count += 1
            _refuse_more(event, line, len(stack), count)
        if isinstance(event, yaml.ScalarEvent):
            stack[-1].values.append(Text(line, event.value, bool(event.implicit[0])))
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append(_Open(line, is_table=isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, yaml.CollectionEndEvent):
            inside = stack.pop()
            stack[-1].values.append(inside.closed())
        elif isinstance(event, yaml.DocumentEndEvent):
            break
    return stack[0].values[0] if stack[0].values else None


def _refuse_more(event: object, line: int, depth: int, count: int) -> None:
    if getattr(event, "anchor", None) is not None:
        raise broken(line, "anchors and aliases are not supported")
    if getattr(event, "tag", None) not in (None, "!"):
        raise broken(line, "tags are not supported")
    if depth > MAX_DEPTH:
        raise broken(line, f"nested more than {MAX_DEPTH} deep")
    if count > MAX_VALUES:
        raise broken(line, f"more than {MAX_VALUES} values")
