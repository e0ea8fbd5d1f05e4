"""Calls on their way: progress while they run, a stop when nobody waits, and none that holds up the others."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp import Client  # noqa: TID253
from mcp_bench import called, failed, plant, replaced, served, state, stock
from ui_bench import Home

from kebab.ui.serving import reading


@pytest.fixture
def library(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    return stock(home, monkeypatch)


def test_an_answer_is_told_token_by_token_to_whoever_wants_to_know(library: Home) -> None:
    told: list[str] = []

    async def note(_done: float, _total: float | None, message: str | None) -> None:
        told.append(message or "")

    async def work(client: Client) -> str:
        question = {"question": "how much water does brown rice need?"}
        answer = await client.call_tool("ask", question, progress_callback=note)
        return str((answer.structured_content or {})["answer"])

    answer = served(work)
    assert told
    assert "".join(told).split()[0] in answer


def test_an_ingest_tells_how_far_it_is_and_ends_with_its_report(library: Home) -> None:
    plant(library.path / "KnowledgeBase", {f"new/{n}.md": f"# Note {n}\n" for n in range(5)})
    told: list[tuple[float, float | None]] = []

    async def note(done: float, total: float | None, _message: str | None) -> None:
        told.append((done, total))

    async def work(client: Client) -> Any:
        result = await client.call_tool("ingest", {"summary_only": True}, progress_callback=note)
        assert (await called(client, "search", query="note 3"))["hits"], "the open index sees what was written"
        return result.structured_content

    report = served(work, allow_ingest=True)
    assert (report["new"], report["items"]) == (5, None)
    assert told
    assert all(total and done <= total for done, total in told)


def test_files_and_texts_are_indexed_where_that_is_allowed(library: Home, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Zeppelin\n\nHydrogen.\n", encoding="utf-8")

    async def work(client: Client) -> None:
        assert (await called(client, "ingest_file", path=str(outside)))["new"] == 1
        await called(client, "ingest_stdin", text="Helium lifts too.", title="Balloons", source_uri="mail:1")
        assert len((await called(client, "search", query="hydrogen helium"))["hits"]) == 2
        assert (await called(client, "ingest", dry_run=True))["dry_run"] is True
        assert (await failed(client, "ingest_file", path="\0"))["code"] == "invalid_input"
        assert (await failed(client, "ingest_file", path=str(tmp_path / "gone.md")))["code"] in {
            "invalid_input",
            "io_error",
        }

    served(work, allow_ingest=True)


def test_a_cancelled_question_is_asked_to_stop(library: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def endless(call: Any) -> Any:
        begun.set()
        if call.cancel.wait(30):
            stopped.set()
        return {}

    replaced(monkeypatch, "ask", endless)

    async def work(client: Client) -> None:
        asking = asyncio.create_task(client.call_tool("ask", {"question": "x"}))
        await asyncio.to_thread(begun.wait, 30)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert await asyncio.to_thread(stopped.wait, 30)
        assert (await called(client, "search", query="rice"))["hits"], "others go on meanwhile"

    served(work)


def test_a_long_call_does_not_keep_a_quick_one_waiting(library: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def patient(call: Any) -> Any:
        assert go.wait(30)
        return reading.doctor(call)

    replaced(monkeypatch, "doctor", patient)

    async def work(client: Client) -> None:
        slow = asyncio.create_task(client.call_tool("doctor", {}))
        for _ in range(3):
            assert (await called(client, "search", query="rice"))["hits"]
        assert not slow.done()
        go.set()
        assert not (await slow).is_error

    served(work)


def test_many_clients_of_one_server_get_each_their_own_answer(library: Home) -> None:
    async def one(serving: Any, word: str) -> list[str]:
        from kebab.ui.mcp.server import make_server

        async with Client(make_server(serving), mode="legacy") as client:
            found = [await client.call_tool("search", {"query": word}) for _ in range(5)]
            return [json.dumps(result.structured_content) for result in found]

    async def all_of_them(serving: Any) -> list[list[str]]:
        words = ["rice", "현미밥", "boil", "water"] * 2
        return await asyncio.gather(*(one(serving, word) for word in words))

    serving = state()
    try:
        answers = asyncio.run(all_of_them(serving))
    finally:
        serving.close()
    assert all(len(set(each)) == 1 for each in answers)
    assert [each[0] for each in answers[:4]] == [each[0] for each in answers[4:]]
    assert len({each[0] for each in answers}) >= 3
