"""Which giver wins, which file is read, and what the sections hold."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from kebab import locations
from kebab.config import Config, Logging, Storage, Workspace, config_path, describe, get_value, load
from kebab.config.schema import BY_VARIABLE, CONTROL_VARIABLES, KEYS, RESERVED, SECTIONS
from kebab.config.sections import FIELD_OF_SECTION
from kebab.core.answering import LlmSettings, RagSettings
from kebab.core.asset import Source
from kebab.core.chunk import ChunkPolicy
from kebab.core.embedding import EmbeddingSettings
from kebab.core.errors import ConfigInvalid, ConfigNotFound, InvalidInput
from kebab.core.query import SearchSettings
from kebab.core.reading_settings import CaptionSettings, OcrSettings, PdfOcrSettings, SpeechSettings

Write = Callable[[str], Path]
Env = dict[str, str]


def test_defaults_without_a_file(env: Env, tmp_path: Path) -> None:
    config = load(env=env)
    assert config.workspace.root == tmp_path / "KnowledgeBase"
    assert config.storage.sqlite == tmp_path / ".local/share/kebab/kebab.sqlite"
    assert config.storage.lock == tmp_path / ".local/share/kebab/kebab.sqlite.lock"
    assert config.logging == Logging("info", 30, tmp_path / ".local/state/kebab/logs")
    assert config.chunking == ChunkPolicy()
    assert config.search == SearchSettings()
    assert config.chunker_version == "md-heading-v2"
    assert config.file == tmp_path / ".config/kebab/config.toml"
    assert not config.file_exists
    assert not config.pending_migration
    assert config.warnings == ()
    assert set(config.origins.values()) == {"default"}


def test_flags_win_over_variables_over_the_file_over_defaults(env: Env, write: Write) -> None:
    write("schema_version = 1\n[search]\ndefault_k = 1\nsnippet_chars = 100\nstale_threshold_days = 7\n")
    env |= {"KEBAB_SEARCH_DEFAULT_K": "2", "KEBAB_SEARCH_SNIPPET_CHARS": "200"}
    config = load({"search.default_k": 3, "logging.level": None}, env=env)
    assert config.search == SearchSettings(3, 200, 7)
    assert config.origins["search.default_k"] == "flag"
    assert config.origins["search.snippet_chars"] == "env:KEBAB_SEARCH_SNIPPET_CHARS"
    assert config.origins["search.stale_threshold_days"] == "file:5"
    assert config.origins["logging.level"] == "default"


def test_a_named_file_wins_over_the_variable_over_the_usual_place(env: Env, write: Write, tmp_path: Path) -> None:
    write("[search]\ndefault_k = 1\n")
    for name, number in (("two", 2), ("three", 3)):
        (tmp_path / f"{name}.toml").write_text(f"[search]\ndefault_k = {number}\n")
    assert load(env=env).search.default_k == 1
    env["KEBAB_CONFIG"] = "~/two.toml"
    assert load(env=env).search.default_k == 2
    named = tmp_path / "three.toml"
    config = load(path=named, env=env)
    assert (config.search.default_k, config.file, config.file_exists) == (3, named, True)
    assert config_path(named, env) == named
    assert config_path(None, env) == tmp_path / "two.toml"


def test_a_named_file_must_be_there(env: Env, tmp_path: Path) -> None:
    missing = tmp_path / "my config.toml"
    with pytest.raises(ConfigNotFound) as caught:
        load(path=missing, env=env)
    assert caught.value.hint == f"kebab init --config '{missing}'"
    with pytest.raises(ConfigNotFound):
        load(env=env | {"KEBAB_CONFIG": str(missing)})
    with pytest.raises(ConfigInvalid, match="KEBAB_CONFIG names no usable path"):
        load(env=env | {"KEBAB_CONFIG": "$GONE/a.toml"})


def test_relative_paths_start_at_their_giver(
    env: Env, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    path = write('[workspace]\nroot = "notes"\n[storage]\ndata_dir = "../data"\n')
    config = load(env=env)
    assert config.workspace.root == path.parent / "notes"
    assert config.storage.data_dir == path.parent.parent / "data"
    assert config.storage.sqlite == path.parent.parent / "data/kebab.sqlite"
    assert load(env=env | {"KEBAB_WORKSPACE_ROOT": "notes"}).workspace.root == here / "notes"
    assert load({"workspace.root": "notes"}, env=env).workspace.root == here / "notes"
    assert load({"workspace.root": Path("$x/~")}, env=env).workspace.root == here / "$x/~"


def test_data_dir_is_filled_in_wherever_it_comes_from(env: Env, write: Write) -> None:
    write('[storage]\ndata_dir = "/file"\nasset_dir = "{data_dir}/originals"\n')
    assert load(env=env).storage == Storage(
        Path("/file"),
        Path("/file/kebab.sqlite"),
        Path("/file/originals"),
        Path("/file/vectors"),
        Path("/file/models"),
        Path("/file/runs"),
        "scan",
        copy_threshold_mb=0,
        cache_mb=512,
    )
    config = load({"storage.data_dir": "/flag"}, env=env)
    assert config.storage.asset_dir == Path("/flag/originals")


@pytest.mark.parametrize("value", ["{datadir}/x", "{data_dir}/$GONE"])
def test_a_path_that_cannot_be_filled_in_names_its_place(env: Env, write: Write, value: str) -> None:
    write(f'[storage]\n\nsqlite = "{value}"\n')
    with pytest.raises(ConfigInvalid, match=r"^config.toml:3: storage.sqlite names no usable path: "):
        load(env=env)


def test_without_a_home_every_path_can_still_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locations, "_account_home", lambda: "")
    with pytest.raises(ConfigInvalid, match=r"workspace.root names no usable path: the home folder is not known"):
        load(env={})
    config = load(env={"KEBAB_WORKSPACE_ROOT": "/w", "XDG_DATA_HOME": "/d"})
    assert (config.workspace.root, config.storage.data_dir) == (Path("/w"), Path("/d/kebab"))
    assert (config.file, config.logging.dir) == (None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*.md, *.txt", ("*.md", "*.txt")),
        ('["a,b.md"]', ("a,b.md",)),
        ("[ab]*.md", ("[ab]*.md",)),
        ("[]", ()),
    ],
)
def test_lists_in_variables(env: Env, text: str, expected: tuple[str, ...]) -> None:
    assert load(env=env | {"KEBAB_WORKSPACE_INCLUDE": text}).workspace.include == expected


@pytest.mark.parametrize(("text", "expected"), [("false", False), ("0", False), ("Off", False), ("yes", True)])
def test_flags_in_variables(env: Env, text: str, expected: bool) -> None:
    assert load(env=env | {"KEBAB_WORKSPACE_FOLLOW_SYMLINKS": text}).workspace.follow_symlinks is expected


def test_variables_that_are_empty_unknown_or_for_control(env: Env, write: Write) -> None:
    write('schema_version = 1\n[workspace]\nroot = "${KEBAB_NOTES}"\n')
    env |= {name: "x" for name in CONTROL_VARIABLES if name != "KEBAB_CONFIG"}
    env |= {"KEBAB_NOTES": "/notes", "KEBAB_SEARCH_DEFAULT_K": "", "KEBAB_SERCH_DEFAULT_K": "3", "KEBAB_Q": "1"}
    config = load(env=env)
    assert config.workspace.root == Path("/notes")
    assert config.search.default_k == 10
    assert config.warnings == (
        "unknown variable KEBAB_Q; it is ignored",
        "unknown variable KEBAB_SERCH_DEFAULT_K; did you mean KEBAB_SEARCH_DEFAULT_K?",
    )


def test_wrong_variables_and_flags_name_themselves(env: Env) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        load(env=env | {"KEBAB_CHUNKING_MAX_CHUNK_TOKENS": "many"})
    assert caught.value.message == (
        "KEBAB_CHUNKING_MAX_CHUNK_TOKENS: chunking.max_chunk_tokens "
        'must be a whole number from 20 to 100000, not "many"'
    )
    assert caught.value.hint == "change or unset KEBAB_CHUNKING_MAX_CHUNK_TOKENS"
    with pytest.raises(ConfigInvalid, match=r"^search.default_k must be a whole number from 1 to 1000, not 0$"):
        load({"search.default_k": 0}, env=env)
    with pytest.raises(InvalidInput, match=r"^unknown key search.k$"):
        load({"search.k": 3}, env=env)


def test_text_flags_are_read_as_the_key_wants(env: Env) -> None:
    config = load({"search.default_k": "7", "workspace.include": ["*.md"], "logging.level": "DEBUG"}, env=env)
    assert (config.search.default_k, config.workspace.include, config.logging.level) == (7, ("*.md",), "debug")


def test_settings_show_values_origins_and_meaning(env: Env, write: Write) -> None:
    write("schema_version = 1\n[indexing]\nmax_parallel_extractors = 70\n")
    config = load({"search.default_k": 5}, env=env)
    settings = {setting.key: setting for setting in describe(config)}
    assert [key for key in settings if not settings[key].reserved] == [key.path for key in KEYS]
    assert (settings["search.default_k"].value, settings["search.default_k"].origin) == (5, "flag")
    reserved = settings["indexing.max_parallel_extractors"]
    assert (reserved.value, reserved.origin, reserved.reserved) == (70, "file:3", True)
    assert get_value(config, "chunking.chunker_version") == "md-heading-v2"
    assert get_value(config, "indexing.max_parallel_extractors") == 70
    assert get_value(config, "models.embedding.dimensions") == 512
    with pytest.raises(InvalidInput, match=r"indexing.watch_filesystem is not set"):
        get_value(config, "indexing.watch_filesystem")
    with pytest.raises(InvalidInput, match=r"did you mean logging.level"):
        get_value(config, "loging.level")


def test_the_table_and_the_sections_agree() -> None:
    shapes = {"workspace": Workspace, "storage": Storage, "search": SearchSettings}
    for section, shape in shapes.items():
        assert [key.name for key in KEYS if key.section == section] == [field.name for field in fields(shape)]
    assert [key.name for key in KEYS if key.section == "logging"] == ["level", "keep_days"]
    chunking = [key.name for key in KEYS if key.section == "chunking"]
    assert chunking == [*(field.name for field in fields(ChunkPolicy)), "chunker_version"]
    assert [key.name for key in KEYS if key.section == "models.embedding"] == list(EmbeddingSettings._fields)
    assert [key.name for key in KEYS if key.section == "models.llm"] == list(LlmSettings._fields)
    assert [key.name for key in KEYS if key.section == "rag"] == list(RagSettings._fields)
    assert len(BY_VARIABLE) == len(KEYS) + len(RESERVED)
    assert {key.section for key in KEYS} <= set(SECTIONS)
    held = {FIELD_OF_SECTION.get(key.section, key.section) for key in KEYS}
    assert held <= {field.name for field in fields(Config)}
    for section, shape in (
        ("ingest.pdf.ocr", PdfOcrSettings),
        ("ingest.image.ocr", OcrSettings),
        ("ingest.image.caption", CaptionSettings),
        ("ingest.speech", SpeechSettings),
    ):
        assert [key.name for key in KEYS if key.section == section] == list(shape._fields)


def test_the_default_source_comes_first(env: Env, tmp_path: Path) -> None:
    config = load({"workspace.root": "/w", "workspace.include": ["a"], "workspace.exclude": ["b"]}, env=env)
    assert config.sources() == (Source("default", Path("/w"), ("a",), ("b",)),)


def test_reading_settings_loads_no_toml_library_before_there_is_a_file() -> None:
    code = (
        "import sys, kebab.config as c; c.load(env={'HOME': '/nowhere'}); "
        "sys.exit(str({'tomllib', 'tomlkit', 'tempfile'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
