"""What a database says of itself: the versions it was made by, the model of its vectors, and how much it holds."""

from contextlib import closing
from pathlib import Path

from kebab.core.transfer import IndexFacts
from kebab.store.connection import open_reader, schema_version
from kebab.store.embeddings import Embeddings
from kebab.store.runs import Runs
from kebab.store.sql import Database

_FIRST_WITH_VECTORS = 2


def facts_of(path: Path) -> IndexFacts:
    with closing(Database(open_reader(path))) as database:
        runs, schema = Runs(database), schema_version(database.connection)
        with_vectors = schema >= _FIRST_WITH_VECTORS
        active = Embeddings(database).active() if with_vectors else None
        counts = runs.counts()
        return IndexFacts(
            schema=schema,
            index_id=runs.meta("index_id") or "",
            corpus_revision=runs.corpus_revision(),
            analyser=runs.meta("analyser") or "",
            parsers=_distinct(database, "parser_version"),
            chunkers=_distinct(database, "chunker_version"),
            model=active.identity if active else None,
            input_version=active.input_version if active else None,
            documents=counts["documents"],
            chunks=counts["chunks"],
            assets=counts["assets"],
            vectors=int(database.scalar("SELECT count(*) FROM embedding_records")) if with_vectors else 0,
        )


def _distinct(database: Database, column: str) -> tuple[str, ...]:
    return tuple(name for (name,) in database.rows(f"SELECT DISTINCT {column} FROM documents ORDER BY 1"))
