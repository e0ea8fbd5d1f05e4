"""`kebab cache`: what is kept of slow readings, so that no file is read twice, and dropping the least used of it."""

from typing import TYPE_CHECKING

from kebab.config import Config
from kebab.core.inspection import CacheStatus

if TYPE_CHECKING:
    from kebab.store.store import Store

_MB = 1024 * 1024


def cache_status(config: Config, store: "Store") -> CacheStatus:
    return store.derivations.status()._replace(most_bytes=config.storage.cache_mb * _MB)


def prune_cache(config: Config, store: "Store", most_mb: int | None) -> CacheStatus:
    """Down to so many megabytes, or to what the settings allow. The caller holds the writer lock."""
    limit = config.storage.cache_mb if most_mb is None else most_mb
    dropped = store.derivations.prune(limit * _MB)
    return cache_status(config, store)._replace(dropped=dropped)
