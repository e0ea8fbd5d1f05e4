"""`kebab verify`: whether the words an answer stands on still stand where it said, in the files as they are today."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from kebab.app.plain_files import read_plain
from kebab.core.answer import Answer, AnswerCitation, Evidence
from kebab.core.archive import CitationCheck, CitationStatus, RecordedAnswer, VerifyReport
from kebab.core.citation import Citation, CodeCitation, LineCitation, PageCitation
from kebab.core.document import Block, Document
from kebab.core.errors import KebabError, LeftAside
from kebab.core.ids import content_hash
from kebab.core.markers import marker_text, shown
from kebab.core.span import PagePlace
from kebab.core.text import LineMap, decode, split_lines
from kebab.source import family, media_type
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

_LINES = LineCitation | CodeCitation
# The text of these is their bytes; that of others is what a parser reads out of them.
_PLAIN = ("markdown", "code", "text")
# A workspace path, a media type and a file's bytes to what a parser reads in them today.
Reread: TypeAlias = Callable[[str, str, bytes], Document]


class Claim(NamedTuple):
    """Words that were cited, and where they stood; empty words when only the place was recorded."""

    cited: AnswerCitation
    words: str

    @property
    def place(self) -> Citation:
        return self.cited.quote.citation if self.cited.quote is not None else self.cited.citation


class FileNow(NamedTuple):
    """A cited file as it is today; `problem` says why it cannot be read."""

    checksum: str = ""
    text: str = ""
    problem: str = ""
    pages: Mapping[int, str] = MappingProxyType({})


def verify(store: Store, recorded: RecordedAnswer, limit: int, reread: Reread) -> VerifyReport:
    """`limit` is the size in bytes beyond which a file is not read."""
    claims = list(_claims(recorded.answer))
    files = {each.hit.doc_path: each.hit.file for each in recorded.answer.evidence}
    judged: dict[str, tuple[FileNow, DocumentRow | None]] = {}
    for path in dict.fromkeys(claim.place.path for claim in claims):
        row = next((row for row in store.shelf.find(path) if row.workspace_path == path), None)
        name = row.file_path if row else files.get(path, "")
        judged[path] = _read(store, row, Path(name) if name else None, limit, reread), row
    checks = (
        _check(claim, recorded.checksums.get(claim.place.path, ""), *judged[claim.place.path]) for claim in claims
    )
    return VerifyReport(recorded.answer.retrieval.trace_id, tuple(checks))


def _claims(answer: Answer) -> Iterator[Claim]:
    """Every quote once, and every citation that has none, with the passage it names."""
    evidence = {marker_text(each.number): each for each in answer.evidence}
    quoted = [quote for statement in answer.statements for quote in statement.quotes]
    told: set[tuple[str | None, str, Citation]] = set()
    for given in answer.citations:
        cited = given._replace(marker=shown(given.marker) if given.marker else None)
        quotes = [cited.quote, *(quote for quote in quoted if marker_text(quote.number) == cited.marker)]
        claims = [Claim(cited._replace(quote=quote), quote.text) for quote in quotes if quote is not None]
        for claim in claims or [Claim(cited, _lines_of(evidence.get(cited.marker or ""), cited.citation))]:
            key = cited.marker, claim.words, claim.place
            if key not in told:
                told.add(key)
                yield claim


def _lines_of(evidence: Evidence | None, place: Citation) -> str:
    """The words of a place, from the passage that was recorded."""
    if evidence is None or not isinstance(place, _LINES):
        return ""
    first, last = _span(place)
    lines = split_lines(evidence.text)
    return "\n".join(lines[max(0, first - evidence.first_line) : max(0, last - evidence.first_line + 1)]).strip()


def _span(place: _LINES) -> tuple[int, int]:
    return (place.start, place.end) if isinstance(place, LineCitation) else (place.line_start, place.line_end)


def _at(place: _LINES, first: int, last: int) -> _LINES:
    if isinstance(place, LineCitation):
        return replace(place, start=first, end=last)
    return replace(place, line_start=first, line_end=last)


def _read(store: Store, row: DocumentRow | None, file: Path | None, limit: int, reread: Reread) -> FileNow:
    try:
        if file is None or not file.exists():
            return FileNow(problem="the file is gone")
        if not file.is_file() or len(raw := read_plain(file, limit + 1)) > limit:
            return FileNow(problem="the file is no longer one that is read")
    except OSError as error:
        return FileNow(problem=f"the file cannot be read: {error.strerror}")
    checksum = content_hash(raw)
    # The index may have forgotten the file; what it is, its name still says.
    media = row.media_type if row is not None else media_type(file.name)
    if media is None or family(media) in _PLAIN:
        return FileNow(checksum, decode(raw).text)
    if row is not None and row.checksum == checksum:
        return _paged(checksum, store.contents.source_text(row.doc_key), store.contents.blocks(row.doc_key))
    try:
        document = reread(row.workspace_path if row is not None else file.name, media, raw)
    except (KebabError, LeftAside) as error:
        return FileNow(checksum, problem=f"the file cannot be read: {error.message}")
    except Exception as error:  # noqa: BLE001 - one bad file does not keep the other citations from being checked
        return FileNow(checksum, problem=f"the file cannot be read: {type(error).__name__}: {error}")
    return _paged(checksum, document.source_text, document.blocks)


def _paged(checksum: str, text: str, blocks: Sequence[Block]) -> FileNow:
    pages: dict[int, list[str]] = {}
    for block in blocks:
        if isinstance(block.place, PagePlace):
            pages.setdefault(block.place.page, []).append(block.text)
    return FileNow(checksum, text, pages={page: "\n".join(texts) for page, texts in pages.items()})


def _check(claim: Claim, checksum: str, file: FileNow, row: DocumentRow | None) -> CitationCheck:
    if file.problem:
        return CitationCheck(claim.cited, CitationStatus.MISSING, file.problem)
    unchanged = bool(checksum) and file.checksum == checksum
    status, detail, found = _judge(claim, file, unchanged=unchanged)
    if row is not None and checksum and row.checksum != checksum:
        detail += f"; {_about_index(indexed=row.checksum == file.checksum, unchanged=unchanged)}"
    return CitationCheck(claim.cited, status, detail, found)


def _about_index(*, indexed: bool, unchanged: bool) -> str:
    """What the index holds, if it is no longer what was cited."""
    if indexed:
        return "the index has a newer version"
    return "the index has another version" if unchanged else "the index has a newer version, and the file changed since"


def _judge(claim: Claim, file: FileNow, *, unchanged: bool) -> tuple[CitationStatus, str, Citation | None]:
    # Words that are nowhere in the file cannot have been cited from it, whatever checksum was recorded.
    if unchanged and claim.words in file.text:
        return CitationStatus.INTACT, "the file is unchanged", None
    place = claim.place
    if claim.words and isinstance(place, PageCitation):
        return _on_page(claim.words, place, file)
    if claim.words and not isinstance(place, _LINES) and claim.words in file.text:
        return CitationStatus.INTACT, "the words are still in the file, which has changed elsewhere", None
    if not claim.words or not isinstance(place, _LINES):
        return CitationStatus.CHANGED, "the file has changed, and the words of this place were not recorded", None
    first, last = _span(place)
    if claim.words in "\n".join(split_lines(file.text)[first - 1 : last]):
        return CitationStatus.INTACT, "the words are at their lines; the file has changed elsewhere", None
    moved = _nearest(file.text, claim.words, first)
    if moved is None:
        return CitationStatus.CHANGED, "the words are no longer in the file", None
    found = _at(place, *moved)
    return CitationStatus.MOVED, f"the words are now at {found.to_uri().rpartition('#')[2]}", found


def _on_page(words: str, place: PageCitation, file: FileNow) -> tuple[CitationStatus, str, Citation | None]:
    """A quote has no line end that a page of another shape would not set elsewhere, so white space does not count."""
    wanted = " ".join(words.split())
    holding = [page for page, text in file.pages.items() if wanted in " ".join(text.split())]
    if place.page in holding:
        return CitationStatus.INTACT, "the words are on their page; the file has changed elsewhere", None
    if not holding:
        return CitationStatus.CHANGED, "the words are no longer in the file", None
    found = replace(place, page=min(holding, key=lambda page: abs(page - place.page)))
    return CitationStatus.MOVED, f"the words are now on page {found.page}", found


def _nearest(text: str, words: str, line: int) -> tuple[int, int] | None:
    """The lines of the occurrence that is nearest to where the words stood."""
    lines, spans, at = LineMap(text), [], text.find(words)
    while at >= 0:
        spans.append((lines.line_at(at), lines.line_at(at + len(words) - 1)))
        at = text.find(words, at + 1)
    return min(spans, key=lambda span: abs(span[0] - line), default=None)
