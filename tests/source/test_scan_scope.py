from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.core.errors import InvalidInput

if TYPE_CHECKING:
    from conftest import Tree


def test_include_takes_only_what_fits(tree: "Tree") -> None:
    tree.plant("a.md", "b.markdown", "x/c.md", "x/d.markdown")
    found = tree.scan(include=["**/*.md"])
    assert [file.workspace_path for file in found.files] == ["a.md", "x/c.md"]
    assert found.skips["excluded"].examples == ("b.markdown", "x/d.markdown")


def test_an_included_folder_includes_what_is_in_it(tree: "Tree") -> None:
    tree.plant("a.md", "x/c.md", "x/y/d.md", "z/x/e.md", "z/f.md")
    assert tree.paths(include=["x/"]) == ["x/c.md", "x/y/d.md", "z/x/e.md"]
    assert tree.paths(include=["/x"]) == ["x/c.md", "x/y/d.md"]
    assert tree.paths(include=["x/**", "!x/y"]) == ["x/c.md"]


def test_folders_that_can_hold_nothing_included_are_not_walked(tree: "Tree") -> None:
    tree.plant("notes/a/b.md", "notes/c.md", "photos/d.md", "photos/e/f.md", "g.md")
    found = tree.scan(include=["notes/a/**/*.md"])
    assert [file.workspace_path for file in found.files] == ["notes/a/b.md"]
    assert found.skips["excluded"].examples == ("g.md", "photos/", "notes/c.md")


def test_unsupported_files_are_counted_as_such_whatever_is_included(tree: "Tree") -> None:
    tree.plant("a.md", "b.zip")
    assert tree.scan(include=["**/*.md"]).by_extension == {".zip": 1}


def test_exclude_works_like_an_ignore_file(tree: "Tree") -> None:
    tree.plant("a.md", "drafts/b.md", "drafts/keep.md", "x/drafts/c.md", "old/d.md")
    found = tree.scan(exclude=["drafts/**", "!drafts/keep.md", "/old/"])
    assert [file.workspace_path for file in found.files] == ["a.md", "drafts/keep.md", "x/drafts/c.md"]
    assert found.skips["excluded"].examples == ("old/", "drafts/b.md")


def test_exclude_beats_include(tree: "Tree") -> None:
    tree.plant("a.md", "b.md")
    assert tree.paths(include=["*.md"], exclude=["b.md"]) == ["a.md"]


def test_a_subtree_is_a_folder_or_a_file(tree: "Tree") -> None:
    tree.plant("a.md", "x/b.md", "x/y/c.md", "xy/d.md")
    assert tree.paths(subtree=Path("x")) == ["x/b.md", "x/y/c.md"]
    assert tree.paths(subtree=tree.root / "x" / "y") == ["x/y/c.md"]
    assert tree.paths(subtree=Path("x/b.md")) == ["x/b.md"]
    assert tree.paths(subtree=tree.root) == tree.paths(subtree=Path()) == tree.paths()


def test_rules_above_a_subtree_still_apply(tree: "Tree") -> None:
    tree.plant("x/y/a.md", "x/y/b.md", "x/z/c.md")
    tree.plant(".gitignore", text="b.md\n")
    tree.plant("x/.kebabignore", text="z/\n")
    assert tree.paths(subtree=Path("x/y")) == ["x/y/a.md"]
    found = tree.scan(subtree=Path("x/z"))
    assert not found.files
    assert found.skips["kebabignore"].examples == ("x/z/",)


def test_a_subtree_that_is_gone_is_empty(tree: "Tree") -> None:
    tree.plant("a.md")
    assert tree.scan(subtree=Path("x/y.md")).files == ()


def test_a_subtree_outside_the_root_is_refused(tree: "Tree", tmp_path: Path) -> None:
    for outside in (tmp_path, Path("../other"), tmp_path / "kb-other"):
        with pytest.raises(InvalidInput):
            tree.scan(subtree=outside)


def test_a_subtree_may_be_spelled_through_another_link(tree: "Tree", tmp_path: Path) -> None:
    tree.plant("x/a.md", "b.md")
    (tmp_path / "alias").symlink_to(tree.root)
    assert tree.paths(subtree=tmp_path / "alias" / "x") == ["x/a.md"]
