-- One row per (key); holds schema_version, corpus_revision and the analyser the full-text index was built with.
CREATE TABLE schema_meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE migrations (
  id          INTEGER PRIMARY KEY,
  applied_at  TEXT NOT NULL,
  description TEXT NOT NULL
);

-- Every folder that was indexed and where it was. A folder ingested without being configured (`kebab ingest PATH`) is
-- remembered here alone.
CREATE TABLE sources (
  source_id  TEXT PRIMARY KEY,
  root       TEXT NOT NULL,
  configured INTEGER NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

-- Keyed by content: twin files share one asset, so its path (that of the first twin) is not unique.
CREATE TABLE assets (
  asset_id       TEXT PRIMARY KEY,
  source_uri     TEXT NOT NULL,
  workspace_path TEXT NOT NULL,
  media_type     TEXT NOT NULL,
  byte_len       INTEGER NOT NULL,
  checksum       TEXT NOT NULL,
  storage_kind   TEXT NOT NULL CHECK (storage_kind IN ('copied', 'reference')),
  storage_path   TEXT NOT NULL,
  discovered_at  TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE documents (
  doc_key         INTEGER PRIMARY KEY,
  doc_id          TEXT NOT NULL UNIQUE,
  asset_id        TEXT NOT NULL REFERENCES assets(asset_id) ON DELETE RESTRICT,
  workspace_path  TEXT NOT NULL UNIQUE,
  source_id       TEXT NOT NULL,
  -- 1: put in by `ingest-file` or `ingest-stdin`; no sweep of a folder may drop it.
  standalone      INTEGER NOT NULL DEFAULT 0,
  media_type      TEXT NOT NULL,
  title           TEXT NOT NULL,
  lang            TEXT NOT NULL,
  source_type     TEXT NOT NULL,
  trust_level     TEXT NOT NULL,
  parser_version  TEXT NOT NULL,
  chunker_version TEXT NOT NULL,
  policy_hash     TEXT NOT NULL,
  doc_version     INTEGER NOT NULL,
  schema_version  INTEGER NOT NULL,
  metadata_json   TEXT NOT NULL,
  provenance_json TEXT NOT NULL,
  warnings_json   TEXT NOT NULL,
  chunk_count     INTEGER NOT NULL,
  created_at      TEXT NOT NULL,
  -- Last real processing; a run that finds the file unchanged leaves it alone.
  updated_at      TEXT NOT NULL,
  file_path       TEXT NOT NULL,
  file_size       INTEGER NOT NULL,
  file_mtime_ns   INTEGER NOT NULL,
  file_inode      INTEGER NOT NULL,
  -- Hash of every setting that shaped the stored chunks; another value means the file is processed again.
  fresh_key       TEXT NOT NULL
);
CREATE INDEX idx_documents_asset  ON documents(asset_id);
CREATE INDEX idx_documents_source ON documents(source_id);
CREATE INDEX idx_documents_lang   ON documents(lang);

-- The decoded text whose lines every citation counts, deflated.
CREATE TABLE document_texts (
  doc_key INTEGER PRIMARY KEY REFERENCES documents(doc_key) ON DELETE CASCADE,
  deflated BLOB NOT NULL
);

CREATE TABLE document_tags (
  tag     TEXT NOT NULL,
  doc_key INTEGER NOT NULL REFERENCES documents(doc_key) ON DELETE CASCADE,
  PRIMARY KEY (tag, doc_key)
) WITHOUT ROWID;
CREATE INDEX idx_document_tags_doc ON document_tags(doc_key);

-- A block's text is the document's text at its span and its id follows from the rest, so only what a parser alone can
-- tell is stored: [kind, heading path or null (that of the block before), ordinal, [first line, last line], payload].
-- Blocks are only ever read together, and a row each would cost a tenth of an ingest; the view shows them one by one.
CREATE TABLE document_blocks (
  doc_key     INTEGER PRIMARY KEY REFERENCES documents(doc_key) ON DELETE CASCADE,
  blocks_json TEXT NOT NULL
);
CREATE VIEW blocks AS
  SELECT d.doc_key, j.key AS position, j.value ->> 0 AS kind, j.value -> 1 AS heading_path_json,
         j.value ->> 2 AS ordinal, j.value -> 3 AS source_span_json, j.value -> 4 AS payload_json
  FROM document_blocks d, json_each(d.blocks_json) j;

CREATE TABLE chunks (
  -- Never used again after a delete: what was derived from a chunk must not be taken for another's.
  chunk_key         INTEGER PRIMARY KEY AUTOINCREMENT,
  chunk_id          TEXT NOT NULL UNIQUE,
  doc_key           INTEGER NOT NULL REFERENCES documents(doc_key) ON DELETE CASCADE,
  ordinal           INTEGER NOT NULL,
  text              TEXT NOT NULL,
  heading_path_json TEXT NOT NULL,
  section_label     TEXT,
  source_spans_json TEXT NOT NULL,
  token_estimate    INTEGER NOT NULL,
  -- Positions of the chunk's blocks in its document, first and last.
  block_first       INTEGER NOT NULL,
  block_last        INTEGER NOT NULL,
  UNIQUE (doc_key, ordinal)
);

-- Words: stemmed by porter, Hangul already cut into morphemes. Contentless, because its input is made from
-- `chunks` and never shown; contentless_delete lets a row go without repeating what was indexed.
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  heading, text, parts,
  content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- Hangul syllable pairs: they find what the dictionary cut badly.
CREATE VIRTUAL TABLE chunks_grams USING fts5(
  grams,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN
  DELETE FROM chunks_fts   WHERE rowid = old.chunk_key;
  DELETE FROM chunks_grams WHERE rowid = old.chunk_key;
END;

CREATE TABLE ingest_runs (
  run_id          TEXT PRIMARY KEY,
  scope_json      TEXT NOT NULL,
  scanned         INTEGER NOT NULL,
  new_count       INTEGER NOT NULL,
  updated_count   INTEGER NOT NULL,
  skipped_count   INTEGER NOT NULL,
  unchanged_count INTEGER NOT NULL,
  error_count     INTEGER NOT NULL,
  purged_count    INTEGER NOT NULL,
  aborted         INTEGER NOT NULL,
  duration_ms     INTEGER NOT NULL,
  started_at      TEXT NOT NULL,
  finished_at     TEXT NOT NULL,
  -- Only what needs attention: files that failed or warned.
  items_json      TEXT
) WITHOUT ROWID;
CREATE INDEX idx_ingest_runs_finished ON ingest_runs(finished_at);

INSERT INTO schema_meta(key, value) VALUES ('corpus_revision', '0');
