"""What a file may say, and how it is told what is wrong with it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab.config import load
from kebab.config.lines import line_numbers
from kebab.core.errors import ConfigInvalid, IoFailure

Write = Callable[[str], Path]
Env = dict[str, str]

DESIGN = """schema_version = 1

[workspace]
root    = "~/KnowledgeBase"
include = ["**/*.md"]
exclude = [".git/**", "node_modules/**", ".obsidian/**"]

[storage]
data_dir          = "${XDG_DATA_HOME:-~/.local/share}/kebab"
sqlite            = "{data_dir}/kebab.sqlite"
vector_dir        = "{data_dir}/lancedb"
asset_dir         = "{data_dir}/assets"
artifact_dir      = "{data_dir}/artifacts"
model_dir         = "{data_dir}/models"
runs_dir          = "{data_dir}/runs"
copy_threshold_mb = 100

[indexing]
max_parallel_extractors = 2
max_parallel_embeddings = 1
watch_filesystem        = false

[chunking]
target_tokens             = 500
overlap_tokens            = 80
respect_markdown_headings = true
chunker_version           = "md-heading-v1"

[models.embedding]
provider   = "fastembed"
model      = "multilingual-e5-large"
version    = "v1"
dimensions = 1024
batch_size = 64

[models.llm]
provider       = "ollama"
model          = "qwen2.5:14b-instruct"
context_tokens = 32768
endpoint       = "http://127.0.0.1:11434"
temperature    = 0.0
seed           = 0

[search]
default_k     = 10
hybrid_fusion = "rrf"
rrf_k         = 60
snippet_chars = 220

[rag]
prompt_template_version = "rag-v2"          # default. "rag-v1" 명시 시 legacy.
score_gate              = 0.30
explain_default         = false
max_context_tokens      = 8000
"""


def test_the_file_of_the_design_loads_without_a_word(env: Env, write: Write) -> None:
    write(DESIGN)
    config = load(env=env)
    assert config.warnings == ()
    assert not config.pending_migration
    assert config.workspace.include == ("**/*.md",)
    assert config.storage.copy_threshold_mb == 100
    assert config.chunker_version == "md-heading-v2"
    assert (config.llm.provider, config.llm.model) == ("ollama", "qwen2.5:14b-instruct")
    assert config.rag.prompt_template_version == "rag-v2"
    assert config.storage.vector_dir == config.storage.data_dir / "lancedb"
    assert config.embedding.identity() == ("fastembed", "multilingual-e5-large", "v1", 1024)
    assert config.search.hybrid_fusion == "rrf"
    assert len(config.reserved) == 4


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            '\n[search]\n# ten\ndefault_k = "ten"\n',
            4,
            'search.default_k must be a whole number from 1 to 1000, not "ten"',
        ),
        ("[search]\ndefault_k = true\n", 2, "search.default_k must be a whole number from 1 to 1000, not true"),
        ("[search]\ndefault_k = 1001\n", 2, "search.default_k must be a whole number from 1 to 1000, not 1001"),
        ("[search]\ndefault_k = 10.0\n", 2, "search.default_k must be a whole number from 1 to 1000, not 10.0"),
        (
            f"[search]\ndefault_k = 0x{'f' * 5000}\n",
            2,
            "search.default_k must be a whole number from 1 to 1000, not a ",
        ),
        ("search.default_k = []\n", 1, "search.default_k must be a whole number from 1 to 1000, not []"),
        ("\nsearch = { snippet_chars = 30, default_k = 0 }\n", 2, "search.default_k must be a whole number"),
        ("[search.default_k]\n", 1, "search.default_k must be a whole number from 1 to 1000, not a table"),
        ("[workspace]\nfollow_symlinks = 1\n", 2, "workspace.follow_symlinks must be true or false, not 1"),
        ("[workspace]\ninclude = [\n  'a',\n  1,\n]\n", 2, 'workspace.include must be a list of texts, not ["a", 1]'),
        ("[workspace]\ninclude = 'a'\n", 2, 'workspace.include must be a list of texts, not "a"'),
        ("[workspace]\nroot = ' '\n", 2, "workspace.root must be a path, not empty text"),
        ("[logging]\nlevel = 'loud'\n", 2, 'logging.level must be one of debug, info, warning, error, not "loud"'),
        (
            "[chunking]\nchunker_version = 'md-heading-v9'\n",
            2,
            'chunking.chunker_version must be "md-heading-v2", not "md-heading-v9"',
        ),
        ("[logging]\nlevel = 2020-01-01\n", 2, "logging.level must be one of debug, info, warning, error, not a date"),
        ("[models.llm]\ntemperature = 'warm'\n", 2, 'models.llm.temperature must be a number from 0 to 2, not "warm"'),
        ("[rag]\nscore_gate = nan\n", 2, "rag.score_gate must be a number from 0 to 1, not nan"),
        ("\nsearch = 3\n", 2, "search must be a table, written [search]"),
        ("\nmodels = 3\n", 2, "models must be a table, written [models]"),
        (
            "[chunking]\ntarget_tokens = 100\noverlap_tokens = 100\n",
            3,
            "chunking.overlap_tokens must be less than chunking.target_tokens (100), not 100",
        ),
        (
            "[chunking]\ntarget_tokens = 60\n",
            2,
            "chunking.target_tokens must be more than chunking.overlap_tokens (80), not 60",
        ),
        (
            "[chunking]\nmax_chunk_tokens = 499\n",
            2,
            "chunking.max_chunk_tokens must be at least chunking.target_tokens (500), not 499",
        ),
        ("schema_version = 'one'\n", 1, "schema_version must be a whole number"),
        ("schema_version = 2\n", 1, "schema_version is 2, made for a newer kebab (this one knows 1)"),
        ("schema_version = 2\n[search]\ndefault_k = 'all'\n", 1, "schema_version is 2, made for a newer kebab"),
    ],
)
def test_wrong_values_are_refused_with_their_line(env: Env, write: Write, text: str, line: int, message: str) -> None:
    path = write(text)
    with pytest.raises(ConfigInvalid) as caught:
        load(env=env)
    error = caught.value
    assert error.message.startswith(f"config.toml:{line}: {message}")
    assert (error.details["path"], error.details["line"]) == (str(path), line)
    assert error.details["key"] in error.message
    assert str(error.details["cause"]) in error.message
    assert error.hint


def test_a_broken_file_is_refused_even_if_a_variable_overrides_it(env: Env, write: Write) -> None:
    write("[search]\ndefault_k = 0\n")
    with pytest.raises(ConfigInvalid):
        load(env=env | {"KEBAB_SEARCH_DEFAULT_K": "3"})


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb = \n", 2), ("a = 1\n\n[x\n", 3), ('a = "x', 1), ("a = 1\na = 2\n", 2), (f"a = {'[' * 5000}", None)],
)
def test_syntax_errors_have_a_line(env: Env, write: Write, text: str, line: int | None) -> None:
    write(text)
    with pytest.raises(ConfigInvalid, match="not a usable TOML file") as caught:
        load(env=env)
    assert caught.value.details["line"] == line


@pytest.mark.parametrize(
    ("raw", "cause"),
    [
        (b"a = 1\nb = '\xff'\n", "not UTF-8"),
        (b"a = 1\n\0\n", "config.toml:2: not a usable TOML file"),
        (b"#" * 1_000_001, "larger than 1 MB"),
    ],
)
def test_bytes_that_are_no_config(env: Env, write: Write, raw: bytes, cause: str) -> None:
    write("").write_bytes(raw)
    with pytest.raises(ConfigInvalid, match=cause):
        load(env=env)


def test_a_folder_or_a_closed_file_cannot_be_read(env: Env, write: Write) -> None:
    path = write("")
    with pytest.raises(IoFailure, match="cannot read"):
        load(path=path.parent, env=env)
    path.chmod(0)
    if not os.access(path, os.R_OK):
        with pytest.raises(IoFailure, match="cannot read"):
            load(env=env)


def test_a_byte_order_mark_and_windows_lines(env: Env, write: Write) -> None:
    write("").write_bytes(b"\xef\xbb\xbfschema_version = 1\r\n\r\n[search]\r\ndefault_k = 4\r\n")
    config = load(env=env)
    assert (config.search.default_k, config.origins["search.default_k"]) == (4, "file:4")


def test_unknown_names_are_warned_about(env: Env, write: Write) -> None:
    write(
        "schema_version = 1\ndefault_k = 3\n[search]\ndefualt_k = 3\n[serach]\ndefault_k = 1\n"
        '[models.zebra]\nx = 1\n[logging]\n"a\\u001b" = 1\n'
    )
    assert load(env=env).warnings == (
        "unknown key default_k (line 2); did you mean search.default_k?",
        "unknown key search.defualt_k (line 4); did you mean search.default_k?",
        "unknown section serach (line 5); did you mean search?",
        "unknown section models.zebra (line 7); it is ignored",
        "unknown key 'logging.a\\x1b' (line 9); it is ignored",
    )


def test_the_file_of_another_program_is_not_listed_whole(env: Env, write: Write) -> None:
    path = write("schema_version = 1\n" + "".join(f"zz{number} = 1\n" for number in range(5000)))
    warnings = load(env=env).warnings
    assert len(warnings) == 11
    assert warnings[-1] == f"4990 more unknown names; is {path} a config of kebab?"


def test_a_file_without_a_version_works_and_waits_for_migration(env: Env, write: Write) -> None:
    write("[search]\ndefault_k = 4\n")
    config = load(env=env)
    assert (config.search.default_k, config.schema_version, config.pending_migration) == (4, 0, True)


def test_lines_of_keys() -> None:
    text = '''a = """
[not.a.table]
b = 1
"""
c.d = [ # ]
  "]", """
x = 1
""",
  '[[y]]',
]
 [ "t" . u ]  # [v]
k = "#" # "
l = \'\'\'
m = 1\'\'\'
"q r" = 1
[[s.t]]
id = 1
[[s.t]]
id = 2
[s.t.sub]
z = { w = 1 }
'''
    assert line_numbers(text) == {
        "a": 1,
        "c.d": 5,
        "t.u": 11,
        "t.u.k": 12,
        "t.u.l": 13,
        "t.u.q r": 15,
        "s.t[0]": 16,
        "s.t[0].id": 17,
        "s.t[1]": 18,
        "s.t[1].id": 19,
        "s.t.sub": 20,
        "s.t.sub.z": 21,
    }
