"""A model's folder: which of its files are used, and what its optional JSON files say. Loads no model.

Needed are `model.onnx` (or a quantised `model_quantized.onnx` or `model_int8.onnx`) and `tokenizer.json`, each in the
folder or in its subfolder `onnx`. These are optional and are read as their makers mean them:

- `tokenizer_config.json`: `model_max_length`, the length at which texts are cut; 512 without it.
- `config_sentence_transformers.json`: `prompts`, what is put before a query and before a document or passage.
- `config.json`: `_name_or_path`, the name under which the model was published; `id2label`, what its classes mean.
- `1_Pooling/config.json`: whether a text is the mean of its tokens, as without this file, or its first token.
"""

import json
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kebab.core.errors import ModelInvalid

MODEL_NAMES = ("model.onnx", "model_quantized.onnx", "model_int8.onnx")
TOKENIZER_NAME = "tokenizer.json"

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | int | float | bool | None"
_LENGTH = 512
# Tokenizers without a limit say 10**30; nothing is embedded well from fewer tokens than the smaller bound.
_SANE_LENGTHS = range(8, 8193)


class Prompts(NamedTuple):
    """What a model's maker puts before a text."""

    query: str
    passage: str


class ModelFiles(NamedTuple):
    model: Path
    tokenizer: Path


def find(folder: Path) -> ModelFiles | None:
    """The files that make a model, or None when one of them is missing."""
    model, tokenizer = _model(folder), _first(folder, TOKENIZER_NAME)
    return ModelFiles(model, tokenizer) if model and tokenizer else None


def missing(folder: Path) -> str | None:
    """The name of a file that `find` misses."""
    if _model(folder) is None:
        return MODEL_NAMES[0]
    return None if _first(folder, TOKENIZER_NAME) else TOKENIZER_NAME


def max_length(folder: Path) -> int:
    said = _facts(folder, "tokenizer_config.json").get("model_max_length")
    return said if isinstance(said, int) and said in _SANE_LENGTHS else _LENGTH


def prompts(folder: Path) -> Prompts | None:
    said = _facts(folder, "config_sentence_transformers.json").get("prompts")
    if not isinstance(said, dict) or not said:
        return None
    query, passage = said.get("query"), said.get("document") or said.get("passage")
    return Prompts(query if isinstance(query, str) else "", passage if isinstance(passage, str) else "")


def names(folder: Path) -> str:
    """What the folder is called, and what the model in it calls itself."""
    return f"{folder.absolute().name} {_facts(folder, 'config.json').get('_name_or_path', '')}"


def labels(folder: Path) -> dict[int, str]:
    """What the classes of a classifier mean, by their place; empty when it does not say."""
    said = _facts(folder, "config.json").get("id2label")
    pairs = said.items() if isinstance(said, dict) else ()
    return {int(place): label for place, label in pairs if place.isdecimal() and isinstance(label, str)}


def takes_first_token(folder: Path) -> bool:
    """Whether a text stands for its first token instead of the mean of all. Raises ModelInvalid for any other way."""
    modes = _facts(folder, "1_Pooling/config.json")
    chosen = {name.removeprefix("pooling_mode_") for name, on in modes.items() if on is True and "pooling_mode" in name}
    if chosen - {"mean_tokens", "cls_token"} or len(chosen) > 1:
        raise ModelInvalid(
            f"the model in {folder} pools by {', '.join(sorted(chosen))}; kebab can take the mean or the first token",
            hint="choose another model, or remove 1_Pooling/config.json to take the mean",
            path=str(folder),
        )
    return chosen == {"cls_token"}


def _model(folder: Path) -> Path | None:
    return next((path for name in MODEL_NAMES if (path := _first(folder, name))), None)


def _first(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / "onnx" / name) if path.is_file()), None)


def _facts(folder: Path, name: str) -> dict[str, _Json]:
    """An optional JSON file of the folder or of its subfolder `onnx`; empty when there is none."""
    if (path := _first(folder, name)) is None:
        return {}
    try:
        facts: _Json = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        cause = getattr(error, "strerror", None) or "not JSON"
        raise ModelInvalid(
            f"cannot read {path}: {cause}", hint="remove the file or put a good one there", path=str(path)
        ) from error
    return facts if isinstance(facts, dict) else {}
