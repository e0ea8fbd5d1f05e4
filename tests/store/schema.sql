CREATE INDEX idx_answers_conversation ON answers(conversation_id, turn_index) WHERE conversation_id IS NOT NULL;

CREATE INDEX idx_answers_created_at   ON answers(created_at);

CREATE INDEX idx_answers_grounded     ON answers(grounded);

CREATE INDEX idx_chat_turns_session ON chat_turns(session_id, turn_index);

CREATE INDEX idx_derivations_used ON derivations(used_at);

CREATE INDEX idx_document_tags_doc ON document_tags(doc_key);

CREATE INDEX idx_documents_asset  ON documents(asset_id);

CREATE INDEX idx_documents_code ON documents(code_lang) WHERE code_lang IS NOT NULL;

CREATE INDEX idx_documents_lang   ON documents(lang);

CREATE INDEX idx_documents_repo ON documents(repo) WHERE repo IS NOT NULL;

CREATE INDEX idx_documents_source ON documents(source_id);

CREATE INDEX idx_embedding_records_chunk     ON embedding_records(chunk_key, model_key);

CREATE INDEX idx_embedding_records_embedding ON embedding_records(embedding_key);

CREATE INDEX idx_embedding_records_model     ON embedding_records(model_key);

CREATE INDEX idx_embeddings_unused ON embeddings(unused_since) WHERE unused_since IS NOT NULL;

CREATE INDEX idx_ingest_runs_finished ON ingest_runs(finished_at);

CREATE INDEX idx_jobs_kind   ON jobs(kind);

CREATE INDEX idx_jobs_status ON jobs(status);

CREATE INDEX idx_removed_records_model ON removed_records(model_key);

CREATE INDEX idx_symbols_chunk ON symbols(chunk_key);

CREATE INDEX idx_symbols_doc   ON symbols(doc_key);

CREATE INDEX idx_symbols_full  ON symbols(qualified);

CREATE INDEX idx_symbols_name  ON symbols(name);

CREATE TABLE answers (
  trace_id                TEXT NOT NULL PRIMARY KEY,
  query                   TEXT NOT NULL,
  answer                  TEXT NOT NULL,
  grounded                INTEGER NOT NULL,
  refusal_reason          TEXT,
  hint                    TEXT,
  model_id                TEXT NOT NULL,
  model_provider          TEXT NOT NULL,
  embedding_model_id      TEXT,
  embedding_provider      TEXT,
  embedding_dimensions    INTEGER,
  prompt_template_version TEXT NOT NULL,
  retrieval_mode          TEXT NOT NULL,
  retrieval_k             INTEGER NOT NULL,
  score_gate              REAL NOT NULL,
  top_score               REAL NOT NULL,
  evidence_score          REAL,
  chunks_returned         INTEGER NOT NULL,
  chunks_used             INTEGER NOT NULL,
  filters_json            TEXT NOT NULL,
  -- [{marker, citation, indexed_at, stale, freshness, quote, score}], a quote with its offsets and its own lines.
  citations_json          TEXT NOT NULL,
  -- Ids of the chunks the model was given, in the order of their numbers.
  packed_chunks_json      TEXT,
  -- [{text, markers, support, score, quotes}].
  statements_json         TEXT NOT NULL,
  -- {passages, checksums}: each passage with its chunk, document, file, place and score, and its text if it was cited;
  -- the checksums of the cited files by path.
  evidence_json           TEXT NOT NULL,
  hops_json               TEXT,
  verification_json       TEXT,
  prompt_tokens           INTEGER,
  completion_tokens       INTEGER,
  latency_ms              INTEGER,
  conversation_id         TEXT,
  turn_index              INTEGER,
  created_at              TEXT NOT NULL
);

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

CREATE TABLE chat_sessions (
  session_id           TEXT NOT NULL PRIMARY KEY,
  created_at           TEXT NOT NULL,
  updated_at           TEXT NOT NULL,
  -- The beginning of the first question.
  title                TEXT,
  -- The prompt, the model and the like that the session was begun with.
  config_snapshot_json TEXT NOT NULL
) STRICT;

CREATE TABLE chat_turns (
  -- A hash of the session's id and the turn's index.
  turn_id        TEXT    NOT NULL PRIMARY KEY,
  session_id     TEXT    NOT NULL REFERENCES chat_sessions(session_id) ON DELETE CASCADE,
  -- From 0, without gaps.
  turn_index     INTEGER NOT NULL,
  question       TEXT    NOT NULL,
  answer         TEXT    NOT NULL,
  -- In the form of `answers.citations_json`.
  citations_json TEXT    NOT NULL,
  created_at     TEXT    NOT NULL,
  UNIQUE (session_id, turn_index)
) STRICT;

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
  block_last        INTEGER NOT NULL, place_json TEXT,
  UNIQUE (doc_key, ordinal)
);

CREATE VIRTUAL TABLE chunks_fts USING fts5(
  heading, text, parts,
  content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE 'chunks_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'chunks_fts_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'chunks_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'chunks_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIRTUAL TABLE chunks_grams USING fts5(
  grams,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TABLE 'chunks_grams_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'chunks_grams_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'chunks_grams_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'chunks_grams_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE derivations (
  derivation_key TEXT PRIMARY KEY,
  kind           TEXT NOT NULL,
  value          BLOB NOT NULL,
  created_at     TEXT NOT NULL,
  used_at        TEXT NOT NULL
);

CREATE TABLE document_blocks (
  doc_key     INTEGER PRIMARY KEY REFERENCES documents(doc_key) ON DELETE CASCADE,
  blocks_json TEXT NOT NULL
);

CREATE TABLE document_tags (
  tag     TEXT NOT NULL,
  doc_key INTEGER NOT NULL REFERENCES documents(doc_key) ON DELETE CASCADE,
  PRIMARY KEY (tag, doc_key)
) WITHOUT ROWID;

CREATE TABLE document_texts (
  doc_key INTEGER PRIMARY KEY REFERENCES documents(doc_key) ON DELETE CASCADE,
  deflated BLOB NOT NULL
);

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
, code_lang  TEXT, repo       TEXT, git_branch TEXT, git_commit TEXT);

CREATE TABLE embedding_models (
  model_key     INTEGER PRIMARY KEY AUTOINCREMENT,
  provider      TEXT NOT NULL,
  model         TEXT NOT NULL,
  version       TEXT NOT NULL,
  dimensions    INTEGER NOT NULL,
  -- How chunks were cut and prefixed for it.
  input_version TEXT NOT NULL,
  -- The rest of its settings, so that questions can be asked of it after the configuration has moved on.
  settings_json TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  UNIQUE (provider, model, version, dimensions, input_version)
);

CREATE TABLE embedding_records (
  -- Never used again after a delete: files derived from these rows know them by key.
  record_key    INTEGER PRIMARY KEY AUTOINCREMENT,
  model_key     INTEGER NOT NULL REFERENCES embedding_models(model_key) ON DELETE CASCADE,
  chunk_key     INTEGER NOT NULL REFERENCES chunks(chunk_key) ON DELETE CASCADE,
  -- 0 a passage of the chunk's text, 1 its headings.
  role          INTEGER NOT NULL CHECK (role IN (0, 1)),
  embedding_key INTEGER NOT NULL REFERENCES embeddings(embedding_key)
);

CREATE TABLE embeddings (
  embedding_key INTEGER PRIMARY KEY AUTOINCREMENT,
  model_key     INTEGER NOT NULL REFERENCES embedding_models(model_key) ON DELETE CASCADE,
  -- 16 bytes of BLAKE3 over the exact text the model was given.
  input_hash    BLOB NOT NULL,
  -- Little-endian float16, unit length.
  vector        BLOB NOT NULL,
  -- When the last chunk that held the text went.
  unused_since  TEXT,
  UNIQUE (model_key, input_hash)
);

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

CREATE TABLE jobs (
  job_id        TEXT PRIMARY KEY,
  kind          TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'canceled')),
  payload_json  TEXT NOT NULL,
  progress_json TEXT,
  error_json    TEXT,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  finished_at   TEXT
) WITHOUT ROWID;

CREATE TABLE migrations (
  id          INTEGER PRIMARY KEY,
  applied_at  TEXT NOT NULL,
  description TEXT NOT NULL
);

CREATE TABLE removed_records (
  record_key INTEGER PRIMARY KEY,
  model_key  INTEGER NOT NULL
);

CREATE TABLE schema_meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sources (
  source_id  TEXT PRIMARY KEY,
  root       TEXT NOT NULL,
  configured INTEGER NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE symbols (
  symbol_key INTEGER PRIMARY KEY,
  doc_key    INTEGER NOT NULL REFERENCES documents(doc_key) ON DELETE CASCADE,
  chunk_key  INTEGER NOT NULL REFERENCES chunks(chunk_key) ON DELETE CASCADE,
  name       TEXT NOT NULL COLLATE NOCASE,
  qualified  TEXT NOT NULL COLLATE NOCASE,
  kind       TEXT NOT NULL,
  line       INTEGER NOT NULL,
  line_end   INTEGER NOT NULL
);

CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN
  DELETE FROM chunks_fts   WHERE rowid = old.chunk_key;
  DELETE FROM chunks_grams WHERE rowid = old.chunk_key;
END;

CREATE TRIGGER embedding_records_ad AFTER DELETE ON embedding_records BEGIN
  INSERT INTO removed_records VALUES (old.record_key, old.model_key);
  UPDATE embeddings SET unused_since = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  WHERE embedding_key = old.embedding_key
    AND NOT EXISTS (SELECT 1 FROM embedding_records WHERE embedding_key = old.embedding_key);
END;

CREATE VIEW blocks AS
  SELECT d.doc_key, j.key AS position, j.value ->> 0 AS kind, j.value -> 1 AS heading_path_json,
         j.value ->> 2 AS ordinal, j.value -> 3 AS source_span_json, j.value -> 4 AS payload_json
  FROM document_blocks d, json_each(d.blocks_json) j;

