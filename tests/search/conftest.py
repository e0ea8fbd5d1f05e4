"""A full-text channel that answers what it is told to, and remembers what it was asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from kebab.core.query import AnalysedQuery, Candidate, Filters


@dataclass
class ScriptedMatcher:
    candidates: list[Candidate] = field(default_factory=list)
    scores: dict[int, float] = field(default_factory=dict)
    most: float = 10.0
    asked: list[tuple[AnalysedQuery, Filters, int]] = field(default_factory=list)

    def analyse(self, text: str) -> AnalysedQuery:
        return AnalysedQuery(tuple(text.split()), (), ())

    def match(self, query: AnalysedQuery, filters: Filters, limit: int) -> list[Candidate]:
        self.asked.append((query, filters, limit))
        return self.candidates[:limit]

    def score(self, query: AnalysedQuery, keys: Sequence[int]) -> dict[int, float]:
        return {key: value for key, value in self.scores.items() if key in keys}

    def ceiling(self, query: AnalysedQuery) -> float:
        return self.most

    def places(self, keys: Sequence[int]) -> dict[int, tuple[str, int]]:
        return {key: ("a.md", key) for key in keys}

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]:
        return []


@pytest.fixture
def matcher() -> ScriptedMatcher:
    return ScriptedMatcher([Candidate(key, 10.0 - key) for key in range(5)])
