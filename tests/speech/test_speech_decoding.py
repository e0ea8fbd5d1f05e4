"""Recordings are decoded in a process of their own: what it gives, and that it harms nobody."""

import sys
from array import array
from importlib.util import find_spec
from pathlib import Path

import pytest
from fake_whisper import wav

from kebab.core.errors import IoFailure, MissingExtra, TimedOut
from kebab.speech import decoding
from kebab.speech.sound import RATE
from kebab.speech.stretches import stretches

NEEDS_AV = pytest.mark.skipif(find_spec("av") is None, reason="the extra speech is not installed")


def decoder(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """This program instead of the decoder."""
    monkeypatch.setattr(decoding, "find_spec", lambda name: name)
    monkeypatch.setattr(decoding, "_COMMAND", (sys.executable, "-S", "-c", f"import os, sys, time\n{body}"))


def test_samples_come_out_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder(monkeypatch, "os.write(1, sys.stdin.buffer.read()[::-1])")
    assert decoding.decode(b"abcd") == b"dcba"


def test_what_cannot_be_decoded_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder(monkeypatch, "sys.exit('noise\\nInvalidDataError: \\x1b[1mno sound')")
    with pytest.raises(IoFailure, match=r"^the recording cannot be decoded: InvalidDataError: \[1mno sound$"):
        decoding.decode(b"x")
    decoder(monkeypatch, "os.kill(os.getpid(), 11)")
    with pytest.raises(IoFailure, match="the decoder ended with signal 11"):
        decoding.decode(b"x")


def test_one_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder(monkeypatch, "time.sleep(60)")
    with pytest.raises(TimedOut, match=r"not decoded within 0\.5 s"):
        decoding.decode(b"x", wall_s=0.5)


def test_a_recording_that_is_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder(monkeypatch, f"sys.stdout.buffer.write(bytes({2 * RATE} * int(sys.argv[1]) + 1))")
    with pytest.raises(IoFailure, match="the recording is longer than"):
        decoding.decode(b"x", longest_s=2)


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="needs the package av"):
        decoding.decode(b"x")


@NEEDS_AV
def test_sound_is_brought_to_one_rate(tmp_path: Path) -> None:
    tone = array("h", [1000, -1000] * 22_050).tobytes()
    samples = decoding.decode(wav(tone, rate=44_100))
    assert abs(len(samples) - 2 * RATE) <= 200


@NEEDS_AV
def test_what_is_no_recording_is_told_by_the_real_decoder() -> None:
    for raw in (b"", b"hello", b"RIFF" + bytes(50), wav(b"")[:30]):
        with pytest.raises(IoFailure, match="the recording cannot be decoded"):
            decoding.decode(raw)


@pytest.mark.parametrize("seconds", [0, 1, 600, 601, 1500])
def test_stretches_together_are_the_recording(seconds: int) -> None:
    np = pytest.importorskip("numpy")
    samples = np.zeros(seconds * RATE, dtype=np.int16)
    at = 0
    for start, sound in stretches(samples):
        assert start == at
        assert 0 < len(sound) <= 600 * RATE
        at += len(sound)
    assert at == len(samples)


def test_a_cut_is_made_where_it_is_quiet() -> None:
    np = pytest.importorskip("numpy")
    samples = np.full(700 * RATE, 5000, dtype=np.int16)
    samples[570 * RATE : 571 * RATE] = 3
    (_, first), _ = stretches(samples)
    assert 570 * RATE < len(first) < 571 * RATE
