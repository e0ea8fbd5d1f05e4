"""One index belongs to the folders it was made from: another config must not empty it."""

from typing import TYPE_CHECKING

import pytest

from kebab.core.errors import InvalidInput

if TYPE_CHECKING:
    from app_bench import Desk


def test_a_config_that_names_another_folder_does_not_empty_the_index(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    other = desk.home / "other"
    desk.write("b.md", "beta\n", root=other)
    desk.root = other
    with pytest.raises(InvalidInput, match="this index holds"):
        desk.ingest()
    assert desk.found("alpha") == ["a.md"]


def test_a_folder_that_was_moved_is_followed(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    moved = desk.home / "moved"
    desk.root.rename(moved)
    desk.root = moved
    report = desk.ingest()
    assert (report.counts.unchanged, report.purged_paths) == (1, ())
    desk.app().reset("orphans_only")
    assert desk.found("alpha") == ["a.md"]


def test_a_source_called_like_a_remembered_folder_does_not_replace_it(desk: "Desk") -> None:
    first, second = desk.home / "a/work", desk.home / "b/work"
    desk.write("x.md", "xylophone\n", root=first)
    desk.write("y.md", "yacht\n", root=second)
    desk.write("n.md", "note\n")
    desk.ingest(first)
    desk.configure(f'[[workspace.sources]]\nid = "work"\nroot = "{second}"\n')
    with pytest.raises(InvalidInput, match="this index holds"):
        desk.ingest()
    assert desk.found("xylophone") == ["@work/x.md"]
