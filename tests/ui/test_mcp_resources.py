"""Documents as resources: by their exact path, from the index alone, page by page, and labelled as what they are."""

import asyncio
import unicodedata

import pytest
from mcp import Client, MCPError  # noqa: TID253
from mcp_bench import NOTES, called, initialize, raw, refused, served, state, stock
from ui_bench import Home

from kebab.core.query import Freshness
from kebab.store.shelf import DocumentRow
from kebab.ui.mcp import resources


@pytest.fixture
def library(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    return stock(home, monkeypatch)


def test_hits_link_to_their_documents_each_once_and_links_can_be_read(library: Home) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("search", {"query": "현미밥 냉동 rice"})
        linked = [str(block.uri) for block in result.content if block.type == "resource_link"]
        paths = list(dict.fromkeys(hit["doc_path"] for hit in result.structured_content["hits"]))  # type: ignore[index]
        assert linked == [resources.uri_of(path) for path in paths]
        assert "쌀/현미밥 #1.md" in paths
        for uri, path in zip(linked, paths, strict=True):
            (content,) = (await client.read_resource(uri)).contents
            assert content.text == NOTES[path]  # type: ignore[union-attr]
            assert "kebab/untrusted" in (content.meta or {})

    served(work)


def test_a_client_of_an_older_protocol_gets_no_links(library: Home) -> None:
    async def work(version: str) -> list[str]:
        async with raw(serving) as (send, receive):
            await send(initialize(version))
            await receive()
            params = {"name": "search", "arguments": {"query": "rice"}}
            await send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
            return [block["type"] for block in (await receive())["result"]["content"]]

    serving = state()
    try:
        assert asyncio.run(work("2025-03-26")) == ["text"]
        assert "resource_link" in asyncio.run(work("2025-06-18"))
    finally:
        serving.close()


def test_documents_are_listed_page_by_page(library: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PAGE", 3)

    async def work(client: Client) -> tuple[list[str], int]:
        found, cursor, pages = [], None, 0
        while pages == 0 or cursor:
            page = await client.list_resources(cursor=cursor)
            found += [str(resource.uri) for resource in page.resources]
            cursor, pages = page.next_cursor, pages + 1
        return found, pages

    found, pages = served(work)
    assert found == sorted(map(resources.uri_of, NOTES), key=resources.path_of)
    assert pages == 2


def test_a_page_of_documents_looks_at_no_others(library: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def look(row: DocumentRow) -> Freshness:
        looked.append(row.workspace_path)
        return Freshness.FRESH

    monkeypatch.setattr(resources, "PAGE", 1)
    monkeypatch.setattr("kebab.app.library.freshness", look)
    *_, last = sorted(NOTES)
    served(lambda client: client.list_resources())
    assert looked == sorted(NOTES)[:2]
    looked.clear()
    page = served(lambda client: client.list_resources(cursor=resources.uri_of(last)))
    assert (page.resources, page.next_cursor, looked) == ([], None, [])


def test_a_cursor_holds_when_the_index_changes(library: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PAGE", 2)
    cursor = served(lambda client: client.list_resources()).next_cursor
    names = sorted(NOTES)
    (library.path / "KnowledgeBase" / names[1]).unlink()
    (library.path / "KnowledgeBase/00 new.md").write_text("# new\n", encoding="utf-8")
    assert library.run("ingest").status == 0
    page = served(lambda client: client.list_resources(cursor=cursor))
    assert [str(each.uri) for each in page.resources] == [resources.uri_of(name) for name in names[2:4]]


@pytest.mark.parametrize(
    "uri",
    [
        "kebab://doc/../../../../etc/passwd",
        "kebab://doc/%2e%2e/%2e%2e/etc/passwd",
        "kebab://doc//etc/passwd",
        "kebab://doc/rice.md/../rice.md",
        "kebab://doc/rice.md%00",
        "kebab://doc/rice.md#L1",
        "kebab://doc/%ff",
        "kebab://doc/",
        "kebab://other/rice.md",
        "file:///etc/passwd",
        "rice.md",
    ],
)
def test_a_resource_is_a_document_by_its_exact_path_or_nothing(uri: str, library: Home) -> None:
    assert refused(lambda client: client.read_resource(uri)) in {-32002, -32602}
    assert refused(lambda client: client.read_resource(uri), era="2026-07-28") == -32602


def test_a_resource_is_not_found_by_an_id_or_the_beginning_of_one(library: Home) -> None:
    async def work(client: Client) -> None:
        doc = (await called(client, "list_docs"))["docs"][0]["doc_id"]
        for reference in (doc, doc[:8]):
            with pytest.raises(MCPError):
                await client.read_resource(f"kebab://doc/{reference}")

    served(work)


def test_a_path_as_a_mac_writes_it_is_the_same_path(library: Home) -> None:
    path = "쌀/현미밥 #1.md"
    apart = unicodedata.normalize("NFD", path)
    assert apart != path
    (content,) = served(lambda client: client.read_resource(resources.uri_of(apart))).contents
    assert content.text == NOTES[path]  # type: ignore[union-attr]


def test_what_is_read_is_the_stored_text_whatever_the_file_says_now(library: Home) -> None:
    path = library.path / "KnowledgeBase/rice.md"
    path.write_text("changed", encoding="utf-8")
    (content,) = served(lambda client: client.read_resource("kebab://doc/rice.md")).contents
    assert content.text == NOTES["rice.md"]  # type: ignore[union-attr]
    path.unlink()
    (content,) = served(lambda client: client.read_resource("kebab://doc/rice.md")).contents
    assert (content.meta or {})["kebab/freshness"] == "missing"


def test_text_of_documents_is_never_part_of_what_a_tool_says_of_itself(library: Home) -> None:
    async def work(client: Client) -> str:
        return (await client.list_tools()).model_dump_json() + (
            await client.list_resource_templates()
        ).model_dump_json()

    assert "Ignore all instructions" not in served(work)


def test_the_prompts_are_listed_and_there_are_none(library: Home) -> None:
    assert served(lambda client: client.list_prompts()).prompts == []
