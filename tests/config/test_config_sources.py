"""Named sources: their tables, what they inherit and what they must not share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kebab.config import load
from kebab.core.asset import Source, SourceType, TrustLevel
from kebab.core.errors import ConfigInvalid

Write = Callable[[str], Path]
Env = dict[str, str]
HEAD = 'schema_version = 1\n[workspace]\nroot = "/w"\ninclude = ["*.md"]\n'


def source(text: str) -> str:
    return f"[[workspace.sources]]\n{text}\n"


def test_sources_inherit_patterns(env: Env, write: Write) -> None:
    path = write(
        HEAD
        + source('id = "papers"\nroot = "../p"\ntrust_level = "secondary"\nsource_type = "paper"')
        + source("id = 'wiki_2'\nroot = '~/wiki'\ninclude = ['*.txt']\nexclude = []")
    )
    config = load(env=env)
    papers = Source(
        "papers",
        path.parent.parent / "p",
        ("*.md",),
        config.workspace.exclude,
        TrustLevel.SECONDARY,
        SourceType.PAPER,
    )
    wiki = Source("wiki_2", Path(env["HOME"]) / "wiki", ("*.txt",), ())
    assert config.workspace.sources == (papers, wiki)
    assert [each.source_id for each in config.sources()] == ["default", "papers", "wiki_2"]
    assert config.warnings == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (source('root = "/a"'), 5, "workspace.sources[0] needs a key id"),
        (source('id = "a"'), 5, "workspace.sources[0] needs a key root"),
        (
            source('root = "/a"\nid = "A b"'),
            7,
            "workspace.sources[0].id must be 1 to 32 of a-z, 0-9, _ and -, not 'A b'",
        ),
        (source('root = "/a"\nid = "default"'), 7, "workspace.sources[0].id cannot be default"),
        (
            source('root = "/a"\nid = "a"') + source('id = "a"\nroot = "/b"'),
            9,
            "workspace.sources[1].id is used twice: a",
        ),
        (source('id = "a"\nroot = "/x/../w/"'), 7, "workspace.sources[0].root is the folder of source default already"),
        (source('id = "a"\nroot = 3'), 7, "workspace.sources[0].root must be a path, not 3"),
        (source('id = "a"\nroot = "$GONE"'), 7, "workspace.sources[0].root names no usable path"),
        (
            source('id = "a"\nroot = "/a"\ntrust_level = "high"'),
            8,
            'workspace.sources[0].trust_level must be one of primary, secondary, generated, not "high"',
        ),
        ('sources = ["a"]\n', 5, 'workspace.sources must be a list of tables, not ["a"]'),
        ('sources = [{id = "a"}]\n', 5, "workspace.sources[0] needs a key root"),
    ],
)
def test_wrong_sources_are_refused(env: Env, write: Write, text: str, line: int, message: str) -> None:
    write(HEAD + text)
    with pytest.raises(ConfigInvalid) as caught:
        load(env=env)
    assert caught.value.message.startswith(f"config.toml:{line}: {message}")


def test_unknown_keys_are_warned_about_and_nested_roots_are_fine(env: Env, write: Write) -> None:
    write(HEAD + source('id = "a"\nroot = "/w/a"\ntrust = "primary"'))
    assert load(env=env).warnings == (
        "unknown key workspace.sources[0].trust (line 8); did you mean workspace.sources[0].trust_level?",
    )


def test_a_link_to_the_same_folder_is_the_same_folder(env: Env, write: Write, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "link").symlink_to("notes")
    write('[workspace]\nroot = "~/notes"\n' + source('id = "a"\nroot = "~/link"'))
    with pytest.raises(ConfigInvalid, match="is the folder of source default already"):
        load(env=env)


def test_sources_in_a_variable(env: Env) -> None:
    env["KEBAB_WORKSPACE_SOURCES"] = '[{"id": "a", "root": "/a"}]'
    assert [each.root for each in load(env=env).workspace.sources] == [Path("/a")]
    env["KEBAB_WORKSPACE_SOURCES"] = "/a"
    with pytest.raises(ConfigInvalid, match=r"workspace.sources must be a list of tables"):
        load(env=env)
