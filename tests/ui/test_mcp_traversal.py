"""No name leads out of the index: whatever an agent asks for, files that were not indexed stay unread."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError  # noqa: TID253
from mcp_bench import failed, served, stock
from ui_bench import Home

SECRET = "the safe opens with 4711"
KINDS = ({"kind": "doc"}, {"kind": "span", "start": 1, "end": 1}, {"kind": "page", "page": 1}, {"kind": "chunk"})
# {root} is the workspace, {home} the folder that holds it and the secret.
NAMES = (
    "../secret.md",
    "..\\secret.md",
    "./../secret.md",
    "쌀/../../secret.md",
    "{home}/secret.md",
    "{root}/../secret.md",
    "file://{home}/secret.md",
    "kebab://doc/../secret.md",
    "%2e%2e/secret.md",
    "..%2fsecret.md",
    "\uff0e\uff0e/secret.md",
    "../secret.md#L1-L1",
    "rice.md/../../secret.md",
    "rice.md\0/../../secret.md",
    "~/secret.md",
    "*",
    "??????",
    "[0-9a-f]*",
    "______%",
    "' OR '1'='1",
)


@pytest.fixture
def library(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    stocked = stock(home, monkeypatch)
    (home.path / "secret.md").write_text(f"# Secret\n\n{SECRET}\n", encoding="utf-8")
    return stocked


def spelled(name: str, home: Path) -> str:
    return name.replace("{root}", str(home / "KnowledgeBase")).replace("{home}", str(home))


def test_no_name_that_a_tool_is_given_leads_out_of_the_index(library: Home) -> None:
    async def work(client: Client) -> None:
        for name in NAMES:
            for kind in KINDS:
                error = await failed(client, "fetch", **kind, reference=spelled(name, library.path))
                assert error["code"] in {"doc_not_found", "chunk_not_found", "invalid_input"}, (name, kind)
                assert SECRET not in str(error)

    served(work)


def test_no_uri_of_a_resource_leads_out_of_the_index(library: Home) -> None:
    async def work(client: Client) -> None:
        for name in NAMES:
            with pytest.raises(MCPError) as met:
                await client.read_resource(f"kebab://doc/{spelled(name, library.path)}")
            assert SECRET not in str(met.value.error)

    served(work)


@pytest.mark.parametrize("name", [name for name in NAMES if "\0" not in name])
def test_no_name_on_the_command_line_leads_out_of_the_index(name: str, library: Home) -> None:
    for command in (
        ("fetch", "doc"),
        ("fetch", "chunk"),
        ("inspect", "doc"),
        ("inspect", "chunk"),
        ("open", "--print"),
    ):
        said = library.run(*command, spelled(name, library.path))
        assert (said.status, said.out) == (2, ""), command
        assert SECRET not in said.err


def test_a_link_that_took_the_place_of_a_document_is_not_read(library: Home) -> None:
    note = library.path / "KnowledgeBase/rice.md"
    note.unlink()
    note.symlink_to(library.path / "secret.md")

    async def work(client: Client) -> Any:
        fetched = await client.call_tool("fetch", {"kind": "doc", "reference": "rice.md"})
        read = await client.read_resource("kebab://doc/rice.md")
        return str(fetched.structured_content) + str(read.contents)

    said = served(work)
    assert "brown rice" in said
    assert SECRET not in said
