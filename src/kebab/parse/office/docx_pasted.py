"""Whole files that a Word file holds in place of text (`altChunk`): web pages, saved mails of such, and plain text.

Programs that turn a page into a Word file put it there as it is, and Word reads it when the file is opened. Files of
other formats inside are named in a warning.
"""

from kebab.core.errors import InvalidInput
from kebab.parse.archive import MAX_PAGE
from kebab.parse.flow import Flow, clean
from kebab.parse.office.package import Package
from kebab.parse.web import mime
from kebab.parse.web.charset import declared, read
from kebab.parse.web.html_extract import extract

MAX_PASTED = 1000
_OTHERS = (b"PK\x03\x04", b"{\\rtf", b"\xd0\xcf\x11\xe0")
_MESSAGE = frozenset({"mime-version", "content-type"})


class Pasted:
    """The files of one document, each read where it stands and once only."""

    def __init__(self, package: Package, flow: Flow) -> None:
        self._package = package
        self._flow = flow
        links = package.links(package.main).items()
        self._waiting = {each: link.path for each, link in links if link.kind == "aFChunk"}
        self._seen = 0

    def write(self, reference: str) -> None:
        path = self._waiting.pop(reference, "")
        self._seen += 1
        if path not in self._package.archive or self._seen > MAX_PASTED:
            return
        try:
            raw = self._package.archive.read(path, MAX_PAGE)
        except InvalidInput as error:
            self._package.warnings.append(f"{path[:80]} left out: {error.message}")
            return
        if len(raw) >= MAX_PAGE:
            self._package.warnings.append(f"{path[:80]} is too long: only its first part is read")
        if raw.startswith(_OTHERS):
            self._package.warnings.append(f"{path[:80]} left out: a file of another format inside")
        else:
            self._text(raw)

    def _text(self, raw: bytes) -> None:
        message = mime.split(raw)
        if message.headers.keys() >= _MESSAGE:
            for part in mime.leaves(message):
                if part.media_type == "text/html":
                    extract(part.text()[0], self._flow)
            return
        text = read(raw, declared(raw)).text
        if "<" in text:
            extract(text, self._flow)
        else:
            for paragraph in clean(text).split("\n\n"):
                self._flow.paragraph(paragraph)
