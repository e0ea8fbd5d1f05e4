"""A reader that is sparing with memory finds what any other finds, and maps nothing."""

from typing import TYPE_CHECKING

from kebab.core.query import Filters
from kebab.store.connection import MMAP_BYTES, SPARING_CACHE_KB
from kebab.store.store import Store

if TYPE_CHECKING:
    from store_bench import Index


def test_a_sparing_reader_maps_nothing_and_caches_little(index: "Index") -> None:
    index.put("a.md", "alpha\n")
    with Store.reader(index.path) as roomy, Store.reader(index.path, sparing=True) as sparing:
        assert roomy._db.connection.pragma("mmap_size") == MMAP_BYTES
        assert sparing._db.connection.pragma("mmap_size") == 0
        assert sparing._db.connection.pragma("cache_size") == -SPARING_CACHE_KB
        assert sparing._db.is_readonly
        paths = [[row.workspace_path for row in store.shelf.rows(Filters())] for store in (roomy, sparing)]
        assert paths == [["a.md"], ["a.md"]]
