"""The title a recording bears, and that damaged tags are no title and no harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.reading import Segment
from kebab.parse.audio import AudioParser
from kebab.parse.audio.tags import title
from sample_files import read
from stand_ins.readers import ScriptedTranscriber


def synchsafe(size: int) -> bytes:
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


def id3(body: bytes, encoding: int, version: int = 4, before: bytes = b"") -> bytes:
    text = bytes([encoding]) + body
    size = synchsafe(len(text)) if version == 4 else len(text).to_bytes(4, "big")
    frames = before + b"TIT2" + size + b"\x00\x00" + text + bytes(20)
    return b"ID3" + bytes([version, 0, 0]) + synchsafe(len(frames)) + frames + b"\xff\xfb" + bytes(100)


def mp4(body: bytes) -> bytes:
    data = (16 + len(body)).to_bytes(4, "big") + b"data" + bytes(8) + body
    return bytes(4) + b"ftypM4A " + bytes(50) + (8 + len(data)).to_bytes(4, "big") + b"\xa9nam" + data + b"more"


def vorbis(body: bytes, magic: bytes = b"fLaC") -> bytes:
    comment = b"Title=" + body
    return magic + bytes(40) + len(comment).to_bytes(4, "little") + comment + b"artist=x"


TITLE = "현미밥 짓기"
TAGGED = {
    "id3 v2.4": id3(TITLE.encode(), 3),
    "id3 v2.3": id3(TITLE.encode("utf-16"), 1, version=3),
    "id3 after others": id3(TITLE.encode(), 3, before=b"TALB" + synchsafe(3) + b"\x00\x00\x03ab"),
    "m4a": mp4(TITLE.encode()),
    "flac": vorbis(TITLE.encode()),
    "ogg": vorbis(TITLE.encode(), b"OggS"),
}


@pytest.mark.parametrize("kind", TAGGED)
def test_a_tagged_recording_has_its_title(kind: str) -> None:
    assert title(TAGGED[kind]) == TITLE


def test_the_document_bears_it() -> None:
    parser = AudioParser("mp3", ScriptedTranscriber([Segment(0, 9, "말")]))
    assert read(parser, TAGGED["m4a"], "a.m4a", "audio/m4a").title == TITLE
    assert read(parser, b"RIFF", "a.wav", "audio/wav").title == "a.wav"


def test_a_title_is_one_short_line() -> None:
    assert title(id3(b"a\nb\x1b[31m c\x00hidden", 3)) == "a b [31m c"
    assert len(title(mp4(b"x" * 5000))) == 200


@given(st.sampled_from(sorted(TAGGED)), st.integers(0, 250), st.binary(max_size=6))
def test_damaged_tags_do_no_harm(kind: str, at: int, damage: bytes) -> None:
    raw = TAGGED[kind]
    for each in (raw[:at], raw[:at] + damage + raw[at + len(damage) :]):
        assert "\n" not in title(each)


@given(st.sampled_from([b"ID3", b"fLaC", b"OggS", b"\x00\x00\x00\x00ftyp"]), st.binary(max_size=60))
def test_any_bytes_have_a_title_or_none(magic: bytes, rest: bytes) -> None:
    assert len(title(magic + rest)) <= 200
