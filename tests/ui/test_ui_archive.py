"""`kebab answers`, `kebab session` and `kebab verify`: what was said before, and whether it still holds."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from answer_samples import TIME, answer, bare, cited, gated, judged, quote, traced
from kebab.core.citation import LineCitation
from kebab.core.ids import content_hash
from kebab.store.store import Store
from wire_schemas import check

if TYPE_CHECKING:
    from ui_bench import Home

NOTE = "# Zoo\n\nThe zebra sleeps.\nThe end.\n"
ZEBRA = quote(662)._replace(text="The zebra sleeps.", start=7, end=24, citation=LineCitation("zoo.md", 3, 3))
ZOO = cited("[#1]", (1, 4), "zoo.md", "Zoo", quote=ZEBRA)


@pytest.fixture
def kept(home: "Home") -> "Home":
    """A home in which three questions were asked, two of them in a session."""
    (home.path / "KnowledgeBase/zoo.md").write_text(NOTE, encoding="utf-8")
    assert home.run("ingest", "--quiet", "--set=models.embedding.provider=none").status == 0
    hostile = replace(gated("매출\x1b[31m은?"), created_at="2026-04-27T15:42:13Z")
    zoo = traced(
        "ret_200",
        question="동물원?",
        citations=(ZOO,),
        statements=(),
        evidence=(),
        conversation_id="회의",
        turn_index=0,
    )
    with Store.writer(home.index) as store:
        for each in (zoo, replace(judged(), created_at="2026-04-27T15:42:12Z"), hostile):
            store.answers.record(each, {"zoo.md": content_hash(NOTE.encode())})
        store.sessions.create("회의", {"llm": "ollama/qwen"})
        store.sessions.append("회의", "동물원?", "얼룩말 [#1].\n\n끝.", (ZOO,))
        store.sessions.append("회의", "매출은?", "근거 부족.", gated().citations)
    return home


def value(home: "Home", *arguments: str, status: int = 0) -> dict[str, object]:
    said = home.run(*arguments, "--json")
    assert (said.status, said.err) == (status, "")
    found: dict[str, object] = json.loads(said.out)
    check(found)
    return found


def test_answers_are_listed_newest_first(kept: "Home") -> None:
    said = kept.run("answers", "list")
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        "ret_0a  2026-04-27T15:42:13Z  ✗  매출\ufffd[31m은?",
        "ret_4a8b2c1e  2026-04-27T15:42:12Z  ✓  Markdown chunking 규칙은?  [회의 2]",
        f"ret_200  {TIME}  ✓  동물원?  [회의 0]",
    ]
    assert kept.run("answers", "list", "--refused").out.split()[0] == "ret_0a"
    assert len(kept.run("answers", "list", "--grounded").out.splitlines()) == 2
    assert len(kept.run("answers", "list", "--limit", "1").out.splitlines()) == 1
    listed = value(kept, "answers", "list")["answers"]
    assert [each["trace_id"] for each in listed] == ["ret_0a", "ret_4a8b2c1e", "ret_200"]  # type: ignore[attr-defined]
    assert json.loads(kept.run("answers", "list", "--limit", "0", "--json").err)["code"] == "invalid_input"


def test_an_answer_is_shown_as_it_was_given(kept: "Home") -> None:
    shown = kept.run("answers", "show", "4a8b").out
    assert shown.startswith(
        "ret_4a8b2c1e  2026-04-27T15:42:12Z  Markdown chunking 규칙은?\n\nheading boundary 우선 [1]."
    )
    assert "\n[1] notes/rust/kebab-architecture.md#L661-L672\n    §14 Chunking 정책\n" in shown
    assert "\n    「heading boundary를 우선한다」\n" in kept.run("answers", "show", "4a8b", "--explain").out
    sent = value(kept, "answers", "show", "ret_4a8b2c1e")
    assert (sent["schema_version"], sent["question"]) == ("answer.v1", answer().question)


@pytest.mark.parametrize("command", [("answers", "show"), ("verify",)])
def test_an_unknown_trace_id_is_told_as_such(kept: "Home", command: tuple[str, ...]) -> None:
    said = kept.run(*command, "ret_ffff", "--json")
    assert (said.status, json.loads(said.err)["code"]) == (2, "trace_not_found")


def test_an_empty_record_is_no_error(home: "Home") -> None:
    assert home.run("ingest", "--quiet", "--set=models.embedding.provider=none").status == 0
    assert home.run("answers", "list") == (0, "", "no answers yet\n")
    assert home.run("answers", "list", "--refused") == (0, "", "no such answers\n")
    assert home.run("session", "list").err == "no sessions; `kebab ask QUESTION --session ID` begins one\n"
    assert (value(home, "answers", "list")["answers"], value(home, "session", "list")["sessions"]) == ([], [])


def test_verify_says_what_became_of_each_quote(kept: "Home") -> None:
    note = kept.path / "KnowledgeBase/zoo.md"
    intact = kept.run("verify", "ret_200")
    assert (intact.status, intact.err) == (0, "")
    assert intact.out == (
        "[1] intact   zoo.md#L3\n    the file is unchanged\n    「The zebra sleeps.」\n1 of 1 intact\n"
    )
    note.write_text("\n" + NOTE, encoding="utf-8")
    moved = kept.run("verify", "200")
    assert moved.status == 1
    assert moved.out.splitlines()[:2] == ["[1] moved    zoo.md#L3 → zoo.md#L4", "    the words are now at L4"]
    report = value(kept, "verify", "200", status=1)
    assert (report["ok"], report["trace_id"]) == (False, "ret_200")
    (found,) = report["checks"]  # type: ignore[misc]
    assert (found["marker"], found["status"], found["citation"]["uri"]) == ("[1]", "moved", "zoo.md#L3")
    assert found["found"]["uri"] == "zoo.md#L4"
    note.write_text("# Zoo\n", encoding="utf-8")
    assert kept.run("verify", "200").out.startswith("[1] changed  zoo.md#L3\n")
    note.unlink()
    assert kept.run("verify", "200").out.startswith("[1] missing  zoo.md#L3\n    the file is gone\n")


def test_a_refusal_has_candidates_and_a_bare_one_nothing_to_verify(kept: "Home") -> None:
    said = kept.run("verify", "ret_0a")
    assert said.out == "· missing  finance/personal-budget.md#L1-L8\n    the file is gone\n0 of 1 intact\n"
    with Store.writer(kept.index) as store:
        store.answers.record(bare(), {})
    assert kept.run("verify", "ret_0") == (0, "the answer cites nothing\n", "")


def test_sessions_are_listed_and_shown(kept: "Home") -> None:
    (line,) = kept.run("session", "list").out.splitlines()
    assert line.split()[0] == "회의"
    assert line.endswith("    2  동물원?")
    assert kept.run("session", "show", "회의").out == (
        "0  동물원?\n   얼룩말 [1].\n\n   끝.\n   [1] zoo.md#L1-L4\n\n"
        "1  매출은?\n   근거 부족.\n\n2 turns  llm ollama/qwen\n"
    )
    shown = value(kept, "session", "show", "회의")
    assert [turn["turn_index"] for turn in shown["turns"]] == [0, 1]  # type: ignore[attr-defined]
    assert kept.run("session", "show", "회").status == 2


def test_a_deleted_session_is_gone_and_its_answers_are_not(kept: "Home") -> None:
    refused = kept.run("session", "delete", "회의", "--readonly", "--json")
    assert json.loads(refused.err)["code"] == "readonly_mode"
    assert kept.run("session", "delete", "회의") == (0, "deleted 회의, 2 turns\n", "")
    assert value(kept, "session", "list")["sessions"] == []
    assert json.loads(kept.run("session", "delete", "회의", "--json").err)["code"] == "invalid_input"
    assert len(kept.run("answers", "list").out.splitlines()) == 3
