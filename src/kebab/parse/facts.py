"""What a file says about itself: its title, dates and people, believed only where it is sane.

Gets the strings of any format's properties, gives values a `Document` can hold. Knows no format.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.document import UserValue
from kebab.parse.building import Content
from kebab.parse.flow import Flow, name

_EARLIEST, _LATEST = 1970, 2200
MAX_VALUE = 1000

# What programs write when nobody gave a title.
_PLACEHOLDER = re.compile(
    r"microsoft (?:word|excel|powerpoint) - .*|powerpoint (?:presentation|프레젠테이션)"
    r"|(?:untitled|제목 ?없음|무제)[\s\d]*"
    r"|(?:document|presentation|book|slide|문서|프레젠테이션|통합 문서|슬라이드|빈 문서)\s*\d*"
    r"|.*\.(?:docx?|dotx?|pptx?|xlsx?|odt|rtf|hwpx?)",
    re.IGNORECASE,
)
_MOMENT = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?")


class Facts(NamedTuple):
    """Properties in the words of `Content`; what is unknown is empty."""

    title: str = ""
    created_at: str | None = None
    updated_at: str | None = None
    lang: str | None = None
    user: Mapping[str, UserValue] = {}


def moment(text: str | None) -> str | None:
    """A date or time in ISO form as RFC 3339 in UTC; None when it is none, or no date a document can have."""
    words = (text or "").strip()[:40]
    if not _MOMENT.fullmatch(words):
        return None
    # ODF writes nanoseconds, and a publication may have a year alone.
    words = re.sub(r"(\.\d{6})\d+", r"\1", words)
    words += {4: "-01-01", 7: "-01"}.get(len(words), "")
    try:
        return in_range(parse_rfc3339(words))
    except (ValueError, OverflowError):
        return None


def in_range(when: datetime) -> str | None:
    """A moment as text, unless it lies outside of what a file's date can be."""
    try:
        when = when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return rfc3339(when) if _EARLIEST <= when.year < _LATEST else None


def title(text: str | None) -> str:
    words = name(text or "")
    return "" if _PLACEHOLDER.fullmatch(words) else words


def user(**values: str | None) -> dict[str, UserValue]:
    """The values that say something, as one line each."""
    named = {key: name((value or "")[:MAX_VALUE]) for key, value in values.items()}
    return {key: value for key, value in named.items() if value}


def content(flow: Flow, facts: Facts, warnings: list[str]) -> Content:
    """A filled flow and what is known besides, ready to be built."""
    found = [*warnings, *flow.warnings]
    if not flow.pieces:
        found.append("no text was found in it")
    return Content(
        flow.finish(),
        flow.pieces,
        title=facts.title or flow.first_heading,
        lang=facts.lang,
        warnings=found,
        created_at=facts.created_at,
        updated_at=facts.updated_at,
        user=facts.user,
    )
