"""A reranker orders the best candidates anew; the rest stays behind them, and without it the order is as it was."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from app_bench import Desk

from kebab.app import assemble, reranking
from kebab.core.errors import MissingExtra
from kebab.core.query import Query, SearchMode

NOTES = 9


@dataclass
class ScriptedReranker:
    """Prefers the passages with the larger number in them, whatever the question."""

    asked: list[tuple[str, list[str]]] = field(default_factory=list)
    failure: MissingExtra | None = None

    def __call__(self, folder: Path, threads: int) -> "ScriptedReranker":
        return self

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        self.asked.append((query, list(passages)))
        if self.failure is not None:
            raise self.failure
        return [int(passage.split()[-1]) / 10 for passage in passages]


@pytest.fixture
def judge(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> ScriptedReranker:
    judge = ScriptedReranker()
    monkeypatch.setattr(assemble, "reranker_for", judge)
    desk.flags["search.reranker"] = str(desk.home / "reranker")
    for number in range(NOTES):
        desk.write(f"{number}.md", f"{'zebra ' * (NOTES - number)} {number}\n")
    desk.ingest()
    return judge


def ask(**limits: Any) -> Query:
    return Query("zebra", SearchMode.LEXICAL, 20)._replace(**limits)


def test_the_reranker_decides_the_order(desk: Desk, judge: ScriptedReranker) -> None:
    result = desk.app().search(ask())
    assert [hit.doc_path for hit in result.hits] == [f"{number}.md" for number in reversed(range(NOTES))]
    assert [hit.score for hit in result.hits] == [number / 10 for number in reversed(range(NOTES))]
    assert {(hit.score_kind, hit.score == hit.retrieval.fusion_score) for hit in result.hits} == {("rerank", True)}
    assert (result.score_kind, result.degraded) == ("rerank", None)
    assert judge.asked[0][0] == "zebra"


def test_what_it_was_not_asked_about_stays_behind_in_its_order(
    desk: Desk, judge: ScriptedReranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = desk.flags.pop("search.reranker")
    before = [hit.doc_path for hit in desk.app().search(ask()).hits]
    desk.flags["search.reranker"] = plain
    monkeypatch.setattr(reranking, "DEPTH", 4)
    hits = desk.app().search(ask()).hits
    assert [hit.doc_path for hit in hits[:4]] == sorted(before[:4], reverse=True)
    assert [hit.doc_path for hit in hits[4:]] == before[4:]
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert len(judge.asked[0][1]) == 4


def test_pages_are_of_the_new_order_and_it_is_made_once(desk: Desk, judge: ScriptedReranker) -> None:
    app = desk.app()
    first = app.search(ask(k=4))
    second = app.search(ask(k=4, cursor=first.next_cursor))
    assert [hit.doc_path for hit in first.hits + second.hits] == [f"{number}.md" for number in range(8, 0, -1)]
    assert len(judge.asked) == 1


def test_a_reranker_that_cannot_run_leaves_the_order_and_is_tried_again(desk: Desk, judge: ScriptedReranker) -> None:
    judge.failure = MissingExtra("onnxruntime is missing", hint="pip install kebab[onnx]")
    app = desk.app()
    result = app.search(ask())
    assert [hit.doc_path for hit in result.hits] == [f"{number}.md" for number in range(NOTES)]
    assert (result.score_kind, result.degraded) == ("bm25", "not reranked: onnxruntime is missing")
    assert result.hint == "pip install kebab[onnx]"
    judge.failure = None
    assert app.search(ask()).score_kind == "rerank"


def test_where_nothing_is_found_nothing_is_asked(desk: Desk, judge: ScriptedReranker) -> None:
    assert desk.app().search(ask(text="unheard")).hits == ()
    assert judge.asked == []
