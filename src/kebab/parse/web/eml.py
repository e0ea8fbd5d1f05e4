"""Mail messages (`.eml`) to a `Document`: who wrote to whom, when and about what, the text, and names of attachments.

Plain text is taken before HTML where a message says the same in both. Messages that are passed on and invitations are
read, other attachments are listed and never opened. Lines are those of the extracted text.
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
from kebab.parse.web.invitation import invitation

VERSION = "eml-v1"
AGENT = "kebab.parse.web.eml"

MAX_ATTACHMENTS = 100
MAX_FORWARDED = 4
_FORWARDED, _INVITATION = "message/rfc822", "text/calendar"
_KNOWN = frozenset({"from", "to", "subject", "date", "message-id", "received", "mime-version", "content-type"})
_SHOWN = (("From", "from"), ("To", "to"), ("Cc", "cc"), ("Date", "date"))


class EmlParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        message = mime.split(raw)
        if not _KNOWN & message.headers.keys():
            raise InvalidInput("not a readable eml: it does not begin with the headers of a message")
        flow = Flow()
        warnings: list[str] = []
        headers = _headers(message)
        waiting = [(message, 1)]
        # Held by the list alone, so that of a message in messages only one is in memory several times.
        del message
        while waiting and not flow.full:
            waiting += reversed(_write(flow, *waiting.pop(), warnings))
        return build(content(flow, _facts(headers), warnings), context, VERSION, AGENT)


def _headers(message: mime.Part) -> dict[str, str]:
    return {key: name(mime.words(value)) for key, value in message.headers.items()}


def _write(flow: Flow, message: mime.Part, depth: int, warnings: list[str]) -> list[tuple[mime.Part, int]]:
    """What a message says, under its subject. Gives the messages it passes on, which follow it, one level deeper."""
    if depth > 1:
        message = mime.split(message.decoded())
    headers = _headers(message)
    flow.heading(depth, headers.get("subject", ""))
    flow.paragraph("\n".join(f"{shown}: {headers[key]}" for shown, key in _SHOWN if headers.get(key)))
    parts = list(mime.leaves(message))
    for part in parts:
        if not part.attached:
            _read(flow, part, warnings)
    attached = [each for part in parts if part.attached and (each := name(part.name))][:MAX_ATTACHMENTS]
    if attached:
        flow.paragraph("Attachments: " + ", ".join(attached))
    return [(part, depth + 1) for part in parts if part.media_type == _FORWARDED and depth < MAX_FORWARDED]


def _read(flow: Flow, part: mime.Part, warnings: list[str]) -> None:
    if part.media_type not in ("text/plain", "text/html", _INVITATION):
        return
    text, lossy = part.text()
    if lossy:
        warnings.append("encoding: some bytes of the message could not be read")
    if part.media_type == "text/html":
        extract(text, flow)
    elif part.media_type == _INVITATION:
        flow.paragraph("\n".join(invitation(text)))
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
