"""`kebab doctor`: one row per question about the installation, each with the command that mends it."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from kebab.app import doctor_answers, doctor_reading, doctor_vectors
from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.errors import KebabError
from kebab.core.inspection import Check, DoctorReport
from kebab.store.analyse import FALLBACK_VERSION
from kebab.store.connection import SCHEMA_VERSION
from kebab.store.store import Store

_LOW_DISK = 200 * 1024 * 1024


def check(config: Config, open_store: Callable[[], Store], vectors: VectorSide) -> DoctorReport:
    return DoctorReport(tuple(_checks(config, open_store, vectors)))


def repair(store: Store, vectors: VectorSide) -> tuple[str, ...]:
    """Mends what can be rebuilt from the database itself."""
    mended: list[str] = []
    if store.health.full_text() is not None:
        count = store.health.rebuild_full_text()
        store.runs.set_meta("analyser", store.fulltext.analyser.version)
        mended.append(f"full-text index rebuilt from {count} chunks")
    return (*mended, *doctor_vectors.repair(store, vectors))


def _checks(config: Config, open_store: Callable[[], Store], vectors: VectorSide) -> Iterator[Check]:
    yield from _config(config)
    yield _workspace(config)
    yield _data_dir(config)
    yield _disk(config)
    yield from doctor_vectors.model_checks(config, vectors)
    yield from doctor_answers.answer_checks(config)
    yield from doctor_reading.reading_checks(config)
    if not config.storage.sqlite.exists():
        yield Check("sqlite_open", ok=True, detail="no index yet", hint="run `kebab ingest`")
        yield _korean(None)
        return
    yield _permissions(config)
    try:
        with open_store() as store:
            yield from index_checks(config, store, vectors)
    except KebabError as error:
        yield Check("sqlite_open", ok=False, detail=error.message, hint=error.hint)


def _config(config: Config) -> Iterator[Check]:
    where = str(config.file) if config.file_exists else f"no file at {config.file}; the defaults hold"
    problems = "; ".join(config.warnings)
    yield Check("config_loaded", ok=not problems, detail=problems or where, hint=_config_hint(problems))
    if config.pending_migration:
        yield Check("config_current", ok=True, detail="keys are missing", hint="kebab config migrate adds them")


def _config_hint(problems: str) -> str | None:
    return "correct the names, or see `kebab config show`" if problems else None


def _workspace(config: Config) -> Check:
    missing = [str(source.root) for source in config.sources() if not source.root.is_dir()]
    if missing == [str(config.workspace.root)] and config.origins.get("workspace.root") == "default":
        hint = "`kebab init --workspace DIR`, or `kebab ingest DIR`"
        return Check("workspace_found", ok=True, detail=f"no default folder {missing[0]} yet", hint=hint)
    if missing:
        hint = f"mkdir -p {missing[0]}, or set workspace.root (`kebab config set workspace.root DIR`)"
        return Check("workspace_found", ok=False, detail=f"not a folder: {', '.join(missing)}", hint=hint)
    return Check("workspace_found", ok=True, detail=", ".join(str(source.root) for source in config.sources()))


def _data_dir(config: Config) -> Check:
    folder = config.storage.data_dir
    nearest = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return Check("data_dir_writable", ok=True, detail=str(folder))
    return Check("data_dir_writable", ok=False, detail=f"cannot write to {nearest}", hint=f"chmod u+rwx {nearest}")


def _disk(config: Config) -> Check:
    folder = config.storage.data_dir
    nearest = next((parent for parent in (folder, *folder.parents) if parent.exists()), Path("/"))
    free = shutil.disk_usage(nearest).free
    detail = f"{free // (1024 * 1024):,} MB free"
    return Check("disk_space", ok=free >= _LOW_DISK, detail=detail, hint=None if free >= _LOW_DISK else "make room")


def _permissions(config: Config) -> Check:
    """The index copies private text, so only its owner may read it."""
    open_paths = [
        path
        for path in (config.storage.data_dir, config.storage.sqlite)
        if os.name == "posix" and path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_paths:
        hint = f"chmod -R go-rwx {config.storage.data_dir}"
        return Check("index_private", ok=False, detail=f"others can read {open_paths[0]}", hint=hint)
    return Check("index_private", ok=True, detail="only you can read the index")


def index_checks(config: Config, store: Store, vectors: VectorSide) -> Iterator[Check]:
    """What can be asked of an open index."""
    version = store.schema_version
    # Whoever writes next brings an older one up to date.
    hint = "kebab ingest" if version < SCHEMA_VERSION else None
    yield Check("sqlite_open", ok=True, detail=f"{config.storage.sqlite.name} (schema v{version})", hint=hint)
    problem = store.health.database()
    hint = "kebab reset --data-only --yes && kebab ingest" if problem else None
    yield Check("database_sound", ok=problem is None, detail=problem or "integrity check passed", hint=hint)
    if problem:
        return
    problem = store.health.full_text()
    counts = store.runs.counts()
    yield Check(
        "full_text_sound",
        ok=problem is None,
        detail=problem or f"{counts['chunks']:,} chunks of {counts['documents']:,} documents",
        hint="kebab doctor --repair" if problem else None,
    )
    yield _korean(store)
    yield from doctor_vectors.index_checks(config, store, vectors)


def _korean(store: Store | None) -> Check:
    from kebab.store.analyse import KoreanAnalyser

    version = store.fulltext.analyser.version if store else KoreanAnalyser().version
    built = store.runs.meta("analyser") if store else None
    if built and built != version:
        return Check(
            "korean_analyser", ok=False, detail=f"index built with {built}, now {version}", hint="kebab ingest"
        )
    if version == FALLBACK_VERSION:
        hint = "pip install python-mecab-ko (wheels for Python 3.11 and 3.12)"
        detail = "mecab-ko is missing; Korean is searched by syllable pairs"
        return Check("korean_analyser", ok=True, detail=detail, hint=hint)
    return Check("korean_analyser", ok=True, detail=version)
