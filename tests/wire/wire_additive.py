"""What a schema may not do once it has been released: anything but add optional things.

Pure: two schemas in, the breaks between them out. Required lists stay as they are, properties stay and keep their
types and limits, enums may only grow. A new condition is an addition when it speaks of a discriminator value the
released schema did not know.
"""

from typing import Any

Schema = dict[str, Any]

_ANNOTATIONS = frozenset({"title", "description", "examples", "default", "deprecated", "$comment"})
_MAPS = ("properties", "$defs")
_CHILDREN = ("items", "additionalProperties", "then", "else", "propertyNames", "not")
_SPECIAL = frozenset({*_MAPS, *_CHILDREN, "required", "type", "enum", "allOf"})


def breaks(released: Schema, current: Schema, at: str = "$") -> list[str]:
    """Every way in which `current` breaks what `released` promised; empty when it only adds."""
    found = _required(released, current, at) + _types(released, current, at) + _enums(released, current, at)
    found += _limits(released, current, at)
    for name in _MAPS:
        found += _named(released.get(name, {}), current.get(name, {}), f"{at}.{name}")
    for name in _CHILDREN:
        found += _child(released, current, name, at)
    return found + _conditions(released, current, at)


def _required(released: Schema, current: Schema, at: str) -> list[str]:
    before, after = set(released.get("required", [])), set(current.get("required", []))
    return [f"{at}: no longer required: {name}" for name in sorted(before - after)] + [
        f"{at}: newly required: {name}" for name in sorted(after - before)
    ]


def _type_set(schema: Schema) -> set[str]:
    types = schema.get("type", [])
    return {types} if isinstance(types, str) else set(types)


def _types(released: Schema, current: Schema, at: str) -> list[str]:
    before, after = _type_set(released), _type_set(current)
    return [] if before == after else [f"{at}: type changed from {sorted(before)} to {sorted(after)}"]


def _enums(released: Schema, current: Schema, at: str) -> list[str]:
    if ("enum" in released) != ("enum" in current):
        return [f"{at}: enum {'removed' if 'enum' in released else 'added'}"]
    return [f"{at}: enum value removed: {value}" for value in released.get("enum", []) if value not in current["enum"]]


def _limits(released: Schema, current: Schema, at: str) -> list[str]:
    names = (released.keys() | current.keys()) - _ANNOTATIONS - _SPECIAL
    missing = object()
    return [
        f"{at}: {name} changed" for name in sorted(names) if released.get(name, missing) != current.get(name, missing)
    ]


def _named(released: Schema, current: Schema, at: str) -> list[str]:
    found = [f"{at}: removed: {name}" for name in released if name not in current]
    for name in released.keys() & current.keys():
        found += breaks(released[name], current[name], f"{at}.{name}")
    return found


def _child(released: Schema, current: Schema, name: str, at: str) -> list[str]:
    before, after = released.get(name), current.get(name)
    if isinstance(before, dict) and isinstance(after, dict):
        return breaks(before, after, f"{at}.{name}")
    return [] if before == after else [f"{at}: {name} changed"]


def _conditions(released: Schema, current: Schema, at: str) -> list[str]:
    before = {repr(branch.get("if")): branch for branch in released.get("allOf", [])}
    after = {repr(branch.get("if")): branch for branch in current.get("allOf", [])}
    found = [f"{at}: condition removed: {test}" for test in before if test not in after]
    for test, branch in after.items():
        if test in before:
            found += breaks(before[test], branch, f"{at}.allOf[{test}]")
        elif not _speaks_of_something_new(branch, released):
            found.append(f"{at}: condition added: {test}")
    return found


def _speaks_of_something_new(branch: Schema, released: Schema) -> bool:
    tests = branch.get("if", {}).get("properties", {})
    known = released.get("properties", {})
    return any(
        "const" in test and "enum" in known.get(name, {}) and test["const"] not in known[name]["enum"]
        for name, test in tests.items()
    )
