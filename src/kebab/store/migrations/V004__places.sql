-- Of source code: its language, and the repository it lies in as it was when the file was read.
ALTER TABLE documents ADD COLUMN code_lang  TEXT;
ALTER TABLE documents ADD COLUMN repo       TEXT;
ALTER TABLE documents ADD COLUMN git_branch TEXT;
ALTER TABLE documents ADD COLUMN git_commit TEXT;
CREATE INDEX idx_documents_code ON documents(code_lang) WHERE code_lang IS NOT NULL;
CREATE INDEX idx_documents_repo ON documents(repo) WHERE repo IS NOT NULL;

-- What a person would open where lines are not it: {kind: code | page | region | caption | time, ...}.
ALTER TABLE chunks ADD COLUMN place_json TEXT;

-- Every definition in source code, also those that share a chunk. `chunk_key` is the chunk that bears the name.
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
CREATE INDEX idx_symbols_name  ON symbols(name);
CREATE INDEX idx_symbols_full  ON symbols(qualified);
CREATE INDEX idx_symbols_doc   ON symbols(doc_key);
CREATE INDEX idx_symbols_chunk ON symbols(chunk_key);

-- Results that cost much, by what they were made from: text read off pictures, captions, transcripts.
CREATE TABLE derivations (
  derivation_key TEXT PRIMARY KEY,
  kind           TEXT NOT NULL,
  value          BLOB NOT NULL,
  created_at     TEXT NOT NULL,
  used_at        TEXT NOT NULL
);
CREATE INDEX idx_derivations_used ON derivations(used_at);
