"""Mail messages (`.eml`) to a `Document`: who wrote to whom, when and about what, the text, and names of attachments.

Plain text is taken before HTML where a message has both. Attachments are listed and never opened. Lines are those of
the extracted text.
"""

from datetime import UTC
from email.utils import parsedate_to_datetime

from kebab.core.document import BlockKind, Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import Facts, content, in_range, user
from kebab.parse.flow import Flow, clean, name
from kebab.parse.web import mime
from kebab.parse.web.html_extract import extract

VERSION = "eml-v1"
AGENT = "kebab.parse.web.eml"

MAX_ATTACHMENTS = 100
_KNOWN = frozenset({"from", "to", "subject", "date", "message-id", "received", "mime-version", "content-type"})
_SHOWN = (("From", "from"), ("To", "to"), ("Cc", "cc"), ("Date", "date"))


class EmlParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        message = mime.split(raw)
        if not _KNOWN & message.headers.keys():
            raise InvalidInput("not a readable eml: it does not begin with the headers of a message")
        headers = {key: name(mime.words(value)) for key, value in message.headers.items()}
        flow = Flow()
        warnings: list[str] = []
        flow.heading(1, headers.get("subject", ""))
        flow.paragraph("\n".join(f"{shown}: {headers[key]}" for shown, key in _SHOWN if headers.get(key)))
        parts = list(mime.leaves(message))
        _body(flow, parts, warnings)
        attached = [each for part in parts if part.attached and (each := name(part.name))][:MAX_ATTACHMENTS]
        if attached:
            flow.paragraph("Attachments: " + ", ".join(attached))
        return build(content(flow, _facts(headers), warnings), context, VERSION, AGENT)


def _body(flow: Flow, parts: list[mime.Part], warnings: list[str]) -> None:
    texts = [part for part in parts if not part.attached]
    kind = "text/plain" if any(part.media_type == "text/plain" and part.body.strip() for part in texts) else "text/html"
    for part in texts:
        if part.media_type != kind:
            continue
        text, lossy = part.text()
        if lossy:
            warnings.append("encoding: some bytes of the message could not be read")
        if kind == "text/html":
            extract(text, flow)
        else:
            _plain(flow, text)


def _plain(flow: Flow, text: str) -> None:
    """Paragraphs as blank lines separate them; what is quoted from another message is a quote."""
    gathered: list[str] = []
    quoted = False
    for line in [*clean(text).split("\n"), ""]:
        quotes = line.startswith(">")
        if not line.strip() or quotes != quoted:
            flow.paragraph("\n".join(gathered), BlockKind.QUOTE if quoted else BlockKind.PARAGRAPH)
            gathered = []
        quoted = quotes
        if line.strip():
            gathered.append(line.rstrip())


def _facts(headers: dict[str, str]) -> Facts:
    try:
        when = parsedate_to_datetime(headers.get("date", "")[:100])
        sent = in_range(when if when.tzinfo else when.replace(tzinfo=UTC))
    except (ValueError, TypeError, OverflowError, IndexError):
        sent = None
    return Facts(
        title=headers.get("subject", ""),
        created_at=sent,
        updated_at=sent,
        user=user(
            author=headers.get("from"),
            to=headers.get("to"),
            cc=headers.get("cc"),
            message_id=headers.get("message-id"),
            in_reply_to=headers.get("in-reply-to"),
        ),
    )
