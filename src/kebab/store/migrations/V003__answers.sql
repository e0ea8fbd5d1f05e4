-- Times here are RFC 3339 text as in every other table, also where the first design counted seconds: they sort as text,
-- need no converter, and are sent as they are stored.

-- Every answer that was given, with what it takes to check its citations again when the files have moved on.
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
CREATE INDEX idx_answers_created_at   ON answers(created_at);
CREATE INDEX idx_answers_grounded     ON answers(grounded);
CREATE INDEX idx_answers_conversation ON answers(conversation_id, turn_index) WHERE conversation_id IS NOT NULL;

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
CREATE INDEX idx_chat_turns_session ON chat_turns(session_id, turn_index);
