"""Vectors for chunks that have none of the configured model, and the switch to it once there are none left.

This is what remains of an ingest that could not embed, and all of one whose model was changed. It is a job: whatever
stops it, the next ingest goes on where it was.
"""

import threading
from collections.abc import Iterator

from kebab.app.embedding import ChunkEmbedder
from kebab.core.clock import now
from kebab.core.errors import KebabError
from kebab.core.events import AssetFinished, EmbedBatchFinished, EmbedBatchStarted, IngestEvent, IngestFinished
from kebab.core.job import Job, JobKind, JobStatus
from kebab.core.ports import VectorEngine
from kebab.store.store import Store

BATCH = 64
# In chunks, or as a share of those that have vectors: to follow reads the whole file, so it must become rarer with it.
FOLLOW_EVERY, FOLLOW_SHARE = 4000, 0.02
# Vectors of texts that no chunk holds: enough for what is cut and pasted back, or moved in two steps.
KEPT_UNUSED = 20_000


class Filling:
    """Run after the files of an ingest. `keep_old` leaves the vectors of other models in the index."""

    def __init__(self, store: Store, chunks: ChunkEmbedder, engine: VectorEngine, *, keep_old: bool) -> None:
        self._store = store
        self.chunks = chunks
        self._engine = engine
        self._keep_old = keep_old
        self._behind = 0
        self._step = FOLLOW_EVERY
        self._canceled = False

    def events(self, cancel: threading.Event) -> Iterator[IngestEvent]:
        model = self.chunks.model
        total = self._store.embeddings.count_unembedded(model.model_key)
        payload: dict[str, str | int] = {"model": str(model.identity), "input": model.input_version}
        if total:
            job = self._store.jobs.begin(JobKind.EMBED, payload, total)
            yield from self._fill(job, total, cancel)
        else:
            self._store.jobs.settle(JobKind.EMBED, payload)
        if self._store.embeddings.count_unembedded(model.model_key) == 0:
            self._switch()

    def watch(self, event: IngestEvent) -> None:
        """Keeps derived files near the index while files are written, so that a search meanwhile is not slow."""
        if isinstance(event, AssetFinished) and event.result in ("new", "updated"):
            self._behind += event.chunks
        finished = isinstance(event, IngestFinished)
        if self._behind >= self._step or (finished and self.chunks.failure is None):
            self._behind = 0
            self._step = max(FOLLOW_EVERY, round(FOLLOW_SHARE * self._store.fulltext.count()))
            follow(self._store, self.chunks, self._engine)
        if finished:
            self._store.embeddings.prune(KEPT_UNUSED)

    def warnings(self) -> list[str]:
        if self._canceled:
            return ["the job was canceled before every chunk had its vectors; the next `kebab ingest` goes on"]
        if self.chunks.failure is None:
            return []
        hint = f" ({self.chunks.failure.hint})" if self.chunks.failure.hint else ""
        return [f"indexed by words only: {self.chunks.failure.message}{hint}; the next `kebab ingest` adds the vectors"]

    def _fill(self, job: Job, total: int, cancel: threading.Event) -> Iterator[IngestEvent]:
        done = 0
        while not cancel.is_set():
            batch = self._store.embeddings.unembedded(self.chunks.model.model_key, BATCH)
            if not batch:
                self._store.jobs.finish(job.job_id, JobStatus.SUCCEEDED)
                return
            self._canceled = not self._store.jobs.progress(job.job_id, done, total)
            if self._canceled:
                return
            yield EmbedBatchStarted(now(), done, total)
            embedded = self.chunks.embed((chunk.title, chunk.heading_path, chunk.text) for chunk in batch)
            if self.chunks.failure is not None:
                self._store.jobs.finish(job.job_id, JobStatus.FAILED, self.chunks.failure.message)
                return
            self._store.embeddings.fill([chunk.chunk_key for chunk in batch], embedded)
            done += len(batch)
            self._store.jobs.progress(job.job_id, done, total)
            yield EmbedBatchFinished(now(), done, total)
        self._store.jobs.finish(job.job_id, JobStatus.PENDING)

    def _switch(self) -> None:
        """Searches use the configured model from here on, in one step."""
        model, active = self.chunks.model, self._store.embeddings.active()
        switching = active is None or active.model_key != model.model_key
        if switching:
            # The derived file first: the moment after the switch is searched like any other.
            follow(self._store, self.chunks, self._engine)
        if switching or not self._keep_old:
            # Before it as well: a process that dies in between must not leave files whose model nobody knows.
            self._drop([] if self._keep_old else self._other_tables())
            self._drop(self._store.embeddings.activate(model.model_key, keep_others=self._keep_old))

    def _other_tables(self) -> list[str]:
        embeddings, own = self._store.embeddings, self.chunks.model.model_key
        return [embeddings.table(model).table_id for model in embeddings.models() if model.model_key != own]

    def _drop(self, table_ids: list[str]) -> None:
        for table_id in table_ids:
            self._engine.drop(table_id)


def follow(store: Store, chunks: ChunkEmbedder, engine: VectorEngine) -> str | None:
    """Brings derived files up to the index; gives what went wrong. They can be made anew at any time."""
    table = store.embeddings.table(chunks.model)
    try:
        removed = len(table.removed())
        if removed > 1000 and removed * 5 > table.count():
            engine.rebuild(table)
            store.embeddings.forget_removed(chunks.model.model_key)
        else:
            engine.follow(table)
    except (KebabError, OSError) as error:
        return str(error)
    return None
