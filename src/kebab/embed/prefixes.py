"""What a model wants in front of a text, known by the model's name: a question and a passage may be marked differently.

A model on a server is only a name, and servers add no prefix of their own. A row here holds for every server. Changing
a row changes vectors without changing the model's identity: whoever does it changes `models.embedding.version` too.
"""

import re
from typing import NamedTuple

from kebab.core.embedding import EmbeddingKind


class Prefixes(NamedTuple):
    """The first row whose pattern is found in the lower-case name of the model holds."""

    pattern: str
    query: str
    document: str


# "e5" counts as a word of its own, so that a name that merely holds the two characters is left alone.
_E5 = r"(?<![a-z0-9])e5(?![a-z0-9])"
_RETRIEVE = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "

PREFIXES = (
    Prefixes(_E5 + ".*instruct", _RETRIEVE, ""),
    Prefixes(_E5, "query: ", "passage: "),
    Prefixes("nomic-embed", "search_query: ", "search_document: "),
)


def prefix(model: str, kind: EmbeddingKind) -> str:
    """Empty for a model that no row names."""
    name = model.lower()
    for row in PREFIXES:
        if re.search(row.pattern, name):
            return row.query if kind is EmbeddingKind.QUERY else row.document
    return ""
