"""What a PDF is called and when it was made, from facts that are often wrong: what is no name or date is not used."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

from kebab.core.text import nfc
from kebab.parse.pdf.values import Entry, Facts, Page

MAX_NAME = 300

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd\ud800-\udfff]+")
# What programs write when nobody gave a title: their own name, the file's name, or nothing that means anything.
_NO_TITLE = re.compile(
    r"(microsoft (office )?\w+ - .*|untitled.*|\(?(anonymous|unspecified|none|null)\)?|powerpoint presentation"
    r"|powerpoint 프레젠테이션|슬라이드 ?1|slide ?1|document ?\d*|문서 ?\d*|제목 ?없음.*|title|\S+\.\w{2,4}"
    r"|.*\.(docx?|hwpx?|pptx?|xlsx?|pdf|rtf|odt|indd|qxd|tex|dvi|ps|tmp|html?)|file:.*|[a-z]:\\.*|[\W\d_]+)",
    re.IGNORECASE,
)
_NO_HEADING = frozenset(("cover", "contents", "table of contents", "title page", "목차", "표지", "차례"))
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?")


def one_line(text: str) -> str:
    """Text as a name: one line, short, nothing invisible."""
    text = " ".join(_UNSEEN.sub(" ", nfc(text)).split())
    return text if len(text) <= MAX_NAME else text[:MAX_NAME].rstrip()


def title(facts: Facts, outline: Sequence[Entry], pages: Sequence[Page]) -> str:
    """Empty when the file's name is the best there is."""
    given = one_line(facts.title)
    if given and not _NO_TITLE.fullmatch(given) and not _is_path(given):
        return given
    for entry in outline[:5]:
        name = one_line(entry.title)
        if name and name.lower() not in _NO_HEADING and not _NO_TITLE.fullmatch(name):
            return name
    return _largest(pages[0]) if pages else ""


def person(facts: Facts) -> str:
    name = one_line(facts.author)
    return "" if _NO_TITLE.fullmatch(name) else name


def _is_path(name: str) -> bool:
    return " " not in name and ("/" in name or "\\" in name)


def _largest(page: Page) -> str:
    """The line or two in the largest letters near the top of the first page, if they stand out."""
    heights = sorted(row.top - row.bottom for row in page.rows)
    top = page.rows[:12]
    if len(heights) < 3 or not top:
        return ""
    most = max(row.top - row.bottom for row in top)
    if most < 1.35 * heights[len(heights) // 2]:
        return ""
    first = next(index for index, row in enumerate(top) if row.top - row.bottom == most)
    lines = [top[first].text]
    following = top[first + 1 : first + 2]
    lines += [row.text for row in following if row.top - row.bottom > 0.85 * most]
    name = one_line(" ".join(lines))
    return name if 2 <= len(name) <= 200 and not _NO_TITLE.fullmatch(name) else ""


def moment(given: str) -> str | None:
    """`D:20240131093000+09'00'` as RFC 3339 in UTC; None for what is no date, or none a file could have."""
    found = _DATE.match(given.strip())
    if not found:
        return None
    year, month, day, hour, minute, second = (
        int(found[index]) if found[index] else least for index, least in enumerate((0, 1, 1, 0, 0, 0), 1)
    )
    zone = UTC
    try:
        if found[7]:
            ahead = timedelta(hours=int(found[8]), minutes=int(found[9] or 0))
            zone = timezone(ahead if found[7] == "+" else -ahead)
        at = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if 1980 <= at.year <= 2100 else None
