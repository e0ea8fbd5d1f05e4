"""Hits, evidence and a small lexicon for the tests of answers."""

import re

from kebab.core.answer import Evidence
from kebab.core.citation import Citation, LineCitation
from kebab.core.query import Freshness, Hit, RetrievalDetail, SearchMode
from kebab.rag.align import Lexicon
from kebab.rag.pack import Found

COMMON = frozenset("the a an is are of to in and it for with on by at as be or 은 는 이 가 을 를 의 에".split())
_WORD = re.compile(r"[a-z0-9]+|[가-힣]{1,2}")


def words(text: str) -> list[str]:
    """Latin words, and the first syllables of Hangul words: enough of an analyser to tell words apart."""
    return [word for run in re.findall(r"[a-z0-9]+|[가-힣]+", text.lower()) for word in _WORD.findall(run)[:1]]


def weight(word: str) -> float:
    return 0.1 if word in COMMON else 3.0


LEXICON = Lexicon(words, weight)


def hit(
    rank: int = 1,
    *,
    doc: str = "d1",
    path: str = "notes/a.md",
    headings: tuple[str, ...] = (),
    citation: Citation | None = None,
    title: str = "",
    trust: str = "primary",
    source: str = "default",
) -> Hit:
    return Hit(
        rank=rank,
        score=1.0 / rank,
        score_kind="blend",
        chunk_id=f"{doc}-{rank}",
        doc_id=doc,
        doc_path=path,
        title=title,
        heading_path=headings,
        section_label=None,
        snippet="",
        snippet_full_text=False,
        highlights=(),
        citation=citation or LineCitation(path, 1, 1),
        retrieval=RetrievalDetail(SearchMode.HYBRID, 1.0 / rank),
        chunker_version="v1",
        indexed_at="",
        stale=False,
        freshness=Freshness.FRESH,
        source_id=source,
        trust_level=trust,
        file="",
    )


def evidence(text: str, number: int = 1, first_line: int = 1, of: Hit | None = None) -> Evidence:
    found = of or hit(number)
    cited = found.citation
    if isinstance(cited, LineCitation):
        cited = LineCitation(cited.path, first_line, first_line + text.count("\n"), cited.section)
    return Evidence(number, found, text, first_line, cited)


class Library:
    """Documents by id, read by lines as the store reads them."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.read: list[tuple[str, int, int]] = []

    def source_lines(self, doc: str, first: int, last: int) -> str:
        self.read.append((doc, first, last))
        return "\n".join(self.texts[doc].split("\n")[first - 1 : last])

    def found(self, rank: int, doc: str, first: int, last: int) -> Found:
        text = "\n".join(self.texts[doc].split("\n")[first - 1 : last])
        path = f"{doc}.md"
        return Found(hit(rank, doc=doc, path=path, citation=LineCitation(path, first, last)), text, first, last)
