"""From file, environment and flags to one `Config`. Reads at most one file and writes none."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from kebab.config.file import ConfigFile, read_file
from kebab.config.layers import default_layer, env_layer, file_layer, flag_layer, schema_version
from kebab.config.origin import Layer, Origin, Origins
from kebab.config.schema import KEYS, ORDERED, RESERVED_PATHS, SCHEMA_VERSION
from kebab.config.sections import Config, Logging, Storage, Workspace
from kebab.config.sources import read_sources
from kebab.core.answering import LlmSettings, RagSettings
from kebab.core.asset import DEFAULT_SOURCE, Source
from kebab.core.chunk import ChunkPolicy
from kebab.core.embedding import EmbeddingSettings
from kebab.core.errors import ConfigInvalid, ConfigNotFound
from kebab.core.query import SearchSettings
from kebab.core.reading_settings import CaptionSettings, OcrSettings, PdfOcrSettings, SpeechSettings
from kebab.locations import Environment, absolute, cache_dir, config_file, expand, state_dir


def load(flags: Mapping[str, object] | None = None, *, path: Path | None = None, env: Environment) -> Config:
    """Defaults < file < `KEBAB_<SECTION>_<KEY>` < flags (dotted key to value). Raises ConfigInvalid, ConfigNotFound."""
    place = _named_place(path, env)
    if place is None:
        place = _default_place(env)
        file = read_file(place) if place is not None else None
    elif (file := read_file(place)) is None:
        raise ConfigNotFound(f"there is no config file {place}", hint=_init_hint(place), path=str(place))
    return resolve(file, place, env, flags or {})


def config_path(path: Path | None, env: Environment) -> Path:
    """The file that `load` reads and `kebab init` writes: the named one, else KEBAB_CONFIG, else the XDG place."""
    return _named_place(path, env) or config_file(env)


def resolve(file: ConfigFile | None, place: Path | None, env: Environment, flags: Mapping[str, object]) -> Config:
    """`load` without the reading."""
    # First, as a newer file may hold values that would be called wrong here.
    version = SCHEMA_VERSION if file is None else schema_version(file)
    layer, warnings = _merged(file, env, flags)
    values = _with_paths(layer, env)
    values["workspace.sources"], odd = _sources(values, layer, env)
    return Config(
        workspace=Workspace(**_section(Workspace, "workspace", values)),
        storage=Storage(**_section(Storage, "storage", values)),
        chunking=ChunkPolicy(**_section(ChunkPolicy, "chunking", values)),
        chunker_version=values["chunking.chunker_version"],
        search=SearchSettings(**_section(SearchSettings, "search", values)),
        embedding=EmbeddingSettings(*(values[f"models.embedding.{name}"] for name in EmbeddingSettings._fields)),
        llm=LlmSettings(*(values[f"models.llm.{name}"] for name in LlmSettings._fields)),
        rag=RagSettings(*(values[f"rag.{name}"] for name in RagSettings._fields)),
        image_ocr=OcrSettings(*(values[f"ingest.image.ocr.{name}"] for name in OcrSettings._fields)),
        pdf_ocr=PdfOcrSettings(*(values[f"ingest.pdf.ocr.{name}"] for name in PdfOcrSettings._fields)),
        caption=CaptionSettings(*(values[f"ingest.image.caption.{name}"] for name in CaptionSettings._fields)),
        speech=SpeechSettings(*(values[f"ingest.speech.{name}"] for name in SpeechSettings._fields)),
        logging=Logging(values["logging.level"], values["logging.keep_days"], _log_dir(env)),
        reserved={path: value for path, value in values.items() if path in RESERVED_PATHS},
        origins=Origins(layer),
        warnings=(*warnings, *odd),
        file=place,
        file_exists=file is not None,
        cache_dir=_cache_dir(env),
        schema_version=version,
    )


def _named_place(path: Path | None, env: Environment) -> Path | None:
    if path is not None:
        return absolute(path)
    if not env.get("KEBAB_CONFIG"):
        return None
    return _read_path(env["KEBAB_CONFIG"], Origin("KEBAB_CONFIG", "flag"), env, None)


def _default_place(env: Environment) -> Path | None:
    try:
        return config_file(env)
    except ConfigInvalid:
        # Without a home folder there is no default file, but variables and flags may still name every path.
        return None


def _log_dir(env: Environment) -> Path | None:
    try:
        return state_dir(env) / "logs"
    except ConfigInvalid:
        return None


def _cache_dir(env: Environment) -> Path | None:
    try:
        return cache_dir(env)
    except ConfigInvalid:
        return None


def _init_hint(place: Path) -> str:
    import shlex

    return f"kebab init --config {shlex.quote(str(place))}"


def _merged(file: ConfigFile | None, env: Environment, flags: Mapping[str, object]) -> tuple[Layer, list[str]]:
    warnings: list[str] = []
    layer = default_layer()
    if file is not None:
        layer |= file_layer(file, warnings)
    layer |= env_layer(env, file, warnings) | flag_layer(flags)
    _check_order(layer)
    return layer, warnings


def _check_order(layer: Layer) -> None:
    for small, relation, large in ORDERED:
        (low, low_origin), (high, high_origin) = layer[small], layer[large]
        assert isinstance(low, int)
        assert isinstance(high, int)
        if low < high or (low == high and relation == "up to"):
            continue
        if low_origin.giver == "default":
            bound = "at least" if relation == "up to" else "more than"
            raise high_origin.refuse(f"must be {bound} {small} ({low}), not {high}")
        bound = "at most" if relation == "up to" else "less than"
        raise low_origin.refuse(f"must be {bound} {large} ({high}), not {low}")


def _with_paths(layer: Layer, env: Environment) -> dict[str, Any]:
    values: dict[str, Any] = {path: value for path, (value, _) in layer.items()}
    names: dict[str, str] = {}
    for key in KEYS:
        if key.kind == "path":
            value, origin = layer[key.path]
            values[key.path] = _read_path(value, origin, env, names if key.section == "storage" else None)
            if key.path == "storage.data_dir":
                names = {"data_dir": str(values[key.path])}
    return values


def _read_path(value: object, origin: Origin, env: Environment, names: Mapping[str, str] | None) -> Path:
    if isinstance(value, Path):
        return absolute(value, origin.base)
    try:
        return expand(str(value), env, base=origin.base, names=names)
    except ConfigInvalid as error:
        raise origin.refuse(f"names no usable path: {error.message}", hint=error.hint) from error


def _sources(values: dict[str, Any], layer: Layer, env: Environment) -> tuple[tuple[Source, ...], list[str]]:
    default = Source(DEFAULT_SOURCE, *(values[f"workspace.{name}"] for name in ("root", "include", "exclude")))
    origin = layer["workspace.sources"][1]
    return read_sources(
        values["workspace.sources"], origin, default, lambda value, here: _read_path(value, here, env, None)
    )


def _section(shape: type, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: values[f"{name}.{field.name}"] for field in fields(shape)}
