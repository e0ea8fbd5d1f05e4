"""Settings of other programs: one entry is set, and every other byte stays; what cannot be done so is refused."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.app.client_settings import Unfit, document, with_entry
from kebab.core.installation import FileFormat

ENTRY = {"command": "/bin/kebab", "args": ["mcp"]}
KEYS = ("mcpServers", "kebab")
OWN = frozenset({"type", "command", "args", "url"})
JSON, TOML = FileFormat.JSON, FileFormat.TOML


def added(text: str, entry: dict[str, Any] | None = None) -> str:
    return with_entry(text, KEYS, entry or ENTRY, JSON, OWN)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", document(KEYS, ENTRY, JSON).rstrip()),
        (
            '{"a": 1.50, "b": "\\u00e9"}',
            '{"a": 1.50, "b": "\\u00e9", "mcpServers": {"kebab": {"command": "/bin/kebab", "args": ["mcp"]}}}',
        ),
        (
            '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t},\n\t"z": 1e5\n}\n',
            (
                '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n\t\t"kebab": {\n\t\t\t"command": "/bin/kebab",'
                '\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t},\n\t"z": 1e5\n}\n'
            ),
        ),
        (
            '{"mcpServers": {"kebab": {"command": "old", "env": {"A": "1"}}, "b": {}}}',
            '{"mcpServers": {"kebab": {"command": "/bin/kebab", "env": {"A": "1"}, "args": ["mcp"]}, "b": {}}}',
        ),
        (
            '{"mcpServers": {"kebab": {"type": "http", "url": "http://x", "disabled": true}}}',
            '{"mcpServers": {"kebab": {"disabled": true, "command": "/bin/kebab", "args": ["mcp"]}}}',
        ),
    ],
    ids=["empty", "one line", "tabs", "another entry of that name", "another way to reach it"],
)
def test_the_entry_is_set_and_the_rest_stays_as_it_was_written(before: str, after: str) -> None:
    assert added(before) == after
    assert added(after) == after, "a second time there is nothing to do"


def test_windows_line_ends_stay() -> None:
    text = added('{\r\n    "a": 1\r\n}\r\n')
    assert text.count("\n") == text.count("\r\n") > 5
    assert text.startswith('{\r\n    "a": 1,\r\n    "mcpServers"')


def test_what_a_person_changed_in_the_entry_stays() -> None:
    entry = {"command": ["kebab"], "tools": ["*"]}
    held = json.loads(added('{"mcpServers": {"kebab": {"command": ["old"], "tools": ["search"]}}}', entry))
    assert held["mcpServers"]["kebab"] == {"command": ["kebab"], "tools": ["search"]}


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(
    st.dictionaries(st.text(max_size=8) | st.just("mcpServers"), values, max_size=4),
    st.sampled_from([None, 0, 2, "\t"]),
    st.booleans(),
)
def test_any_settings_keep_everything_but_the_entry(held: dict[str, Any], indent: Any, ascii_only: bool) -> None:
    text = json.dumps(held, indent=indent, ensure_ascii=ascii_only)
    if not isinstance(held.get("mcpServers", {}), dict):
        with pytest.raises(Unfit, match="not an object"):
            added(text)
        return
    changed = json.loads(added(text))
    assert changed["mcpServers"].pop("kebab").items() >= ENTRY.items()
    held.setdefault("mcpServers", {}).pop("kebab", None)
    assert changed == held
    assert list(changed) == list(held)


@pytest.mark.parametrize(
    "text",
    [
        '// mine\n{"a": 1}',
        '{"a": 1, /* no */ "b": 2}',
        '{"a": 1,}',
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        "[]",
        "null",
        "{",
        "a = 1",
        "[" * 100_000,
        '{"mcpServers": []}',
        '{"mcpServers": null}',
        '{"mcpServers": "kebab"}',
        '{"mcpServers": {"kebab": {"timeout": 1e999}}}',
        '{"mcpServers": {"kebab": {"note": "\\ud800"}}}',
    ],
    ids=lambda text: text[:20],
)
def test_what_is_not_plain_json_or_has_no_place_is_refused(text: str) -> None:
    with pytest.raises(Unfit):
        added(text)


CODEX = """\
# mine
model = "o9"   # the best

[mcp_servers.other]
command = "x"

[profiles.fast]
model = "o1"
"""


def toml(text: str, **more: Any) -> str:
    return with_entry(text, ("mcp_servers", "kebab"), {**ENTRY, **more}, TOML, OWN)


def test_toml_keeps_comments_order_and_other_tables() -> None:
    changed = toml(CODEX)
    held = tomllib.loads(changed)
    assert held["mcp_servers"].pop("kebab") == ENTRY
    assert held == tomllib.loads(CODEX)
    assert [line for line in changed.splitlines() if line in CODEX.splitlines()] == CODEX.splitlines()
    assert toml(changed) == changed
    assert tomllib.loads(toml(""))["mcp_servers"]["kebab"] == ENTRY
    assert toml("") == document(("mcp_servers", "kebab"), ENTRY, TOML)


@pytest.mark.parametrize(
    "text",
    [
        '[mcp_servers.kebab]\ncommand = "old"\nenabled = false\n\n[mcp_servers.kebab.env]\nA = "1"\n',
        'mcp_servers = { other = { command = "x" } }\n',
        'mcp_servers.kebab.url = "http://x"\n',
        '[mcp_servers]\n[mcp_servers.a]\ncommand = "x"\n[z]\nb = 1\n[mcp_servers.c]\ncommand = "y"\n',
        "a = 1",
    ],
)
def test_any_layout_of_toml_is_changed_rightly(text: str) -> None:
    before, after = tomllib.loads(text), tomllib.loads(toml(text))
    entry = after["mcp_servers"].pop("kebab")
    kept = before.setdefault("mcp_servers", {}).pop("kebab", {})
    assert after == before
    assert entry == {**{name: each for name, each in kept.items() if name not in OWN}, **ENTRY}


@pytest.mark.parametrize("text", ["a = ", "mcp_servers = 1", "[[mcp_servers]]\na = 1\n", "a = 1\na = 2\n"])
def test_toml_that_cannot_take_it_is_refused(text: str) -> None:
    with pytest.raises(Unfit):
        toml(text)
