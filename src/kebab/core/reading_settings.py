"""The settings of OCR, captions and speech. Apart from the ports, as every command loads these."""

from typing import NamedTuple

NONE = "none"
# What the folder of a speech model holds: one file of each row.
SPEECH_FILES = (("model.bin",), ("config.json",), ("tokenizer.json",), ("vocabulary.json", "vocabulary.txt"))


class OcrSettings(NamedTuple):
    """Section `[ingest.image.ocr]`. `model`, `endpoint` and `api_key_env` are for the engine `ollama-vision`."""

    engine: str = "tesseract"
    languages: tuple[str, ...] = ("kor", "eng")
    min_confidence: float = 0.5
    timeout_s: int = 120
    memory_mb: int = 1024
    model: str = ""
    endpoint: str = ""
    api_key_env: str = ""


class PdfOcrSettings(NamedTuple):
    """Section `[ingest.pdf.ocr]`. The engine is that of `[ingest.image.ocr]`; `always_on` reads every page so."""

    enabled: bool = False
    always_on: bool = False


class CaptionSettings(NamedTuple):
    """Section `[ingest.image.caption]`. `language` is the one captions are written in."""

    provider: str = NONE
    model: str = ""
    language: str = "en"
    endpoint: str = ""
    api_key_env: str = ""
    timeout_s: int = 300


class SpeechSettings(NamedTuple):
    """Section `[ingest.speech]`. Without a language the model tells it from the first half minute."""

    provider: str = "faster-whisper"
    model: str = "faster-whisper-small"
    language: str = ""
    threads: int = 0
