"""A suite's text to its queries. What is wrong with one query is told with its line and costs that query alone."""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import TypeVar

from kebab.core.evaluation import Expectation, GoldenQuery, Suite, SuiteProblem
from kebab.core.ids import short_hash
from kebab.core.text import nfc, to_posix
from kebab.eval.lined_yaml import Items, Table, Text, Value, broken, load

MAX_QUERIES = 20_000
MAX_TEXT = 4_000
_GRADES = range(1, 11)
_KEYS = ("name", "description", "queries")
_QUERY_KEYS = (
    *("id", "text", "lang", "expected", "expected_chunk_ids", "expected_doc_ids", "must_contain", "forbidden"),
    *("answerable", "variants"),
)
_EXPECTED_KEYS = ("doc", "heading", "quote", "chunk", "doc_id", "grade")
_ID = re.compile(r"[^\s~]{1,80}")
_HEX = re.compile(r"[0-9a-f]{6,32}")

Read = TypeVar("Read")


class _Bad(Exception):
    """What is wrong with one query."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.problem = SuiteProblem(line, message)


def read_suite(text: str, name: str, path: str | None = None) -> Suite:
    """Raises InvalidInput, with the line, when there is no query that could be asked."""
    root = load(text)
    if isinstance(root, Items):
        # A list of queries and nothing else is a suite too.
        root = Table(root.line, ((Text(root.line, "queries", plain=True), root),))
    if not isinstance(root, Table):
        raise broken(root.line if root else 1, "a suite has a list of queries")
    try:
        fields = _fields(root, _KEYS)
    except _Bad as error:
        raise broken(error.problem.line, error.problem.message) from error
    listed = fields.get("queries")
    if not isinstance(listed, Items):
        raise broken(listed.line if listed else root.line, "`queries` must be a list of queries")
    if len(listed.items) > MAX_QUERIES:
        raise broken(listed.line, f"more than {MAX_QUERIES} queries")
    queries, problems = _queries(listed)
    if not queries:
        raise broken(problems[0].line if problems else listed.line, problems[0].message if problems else "no queries")
    given = fields.get("name")
    return Suite(given.text if isinstance(given, Text) else name, path, digest_of(queries), queries, problems)


def digest_of(queries: tuple[GoldenQuery, ...]) -> str:
    """Of what is asked and expected, whatever the layout of the file."""
    return short_hash([_row(each) for each in queries])


def _row(query: GoldenQuery) -> list[str | bool | list[str] | list[list[str | int | None]]]:
    expected = [list(wanted) for wanted in query.expected]
    return [query.query_id, query.text, query.answerable, expected, list(query.must_contain), list(query.forbidden)]


def _queries(listed: Items) -> tuple[tuple[GoldenQuery, ...], tuple[SuiteProblem, ...]]:
    found: dict[str, GoldenQuery] = {}
    problems = []
    for value in listed.items:
        try:
            wordings = list(_wordings(value))
            taken = next((each for each in wordings if each.query_id in found), None)
            if taken is not None:
                first = found[taken.query_id].line
                raise _Bad(value.line, f"the query `{taken.query_id}` is there already, on line {first}")
            found |= {each.query_id: each for each in wordings}
        except _Bad as error:
            problems.append(error.problem)
    return tuple(found.values()), tuple(problems)


def _wordings(value: Value) -> Iterator[GoldenQuery]:
    """A query and its paraphrases, which are expected to find the same."""
    query, variants = _query(value)
    yield query._replace(group=query.query_id) if variants else query
    for number, text in enumerate(variants, start=1):
        yield query._replace(query_id=f"{query.query_id}~{number}", text=text, group=query.query_id)


def _query(value: Value) -> tuple[GoldenQuery, tuple[str, ...]]:
    if not isinstance(value, Table):
        raise _Bad(value.line, "a query has a `text` and what it should find")
    fields = _fields(value, _QUERY_KEYS)
    if "text" not in fields:
        raise _Bad(value.line, "a query needs a `text`")
    text = _text(fields["text"], "text")
    query = GoldenQuery(
        query_id=_given(fields, "id", _identity) or f"q-{short_hash({'text': text})[:8]}",
        text=text,
        lang=_given(fields, "lang", lambda each: _text(each, "lang")),
        expected=_expected(fields),
        must_contain=_given(fields, "must_contain", _texts) or (),
        forbidden=_given(fields, "forbidden", _texts) or (),
        answerable=_flag(fields["answerable"]) if "answerable" in fields else True,
        line=value.line,
    )
    if not query.answerable and query.expected:
        raise _Bad(value.line, "a query that is not answerable cannot expect anything")
    return query, _given(fields, "variants", _texts) or ()


def _given(fields: Mapping[str, Value], name: str, read: Callable[[Value], Read]) -> Read | None:
    return read(fields[name]) if name in fields else None


def _expected(fields: Mapping[str, Value]) -> tuple[Expectation, ...]:
    found = []
    value = fields.get("expected")
    if value is not None:
        found += [_expectation(each) for each in (value.items if isinstance(value, Items) else (value,))]
    found += [Expectation(chunk_id=each) for each in _given(fields, "expected_chunk_ids", _ids) or ()]
    found += [Expectation(doc_id=each) for each in _given(fields, "expected_doc_ids", _ids) or ()]
    return tuple(found)


def _expectation(value: Value) -> Expectation:
    if isinstance(value, Text):
        return Expectation(doc=to_posix(_text(value, "expected")))
    if not isinstance(value, Table):
        raise _Bad(value.line, "what is expected is a path, or has doc, heading, quote, chunk or doc_id")
    fields = _fields(value, _EXPECTED_KEYS)
    texts = {name: _text(each, name) for name, each in fields.items() if name != "grade"}
    if not texts:
        raise _Bad(value.line, "what is expected needs doc, heading, quote, chunk or doc_id")
    return Expectation(
        doc=to_posix(texts["doc"]) if "doc" in texts else None,
        heading=texts.get("heading"),
        quote=texts.get("quote"),
        chunk_id=_hex(value.line, texts["chunk"]) if "chunk" in texts else None,
        doc_id=_hex(value.line, texts["doc_id"]) if "doc_id" in texts else None,
        grade=_given(fields, "grade", _grade) or 1,
    )


def _fields(table: Table, known: tuple[str, ...]) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    for key, value in table.rows:
        if key.text not in known:
            near = get_close_matches(key.text, known, n=1)
            raise _Bad(key.line, f"`{key.text[:40]}` is no key here" + (f"; is it `{near[0]}`?" if near else ""))
        if key.text in fields:
            raise _Bad(key.line, f"`{key.text}` stands here twice")
        # A key without a value, as a template leaves them, says nothing.
        if not (isinstance(value, Text) and value.plain and value.text in ("", "~", "null")):
            fields[key.text] = value
    return fields


def _text(value: Value, name: str) -> str:
    if not isinstance(value, Text) or not value.text.strip():
        raise _Bad(value.line, f"`{name}` must be text")
    if len(value.text) > MAX_TEXT:
        raise _Bad(value.line, f"`{name}` is longer than {MAX_TEXT} characters")
    if any("\ud800" <= char <= "\udfff" for char in value.text):
        raise _Bad(value.line, f"`{name}` holds half of a character")
    return nfc(value.text.strip())


def _texts(value: Value) -> tuple[str, ...]:
    return tuple(_text(each, "a text") for each in (value.items if isinstance(value, Items) else (value,)))


def _ids(value: Value) -> tuple[str, ...]:
    return tuple(_hex(value.line, each) for each in _texts(value))


def _identity(value: Value) -> str:
    text = _text(value, "id")
    if _ID.fullmatch(text) is None:
        raise _Bad(value.line, f"`id` must be up to 80 characters without spaces and ~, not {text[:90]!r}")
    return text


def _hex(line: int, text: str) -> str:
    if _HEX.fullmatch(text) is None:
        raise _Bad(line, f"{text[:40]!r} is no id: ids have 6 to 32 digits of 0-9 and a-f")
    return text


def _flag(value: Value) -> bool:
    words = {"true": True, "yes": True, "false": False, "no": False}
    if not isinstance(value, Text) or value.text.lower() not in words:
        raise _Bad(value.line, "`answerable` must be true or false")
    return words[value.text.lower()]


def _grade(value: Value) -> int:
    if not isinstance(value, Text) or not re.fullmatch("[0-9]{1,2}", value.text) or int(value.text) not in _GRADES:
        raise _Bad(value.line, f"`grade` must be a whole number from {_GRADES[0]} to {_GRADES[-1]}")
    return int(value.text)
