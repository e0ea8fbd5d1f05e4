"""What the doctor asks about reading: can text in images be read, is there who describes them, and who writes speech.

None of it has to be there, so what is missing is told with the package to install. It is wrong only where the settings
ask for more than they do by themselves.
"""

from collections.abc import Iterator

from kebab.config import Config
from kebab.core.errors import KebabError
from kebab.core.inspection import Check
from kebab.core.reading_settings import NONE, OcrSettings, SpeechSettings


def reading_checks(config: Config) -> Iterator[Check]:
    yield _ocr(config)
    if config.caption.provider != NONE:
        yield _captioner(config)
    yield _speech(config)


def _ocr(config: Config) -> Check:
    """An engine that somebody chose, or that pages of PDFs wait for, has to work."""
    from kebab.ocr.probe import describe

    name, settings = "ocr_engine", config.image_ocr
    wanted = config.pdf_ocr.enabled or settings.engine != OcrSettings().engine
    if settings.engine == NONE:
        hint = f"kebab config set ingest.image.ocr.engine {OcrSettings().engine}"
        if config.pdf_ocr.enabled:
            return Check(name, ok=False, detail="ingest.pdf.ocr is enabled, and there is no engine", hint=hint)
        return Check(name, ok=True, detail="none: text in images is not read", hint=hint)
    try:
        return Check(name, ok=True, detail=describe(settings))
    except KebabError as error:
        return Check(name, ok=not wanted, detail=error.message, hint=error.hint)


def _captioner(config: Config) -> Check:
    from kebab.ocr.vision import reachable

    try:
        return Check("captioner", ok=True, detail=reachable(config.caption))
    except KebabError as error:
        return Check("captioner", ok=False, detail=error.message, hint=error.hint)


def _speech(config: Config) -> Check:
    """Looks for the package and the model, and loads neither."""
    from kebab.speech import TRANSCRIBERS

    name, settings = "speech", config.speech
    make = TRANSCRIBERS.get(settings.provider)
    if make is None:
        hint = f"kebab config set ingest.speech.provider {SpeechSettings().provider}"
        return Check(name, ok=True, detail="none: recordings are not read", hint=hint)
    try:
        who = make(settings, config.storage.model_dir).identity
    except KebabError as error:
        return Check(name, ok=True, detail=error.message, hint=error.hint)
    return Check(name, ok=True, detail=f"{who.name} writes down recordings")
