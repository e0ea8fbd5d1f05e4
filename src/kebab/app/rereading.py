"""A file as a parser reads it today, for whoever wants to know whether something still stands in it. Stores nothing."""

from collections.abc import Callable

from kebab.app.assemble import assemble
from kebab.config import Config
from kebab.core.asset import Asset
from kebab.core.clock import now
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext


def rereader(config: Config) -> Callable[[str, str, bytes], Document]:
    """Takes a workspace path, a media type and bytes. Raises what the parser raises: a KebabError, or LeftAside."""

    def reread(path: str, media: str, raw: bytes) -> Document:
        parser = assemble(config).parsers[media]
        checksum, moment = content_hash(raw), now()
        asset = Asset(asset_id(checksum), checksum, len(raw), media, path, "", moment)
        context = ParseContext(
            asset=asset,
            workspace_path=path,
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
