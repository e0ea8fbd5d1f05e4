"""Every path of the API and the tool it calls, whose options are the fields of the request."""

from collections.abc import Iterator
from typing import NamedTuple

from kebab.ui.options import Kind, Option
from kebab.ui.serving.tools import TOOLS, Tool

EVIDENCE = Option(
    "evidence", Kind.FLAG, "Add the passages the model was given, with how each was found.", "evidence", default=False
)
JSON = "application/json"
_PATHS = {
    "search": ("POST", "/v1/search"),
    "bulk_search": ("POST", "/v1/bulk_search"),
    "ask": ("POST", "/v1/ask"),
    "fetch": ("POST", "/v1/fetch"),
    "verify": ("POST", "/v1/verify"),
    "list_docs": ("GET", "/v1/docs"),
    "symbols": ("GET", "/v1/symbols"),
    "schema": ("GET", "/v1/schema"),
    "doctor": ("GET", "/v1/doctor"),
    "ingest": ("POST", "/v1/ingest"),
    "ingest_file": ("POST", "/v1/ingest_file"),
    "ingest_stdin": ("POST", "/v1/ingest_stdin"),
}


class Way(NamedTuple):
    """`options` are the rows a request is held against; `media` is what it sends if not JSON."""

    method: str
    path: str
    tool: Tool
    media: str = JSON

    @property
    def options(self) -> tuple[Option, ...]:
        return (*self.tool.options, EVIDENCE) if self.tool.name == "ask" else self.tool.options


def ways() -> Iterator[Way]:
    for tool in TOOLS:
        yield Way(*_PATHS[tool.name], tool)
