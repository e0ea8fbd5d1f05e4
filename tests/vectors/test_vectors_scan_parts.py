"""Parts of the scan engine on their own: the order of keys in a file, and the lookup of documents."""

from pathlib import Path

import numpy as np  # noqa: TID253
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.embedding import VectorRow
from kebab.vectors.scan import segment
from kebab.vectors.scan.file import draft, opened, promote
from kebab.vectors.scan.gate import Documents
from kebab.vectors.scan.layout import Owner

KEYS = st.integers(1, 40) | st.integers(-(2**63), 2**63 - 1)


def test_keys_out_of_order_are_not_trusted(tmp_path: Path) -> None:
    owner = Owner(b"x" * 16, 100)
    keys = [VectorRow(key, 1, 1, 0, bytes(200)) for key in (3, 9, 5, 12)]
    name, rows = draft(tmp_path / "a.scan", [segment.from_rows(keys, 100)], owner)
    promote(name, tmp_path / "a.scan")
    found = opened(tmp_path / "a.scan", owner)
    assert rows == 4
    assert found.flaw == "damaged"
    assert found.segments == ()


@settings(deadline=None)
@given(st.sets(KEYS, min_size=1), st.lists(KEYS))
def test_documents_are_looked_up_as_in_a_set(wanted: set[int], docs: list[int]) -> None:
    found = Documents(wanted).mask(np.array(docs, np.int64))
    assert found.tolist() == [doc in wanted for doc in docs]


def test_documents_far_apart_take_no_room() -> None:
    assert Documents([1, 2**24])._table is not None
    assert Documents([1, 2**40])._table is None
