"""A suite proposed from a collection's own documents, and its text as YAML with comments for whoever edits it."""

import json
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from kebab.core.evaluation import Expectation, GoldenQuery, Suite
from kebab.eval.rewording import is_korean, reworded
from kebab.eval.shipped import foreign_questions
from kebab.eval.suite import digest_of

# One question in five has no answer.
_UNANSWERABLE = 5
_QUOTE = 80
_COMMENT = 160
_HEAD = (
    "# An evaluation suite, proposed from your own documents. Edit it: a good suite asks what you would ask.",
    "# - Reword questions; those here are sentences and headings of documents with some of their words changed.",
    "# - `expected` is what should be found: `doc` (a path, may have *), `heading`, `quote` (words of the passage).",
    "# - `variants` are other wordings of a question, `must_contain` and `forbidden` are words of its answer.",
    "# - `answerable: false` marks what your documents do not answer; take out those that they do.",
    "# Then: kebab eval run SUITE, and after a change: kebab eval run SUITE, kebab eval compare last~1 last",
)


class Excerpt(NamedTuple):
    """A heading or a sentence to ask about. `source` is the text, `asked` what the question is made of."""

    doc_path: str
    heading: str | None
    line: int
    source: str
    asked: str
    is_heading: bool = False


def propose(excerpts: Sequence[Excerpt], count: int, random: Random, name: str) -> Suite:
    """Up to `count` queries, excerpts in their order; those that cannot be asked about are passed over."""
    wanted = count - count // _UNANSWERABLE
    queries: list[GoldenQuery] = []
    for excerpt in excerpts:
        if len(queries) >= wanted:
            break
        text = reworded(excerpt.asked, random)
        if text is not None and all(text != query.text for query in queries):
            queries.append(_query(len(queries) + 1, excerpt, text))
    foreign = random.sample(foreign_questions(), min(count // _UNANSWERABLE, len(foreign_questions())))
    queries += [_foreign(number, text) for number, text in enumerate(foreign, start=1)]
    return Suite(name, None, digest_of(tuple(queries)), tuple(queries))


def _query(number: int, excerpt: Excerpt, text: str) -> GoldenQuery:
    quote = None if excerpt.is_heading else quotable(excerpt.source)
    expected = Expectation(doc=excerpt.doc_path, heading=excerpt.heading if excerpt.is_heading else None, quote=quote)
    comment = f"line {excerpt.line}: {' '.join(excerpt.source.split())[:_COMMENT]}"
    lang = "ko" if is_korean(excerpt.asked) else "en"
    return GoldenQuery(f"own-{number:03d}", text, lang, (expected,), comment=comment)


def _foreign(number: int, text: str) -> GoldenQuery:
    return GoldenQuery(f"foreign-{number:03d}", text, "ko" if is_korean(text) else "en", answerable=False)


def quotable(sentence: str) -> str:
    """The beginning of a sentence, cut at a space; it is compared with spaces made even."""
    text = " ".join(sentence.split())
    if len(text) <= _QUOTE:
        return text
    return text[:_QUOTE].rpartition(" ")[0] or text[:_QUOTE]


def suite_text(suite: Suite) -> str:
    """YAML that reads back as the same suite."""
    lines = [*_HEAD, f"name: {_quoted(suite.name)}", "queries:"]
    for query in suite.queries:
        lines += _query_lines(query)
    return "\n".join(lines) + "\n"


def _query_lines(query: GoldenQuery) -> Iterator[str]:
    yield ""
    if query.comment:
        yield f"  # {_harmless(query.comment)}"
    yield f"  - id: {_quoted(query.query_id)}"
    yield f"    text: {_quoted(query.text)}"
    if query.lang:
        yield f"    lang: {query.lang}"
    if not query.answerable:
        yield "    answerable: false"
    for expected in query.expected:
        yield "    expected:"
        given = {name: getattr(expected, name) for name in ("doc", "heading", "quote")}
        rows = [f"{name}: {_quoted(value)}" for name, value in given.items() if value]
        yield f"      - {rows[0]}"
        yield from (f"        {row}" for row in rows[1:])


def _quoted(text: str) -> str:
    """A JSON string is a YAML one, but for the few characters that YAML does not print."""
    escaped = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda char: f"\\u{ord(char[0]):04x}", escaped)


def _harmless(comment: str) -> str:
    return "".join(char if char.isprintable() else " " for char in comment)
