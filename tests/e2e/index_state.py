"""What an index says, read from its database: whether it is consistent, and what no two ways to make it may change."""

from pathlib import Path
from struct import unpack
from typing import Any

import apsw

from kebab.core.ids import content_hash
from kebab.store.connection import SCHEMA_VERSION

# Each gives rows that must not be there, whatever was interrupted before.
FAULTS = {
    "a document is stored whole or not at all": """SELECT workspace_path FROM documents d
        WHERE chunk_count <> (SELECT count(*) FROM chunks c WHERE c.doc_key = d.doc_key)
        OR NOT EXISTS (SELECT 1 FROM document_texts t WHERE t.doc_key = d.doc_key)""",
    "an asset belongs to a document": """SELECT asset_id FROM assets
        WHERE asset_id NOT IN (SELECT asset_id FROM documents)""",
    "every chunk is in the full text": """SELECT chunk_key FROM chunks
        WHERE chunk_key NOT IN (SELECT id FROM chunks_fts_docsize)""",
    "a vector is unused exactly when no chunk holds its text": """SELECT embedding_key FROM embeddings e
        WHERE (unused_since IS NULL) <>
        EXISTS (SELECT 1 FROM embedding_records r WHERE r.embedding_key = e.embedding_key)""",
    "no text of a chunk has two records": """SELECT chunk_key FROM embedding_records
        GROUP BY chunk_key, model_key, role, embedding_key HAVING count(*) > 1""",
    "a record and its vector are of one model": """SELECT record_key FROM embedding_records r
        JOIN embeddings e USING (embedding_key) WHERE r.model_key <> e.model_key""",
    "a record that is there was not removed": """SELECT record_key FROM removed_records
        WHERE record_key IN (SELECT record_key FROM embedding_records)""",
    "removed records are of a model that is kept": """SELECT record_key FROM removed_records
        WHERE model_key NOT IN (SELECT model_key FROM embedding_models)""",
    "a vector is as long as its model says": """SELECT embedding_key FROM embeddings
        JOIN embedding_models USING (model_key) WHERE length(vector) <> 2 * dimensions""",
    "the model that searches use is kept": """SELECT value FROM schema_meta WHERE key = 'embedding_model'
        AND value NOT IN (SELECT CAST(model_key AS TEXT) FROM embedding_models)""",
}
# A document is written together with its vectors.
UNEMBEDDED = "SELECT chunk_key FROM chunks WHERE chunk_key NOT IN (SELECT chunk_key FROM embedding_records)"

# Chunks that can be found by meaning.
SEARCHED = """SELECT DISTINCT chunk_key FROM embedding_records
    WHERE CAST(model_key AS TEXT) = (SELECT value FROM schema_meta WHERE key = 'embedding_model')"""

# Without the numbers and times that no reader sees.
LOGICAL = {
    # Without front matter the times are the file's as it was last processed; being written anew is no change.
    "documents": """SELECT workspace_path, doc_id, asset_id, chunk_count, title, lang, source_id, standalone,
        parser_version, chunker_version, policy_hash, warnings_json,
        json_remove(metadata_json, '$.created_at', '$.updated_at') FROM documents""",
    "texts": "SELECT workspace_path, deflated FROM document_texts JOIN documents USING (doc_key)",
    "chunks": """SELECT chunk_id, workspace_path, ordinal, text, heading_path_json, section_label,
        source_spans_json, token_estimate, block_first, block_last FROM chunks JOIN documents USING (doc_key)""",
    "blocks": """SELECT workspace_path, position, kind, heading_path_json, ordinal, source_span_json, payload_json
        FROM blocks JOIN documents USING (doc_key)""",
    "tags": "SELECT workspace_path, tag FROM document_tags JOIN documents USING (doc_key)",
    "assets": "SELECT asset_id, media_type, byte_len, checksum, storage_kind FROM assets",
    "words": "SELECT term, doc, cnt FROM temp.words",
    "pairs": "SELECT term, doc, cnt FROM temp.pairs",
    "models": """SELECT provider, model, version, dimensions, input_version,
        CAST(model_key AS TEXT) = (SELECT value FROM schema_meta WHERE key = 'embedding_model')
        FROM embedding_models""",
    "records": """SELECT chunk_id, version, role, hex(input_hash) FROM embedding_records r
        JOIN embeddings USING (embedding_key) JOIN chunks USING (chunk_key)
        JOIN embedding_models m ON m.model_key = r.model_key""",
    "open jobs": "SELECT kind, status FROM jobs WHERE status IN ('pending', 'running')",
}


def check_database(path: Path, *, embedded: bool = False) -> dict[str, str]:
    """The database opens clean; gives the content hash of every document in it. `embedded`: all chunks have vectors."""
    if not path.exists():
        return {}
    database = apsw.Connection(str(path))
    try:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        if int(str(database.pragma("user_version"))) < SCHEMA_VERSION:
            return {}  # killed before its tables were complete
        faults = FAULTS | ({"every chunk has vectors": UNEMBEDDED} if embedded else {})
        found = {rule: rows for rule, sql in faults.items() if (rows := database.execute(sql).fetchall())}
        assert found == {}
        return dict(database.execute("SELECT d.workspace_path, checksum FROM documents d JOIN assets USING (asset_id)"))
    finally:
        database.close()


def on_disk(notes: Path) -> dict[str, str]:
    return {str(path.relative_to(notes)): content_hash(path.read_bytes()) for path in notes.rglob("*.md")}


def logical_state(path: Path) -> dict[str, list[str]]:
    """Everything a reader of the index can see, in an order of our own."""
    database = apsw.Connection(str(path))
    try:
        database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, chunks_fts, row)")
        database.execute("CREATE VIRTUAL TABLE temp.pairs USING fts5vocab(main, chunks_grams, row)")
        return {name: sorted(map(repr, database.execute(sql))) for name, sql in LOGICAL.items()}
    finally:
        database.close()


def vectors(path: Path) -> dict[tuple[object, ...], tuple[float, ...]]:
    """The numbers of each vector, by version of the model and hash of the text."""
    sql = "SELECT version, input_hash, vector FROM embeddings JOIN embedding_models USING (model_key)"
    used = f"{sql} WHERE unused_since IS NULL"
    return {(version, text): unpack(f"<{len(raw) // 2}e", raw) for version, text, raw in query_rows(path, used)}


def apart(one: Path, other: Path) -> float:
    """The largest difference between two indexes in any number of any vector. Both hold the same texts."""
    left, right = vectors(one), vectors(other)
    assert left.keys() == right.keys()
    return max(abs(a - b) for key in left for a, b in zip(left[key], right[key], strict=True))


def query_rows(path: Path, sql: str) -> list[Any]:
    """What a statement finds in a database that others may be using."""
    database = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(database.execute(sql))
    finally:
        database.close()
