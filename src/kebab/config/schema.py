"""Every key of the configuration, once: defaults, checks, variables, the template and `config show` come from here.

A key moves from RESERVED to KEYS when something uses it: move its row, add its field to the section's dataclass.
"""

from typing import Literal, NamedTuple, TypeAlias

from kebab.core.answering import LlmSettings, RagSettings
from kebab.core.asset import SourceType, TrustLevel
from kebab.core.chunk import ChunkPolicy
from kebab.core.embedding import EmbeddingSettings
from kebab.core.query import SearchSettings
from kebab.core.reading_settings import CaptionSettings, OcrSettings, PdfOcrSettings, SpeechSettings
from kebab.locations import DATA_DIR

SCHEMA_VERSION = 1

Kind: TypeAlias = Literal["text", "path", "whole", "number", "flag", "list", "tables"]
Default: TypeAlias = str | int | float | bool | tuple[str, ...]


class Key(NamedTuple):
    """One row. `within` are the ends of a range; `retired` are old values that are read as the default."""

    path: str
    kind: Kind
    default: Default
    doc: str
    choices: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    within: tuple[int, int] | None = None

    @property
    def section(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def variable(self) -> str:
        return "KEBAB_" + self.path.replace(".", "_").upper()


_POLICY = ChunkPolicy()
_SEARCH = SearchSettings()
_EMBEDDING = EmbeddingSettings()
_LLM = LlmSettings()
_RAG = RagSettings()
_PDF_OCR = PdfOcrSettings()
_OCR = OcrSettings()
_CAPTION = CaptionSettings()
_SPEECH = SpeechSettings()

SECTIONS = {
    "workspace": "The folders kebab reads.",
    "storage": "Where the index is kept. {data_dir} stands for the first key.",
    "chunking": "How documents are cut into chunks, which are what is found and cited. A change cuts all of them anew.",
    "search": "What a search returns.",
    "logging": "The log, kept in the state folder.",
    "models.embedding": "Who turns text into vectors. Another model, version or dimension embeds everything anew.",
    "models.llm": "Who writes answers. The built-in one quotes the sentences that answer, and needs nothing.",
    "rag": "How questions are answered.",
    "ingest.pdf.ocr": "Pages of PDFs that are pictures. The engine is that of images; a page takes it some seconds.",
    "ingest.image.ocr": "Who reads text in images. Without the engine they are left aside, with a word about it.",
    "ingest.image.caption": "Who says what an image shows. Off unless a model is named.",
    "ingest.speech": "Who writes down recordings. Without a model they are left aside, with a word about it.",
}

KEYS = (
    Key("workspace.root", "path", "~/KnowledgeBase", "The folder to index, from this file's folder if it is relative."),
    Key("workspace.include", "list", ("**/*",), "Which of its files are read, as glob patterns."),
    Key(
        "workspace.exclude",
        "list",
        (".git/**", "node_modules/**", ".obsidian/**"),
        "Which of them are not; .gitignore and .kebabignore count too.",
    ),
    Key(
        "workspace.follow_symlinks",
        "flag",
        default=True,
        doc="Whether links are followed; only those that stay inside the root.",
    ),
    Key("workspace.max_file_mb", "whole", 50, "Larger files are skipped and counted as such.", within=(1, 10_000)),
    Key("workspace.sources", "tables", (), "More folders. A file in one of them is called @id/path."),
    Key("storage.data_dir", "path", DATA_DIR, "The folder of everything kebab stores."),
    Key("storage.sqlite", "path", "{data_dir}/kebab.sqlite", "The index: one file that is the whole knowledge base."),
    Key("storage.asset_dir", "path", "{data_dir}/assets", "Where copies of original files go, if any are made."),
    Key(
        "storage.vector_dir", "path", "{data_dir}/vectors", "Where the vector engine keeps its files; they are derived."
    ),
    Key("storage.model_dir", "path", "{data_dir}/models", "Where `kebab models pull` puts models."),
    Key("storage.runs_dir", "path", "{data_dir}/runs", "Where `kebab eval` keeps its runs and their reports."),
    Key(
        "storage.vector_engine",
        "text",
        "scan",
        "What finds near vectors: scan, or lance with kebab[lance] installed.",
        choices=("scan", "lance"),
    ),
    Key(
        "storage.copy_threshold_mb",
        "whole",
        0,
        "Originals up to this size are copied; 0 copies none.",
        within=(0, 10_000),
    ),
    Key(
        "storage.cache_mb",
        "whole",
        512,
        "How much is kept of what was read off pictures and recordings.",
        within=(0, 1_000_000),
    ),
    Key(
        "chunking.target_tokens",
        "whole",
        _POLICY.target_tokens,
        "The size a chunk aims for. A token is about 3 bytes.",
        within=(20, 20_000),
    ),
    Key(
        "chunking.overlap_tokens",
        "whole",
        _POLICY.overlap_tokens,
        "How much of the one before it repeats.",
        within=(0, 10_000),
    ),
    Key("chunking.max_chunk_tokens", "whole", _POLICY.max_chunk_tokens, "No chunk is larger.", within=(20, 100_000)),
    Key(
        "chunking.respect_markdown_headings",
        "flag",
        _POLICY.respect_markdown_headings,
        "Whether a heading always starts a new chunk.",
    ),
    Key(
        "chunking.chunker_version",
        "text",
        "md-heading-v2",
        "The way Markdown is cut; part of every chunk's id.",
        choices=("md-heading-v2",),
        retired=("md-heading-v1",),
    ),
    Key(
        "search.default_k",
        "whole",
        _SEARCH.default_k,
        "How many hits, unless the search says otherwise.",
        within=(1, 1000),
    ),
    Key(
        "search.snippet_chars",
        "whole",
        _SEARCH.snippet_chars,
        "The length of a snippet in characters.",
        within=(20, 10_000),
    ),
    Key(
        "search.stale_threshold_days",
        "whole",
        _SEARCH.stale_threshold_days,
        "A document indexed longer ago is marked stale.",
        within=(1, 36_500),
    ),
    Key(
        "search.hybrid_fusion",
        "text",
        _SEARCH.hybrid_fusion,
        "How words and meaning are joined: blend adds their scores, rrf their ranks.",
        choices=("blend", "rrf"),
    ),
    Key("search.rrf_k", "whole", _SEARCH.rrf_k, "The constant of reciprocal rank fusion.", within=(1, 10_000)),
    Key(
        "search.blend_weight",
        "number",
        _SEARCH.blend_weight,
        "What meaning counts for beside words in a blend; 0 is what was measured for the model.",
        within=(0, 100),
    ),
    Key(
        "search.reranker",
        "text",
        _SEARCH.reranker,
        "A folder with a cross-encoder (model.onnx, tokenizer.json) that orders the best hits anew; empty for none.",
    ),
    Key(
        "models.embedding.provider",
        "text",
        _EMBEDDING.provider,
        "builtin needs nothing; fastembed reads ONNX models, ollama and openai ask a server, none leaves vectors out.",
        choices=("builtin", "fastembed", "ollama", "openai", "none"),
    ),
    Key("models.embedding.model", "text", _EMBEDDING.model, "Its model by name, or the folder of an ONNX model."),
    Key("models.embedding.version", "text", _EMBEDDING.version, "A label of yours; a new one embeds everything anew."),
    Key(
        "models.embedding.dimensions",
        "whole",
        _EMBEDDING.dimensions,
        "The length of the model's vectors.",
        within=(1, 65_536),
    ),
    Key(
        "models.embedding.batch_size",
        "whole",
        _EMBEDDING.batch_size,
        "How many texts a model is given at once.",
        within=(1, 4096),
    ),
    Key(
        "models.embedding.threads",
        "whole",
        _EMBEDDING.threads,
        "How many threads a local model uses; 0 is all cores.",
        within=(0, 1024),
    ),
    Key(
        "models.embedding.endpoint",
        "text",
        _EMBEDDING.endpoint,
        "The server's address; empty is the provider's usual one.",
    ),
    Key(
        "models.embedding.api_key_env",
        "text",
        _EMBEDDING.api_key_env,
        "The variable that holds the server's key; the key itself never stands here.",
    ),
    Key(
        "models.embedding.timeout_s",
        "whole",
        _EMBEDDING.timeout_s,
        "How many seconds a server may take for one request.",
        within=(1, 3600),
    ),
    Key(
        "models.llm.provider",
        "text",
        _LLM.provider,
        "builtin quotes what answers; ollama and openai ask a server.",
        choices=("builtin", "ollama", "openai"),
    ),
    Key("models.llm.model", "text", _LLM.model, "Its model by name."),
    Key(
        "models.llm.context_tokens", "whole", _LLM.context_tokens, "What the model can take.", within=(512, 10_000_000)
    ),
    Key("models.llm.endpoint", "text", _LLM.endpoint, "The server's address; empty is the provider's usual one."),
    Key("models.llm.api_key_env", "text", _LLM.api_key_env, "The variable that holds the server's key."),
    Key("models.llm.temperature", "number", _LLM.temperature, "0 for the most repeatable answers.", within=(0, 2)),
    Key("models.llm.seed", "whole", _LLM.seed, "The seed of whatever randomness is left.", within=(0, 2**31)),
    Key("models.llm.timeout_s", "whole", _LLM.timeout_s, "How many seconds it may be silent.", within=(1, 3600)),
    Key("models.llm.max_tokens", "whole", _LLM.max_tokens, "The longest reply.", within=(16, 1_000_000)),
    Key(
        "rag.prompt_template_version",
        "text",
        _RAG.prompt_template_version,
        "The prompt answers are asked with.",
        choices=("rag-v3", "rag-v2", "rag-v1"),
    ),
    Key("rag.score_gate", "number", _RAG.score_gate, "Evidence that scores less is refused.", within=(0, 1)),
    Key("rag.explain_default", "flag", _RAG.explain_default, "Whether answers come with their trace."),
    Key(
        "rag.max_context_tokens",
        "whole",
        _RAG.max_context_tokens,
        "How much evidence is put before the model.",
        within=(200, 10_000_000),
    ),
    Key(
        "rag.on_unsupported",
        "text",
        _RAG.on_unsupported,
        "A sentence its evidence does not bear out is marked, dropped, or makes the answer a refusal.",
        choices=("mark", "drop", "refuse"),
    ),
    Key(
        "rag.nli_threshold",
        "number",
        _RAG.nli_threshold,
        "Below this a verifying model refuses the answer; 0 leaves it out.",
        within=(0, 1),
    ),
    Key("rag.nli_model", "text", _RAG.nli_model, "The verifying model: a name, or a folder with model.onnx."),
    Key("ingest.pdf.ocr.enabled", "flag", _PDF_OCR.enabled, "Whether pages without text are read as pictures."),
    Key("ingest.pdf.ocr.always_on", "flag", _PDF_OCR.always_on, "Whether all pages are."),
    Key(
        "ingest.image.ocr.engine",
        "text",
        _OCR.engine,
        "tesseract runs on this machine; ollama-vision asks a model that sees; none leaves images aside.",
        choices=("tesseract", "ollama-vision", "none"),
    ),
    Key("ingest.image.ocr.languages", "list", _OCR.languages, "Languages of the text, as tesseract names them."),
    Key("ingest.image.ocr.min_confidence", "number", _OCR.min_confidence, "Words below are left out.", within=(0, 1)),
    Key("ingest.image.ocr.timeout_s", "whole", _OCR.timeout_s, "The longest an image may take.", within=(1, 3600)),
    Key("ingest.image.ocr.memory_mb", "whole", _OCR.memory_mb, "The most memory it may take.", within=(64, 65536)),
    Key("ingest.image.ocr.model", "text", _OCR.model, "Of ollama-vision: its model by name."),
    Key("ingest.image.ocr.endpoint", "text", _OCR.endpoint, "Of ollama-vision: the server's address."),
    Key("ingest.image.ocr.api_key_env", "text", _OCR.api_key_env, "The variable that holds the server's key."),
    Key(
        "ingest.image.caption.provider",
        "text",
        _CAPTION.provider,
        "ollama asks a model that sees; none writes no captions.",
        choices=("none", "ollama"),
    ),
    Key("ingest.image.caption.model", "text", _CAPTION.model, "Its model by name."),
    Key("ingest.image.caption.language", "text", _CAPTION.language, "The language of captions, such as en or ko."),
    Key("ingest.image.caption.endpoint", "text", _CAPTION.endpoint, "The server's address."),
    Key("ingest.image.caption.api_key_env", "text", _CAPTION.api_key_env, "The variable that holds the server's key."),
    Key(
        "ingest.image.caption.timeout_s", "whole", _CAPTION.timeout_s, "The longest a caption takes.", within=(1, 3600)
    ),
    Key(
        "ingest.speech.provider",
        "text",
        _SPEECH.provider,
        "faster-whisper runs on this machine; none leaves recordings aside.",
        choices=("faster-whisper", "none"),
    ),
    Key("ingest.speech.model", "text", _SPEECH.model, "Its model: a name, or a folder that holds one."),
    Key("ingest.speech.language", "text", _SPEECH.language, "The language spoken; empty has the model tell."),
    Key("ingest.speech.threads", "whole", _SPEECH.threads, "How many threads it uses; 0 for all.", within=(0, 1024)),
    Key(
        "logging.level",
        "text",
        "info",
        "How much is logged: debug, info, warning or error.",
        choices=("debug", "info", "warning", "error"),
    ),
    Key("logging.keep_days", "whole", 30, "Older log files are removed.", within=(1, 3650)),
)

# Part of the configuration's design, checked for their type only, used by nothing yet.
RESERVED = (
    Key("storage.artifact_dir", "path", "{data_dir}/artifacts", "Text recognised in images, recordings and scans."),
    Key("indexing.max_parallel_extractors", "whole", 2, "How many files are read at a time."),
    Key("indexing.max_parallel_embeddings", "whole", 1, "How many batches are embedded at a time."),
    Key("indexing.watch_filesystem", "flag", default=False, doc="Whether changed files are indexed as they change."),
)

# What `kebab init --profile full` writes instead of the defaults.
FULL_PROFILE: dict[str, Default] = {
    "models.embedding.provider": "fastembed",
    "models.embedding.model": "multilingual-e5-large",
    "models.embedding.dimensions": 1024,
    "models.llm.provider": "ollama",
    "models.llm.model": "qwen2.5:14b-instruct",
}

# The fields of a [[workspace.sources]] table. `include` and `exclude` are those of the workspace unless given.
SOURCE_KEYS = (
    Key("id", "text", "papers", "Its name: a-z, 0-9, _ and -."),
    Key("root", "path", "~/Papers", "The folder."),
    Key("include", "list", ("**/*",), "As in [workspace], which holds unless given here."),
    Key("exclude", "list", ("drafts/**",), "As in [workspace], which holds unless given here."),
    Key(
        "trust_level", "text", "secondary", "How far to believe it.", choices=tuple(level.value for level in TrustLevel)
    ),
    Key("source_type", "text", "paper", "What it holds.", choices=tuple(each.value for each in SourceType)),
)

# Values are compared in pairs: the first may reach the second, or must stay below it.
ORDERED = (
    ("chunking.overlap_tokens", "below", "chunking.target_tokens"),
    ("chunking.target_tokens", "up to", "chunking.max_chunk_tokens"),
)

# Variables that are not settings: they choose the file or steer one run.
CONTROL_VARIABLES = (
    *("KEBAB_CONFIG", "KEBAB_NO_PAGER", "KEBAB_PROGRESS", "KEBAB_SERVER", "KEBAB_SERVER_TOKEN"),
    "KEBAB_UPDATE_SNAPSHOTS",
)

BY_PATH = {key.path: key for key in (*KEYS, *RESERVED)}
BY_VARIABLE = {key.variable: key for key in BY_PATH.values()}
RESERVED_PATHS = frozenset(key.path for key in RESERVED)
