"""Time as it is stored and sent: RFC 3339 in UTC."""

from datetime import UTC, datetime


def now() -> str:
    """Always to the millisecond, so that moments of one run sort as text."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rfc3339(moment: datetime) -> str:
    """UTC, to the millisecond unless it is a whole second."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds" if moment.microsecond >= 1000 else "seconds")
    return text.replace("+00:00", "Z")


def from_timestamp(seconds: float) -> str:
    return rfc3339(datetime.fromtimestamp(int(seconds), UTC))


def parse_rfc3339(text: str) -> datetime:
    """An aware moment; a date or time without a zone is taken as UTC. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
