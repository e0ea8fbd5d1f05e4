"""An invitation in a mail, as lines a person can read: what, when, where, who asks, and what is written about it.

Gets the text of an iCalendar part, gives lines. Times are shown as they are written there; repetitions are left out.
"""

import re
from collections.abc import Iterator

MAX_LINES = 200

_FOLDED = re.compile(r"\n[ \t]")
_LINE = re.compile(r"([A-Z-]{1,40})((?:;[^:\n]{0,500})?):(.*)")
_NAMES = {
    "SUMMARY": "Event",
    "DTSTART": "Start",
    "DTEND": "End",
    "LOCATION": "Where",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "DESCRIPTION": "About",
}
_COMMON_NAME = re.compile(r'(?:^|;)CN="?([^";:]{1,200})', re.IGNORECASE)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_ESCAPED = re.compile(r"\\(.)")


def invitation(text: str) -> list[str]:
    """`Event: ...`, `Start: ...` and so on, for every event."""
    return list(_lines(_FOLDED.sub("", text)))[:MAX_LINES]


def _lines(text: str) -> Iterator[str]:
    inside = False
    for line in text.split("\n"):
        # What stands beside events are rules of time zones and alarms, which have times as well.
        if line.startswith(("BEGIN:", "END:")):
            inside = line.strip() in ("BEGIN:VEVENT", "BEGIN:VTODO", "END:VALARM")
        elif inside and (match := _LINE.fullmatch(line.strip())) and (value := _value(*match.group(1, 2, 3))):
            yield f"{_NAMES[match[1]]}: {value}"


def _value(key: str, parameters: str, value: str) -> str:
    if key not in _NAMES:
        return ""
    if key in ("ORGANIZER", "ATTENDEE"):
        address = value.removeprefix("mailto:").removeprefix("MAILTO:")
        named = _COMMON_NAME.search(parameters)
        return f"{named[1]} <{address}>" if named else address
    if key in ("DTSTART", "DTEND"):
        return _time(value)
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value).strip()


def _time(value: str) -> str:
    match = _TIME.fullmatch(value)
    if not match:
        return value
    day, clock = "-".join(match.group(1, 2, 3)), ":".join(filter(None, match.group(4, 5, 6)))
    return f"{day}T{clock}{match[7]}" if clock else day
