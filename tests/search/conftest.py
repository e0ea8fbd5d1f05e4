"""A full-text channel with five candidates, the first the best."""

import pytest
from search_bench import ScriptedMatcher

from kebab.core.query import Candidate


@pytest.fixture
def matcher() -> ScriptedMatcher:
    return ScriptedMatcher([Candidate(key, 10.0 - key) for key in range(5)])
