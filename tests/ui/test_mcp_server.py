"""What an agent meets: tools with structured results, errors it can read, and nothing written that was not allowed."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client  # noqa: TID253
from mcp_bench import ERAS, NOTES, called, failed, refused, served, stock
from ui_bench import Home

from kebab.core.errors import ReadonlyMode
from kebab.ui.serving.tools import tool_named

READING = ("search", "bulk_search", "ask", "fetch", "list_docs", "symbols", "schema", "doctor", "verify")
WRITING = ("ingest_file", "ingest_stdin", "ingest")


@pytest.fixture
def library(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    return stock(home, monkeypatch)


def names(client: Client) -> Any:
    async def listed() -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    return listed()


def test_only_the_tools_that_read_are_offered_unless_ingest_is_allowed(library: Home) -> None:
    assert served(names) == list(READING)
    assert served(names, allow_ingest=True) == [*READING, *WRITING]


@pytest.mark.parametrize("tool", WRITING)
def test_a_tool_that_writes_is_refused_where_it_is_not_offered(tool: str, library: Home, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Note\n", encoding="utf-8")
    given = {"ingest_file": {"path": str(note)}, "ingest_stdin": {"text": "x", "title": "y"}}.get(tool, {})
    error = served(lambda client: failed(client, tool, **given))
    assert error["code"] == "readonly_mode"
    assert "--allow-ingest" in error["hint"]
    with pytest.raises(ReadonlyMode):
        tool_named(tool, allow_ingest=False)


def test_an_app_that_only_reads_refuses_to_ingest_even_if_the_tool_is_offered(library: Home) -> None:
    error = served(lambda client: failed(client, "ingest"), readonly=True, allow_ingest=True)
    assert error["code"] == "readonly_mode"


def test_every_tool_says_that_it_reads_or_writes_and_stays_in_this_world(library: Home) -> None:
    async def listed(client: Client) -> Any:
        return (await client.list_tools()).tools

    for tool in served(listed, allow_ingest=True):
        assert tool.annotations.read_only_hint == (tool.name in READING)
        assert tool.annotations.open_world_hint is False
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.idempotent_hint == (tool.name != "ask")
        assert tool.title


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_that_reads_gives_a_wire_object(era: str, library: Home) -> None:
    async def work(client: Client) -> None:
        hits = (await called(client, "search", query="brown rice", tag=["cooking"]))["hits"]
        assert [hit["doc_path"] for hit in hits] == ["rice.md"]
        many = await called(client, "bulk_search", queries=[{"query": "현미밥"}, {"query": ""}], k=1)
        assert many["summary"] == {"total": 2, "succeeded": 1, "failed": 1}
        fetched = await called(client, "fetch", kind="chunk", reference=hits[0]["chunk_id"])
        assert "two cups of water" in fetched["chunk"]["text"]
        span = await called(client, "fetch", kind="span", reference="rice.md", start=6, end=6)
        assert span["text"].strip() == "One cup of brown rice needs two cups of water."
        docs = await called(client, "list_docs", sort="title")
        assert {doc["doc_path"] for doc in docs["docs"]} == set(NOTES)
        found = await called(client, "symbols", query="boil")
        assert [symbol["name"] for symbol in found["symbols"]] == ["boil"]
        assert (await called(client, "schema"))["stats"]["doc_count"] == len(NOTES)
        assert "ok" in await called(client, "doctor")
        answer = await called(client, "ask", question="how much water does brown rice need?")
        report = await called(client, "verify", trace_id=answer["retrieval"]["trace_id"])
        assert report["trace_id"] == answer["retrieval"]["trace_id"]

    served(work, era=era)


def test_no_hit_a_refusal_and_a_missing_index_of_documents_are_results(library: Home) -> None:
    async def work(client: Client) -> None:
        assert (await called(client, "search", query="zeppelin"))["hits"] == []
        assert (await called(client, "symbols", query="zzzzqqqq"))["symbols"] == []
        answer = await called(client, "ask", question="who won the zeppelin race of 1911?")
        assert answer["grounded"] is False

    served(work)


def test_without_an_index_searching_fails_by_code_and_asking_the_doctor_does_not(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEBAB_WORKSPACE_ROOT", str(home.path / "gone"))

    async def work(client: Client) -> None:
        assert (await failed(client, "search", query="rice"))["code"] == "not_indexed"
        assert (await called(client, "ask", question="rice?"))["refusal_reason"] == "no_index"
        assert (await called(client, "doctor"))["ok"] is False
        assert (await called(client, "schema"))["stats"]["doc_count"] == 0

    served(work)


@pytest.mark.parametrize(
    ("tool", "given", "code"),
    [
        ("search", {"query": ""}, "invalid_input"),
        ("search", {"query": "rice", "k": 0}, "invalid_input"),
        ("search", {"query": "rice", "ingested_after": "soon"}, "invalid_input"),
        ("search", {"query": "rice", "cursor": "nonsense"}, "invalid_input"),
        ("bulk_search", {"queries": []}, "invalid_input"),
        ("bulk_search", {"queries": [{"query": "x"}] * 101}, "invalid_input"),
        ("ask", {"question": " "}, "invalid_input"),
        ("ask", {"question": "x", "session": "../../x"}, "invalid_input"),
        ("fetch", {"kind": "doc", "reference": "../../etc/passwd"}, "doc_not_found"),
        ("fetch", {"kind": "doc", "reference": "/etc/passwd"}, "doc_not_found"),
        ("fetch", {"kind": "chunk", "reference": "f" * 32}, "chunk_not_found"),
        ("verify", {"trace_id": "ret_none"}, "trace_not_found"),
    ],
)
def test_a_call_that_fails_says_why_by_code(tool: str, given: dict[str, Any], code: str, library: Home) -> None:
    assert served(lambda client: failed(client, tool, **given))["code"] == code


@pytest.mark.parametrize("era", ERAS)
def test_an_error_is_told_alike_in_every_version(era: str, library: Home) -> None:
    error = served(lambda client: failed(client, "fetch", kind="doc", reference="none.md"), era=era)
    assert error["code"] == "doc_not_found"


def test_queries_of_a_bulk_search_may_be_anything_and_stop_no_other(library: Home) -> None:
    odd = ["text", 3, None, [], {"query": {"deep": []}}, {"query": "rice", "k": "x"}, {"query": "rice"}]
    found = served(lambda client: called(client, "bulk_search", queries=odd))
    assert found["summary"] == {"total": 7, "succeeded": 1, "failed": 6}


def test_an_unforeseen_failure_is_told_without_a_traceback(library: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr("kebab.app.facade.App.find_symbols", broken)
    error = served(lambda client: failed(client, "symbols"))
    assert error["code"] == "generic"
    assert error["message"] == "ZeroDivisionError: a secret detail"


def test_an_unknown_tool_is_an_error_of_the_protocol(library: Home) -> None:
    assert refused(lambda client: client.call_tool("rm", {})) == -32602
