"""Document -> Chunks. CHUNKERS lists every strategy by media type.

A row without a kind (`code`) serves every kind of its family that has no row of its own.
"""

from kebab.chunk.headings import HeadingChunker
from kebab.chunk.pages import PageChunker
from kebab.chunk.paragraphs import ParagraphChunker
from kebab.chunk.prose import TextChunker
from kebab.chunk.regions import RegionChunker
from kebab.chunk.resources import ResourceChunker
from kebab.chunk.symbols import SymbolChunker
from kebab.chunk.times import TimeChunker
from kebab.core.ports import Chunker

_LANGUAGES = ("rust", "python", "typescript", "tsx", "javascript", "go", "java", "kotlin", "c", "cpp")
_RESOURCES = ("yaml", "dockerfile", "toml", "json", "xml", "gomod", "groovy", "makefile", "terraform", "sql")

CHUNKERS: dict[str, Chunker] = {
    "audio": TimeChunker(),
    "markdown": HeadingChunker(),
    **{f"code/{name}": SymbolChunker(name) for name in _LANGUAGES},
    **{f"code/{kind}": ResourceChunker(kind) for kind in _RESOURCES},
    "code": ParagraphChunker(),
    "image": RegionChunker(),
    "office": HeadingChunker(),
    "office/pptx": PageChunker(),
    "pdf": PageChunker(),
    "video": TimeChunker(),
    "web": HeadingChunker(),
    "text": TextChunker(),
}
