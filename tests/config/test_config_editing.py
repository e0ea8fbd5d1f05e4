"""`set_value` and `migrate` change what they say and leave the rest as it was written."""

import os
import stat
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kebab.config import load, migrate, render_template, set_value, write_config
from kebab.core.errors import ConfigInvalid, ConfigNotFound, InvalidInput, IoFailure

Write = Callable[[str], Path]
Env = dict[str, str]

OWN = """# my settings

[search]  # finding
default_k = 10   # ten

# where things are
[storage]
data_dir = "/d"
"""


def test_set_replaces_a_value_and_keeps_comments(env: Env, write: Write) -> None:
    path = write(OWN)
    change = set_value(path, "search.default_k", "25", env=env)
    assert (change.key, change.old, change.new, change.changed) == ("search.default_k", 10, 25, True)
    assert path.read_text() == OWN.replace("default_k = 10", "default_k = 25")
    assert not set_value(path, "search.default_k", "25", env=env).changed


def test_set_adds_a_key_at_the_end_of_its_table(env: Env, write: Write) -> None:
    path = write(OWN)
    set_value(path, "search.snippet_chars", "99", env=env)
    added = "# The length of a snippet in characters.\nsnippet_chars = 99\n"
    assert path.read_text() == OWN.replace("# ten\n", "# ten\n" + added)
    set_value(path, "logging.level", "DEBUG", env=env)
    assert path.read_text().endswith(
        'data_dir = "/d"\n\n# The log, kept in the state folder.\n[logging]\n'
        '# How much is logged: debug, info, warning or error.\nlevel = "debug"\n'
    )
    config = load(env=env)
    assert (config.search.snippet_chars, config.logging.level, config.warnings) == (99, "debug", ())


@pytest.mark.parametrize(
    "text",
    [
        "search.default_k = 3\n[storage]\n",
        "search = { default_k = 3 }\n",
        "[search]",
        "[search]\ndefault_k = 3 # no line end",
        "[workspace]\ninclude = [\n  'a', # x\n]\n[[workspace.sources]]\nid = 'a'\nroot = '/a'\n",
        "[[workspace.sources]]\nid = 'a'\nroot = '/a'\n",
        "[models.embedding]\nmodel = 'm'\n[search]\n[models.llm]\nmodel = 'l'\n",
        "",
        "# only a comment",
    ],
)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("search.snippet_chars", 33),
        ("search.default_k", 33),
        ("workspace.max_file_mb", 33),
        ("models.llm.seed", 33),
        ("models.llm.model", "33"),
        ("workspace.include", ["한 글", "b"]),
    ],
)
def test_set_works_in_any_layout(env: Env, write: Write, text: str, key: str, value: object) -> None:
    path = write(text)
    set_value(path, key, ",".join(value) if isinstance(value, list) else str(value), env=env)
    expected = tomllib.loads(text)
    table = expected
    *sections, name = key.split(".")
    for section in sections:
        table = table.setdefault(section, {})
    table[name] = value
    assert tomllib.loads(path.read_text(encoding="utf-8")) == expected


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("search.default_k", "ten", 'search.default_k must be a whole number from 1 to 1000, not "ten"'),
        ("search.defaultk", "1", "unknown key search.defaultk; did you mean search.default_k?"),
        ("schema_version", "1", "unknown key schema_version"),
        ("workspace.sources", "[]", "workspace.sources cannot be set by a command"),
        ("workspace.root", "\udcff", "workspace.root must be UTF-8 text"),
    ],
)
def test_set_refuses_wrong_arguments(env: Env, write: Write, key: str, value: str, message: str) -> None:
    path = write(OWN)
    with pytest.raises(InvalidInput) as caught:
        set_value(path, key, value, env=env)
    assert caught.value.message.startswith(message)
    assert path.read_text() == OWN


@pytest.mark.parametrize(
    ("key", "value"),
    [("chunking.overlap_tokens", "600"), ("storage.sqlite", "{datadir}/x"), ("workspace.root", "$GONE/notes")],
)
def test_set_refuses_what_would_not_load(env: Env, write: Write, key: str, value: str) -> None:
    path = write(OWN)
    with pytest.raises(ConfigInvalid):
        set_value(path, key, value, env=env)
    assert path.read_text() == OWN


def test_set_repairs_a_broken_value_but_not_a_broken_layout(env: Env, write: Write) -> None:
    path = write("[search]\ndefault_k = 'ten'\n")
    set_value(path, "search.default_k", "10", env=env)
    assert load(env=env).search.default_k == 10
    path = write("search = 3\n")
    with pytest.raises(ConfigInvalid, match="search is not a table"):
        set_value(path, "search.default_k", "10", env=env)


def test_set_takes_relative_paths_from_here(
    env: Env, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "he$re"
    here.mkdir()
    monkeypatch.chdir(here)
    path = write(OWN)
    set_value(path, "workspace.root", "notes", env=env)
    assert load(env=env).workspace.root == here / "notes"
    set_value(path, "workspace.root", "./$YEAR", env=env | {"YEAR": "y"})
    assert load(env=env | {"YEAR": "z"}).workspace.root == here / "z"
    set_value(path, "workspace.root", "~/notes", env=env)
    assert 'root = "~/notes"' in path.read_text()


def test_set_ignores_overrides_and_makes_a_private_file(env: Env, tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    set_value(path, "search.default_k", "3", env=env | {"KEBAB_SEARCH_DEFAULT_K": "bad"})
    assert load(path=path, env=env).search.default_k == 3
    assert not load(path=path, env=env).pending_migration
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_writing_keeps_mode_links_and_line_ends(env: Env, write: Write, tmp_path: Path) -> None:
    real = write(OWN.replace("\n", "\r\n"))
    real.chmod(0o640)
    link = tmp_path / "link.toml"
    link.symlink_to(real)
    set_value(link, "search.snippet_chars", "99", env=env)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    raw = real.read_bytes()
    assert b"snippet_chars = 99\r\n" in raw
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert [entry.name for entry in real.parent.iterdir()] == ["config.toml"]


def test_writing_fails_whole(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(OWN)
    with pytest.raises(IoFailure, match="not a regular file"):
        write_config(tmp_path, "")
    with pytest.raises(IoFailure, match="cannot write"):
        write_config(path / "below" / "config.toml", "")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(IoFailure, match="No space left"):
        write_config(path, "x = 1")
    assert path.read_text() == OWN
    assert [entry.name for entry in path.parent.iterdir()] == ["config.toml"]


def test_migrate_adds_what_is_missing_and_changes_no_setting(env: Env, write: Write) -> None:
    path = write(OWN + '[chunking]\nchunker_version = "md-heading-v1" # old\n')
    before = load(env=env)
    done = migrate(path)
    assert (done.from_schema_version, done.to_schema_version, done.changed) == (0, 1, True)
    assert {(change.kind, change.path) for change in done.changes} >= {
        ("added_key", "schema_version"),
        ("added_key", "search.snippet_chars"),
        ("added_section", "workspace"),
        ("removed_deprecated", "chunking.chunker_version"),
    }
    assert done.backup_path == path.with_name("config.toml.bak")
    assert done.backup_path.read_text() == OWN + '[chunking]\nchunker_version = "md-heading-v1" # old\n'
    after = load(env=env)
    assert not after.pending_migration
    assert after.warnings == ()
    assert replace(after, origins={}, schema_version=0) == replace(before, origins={})
    text = path.read_text()
    assert all(line in text for line in OWN.split("\n"))
    assert 'chunker_version = "md-heading-v2" # old' in text
    assert "# The length of a snippet in characters.\nsnippet_chars = 220\n" in text


def test_migrate_twice_changes_nothing(write: Write) -> None:
    path = write(OWN)
    migrate(path)
    text = path.read_text()
    again = migrate(path)
    assert not again.changed
    assert again.backup_path is None
    assert path.read_text() == text


def test_a_new_file_needs_no_migration(write: Write) -> None:
    assert not migrate(write(render_template("full"))).changed


def test_a_dry_run_tells_and_does_nothing(write: Write) -> None:
    path = write(OWN)
    told = migrate(path, dry_run=True)
    assert told.changed
    assert told.backup_path is None
    assert [entry.name for entry in path.parent.iterdir()] == ["config.toml"]
    assert path.read_text() == OWN
    assert migrate(path).changes == told.changes


def test_backups_are_numbered(write: Write) -> None:
    path = write(OWN)
    path.with_name("config.toml.bak").write_text("mine")
    path.chmod(0o600)
    backup = migrate(path).backup_path
    assert backup == path.with_name("config.toml.bak.1")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert path.with_name("config.toml.bak").read_text() == "mine"


@pytest.mark.parametrize("text", ["", "# only a comment", "search.default_k = 3\n", "schema_version = 0\n[search]\n"])
def test_migrate_works_in_any_layout(env: Env, write: Write, text: str) -> None:
    path = write(text)
    before = load(env=env)
    migrate(path)
    after = load(env=env)
    assert replace(after, origins={}, schema_version=0) == replace(before, origins={})
    assert not migrate(path).changed


def test_migrate_refuses_what_it_does_not_understand(write: Write, tmp_path: Path) -> None:
    with pytest.raises(ConfigNotFound):
        migrate(tmp_path / "none.toml")
    with pytest.raises(ConfigInvalid, match="made for a newer kebab"):
        migrate(write("schema_version = 9\n"))
    with pytest.raises(ConfigInvalid, match="search must be a table"):
        migrate(write("search = 1\n"))
