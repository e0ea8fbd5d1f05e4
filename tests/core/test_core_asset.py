from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.asset import DEFAULT_SOURCE, Source, SourceType, TrustLevel

paths = st.lists(st.text("@a한.", min_size=1, max_size=4), min_size=1, max_size=3).map("/".join)
names = st.text("a-_1", min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("source_id", "relative", "expected"),
    [
        ("default", "notes/a.md", "notes/a.md"),
        ("papers", "notes/a.md", "@papers/notes/a.md"),
        ("papers", "", "@papers/"),
        ("default", "", ""),
    ],
)
def test_a_file_is_called_by_its_source_and_path(source_id: str, relative: str, expected: str) -> None:
    assert Source(source_id, Path("/kb")).workspace_path(relative) == expected


@given(names, paths)
def test_no_file_of_the_workspace_is_called_like_one_of_a_named_source(name: str, path: str) -> None:
    default, named = Source(DEFAULT_SOURCE, Path("/kb")), Source(name, Path("/other"))
    called = named.workspace_path(path)
    assert called == f"@{name}/{path}"
    assert called not in (default.workspace_path(called), default.workspace_path(path))


@given(paths, paths)
def test_two_files_of_a_source_are_never_called_the_same(first: str, second: str) -> None:
    for source in (Source(DEFAULT_SOURCE, Path("/kb")), Source("papers", Path("/kb"))):
        assert (source.workspace_path(first) == source.workspace_path(second)) == (first == second)


def test_trust_is_listed_from_most_to_least() -> None:
    assert list(TrustLevel) == ["primary", "secondary", "generated"]
    assert list(SourceType) == ["markdown", "note", "paper", "reference", "inbox"]
