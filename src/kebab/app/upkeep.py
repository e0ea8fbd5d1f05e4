"""The side of App that looks after what was made: vectors, models, jobs, and the cache of slow readings.

Apart from the rest of App so that neither grows too long; interfaces see one App.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kebab.app.jobs import Stopped
    from kebab.app.vector_side import VectorSide
    from kebab.config import Config
    from kebab.core.inspection import CacheStatus, ModelFacts, PullProgress, VectorStatus
    from kebab.core.job import Job
    from kebab.core.recognition import OcrFailure, OcrStats
    from kebab.core.transfer import BackupRequest, ExportRequest, ImportRequest, TransferEvent
    from kebab.store.store import Store


class Upkeep(ABC):
    """What `App` has to have for it is named first."""

    config: "Config"
    vectors: "VectorSide"

    @abstractmethod
    def _reader(self) -> "Store": ...

    @abstractmethod
    def _must_write(self, command: str) -> None: ...

    @abstractmethod
    def close(self) -> None: ...

    def vector_status(self) -> "VectorStatus":
        from kebab.app.vectors import vector_status

        return vector_status(self.config, self._reader(), self.vectors)

    def rebuild_vectors(self) -> "VectorStatus":
        from kebab.app.vectors import rebuild_vectors, vector_status
        from kebab.app.writing import writer

        self._must_write("vectors rebuild")
        self._reader()  # where there is no index, none is to be made
        with writer(self.config) as store:
            rows = rebuild_vectors(store, self.vectors)
            return vector_status(self.config, store, self.vectors, rows)

    def list_models(self) -> "list[ModelFacts]":
        from kebab.app.models import list_models

        return list_models(self.config)

    def find_model(self, name: str) -> "ModelFacts":
        from kebab.app.models import find_model

        return find_model(self.config, name)

    def pull_model(self, name: str) -> "Generator[PullProgress, None, None]":
        from kebab.app.models import pull_model

        self._must_write("models pull")
        return pull_model(self.config, name)

    def list_jobs(self) -> "list[Job]":
        from kebab.app.jobs import list_jobs

        return list_jobs(self._reader())

    def find_job(self, reference: str) -> "Job":
        from kebab.app.jobs import find_job

        return find_job(self._reader(), reference)

    def export(self, request: "ExportRequest") -> "Iterator[TransferEvent]":
        from kebab.app.transfer import export

        self._must_write("export")
        return export(self.config, request)

    def import_file(self, request: "ImportRequest") -> "Iterator[TransferEvent]":
        from kebab.app.landing import land, placed

        self._must_write("import")
        self.close()
        return land(placed(self.config, request.folder), request)

    def backup(self, request: "BackupRequest") -> "Iterator[TransferEvent]":
        from kebab.app.backup import backup

        self._must_write("backup")
        return backup(self.config, request)

    def cancel_job(self, reference: str) -> "Stopped":
        from kebab.app.jobs import cancel_job

        self._must_write("jobs cancel")
        return cancel_job(self.config, reference)

    def cache_status(self) -> "CacheStatus":
        from kebab.app.cache import cache_status

        return cache_status(self.config, self._reader())

    def prune_cache(self, most_mb: int | None = None) -> "CacheStatus":
        """Down to so many megabytes; without a number, to `storage.cache_mb`."""
        from kebab.app.cache import prune_cache
        from kebab.app.writing import writer

        self._must_write("cache prune")
        self._reader()  # where there is no index, none is to be made
        with writer(self.config) as store:
            return prune_cache(self.config, store, most_mb)

    def ocr_stats(self) -> "OcrStats":
        from kebab.app.recognition import ocr_stats

        return ocr_stats(self._reader())

    def ocr_failures(self) -> "list[OcrFailure]":
        from kebab.app.recognition import ocr_failures

        return ocr_failures(self.config, self._reader())
