"""A question and its answer: what the evidence was, what each sentence stands on, or why there is no answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from kebab.core.citation import Citation
from kebab.core.query import Filters, Freshness, Hit, SearchMode


class RefusalReason(StrEnum):
    """Why there is no answer. A refusal is a value, never an exception."""

    SCORE_GATE = "score_gate"
    LLM_SELF_JUDGE = "llm_self_judge"
    NO_INDEX = "no_index"
    NO_CHUNKS = "no_chunks"
    LLM_STREAM_ABORTED = "llm_stream_aborted"
    MULTI_HOP_DECOMPOSE_FAILED = "multi_hop_decompose_failed"
    NLI_VERIFICATION_FAILED = "nli_verification_failed"
    NLI_MODEL_UNAVAILABLE = "nli_model_unavailable"


class Support(StrEnum):
    """How far a sentence is borne out by what it cites, best first."""

    QUOTED = "quoted"
    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


class Question(NamedTuple):
    """What is asked and how. `temperature` and `seed` are None for those of the configuration."""

    text: str
    mode: SearchMode = SearchMode.HYBRID
    k: int = 10
    filters: Filters = Filters()
    temperature: float | None = None
    seed: int | None = None
    multi_hop: bool = False
    session_id: str | None = None


class Evidence(NamedTuple):
    """A passage put before the model, under the number its marker names. Its text is data, whatever it says.

    `first_line` is the line of the document's source on which `text` begins; `text` is verbatim from there on.
    """

    number: int
    hit: Hit
    text: str
    first_line: int
    citation: Citation

    @property
    def marker(self) -> str:
        return f"[#{self.number}]"


class Quote(NamedTuple):
    """Words of the evidence, found by us: `start` and `end` are characters in its text, `citation` its own lines."""

    number: int
    text: str
    start: int
    end: int
    citation: Citation


class Statement(NamedTuple):
    """A sentence of the answer with the numbers it cites and the words that bear it out best."""

    text: str
    markers: tuple[int, ...]
    support: Support
    score: float
    quotes: tuple[Quote, ...] = ()


class AnswerCitation(NamedTuple):
    """`marker` is None for a candidate that is only named, as in a refusal."""

    marker: str | None
    citation: Citation
    indexed_at: str
    stale: bool
    freshness: Freshness
    quote: Quote | None = None
    score: float | None = None


class ModelRef(NamedTuple):
    id: str
    provider: str
    dimensions: int | None = None


class RetrievalSummary(NamedTuple):
    """`features` is what the gate was told of the search, by name."""

    trace_id: str
    mode: SearchMode
    k: int
    score_gate: float
    top_score: float
    chunks_returned: int
    chunks_used: int
    evidence_score: float | None = None
    features: Mapping[str, float | bool] | None = None


class Usage(NamedTuple):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_ms: int = 0


class Hop(NamedTuple):
    """One step of a multi-hop answer. kind: decompose, decide, synthesize.

    `chunk_ids` says for each sub-query which chunks it brought in.
    """

    iteration: int
    kind: str
    sub_queries: tuple[str, ...] = ()
    context_chunks_added: int = 0
    forced_stop: bool = False
    llm_call_ms: int = 0
    chunk_ids: tuple[tuple[str, ...], ...] = ()


class Verification(NamedTuple):
    nli_score: float
    nli_threshold: float
    nli_passed: bool


class Turn(NamedTuple):
    """An earlier question of the same session and what was answered."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Answer:
    question: str
    answer: str
    citations: tuple[AnswerCitation, ...]
    grounded: bool
    refusal_reason: RefusalReason | None
    model: ModelRef
    embedding: ModelRef | None
    prompt_template_version: str
    retrieval: RetrievalSummary
    usage: Usage
    created_at: str
    statements: tuple[Statement, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    hops: tuple[Hop, ...] | None = None
    verification: Verification | None = None
    conversation_id: str | None = None
    turn_index: int | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class RetrievalDone:
    """The search behind a question is over; what it found."""

    ts: str
    hits: tuple[Hit, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class TokenArrived:
    ts: str
    delta: str


@dataclass(frozen=True, slots=True)
class AnswerReady:
    """The last event of every question."""

    ts: str
    answer: Answer


AnswerEvent: TypeAlias = RetrievalDone | TokenArrived | AnswerReady


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"


class Prompt(NamedTuple):
    """What a language model is asked. `question` and `evidence` are the same for a model that reads no prompt."""

    system: str
    user: str
    question: str
    evidence: tuple[Evidence, ...]
    stop: tuple[str, ...] = ()
    max_tokens: int = 1024
    temperature: float = 0.0
    seed: int | None = None


class Delta(NamedTuple):
    """The next piece of a reply."""

    text: str


class Finished(NamedTuple):
    """The end of a reply, with what the model counted; 0 where it does not say."""

    reason: FinishReason
    prompt_tokens: int = 0
    completion_tokens: int = 0
