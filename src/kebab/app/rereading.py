"""A file as a parser reads it today, for whoever wants to know whether something still stands in it. Stores nothing."""

from collections.abc import Callable

from kebab.app.assemble import assemble
from kebab.config import Config
from kebab.core.asset import Asset
from kebab.core.clock import now
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.store.shelf import DocumentRow


def rereader(config: Config) -> Callable[[DocumentRow, bytes], Document]:
    """Raises what the parser raises: a KebabError, or LeftAside."""

    def reread(row: DocumentRow, raw: bytes) -> Document:
        parser = assemble(config).parsers[row.media_type]
        checksum, moment = content_hash(raw), now()
        asset = Asset(asset_id(checksum), checksum, len(raw), row.media_type, row.workspace_path, "", moment)
        context = ParseContext(
            asset=asset,
            workspace_path=row.workspace_path,
            file_created_at=moment,
            file_updated_at=moment,
            trust_level=None,
            source_type=None,
        )
        try:
            return parser.parse(raw, context)
        finally:
            getattr(parser, "close", lambda: None)()

    return reread
