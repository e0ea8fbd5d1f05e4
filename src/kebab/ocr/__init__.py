"""Images -> text and captions. OCR_ENGINES and CAPTIONERS list every provider; each knows `core` and `remote`."""

from collections.abc import Callable

from kebab.core.reading import Captioner, OcrEngine
from kebab.core.reading_settings import CaptionSettings, OcrSettings
from kebab.ocr.tesseract import TesseractEngine
from kebab.ocr.vision import NAME, OllamaCaptioner, VisionEngine

# None of them starts or loads anything before it is asked.
OCR_ENGINES: dict[str, Callable[[OcrSettings], OcrEngine]] = {
    "tesseract": TesseractEngine,
    NAME: VisionEngine,
}
CAPTIONERS: dict[str, Callable[[CaptionSettings], Captioner]] = {
    "ollama": OllamaCaptioner,
}
