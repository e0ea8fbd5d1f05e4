"""Whether text in images can be read as the settings ask, for `kebab doctor`. Reads no image."""

from kebab.core.errors import KebabError, MissingExtra
from kebab.core.reading_settings import OcrSettings
from kebab.ocr import command, tesseract, vision


def available(settings: OcrSettings) -> KebabError | None:
    """What keeps the engine from reading all that it is asked to, with a hint; None when nothing does."""
    try:
        describe(settings)
    except KebabError as problem:
        return problem
    return None


def describe(settings: OcrSettings) -> str:
    """One line about an engine that is as it should be. Raises what `available` gives."""
    if settings.engine == vision.NAME:
        return vision.reachable(settings)
    found = tesseract.installed()
    if missing := [language for language in settings.languages if language not in found.languages]:
        raise _without(missing, found.version)
    return f"tesseract {found.version} reads {', '.join(settings.languages)}"


def _without(languages: list[str], version: str) -> MissingExtra:
    korean = "; Korean in images will not be read" if tesseract.KOREAN in languages else ""
    packages = " ".join(f"tesseract-ocr-{language.replace('_', '-')}" for language in languages)
    return MissingExtra(
        f"tesseract {version} has no data for {', '.join(languages)}{korean}",
        hint=f"`apt install {packages}` or `brew install tesseract-lang`",
        package=command.PROGRAM,
        languages=languages,
    )
