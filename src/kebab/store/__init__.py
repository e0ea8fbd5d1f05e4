"""SQLite, the single source of truth: documents, full text, runs. Everything else can be rebuilt from it."""
