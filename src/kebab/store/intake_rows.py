"""Whether the rows of a database from elsewhere can be read: kinds of values, JSON, vectors, and paths of files."""

import re
from collections.abc import Iterator

import apsw

_KINDS = {"TEXT": "text", "INTEGER": "integer", "BLOB": "blob", "REAL": "real"}
# What the JSON in a column has to be; any other column of JSON may hold whatever is valid.
_SHAPES = {
    "metadata_json": "object",
    "provenance_json": "array",
    "warnings_json": "array",
    "blocks_json": "array",
    "heading_path_json": "array",
    "source_spans_json": "array",
    "settings_json": "object",
}
_BY_THEMSELVES = {
    # `kebab open` hands these to an editor: one that begins like an option could tell it to run something.
    "a document names a file by no whole path": """SELECT 1 FROM documents WHERE
        NOT (file_path GLOB '/*' OR file_path GLOB '[A-Za-z]:[\\/]*' OR file_path GLOB '\\\\*')""",
    "a model has vectors of no length": "SELECT 1 FROM embedding_models WHERE dimensions NOT BETWEEN 1 AND 65536",
    "a vector is not of its model's length": """SELECT 1 FROM embeddings JOIN embedding_models USING (model_key)
        WHERE length(vector) != 2 * dimensions""",
}

_NAMED = re.compile(r"(?:FROM|JOIN) (\w+)")


def row_problems(connection: apsw.Connection, tables: set[str]) -> Iterator[str]:
    """Of a database whose schema is known to be ours; `tables` are its tables but for those of the full text."""
    for table in sorted(tables):
        wrong = " OR ".join(_conditions(connection, table))
        if wrong and connection.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone():
            yield f"a row of {table} holds values of the wrong kind"
    for problem, sql in _BY_THEMSELVES.items():
        if set(_NAMED.findall(sql)) <= tables and connection.execute(f"{sql} LIMIT 1").fetchone():
            yield problem


def _conditions(connection: apsw.Connection, table: str) -> Iterator[str]:
    for name, kind in connection.execute("SELECT name, type FROM pragma_table_xinfo(?)", (table,)).fetchall():
        if kind in _KINDS:
            yield f"typeof({name}) NOT IN ('{_KINDS[str(kind)]}', 'null')"
        if str(name).endswith("_json"):
            yield f"{name} IS NOT NULL AND NOT json_valid({name})"
        if name in _SHAPES:
            # Only of what is valid: of anything else its shape cannot even be asked.
            yield f"CASE WHEN json_valid({name}) THEN json_type({name}) != '{_SHAPES[str(name)]}' ELSE 0 END"
