"""YAML as the person wrote it: mappings, lists and text, without the surprises of YAML's types.

Gets YAML text, gives dicts, lists and strings. It is built from parser events with a stack of its own, because the
loaders of PyYAML recurse (the C one crashes on deep nesting), expand aliases, and turn `no` into False and `12:30:45`
into 45045 before anyone can ask what was written.
"""

import yaml

MAX_DEPTH = 20

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Refused(ValueError):
    """Well-formed, but more than front matter may do."""


class Plain(str):
    """A scalar without quotes: `values.resolve` tells what it stands for, where that is wanted."""

    __slots__ = ()


def load(text: str) -> object:
    """The first document in `text`; None when there is nothing but comments. Raises `Refused` and YAMLError."""
    stack: list[list[object]] = [[]]
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise Refused("anchors and aliases are not supported")
        if isinstance(event, yaml.ScalarEvent):
            stack[-1].append(Plain(event.value) if event.implicit[0] else event.value)
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(stack) > MAX_DEPTH:
                raise Refused(f"nested more than {MAX_DEPTH} deep")
            stack.append([])
        elif isinstance(event, yaml.CollectionEndEvent):
            inside = stack.pop()
            stack[-1].append(_mapping(inside) if isinstance(event, yaml.MappingEndEvent) else inside)
        elif isinstance(event, yaml.DocumentEndEvent):
            break
    return stack[0][0] if stack[0] else None


def _mapping(inside: list[object]) -> dict[str, object]:
    return {str(key): value for key, value in zip(inside[::2], inside[1::2], strict=True)}
