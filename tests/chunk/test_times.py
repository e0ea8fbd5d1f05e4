"""Recordings cut by time: half a minute to a minute, between stretches of speech."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.times import LONGEST_MS, VERSION, TimeChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.reading import Segment
from kebab.core.span import TimePlace
from kebab.parse.audio import AudioParser
from sample_files import assert_sound, read
from stand_ins.readers import ScriptedTranscriber


def recording(*segments: Segment) -> Document:
    return read(AudioParser("mp3", ScriptedTranscriber(segments)), b"sound", "talk.mp3", "audio/mp3")


def talk(count: int, seconds: int = 5, text: str = "말을 한다", pause: int = 0) -> list[Segment]:
    step = 1000 * (seconds + pause)
    return [Segment(at * step, at * step + 1000 * seconds, f"{text} {at}") for at in range(count)]


def cut(document: Document, **policy: int) -> list[Chunk]:
    return TimeChunker().chunk(document, ChunkPolicy(**policy))


def spans(chunks: list[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.place.start_ms, chunk.place.end_ms) for chunk in chunks if isinstance(chunk.place, TimePlace)]


def test_a_short_recording_is_one_chunk() -> None:
    (chunk,) = cut(recording(*talk(3)))
    assert chunk.text == "말을 한다 0\n말을 한다 1\n말을 한다 2"
    assert chunk.place == TimePlace(0, 15_000)
    assert chunk.chunker_version == VERSION


def test_speech_without_pauses_or_stops_is_cut_at_a_minute() -> None:
    assert spans(cut(recording(*talk(30)))) == [(0, 60_000), (60_000, 120_000), (120_000, 150_000)]


def test_a_sentence_end_after_half_a_minute_ends_a_chunk() -> None:
    segments = talk(20)
    segments[3] = segments[3]._replace(text="Too early.")
    segments[6] = segments[6]._replace(text="끝났다.")
    assert spans(cut(recording(*segments)))[0] == (0, 35_000)


def test_a_pause_or_another_speaker_ends_a_chunk_as_well() -> None:
    paused = talk(14)
    paused = [
        *paused[:7],
        *(each._replace(start_ms=each.start_ms + 2000, end_ms=each.end_ms + 2000) for each in paused[7:]),
    ]
    assert spans(cut(recording(*paused)))[0] == (0, 35_000)
    spoken = [each._replace(speaker="A" if at < 8 else "B") for at, each in enumerate(talk(14))]
    first, second = cut(recording(*spoken))
    assert (first.place, second.place) == (TimePlace(0, 40_000, "A"), TimePlace(40_000, 70_000, "B"))


def test_a_chunk_names_a_speaker_only_when_nobody_else_speaks_in_it() -> None:
    both = [each._replace(speaker="AB"[at % 2]) for at, each in enumerate(talk(4))]
    (chunk,) = cut(recording(*both))
    assert chunk.place == TimePlace(0, 20_000, None)


def test_a_stretch_of_more_than_a_minute_stands_alone() -> None:
    segments = [Segment(0, 5_000, "before"), Segment(5_000, 95_000, "on and on"), Segment(95_000, 99_000, "after")]
    assert spans(cut(recording(*segments))) == [(0, 5_000), (5_000, 95_000), (95_000, 99_000)]


def test_more_words_than_a_chunk_may_hold_are_cut() -> None:
    chunks = cut(recording(Segment(0, 9_000, "word " * 100)), target_tokens=10, max_chunk_tokens=20, overlap_tokens=0)
    assert len(chunks) > 5
    assert set(spans(chunks)) == {(0, 9_000)}
    assert all(chunk.token_estimate <= 20 for chunk in chunks)


SEGMENTS = st.lists(
    st.tuples(st.integers(0, 3_000), st.integers(0, 90_000), st.sampled_from(["네.", "말 한다", "well", "x" * 50]),
              st.sampled_from([None, "A", "B"])),
    min_size=1, max_size=40,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(SEGMENTS, st.integers(4, 60))
def test_any_recording_is_cut_soundly(parts: list[tuple[int, int, str, str | None]], most: int) -> None:
    now, segments = 0, []
    for pause, length, text, speaker in parts:
        segments.append(Segment(now + pause, now + pause + length, text, speaker))
        now += pause + length
    document = recording(*segments)
    chunks = cut(document, target_tokens=most, max_chunk_tokens=most, overlap_tokens=0)
    assert_sound(document, chunks, 3 * most)
    for chunk in chunks:
        assert isinstance(chunk.place, TimePlace)
        first, last = (document.blocks[chunk.spans[0].start - 1].place, document.blocks[chunk.spans[0].end - 1].place)
        assert isinstance(first, TimePlace)
        assert isinstance(last, TimePlace)
        assert chunk.place.end_ms - chunk.place.start_ms <= LONGEST_MS or len(chunk.block_ids) == 1
        assert (chunk.place.start_ms, chunk.place.end_ms) == (first.start_ms, last.end_ms)
    for one, other in pairwise(chunks):
        assert one.spans[0].end <= other.spans[0].start
