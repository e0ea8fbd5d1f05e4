"""A full-text channel that answers what it is told to, and remembers what it was asked."""

from dataclasses import dataclass, field

import pytest

from kebab.core.query import AnalysedQuery, Candidate, Filters


@dataclass
class ScriptedMatcher:
    candidates: list[Candidate] = field(default_factory=list)
    asked: list[tuple[AnalysedQuery, Filters, int]] = field(default_factory=list)

    def analyse(self, text: str) -> AnalysedQuery:
        return AnalysedQuery(tuple(text.split()), (), ())

    def match(self, query: AnalysedQuery, filters: Filters, limit: int) -> list[Candidate]:
        self.asked.append((query, filters, limit))
        return self.candidates[:limit]

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]:
        return []


@pytest.fixture
def matcher() -> ScriptedMatcher:
    return ScriptedMatcher([Candidate(key, 10.0 - key) for key in range(5)])
