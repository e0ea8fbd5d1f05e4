"""Recordings as documents: a line for each stretch of speech, with its time."""

import pytest

from kebab.core.document import Document
from kebab.core.errors import LeftAside, MissingExtra, ModelInvalid, ModelNotPulled
from kebab.core.reading import Identity, Segment
from kebab.core.span import TimePlace
from kebab.parse.audio import KINDS, AudioParser
from kebab.parse.audio.parser import VERSION
from sample_files import read
from stand_ins.readers import MemoryCache, ScriptedTranscriber

SEGMENTS = (
    Segment(0, 2_500, " 현미밥은  사십 분 짓는다. ", "S1", 0.9),
    Segment(2_500, 2_600, "  "),
    Segment(2_600, 4_000, "That is\nforty minutes.\x00", None),
)


def document(transcriber: ScriptedTranscriber | None, raw: bytes = b"sound", path: str = "memo/회의.m4a") -> Document:
    return read(AudioParser("m4a", transcriber), raw, path, "audio/m4a")


def test_a_segment_is_a_line_with_its_time_and_speaker() -> None:
    found = document(ScriptedTranscriber(SEGMENTS))
    assert found.source_text == "현미밥은 사십 분 짓는다.\nThat is forty minutes.\n"
    assert [block.place for block in found.blocks] == [TimePlace(0, 2_500, "S1"), TimePlace(2_600, 4_000, None)]
    assert [tuple(block.span) for block in found.blocks] == [(1, 1), (2, 2)]
    assert (found.title, found.lang, found.parser_version) == ("회의.m4a", "ko", VERSION)
    assert found.metadata.user == {"audio": {"format": "m4a", "speech_ends_ms": 4_000, "speakers": ["S1"]}}


def test_a_language_the_transcriber_does_not_tell_is_told_from_the_words() -> None:
    segments = [Segment(0, 9, "this is what the people of the town have to say about it")]
    assert document(ScriptedTranscriber(segments, language=None)).lang == "en"


def test_times_go_forward_whatever_a_transcriber_says() -> None:
    (block,) = document(ScriptedTranscriber([Segment(-5, -9, "well")])).blocks
    assert block.place == TimePlace(0, 0)


def test_recordings_that_say_nothing_are_left_aside_with_a_reason() -> None:
    def aside(transcriber: ScriptedTranscriber | None, raw: bytes = b"sound") -> LeftAside:
        with pytest.raises(LeftAside) as raised:
            document(transcriber, raw)
        return raised.value

    assert aside(ScriptedTranscriber()).reason == "no_speech"
    assert aside(ScriptedTranscriber(), b"").reason == "empty"
    nobody = aside(None)
    assert nobody.reason == "no_transcriber"
    assert "kebab[speech]" in str(nobody.hint)
    for error in (MissingExtra("no package", hint="pip"), ModelNotPulled("no model", hint="pull")):
        missing = aside(ScriptedTranscriber(fails=error))
        assert (missing.reason, missing.message, missing.hint) == ("no_transcriber", error.message, error.hint)


def test_a_transcript_that_breaks_off_is_an_error_and_not_kept() -> None:
    cache = MemoryCache()
    broken = AudioParser("mp3", ScriptedTranscriber(SEGMENTS, fails=ModelInvalid("it failed")), cache)
    with pytest.raises(ModelInvalid, match="it failed"):
        read(broken, b"sound", "a.mp3", "audio/mp3")
    assert not cache


def test_a_recording_is_heard_once_however_often_it_is_parsed() -> None:
    cache, transcriber = MemoryCache(), ScriptedTranscriber(SEGMENTS)
    first, again = (read(AudioParser("mp3", transcriber, cache), b"sound", "a.mp3", "audio/mp3") for _ in range(2))
    assert first == again
    assert len(transcriber.given) == 1
    read(AudioParser("mp3", transcriber, cache), b"other sound", "a.mp3", "audio/mp3")
    better = ScriptedTranscriber(SEGMENTS, identity=Identity("better", "2"))
    read(AudioParser("mp3", better, cache), b"sound", "a.mp3", "audio/mp3")
    assert (len(transcriber.given), len(better.given)) == (2, 1)


@pytest.mark.parametrize("kept", [b"", b"[]", b'{"language": 1}', b'{"language": null, "segments": 3}', b"\xff"])
def test_what_a_cache_lost_is_made_again(kept: bytes) -> None:
    class Damaged(MemoryCache):
        def get(self, key: str) -> bytes:  # type: ignore[override]
            return kept

    parser = AudioParser("mp3", ScriptedTranscriber(SEGMENTS), Damaged())
    assert len(read(parser, b"sound", "a.mp3", "audio/mp3").blocks) == 2


def test_the_variant_changes_with_whoever_listens() -> None:
    variants = {
        AudioParser("mp3", None).variant,
        AudioParser("mp3", ScriptedTranscriber()).variant,
        AudioParser("mp3", ScriptedTranscriber(identity=Identity("scripted", "2"))).variant,
    }
    assert len(variants) == 3
    assert KINDS == ("m4a", "mp3", "wav", "flac", "ogg", "mp4")
