"""A new file says what would hold without it."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from kebab.config import load, render_template
from kebab.config.schema import KEYS

Write = Callable[[str], Path]
Env = dict[str, str]


@pytest.mark.parametrize("profile", ["builtin", "full"])
def test_the_template_changes_nothing_but_models(env: Env, write: Write, profile: Literal["builtin", "full"]) -> None:
    before = load(env=env)
    write(render_template(profile))
    after = load(env=env)
    assert after.warnings == ()
    assert not after.pending_migration
    assert all(origin.startswith("file:") or key == "workspace.sources" for key, origin in after.origins.items())
    embedding = ("fastembed", "multilingual-e5-large", "v1", 1024) if profile == "full" else before.embedding.identity()
    assert after.embedding.identity() == embedding
    assert (after.llm.provider == "ollama") == (profile == "full")
    same = replace(after, origins={}, reserved={}, file_exists=False, embedding=before.embedding, llm=before.llm)
    assert same == replace(before, origins={})


def test_every_key_has_a_comment_line_before_it() -> None:
    lines = render_template("full").split("\n")
    keys = [number for number, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    assert len(keys) == 1 + len(KEYS) - 1
    assert all(lines[number - 1].startswith("# ") for number in keys)
    assert max(map(len, lines)) <= 120


def test_reserved_keys_are_in_neither_profile(env: Env, write: Write) -> None:
    for profile in ("builtin", "full"):
        write(render_template(profile))
        assert load(env=env).reserved == {}


def test_the_example_of_a_source_works_when_uncommented(env: Env, write: Write) -> None:
    head, mark, rest = render_template().partition("# [[workspace.sources]]\n")
    example, blank, tail = rest.partition("\n\n")
    write(head + mark[2:] + example.replace("# ", "", 1).replace("\n# ", "\n") + blank + tail)
    config = load(env=env)
    assert config.warnings == ()
    assert [source.source_id for source in config.workspace.sources] == ["papers"]
