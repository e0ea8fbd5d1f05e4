"""The folder of a Whisper model in CTranslate2's form: whether all of it is there. Loads no model.

Checked before the library sees it: given a folder that lacks something, it looks for the rest on the network.
"""

from contextlib import suppress
from pathlib import Path

from kebab.core.errors import ModelNotPulled
from kebab.core.reading_settings import SPEECH_FILES


def folder_of(model: str, models: Path) -> Path:
    """A model by the name of its folder among the pulled ones, or by its path. Raises ModelNotPulled."""
    folder = models / model
    if not folder.is_dir():
        folder = Path(model)
        with suppress(RuntimeError):
            folder = folder.expanduser()
    if (lack := missing(folder)) is not None:
        there = folder.is_dir() and model not in ("", ".")
        raise ModelNotPulled(
            f"no {lack} in {folder}" if there else f"the speech model {model} is not on this machine",
            hint=f"kebab models pull {Path(model).name or model}, or set ingest.speech.model to the folder of a model",
            model=model,
            path=str(folder),
        )
    return folder


def missing(folder: Path) -> str | None:
    """The first file that is needed and not there."""
    for names in SPEECH_FILES:
        if not any((folder / name).is_file() for name in names):
            return names[0]
    return None
