"""The engine `tesseract`: text in images by the program of that name, with the languages that are installed for it."""

import re
from functools import cached_property
from typing import NamedTuple

from kebab.core.errors import MissingExtra
from kebab.core.reading import Identity, ImageForm, OcrLine, Recognised
from kebab.core.reading_settings import OcrSettings
from kebab.core.text import nfc
from kebab.ocr import command, layout, scripts

# Measured by benchmarks/ocr.py. Its page segmentation breaks Hangul lines apart (psm 3, 11), or small ones (psm 4).
PAGE_MODE = 6
FORM = ImageForm(scale=2, max_pixels=24_000_000, max_side=16_000, columns=True)
KOREAN = "kor"

# Both forms of the result in one run; and the spaces between words as they are, which tells Hangul words apart.
_OPTIONS = ("tessedit_create_txt=1", "tessedit_create_tsv=1", "preserve_interword_spaces=1")
_READING = 1
# English that is read below this may be Korean that was not recognised as such.
_CLEAR = 0.9
_VERSION = re.compile(r"tesseract\s+v?(\S+)")
_MOSTLY = 0.5


class Installed(NamedTuple):
    """The program on this machine: its version, and the languages it has data for."""

    version: str
    languages: tuple[str, ...]


class TesseractEngine:
    """Starts the program once for each image, and twice where Hangul and Latin letters may have been confused."""

    form = FORM

    def __init__(self, settings: OcrSettings) -> None:
        self._settings = settings

    @cached_property
    def identity(self) -> Identity:
        settings = f"{_READING}/{PAGE_MODE}/{round(self._settings.min_confidence * 100)}"
        return Identity("tesseract", self._installed.version, self._languages, settings)

    def read(self, image: bytes) -> Recognised:
        seen = self._seen(image, self._languages)
        several = KOREAN in self._languages and len(self._languages) > 1
        if several and _may_be_confused(seen, self._settings.min_confidence):
            alone = {line.box: line for line in self._seen(image, (KOREAN,)).lines}
            lines = (scripts.merged(line, alone.get(line.box, line)) for line in seen.lines)
            seen = seen._replace(lines=tuple(lines))
        return Recognised(tuple(self._kept(seen)), seen.width, seen.height)

    def _seen(self, image: bytes, languages: tuple[str, ...]) -> layout.Printed:
        options = [argument for option in _OPTIONS for argument in ("-c", option)]
        arguments = ["stdin", "stdout", "-l", "+".join(languages), "--psm", str(PAGE_MODE), *options]
        return layout.read(command.run(arguments, image, self._settings.timeout_s, self._settings.memory_mb))

    def _kept(self, seen: layout.Printed) -> list[OcrLine]:
        """Without what is more likely a texture than text."""
        found: list[OcrLine] = []
        block = seen.lines[0].block if seen.lines else 0
        for line in seen.lines:
            if line.confidence < self._settings.min_confidence or not _says_something(line.text):
                continue
            found.append(OcrLine(nfc(line.text), *line.box, round(line.confidence, 3), line.block != block))
            block = line.block
        return found

    @cached_property
    def _installed(self) -> Installed:
        return installed()

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        """Those of the settings that are installed, Korean first: it decides how spaces are told."""
        wanted = self._settings.languages
        there = [language for language in wanted if language in self._installed.languages]
        if not there:
            message = f"tesseract has no data for {', '.join(wanted)}"
            raise MissingExtra(message, hint=command.INSTALL, package=command.PROGRAM)
        return tuple(sorted(there, key=lambda language: language != KOREAN))


def installed() -> Installed:
    """Asks the program. Raises MissingExtra, TimedOut or IoFailure."""
    told = _VERSION.search(command.run(["--version"], b"", command.PROBE_S))
    listed = command.run(["--list-langs"], b"", command.PROBE_S).splitlines()[1:]
    return Installed(told[1] if told else "unknown", tuple(line.strip() for line in listed if line.strip()))


def _says_something(text: str) -> bool:
    """Scratches and patterns are read as punctuation with a letter here and there."""
    marks = text.replace(" ", "")
    return sum(map(str.isalnum, marks)) > _MOSTLY * len(marks)


def _may_be_confused(seen: layout.Printed, least: float) -> bool:
    if all(line.confidence < least for line in seen.lines):
        # Nothing was read here, and nothing would be read by looking again.
        return False
    text = "".join(line.text for line in seen.lines)
    return scripts.has_hangul(text) or any(line.confidence < _CLEAR for line in seen.lines)
