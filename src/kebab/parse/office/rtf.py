"""RTF files to a `Document`: headings by outline level, paragraphs, lists, tables, and the notes at the end.

Deleted and hidden text, pictures, headers and footers are left out. Lines are those of the extracted text.
"""

from datetime import UTC, datetime

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import Facts, content, in_range, title, user
from kebab.parse.flow import Flow
from kebab.parse.office.rtf_reader import RtfReader
from kebab.parse.office.rtf_text import RtfText
from kebab.parse.office.rtf_tokens import tokens

VERSION = "rtf-v1"
AGENT = "kebab.parse.office.rtf"


class RtfParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        body = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not body.startswith(b"{\\rtf"):
            raise InvalidInput(
                "not a readable rtf: it does not begin as one", hint="open it in its own program and save it as .rtf"
            )
        flow = Flow()
        reader = RtfReader(RtfText(flow))
        for token in tokens(body):
            reader.take(token)
            if flow.full:
                break
        reader.finish()
        return build(content(flow, _facts(reader), []), context, VERSION, AGENT)


def _facts(reader: RtfReader) -> Facts:
    info = reader.info
    return Facts(
        title=title(info.get("title")),
        created_at=_moment(reader.times.get("creatim")),
        updated_at=_moment(reader.times.get("revtim")),
        user=user(
            author=info.get("author"),
            last_modified_by=info.get("operator"),
            subject=info.get("subject"),
            keywords=info.get("keywords"),
            description=info.get("doccomm"),
        ),
    )


def _moment(found: dict[str, int] | None) -> str | None:
    """A time written as words: `\\yr`, `\\mo` and so on, without a zone."""
    if not found:
        return None
    parts = [found.get(word, default) for word, default in (("yr", 0), ("mo", 1), ("dy", 1), ("hr", 0), ("min", 0))]
    try:
        return in_range(datetime(parts[0], parts[1], parts[2], parts[3], parts[4], tzinfo=UTC))
    except (ValueError, OverflowError):
        return None
