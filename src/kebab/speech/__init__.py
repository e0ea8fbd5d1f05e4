"""Recordings -> spoken words. TRANSCRIBERS lists every provider; each knows `core` and its own model."""

from collections.abc import Callable
from pathlib import Path

from kebab.core.reading import Transcriber
from kebab.core.reading_settings import SpeechSettings
from kebab.speech.whisper import WhisperTranscriber

# Each gets the settings and the folder of pulled models. None of them loads anything before it is asked.
TRANSCRIBERS: dict[str, Callable[[SpeechSettings, Path], Transcriber]] = {
    "faster-whisper": WhisperTranscriber,
}
