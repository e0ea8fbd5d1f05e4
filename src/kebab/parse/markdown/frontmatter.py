"""Front matter: the YAML or TOML that opens a file, as fields.

Gets the text of a file, gives its top-level fields as written and where the body begins. Front matter is untrusted:
it has a size and a depth limit and may not use anchors, and whatever is wrong with it costs the metadata, never the
document. Does not know what any key means.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import yaml

from kebab.parse.markdown.plain_yaml import MAX_DEPTH, Refused, load

MAX_BYTES = 64 * 1024

_OPENING = re.compile(r"(?:(---)|\+\+\+)[ \t]*\n")
_YAML_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_TOML_END = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`lines` and `offset` are what the front matter takes of the source, fences included."""

    lang: str = ""
    lines: int = 0
    offset: int = 0
    fields: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def split(text: str) -> FrontMatter:
    """The front matter of `text`; an empty one when it has none, or something that cannot be one."""
    opening = _OPENING.match(text)
    if opening is None:
        return FrontMatter()
    lang, end, parse = ("yaml", _YAML_END, load) if opening[1] else ("toml", _TOML_END, _load_toml)
    closing = end.search(text, opening.end())
    if closing is None:
        return FrontMatter()
    inner = text[opening.end() : closing.start()]
    if len(inner.encode()) > MAX_BYTES:
        return FrontMatter(warnings=(f"front matter: larger than {MAX_BYTES // 1024} KB, kept as text",))
    fields, problem = _fields(inner, parse)
    if fields is None:
        return FrontMatter(warnings=(problem,))
    lines = text.count("\n", 0, closing.end()) + 1
    return FrontMatter(lang, lines, min(closing.end() + 1, len(text)), fields, (problem,) if problem else ())


def _fields(inner: str, parse: Callable[[str], object]) -> tuple[Mapping[str, object] | None, str]:
    """The fields and what is wrong with them; no fields at all when this is prose between two rules."""
    try:
        fields = parse(inner)
    except Refused as error:
        return {}, f"front matter: {error}"
    except yaml.MarkedYAMLError as error:
        # The opening fence is line 1, and a mark counts from 0.
        line = f"line {error.problem_mark.line + 2}: " if error.problem_mark else ""
        return {}, f"front matter: {line}{error.problem}"
    except RecursionError:
        return {}, f"front matter: nested more than {MAX_DEPTH} deep"
    except (yaml.YAMLError, ValueError) as error:
        return {}, f"front matter: {' '.join(str(error).split())[:200]}"
    if fields is None:
        return {}, ""
    if not isinstance(fields, dict):
        return None, "front matter: not a list of keys and values, kept as text"
    return fields, ""


def _load_toml(text: str) -> dict[str, object]:
    # The time tomllib takes for a dotted key grows with the square of its parts.
    if any(line.partition("=")[0].count(".") > MAX_DEPTH for line in text.split("\n")):
        raise Refused(f"nested more than {MAX_DEPTH} deep")
    return tomllib.loads(text)
