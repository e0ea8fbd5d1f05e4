"""The decoder itself: an audio or video file on standard input, its sound as samples on standard output.

Started as `python -m kebab.speech.sound SECONDS`. Stops soon after so many seconds of sound.
"""

import io
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import IO, Any

RATE = 16_000
BYTES_PER_SECOND = 2 * RATE


def decode(recording: bytes, out: IO[bytes], longest_s: int) -> None:
    """Frames that are damaged are left out, as a player does. Raises whatever the library raises."""
    av = import_module("av")

    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    left = longest_s * BYTES_PER_SECOND + 1
    with av.open(io.BytesIO(recording), mode="r", metadata_errors="ignore") as container:
        if not container.streams.audio:
            raise ValueError("the file holds no sound")
        for frame in _frames(container.decode(audio=0), av.error.InvalidDataError):
            for part in resampler.resample(frame):
                samples = bytes(part.planes[0])[: 2 * part.samples]
                out.write(samples[:left])
                left -= len(samples)
            if left <= 0:
                return


def _frames(frames: Iterator[Any], damaged: type[Exception]) -> Iterator[Any]:
    """The frames of the first track of sound; None in the end asks for what the resampler has held back."""
    while True:
        try:
            frame = next(frames)
        except StopIteration:
            break
        except damaged:
            continue
        # A frame's own clock makes the resampler fill gaps with silence that may be hours long.
        frame.pts = None
        yield frame
    yield None


def main() -> None:
    with open(0, "rb", closefd=False) as given, open(1, "wb", closefd=False) as out:
        try:
            decode(given.read(), out, int(sys.argv[1]))
        except Exception as error:  # noqa: BLE001 - whatever a decoder raises is the answer
            said = getattr(error, "strerror", None) or str(error)
            raise SystemExit(f"{type(error).__name__}: {' '.join(said.split())[:200]}") from None


if __name__ == "__main__":
    main()
