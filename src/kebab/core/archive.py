"""What is kept of answers: the answers with the facts to check them again, sessions, and what a check found."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from kebab.core.answer import Answer, AnswerCitation, ModelRef, RefusalReason
from kebab.core.citation import Citation
from kebab.core.query import Filters


class AnswerSummary(NamedTuple):
    """One line of `answers list`. `citations` counts those with a marker."""

    trace_id: str
    question: str
    answer: str
    grounded: bool
    refusal_reason: RefusalReason | None
    model: ModelRef
    citations: int
    created_at: str
    conversation_id: str | None = None
    turn_index: int | None = None


class RecordedAnswer(NamedTuple):
    """An answer as it was recorded; `checksums` are those of the cited files then, by workspace path.

    Of the evidence, snippets are not kept, and of passages that no marker names the text is not kept either.
    """

    answer: Answer
    checksums: Mapping[str, str]
    filters: Filters = Filters()


class ChatSession(NamedTuple):
    """`title` is the beginning of the first question, `config` the settings the session was begun with."""

    session_id: str
    title: str | None
    created_at: str
    updated_at: str
    config: Mapping[str, str]
    turn_count: int = 0


class ChatTurn(NamedTuple):
    """A question of a session with its answer; turns count from 0."""

    turn_id: str
    turn_index: int
    question: str
    answer: str
    citations: tuple[AnswerCitation, ...]
    created_at: str


class CitationStatus(StrEnum):
    """What became of cited words, best first."""

    INTACT = "intact"
    MOVED = "moved"
    CHANGED = "changed"
    MISSING = "missing"


class CitationCheck(NamedTuple):
    """`cited` is the place as recorded, `found` where the words stand now, if that is another place."""

    cited: AnswerCitation
    status: CitationStatus
    detail: str
    found: Citation | None = None


class VerifyReport(NamedTuple):
    trace_id: str
    checks: tuple[CitationCheck, ...]

    @property
    def ok(self) -> bool:
        return all(check.status is CitationStatus.INTACT for check in self.checks)
