import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from kebab.core.asset import Source
from kebab.source import ScanRequest, scan

if TYPE_CHECKING:
    from conftest import Tree


def link(tree: "Tree", path: str, target: str | Path) -> None:
    (tree.root / path).parent.mkdir(parents=True, exist_ok=True)
    (tree.root / path).symlink_to(target)


def test_links_inside_the_root_are_followed_under_their_own_path(tree: "Tree") -> None:
    tree.plant("notes/a.md", "notes/sub/b.md")
    link(tree, "alias.md", "notes/a.md")
    link(tree, "by-topic/all", "../notes")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == [
        "alias.md",
        "by-topic/all/a.md",
        "by-topic/all/sub/b.md",
        "notes/a.md",
        "notes/sub/b.md",
    ]
    places = {file.workspace_path: file.path for file in found.files}
    assert places["alias.md"] == places["by-topic/all/a.md"] == places["notes/a.md"] == tree.root / "notes/a.md"
    assert not found.skips


def test_links_are_left_aside_when_not_to_be_followed(tree: "Tree") -> None:
    tree.plant("a.md", "x/b.md")
    link(tree, "c.md", "a.md")
    link(tree, "y", "x")
    found = tree.scan(follow_symlinks=False)
    assert [file.workspace_path for file in found.files] == ["a.md", "x/b.md"]
    assert found.skips["symlink"].examples == ("c.md", "y")


def test_links_that_lead_out_or_nowhere_are_left_aside(tree: "Tree", tmp_path: Path) -> None:
    (tmp_path / "kb-outside").mkdir()
    (tmp_path / "kb-outside" / "o.md").touch()
    tree.plant("a.md")
    link(tree, "broken.md", "nowhere.md")
    link(tree, "file.md", tmp_path / "kb-outside" / "o.md")
    link(tree, "folder", tmp_path / "kb-outside")
    link(tree, "self.md", "self.md")
    link(tree, "up", "..")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.skips["symlink"].examples == ("broken.md", "file.md", "folder", "self.md", "up")
    assert not found.errors


def test_loops_end(tree: "Tree") -> None:
    tree.plant("a/x.md", "b/y.md")
    link(tree, "a/here", ".")
    link(tree, "a/root", "..")
    link(tree, "a/to-b", "../b")
    link(tree, "b/to-a", "../a")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a/to-b/y.md", "a/x.md", "b/to-a/x.md", "b/y.md"]
    assert "a/here" in found.skips["symlink"].examples


def test_folders_full_of_links_to_each_other_are_bounded(tree: "Tree") -> None:
    names = [f"d{number}" for number in range(14)]
    tree.plant(*(f"{name}/n.md" for name in names))
    for one, other in itertools.permutations(names, 2):
        link(tree, f"{one}/to-{other}", f"../{other}")
    found = tree.scan()
    assert {f"{one}/to-{other}/n.md" for one, other in itertools.permutations(names, 2)} <= {
        file.workspace_path for file in found.files
    }
    assert len(found.files) < 14 * 14 * 2


def test_a_link_to_a_secret_is_a_secret(tree: "Tree") -> None:
    tree.plant("a.md", ".env", ".ssh/config.md", "vault/id_rsa")
    link(tree, "env.md", ".env")
    link(tree, "ssh.md", ".ssh/config.md")
    link(tree, "folder", ".ssh")
    link(tree, "key.md", "vault/id_rsa")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.skips["secret"].count == 7
    assert found.skips["secret"].examples[2:] == ("env.md", "folder/", "key.md")


def test_links_obey_the_rules_of_their_own_path(tree: "Tree") -> None:
    tree.plant("notes/a.md", ".data/b.md")
    tree.plant(".gitignore", text="ignored/\n")
    link(tree, "ignored", "notes")
    link(tree, "shown", ".data")
    link(tree, ".hidden", "notes")
    assert tree.paths() == ["notes/a.md", "shown/b.md"]


def test_a_link_to_a_pipe_is_special(tree: "Tree") -> None:
    os.mkfifo(tree.root / "pipe")
    link(tree, "a.md", "pipe")
    assert tree.scan().skips["special"].examples == ("a.md", "pipe")


def test_the_root_may_be_a_link(tree: "Tree", tmp_path: Path) -> None:
    tree.plant("a.md", "x/b.md")
    link(tree, "c.md", "a.md")
    (tmp_path / "alias").symlink_to(tree.root)
    files = scan(Source("default", tmp_path / "alias"), ScanRequest()).files
    assert [file.workspace_path for file in files] == ["a.md", "c.md", "x/b.md"]
    assert files[0].path == tmp_path / "alias" / "a.md"


def test_a_linked_ignore_file_is_obeyed(tree: "Tree", tmp_path: Path) -> None:
    tree.plant("a.md", "b.md")
    (tmp_path / "shared").write_text("b.md\n")
    link(tree, ".kebabignore", tmp_path / "shared")
    assert tree.paths() == ["a.md"]
