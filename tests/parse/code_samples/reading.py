"""Source code as documents, for the tests of parsing and of cutting it."""

from pathlib import Path

from kebab.core.asset import Asset
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext, Repository
from kebab.parse.code.fetching import Sandbox
from kebab.parse.code.parser import CodeParser
from stand_ins.readers import InProcess

SAMPLES = Path(__file__).parent
MOMENT = "2020-01-01T00:00:00Z"
LANGUAGES = {
    "shelf.py": "python",
    "shelf.rs": "rust",
    "shelf.ts": "typescript",
    "panel.tsx": "typescript",
    "shelf.js": "javascript",
    "shelf.go": "go",
    "Shelf.java": "java",
    "Shelf.kt": "kotlin",
    "shelf.c": "c",
    "shelf.cpp": "cpp",
}
EXTENSIONS = {"python": "py", "rust": "rs", "typescript": "ts", "javascript": "js", "kotlin": "kt"}


def read_code(
    source: str | bytes, language: str, path: str = "", root: str | None = None, worker: Sandbox | None = None
) -> Document:
    """What the parser makes of a file, in no process unless one is given; `root` is the folder of its repository."""
    raw = source.encode() if isinstance(source, str) else source
    path = path or f"src/lib/shelf.{EXTENSIONS.get(language, language)}"
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), f"code/{language}", path, f"file:///{path}", MOMENT)
    repository = Repository("books", None, None, root) if root is not None else None
    context = ParseContext(asset, path, MOMENT, MOMENT, None, None, repository)
    return CodeParser(language, worker or InProcess()).parse(raw, context)


def sample(name: str) -> str:
    """The text of a sample; that of Python is named so that no formatter takes it for ours."""
    return (SAMPLES / (f"{name}.txt" if name.endswith(".py") else name)).read_text(encoding="utf-8")


def read_sample(name: str) -> Document:
    return read_code(sample(name), LANGUAGES[name], path=f"src/lib/{name}")
