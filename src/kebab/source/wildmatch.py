"""Git's wildcards as regular expressions.

Gets the body of one pattern (no `!`, no leading or trailing slash), gives an expression for `re.fullmatch`. What stands
between two stars is taken at its first place for good, so no pattern can make a match explode. Beyond git, `?` and
`[...]` take one character where git takes one byte.
"""

import re

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_STARS = re.compile(r"\*+")
_NEGATION = re.compile(r"\[[!^]")


class UnmatchableError(ValueError):
    """An open bracket, an unknown class or a lone backslash at the end: git lets such a pattern match nothing."""


def name_regex(pattern: str) -> str:
    """For a pattern without a slash, to be held against one name."""
    return _segment_regex(_segments(pattern)[0])


def path_regex(pattern: str) -> str:
    """For a whole relative path; a segment of two or more stars alone stands for any number of folders."""
    chunks: list[list[str]] = [[]]
    for tokens in _segments(pattern):
        if len(tokens) == 1 and tokens[0].startswith("**"):
            chunks.append([])
        else:
            chunks[-1].append(_segment_regex(tokens))
    if len(chunks) == 1:
        return "/".join(chunks[0])
    head = "".join(f"{segment}/" for segment in chunks[0])
    inner = "".join(f"(?>(?:[^/]+/)*?{'/'.join(chunk)}/)" for chunk in chunks[1:-1] if chunk)
    return head + inner + (f"(?:[^/]+/)*{'/'.join(chunks[-1])}" if chunks[-1] else ".+")


def _segments(pattern: str) -> list[list[str]]:
    """Segments of tokens: runs of stars as they are, everything else as an expression for one character."""
    segments: list[list[str]] = [[]]
    at = 0
    while at < len(pattern):
        char, after = pattern[at], at + 1
        if char == "/":
            segments.append([])
        elif char == "*" and (stars := _STARS.match(pattern, at)) is not None:
            segments[-1].append(stars[0])
            after = stars.end()
        elif char == "?":
            segments[-1].append("[^/]")
        elif char == "[":
            token, after = _bracket(pattern, at)
            segments[-1].append(token)
        else:
            literal, after = _literal(pattern, at)
            segments[-1].append(re.escape(literal))
        at = after
    return segments


def _literal(pattern: str, at: int) -> tuple[str, int]:
    if pattern[at] != "\\":
        return pattern[at], at + 1
    if at + 1 >= len(pattern):
        raise UnmatchableError(pattern)
    return pattern[at + 1], at + 2


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """A bracket expression and where it ends; it never takes a slash."""
    negated = _NEGATION.match(pattern, start) is not None
    first = at = start + 1 + negated
    members: list[str] = []
    low: str | None = None
    while at == first or pattern[at : at + 1] != "]":
        if at >= len(pattern):
            raise UnmatchableError(pattern)
        if pattern.startswith("[:", at) and (named := _named_class(pattern, at)) is not None:
            members.append(named[0])
            low, at = None, named[1]
        elif low is not None and pattern[at] == "-" and pattern[at + 1 : at + 2] not in ("", "]"):
            high, at = _literal(pattern, at + 1)
            members += [f"{re.escape(low)}-{re.escape(high)}"] if low <= high else []
            low = None
        else:
            low, at = _literal(pattern, at)
            members.append(re.escape(low))
    return f"(?!/)[{'^' if negated else ''}{''.join(members)}]", at + 1


def _named_class(pattern: str, at: int) -> tuple[str, int] | None:
    end = pattern.find("]", at + 2)
    if end < 0:
        raise UnmatchableError(pattern)
    if end == at + 2 or pattern[end - 1] != ":":
        return None
    if (members := _CLASSES.get(pattern[at + 2 : end - 1])) is None:
        raise UnmatchableError(pattern)
    return members, end + 1


def _segment_regex(tokens: list[str]) -> str:
    fixed = [""]
    for token in tokens:
        if token.startswith("*"):
            fixed.append("")
        else:
            fixed[-1] += token
    if len(fixed) == 1:
        return fixed[0]
    # A folder's path ends in a slash, so a leading star must not be content with the nothing before it.
    some = "" if fixed[0] else "(?=[^/])"
    return some + fixed[0] + "".join(f"(?>[^/]*?{part})" for part in fixed[1:-1]) + "[^/]*" + fixed[-1]
