"""Document -> Chunks. CHUNKERS lists every strategy by media type."""

from kebab.chunk.headings import HeadingChunker
from kebab.core.ports import Chunker

CHUNKERS: dict[str, Chunker] = {
    "markdown": HeadingChunker(),
}
