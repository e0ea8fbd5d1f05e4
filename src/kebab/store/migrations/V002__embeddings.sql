-- Every model whose vectors are kept. `schema_meta.embedding_model` names the one that searches use; another one is
-- filled in beside it until it is complete.
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

-- A text's vector, once per model however many chunks hold the text, and kept for a while when none does: what was
-- embedded before is not embedded again.
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
CREATE INDEX idx_embeddings_unused ON embeddings(unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE embedding_records (
  -- Never used again after a delete: files derived from these rows know them by key.
  record_key    INTEGER PRIMARY KEY AUTOINCREMENT,
  model_key     INTEGER NOT NULL REFERENCES embedding_models(model_key) ON DELETE CASCADE,
  chunk_key     INTEGER NOT NULL REFERENCES chunks(chunk_key) ON DELETE CASCADE,
  -- 0 a passage of the chunk's text, 1 its headings.
  role          INTEGER NOT NULL CHECK (role IN (0, 1)),
  embedding_key INTEGER NOT NULL REFERENCES embeddings(embedding_key)
);
CREATE INDEX idx_embedding_records_model     ON embedding_records(model_key);
CREATE INDEX idx_embedding_records_chunk     ON embedding_records(chunk_key, model_key);
CREATE INDEX idx_embedding_records_embedding ON embedding_records(embedding_key);

-- Keys that files derived from `embedding_records` may still hold; forgotten when those are made anew.
CREATE TABLE removed_records (
  record_key INTEGER PRIMARY KEY,
  model_key  INTEGER NOT NULL
);
CREATE INDEX idx_removed_records_model ON removed_records(model_key);
CREATE TRIGGER embedding_records_ad AFTER DELETE ON embedding_records BEGIN
  INSERT INTO removed_records VALUES (old.record_key, old.model_key);
  UPDATE embeddings SET unused_since = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  WHERE embedding_key = old.embedding_key
    AND NOT EXISTS (SELECT 1 FROM embedding_records WHERE embedding_key = old.embedding_key);
END;

-- Long work that outlives a run: it is taken up where it was left.
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
CREATE INDEX idx_jobs_status ON jobs(status);
CREATE INDEX idx_jobs_kind   ON jobs(kind);

-- Tells this index from any other, so that files derived from another one are not taken for its own.
INSERT INTO schema_meta(key, value) VALUES ('index_id', lower(hex(randomblob(8))));
