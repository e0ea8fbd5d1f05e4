"""Web pages to a `Document`: headings, paragraphs, lists, tables and code of the page's main part.

Lines are those of the extracted text, which is what is stored and quoted; an editor that shows the HTML source counts
others. The encoding is what a byte order mark or the page says, when the bytes bear it out.
"""

import re

from kebab.core.document import Document
from kebab.core.errors import LeftAside
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import Facts, content, moment, title, user
from kebab.parse.flow import Flow
from kebab.parse.language import UNKNOWN, detect
from kebab.parse.web.charset import declared, read
from kebab.parse.web.html_extract import Head, extract

VERSION = "html-v1"
AGENT = "kebab.parse.web.html"

_LANG = re.compile(r"([A-Za-z]{2})(?:[-_].*)?")


class HtmlParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        decoded = read(raw, declared(raw))
        if decoded.lossy and "\x00" in decoded.text:
            raise LeftAside("binary", "is called a web page but holds binary data")
        warnings = [f"encoding: some bytes could not be read as {decoded.encoding}"] if decoded.lossy else []
        flow = Flow()
        head = extract(decoded.text, flow, xml=decoded.text.lstrip().startswith("<?xml"))
        # Markup is mostly larger than what was in it, and building takes memory of its own.
        del decoded
        return build(content(flow, _facts(head, flow), warnings), context, VERSION, AGENT)


def _facts(head: Head, flow: Flow) -> Facts:
    meta = head.meta
    # Templates say `en` whatever the page is written in, so the words are asked first.
    match = _LANG.fullmatch(head.lang.strip()[:40]) if detect((flow.text,)) == UNKNOWN else None
    return Facts(
        title=title(head.title or meta.get("og:title")),
        created_at=moment(meta.get("article:published_time") or meta.get("date") or meta.get("dcterms.created")),
        updated_at=moment(meta.get("article:modified_time") or meta.get("last-modified")),
        lang=match[1].lower() if match else None,
        user=user(
            author=meta.get("author"),
            description=meta.get("description") or meta.get("og:description"),
            keywords=meta.get("keywords"),
            site=meta.get("og:site_name"),
        ),
    )
