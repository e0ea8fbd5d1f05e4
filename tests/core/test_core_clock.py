import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.clock import from_timestamp, now, parse_rfc3339, rfc3339

SEOUL = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2024, 5, 1, 9, 30, 0, tzinfo=UTC), "2024-05-01T09:30:00Z"),
        (datetime(2024, 5, 1, 9, 30, 0, tzinfo=SEOUL), "2024-05-01T00:30:00Z"),
        (datetime(2024, 1, 1, 0, 0, 0, tzinfo=SEOUL), "2023-12-31T15:00:00Z"),
        (datetime(2024, 5, 1, 9, 30, 0, 123_456, tzinfo=UTC), "2024-05-01T09:30:00.123Z"),
    ],
)
def test_moments_are_written_in_utc_to_the_second_or_finer(moment: datetime, expected: str) -> None:
    assert rfc3339(moment) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01T09:30:00Z", datetime(2024, 5, 1, 9, 30, tzinfo=UTC)),
        ("2024-05-01T09:30:00+09:00", datetime(2024, 5, 1, 0, 30, tzinfo=UTC)),
        ("2024-05-01 09:30", datetime(2024, 5, 1, 9, 30, tzinfo=UTC)),
        ("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-01T09:30:00.250Z", datetime(2024, 5, 1, 9, 30, 0, 250_000, tzinfo=UTC)),
    ],
)
def test_a_moment_without_a_zone_is_utc(text: str, expected: datetime) -> None:
    assert parse_rfc3339(text) == expected
    assert parse_rfc3339(text).tzinfo is not None


@pytest.fixture
def far_away(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose own zone is nine hours from UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "KST-9")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_away")
def test_the_zone_of_the_machine_does_not_matter() -> None:
    assert time.localtime(0).tm_hour == 9
    assert parse_rfc3339("2024-05-01T09:30:00") == datetime(2024, 5, 1, 9, 30, tzinfo=UTC)
    assert from_timestamp(0) == "1970-01-01T00:00:00Z"
    assert datetime.now(UTC) - parse_rfc3339(now()) < timedelta(minutes=1)


def test_the_present_is_always_to_the_millisecond(monkeypatch: pytest.MonkeyPatch) -> None:
    class WholeSecond(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime(2024, 5, 1, 9, 30, 0, 400, tzinfo=tz)

    monkeypatch.setattr("kebab.core.clock.datetime", WholeSecond)
    assert now() == "2024-05-01T09:30:00.000Z"


@pytest.mark.parametrize("text", ["", "yesterday", "2024-13-01", "2024-05-01T25:00:00Z", "2023-02-29"])
def test_what_is_no_moment_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_rfc3339(text)


@given(st.timedeltas(timedelta(days=-700_000), timedelta(days=2_900_000)), st.sampled_from([UTC, SEOUL]))
def test_writing_and_reading_lose_less_than_a_millisecond(since: timedelta, zone: timezone) -> None:
    moment = datetime(1970, 1, 1, tzinfo=zone) + since
    back = parse_rfc3339(rfc3339(moment))
    assert timedelta(0) <= moment - back < timedelta(milliseconds=1)
    assert rfc3339(moment).endswith("Z")


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "1970-01-01T00:00:00Z"), (1_700_000_000.999, "2023-11-14T22:13:20Z"), (-86_400, "1969-12-31T00:00:00Z")],
)
def test_file_times_are_whole_seconds(seconds: float, expected: str) -> None:
    assert from_timestamp(seconds) == expected


def test_now_is_now_in_utc() -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    assert before <= parse_rfc3339(now()) <= datetime.now(UTC)
