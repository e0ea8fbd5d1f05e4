import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.core.asset import Source
from kebab.source import ScanRequest, scan, walk
from kebab.source.read import read_regular

if TYPE_CHECKING:
    from conftest import Tree

NAMES = ["a", "b", "ab", "abc", "x.md", "y.md", "a.md", "foo", "foo bar", "d-e.md", "A", "a]b", "1.md"]
GLOBS = [
    *("*", "**", "*.md", "?", "a*", "*b", "[ab]", "[!a]", "[a-c]*", "fo?", "*o*", "[[:alpha:]]", "[]ab]", "[^x]*"),
    *("x\\.md", "\\*", "[a-", "[z-a]", "*a*b*", "***", "foo\\ *"),
]


def test_ignore_files_work_at_every_level_and_the_nearest_decides(tree: "Tree") -> None:
    tree.plant("a.md", "drop.md", "x/drop.md", "x/y/drop.md", "x/y/z.md")
    tree.plant(".gitignore", text="drop.md\n/x/y/z.md\n")
    tree.plant("x/.gitignore", text="!drop.md\n")
    tree.plant("x/y/.gitignore", text="drop.md\n!z.md\n")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md", "x/drop.md", "x/y/z.md"]
    assert found.skips["gitignore"].examples == ("drop.md", "x/y/drop.md")
    assert found.scanned == 5


def test_nothing_comes_back_from_an_ignored_folder(tree: "Tree") -> None:
    tree.plant("out/keep.md", "half/keep.md", "half/drop.md")
    tree.plant(".gitignore", text="out/\n!out/keep.md\nhalf/**\n!half/keep.md\n")
    tree.plant("out/.gitignore", text="!keep.md\n")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["half/keep.md"]
    assert found.skips["gitignore"].examples == ("out/", "half/drop.md")


def test_a_folder_pattern_leaves_files_of_that_name(tree: "Tree") -> None:
    tree.plant("x.md", "y/x.md/z.md", "y/w.md")
    tree.plant(".gitignore", text="x.md/\n")
    assert tree.paths() == ["x.md", "y/w.md"]


def test_an_inner_file_that_says_nothing_leaves_the_outer_one_to_decide(tree: "Tree") -> None:
    tree.plant("sub/a/x.md", "sub/a/y.md")
    tree.plant(".gitignore", text="x.md\n")
    tree.plant("sub/.gitignore", text="!a\n")
    assert tree.paths() == ["sub/a/y.md"]


def test_kebabignore_is_counted_apart_and_outranks_gitignore(tree: "Tree") -> None:
    tree.plant("a.md", "drafts/b.md", "log.md", "x/drafts/c.md")
    tree.plant(".gitignore", text="drafts/\n")
    tree.plant("x/.gitignore", text="drafts/\n")
    tree.plant(".kebabignore", text="!drafts/\nlog.md\n")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md", "drafts/b.md", "x/drafts/c.md"]
    assert found.skips["kebabignore"].examples == ("log.md",)
    assert "gitignore" not in found.skips


def test_ignore_files_themselves_are_not_counted(tree: "Tree") -> None:
    tree.plant(".gitignore", ".kebabignore", "a.md", text="# nothing\n")
    found = tree.scan()
    assert (found.scanned, dict(found.skips)) == (1, {})


def test_an_ignore_file_that_cannot_be_read_is_an_error(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md", "x/.gitignore")

    def refuse(path: str, limit: int) -> bytes:
        if path.endswith("x/.gitignore"):
            raise PermissionError(13, "Permission denied")
        return read_regular(path, limit)

    monkeypatch.setattr("kebab.source.ignore.read_regular", refuse)
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.errors == (("x/.gitignore", "Permission denied"),)


def test_the_exclude_file_of_the_repository_is_the_weakest(tree: "Tree") -> None:
    tree.plant("a.md", "b.md", "x/a.md")
    tree.plant(".git/info/exclude", text="a.md\nb.md\n")
    tree.plant("x/.gitignore", text="!a.md\n")
    assert tree.paths() == ["x/a.md"]


def test_a_root_inside_a_repository_obeys_the_files_above_it(tree: "Tree", tmp_path: Path) -> None:
    tree.plant("a.md", "drop.md", "deep/b.md", "deep/c.md", "d.md")
    (tmp_path / ".gitignore").write_text("drop.md\n/kb/deep/b.md\n/deep/c.md\n")
    assert "drop.md" in tree.paths()
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("/kb/d.md\n")
    assert tree.paths() == ["a.md", "deep/c.md"]
    assert tree.paths(subtree=Path("deep")) == ["deep/c.md"]


def test_a_root_its_repository_ignores_is_none_of_its_business(tree: "Tree", tmp_path: Path) -> None:
    tree.plant("a.md", "notes/b.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*\n!.bashrc\n")
    assert tree.paths() == ["a.md", "notes/b.md"]
    assert [file.workspace_path for file in scan(Source("default", tree.root / "notes"), ScanRequest()).files] == [
        "b.md"
    ]


def _pattern(rng: random.Random) -> str:
    pattern = "/".join(rng.choice(NAMES + GLOBS) for _ in range(rng.choice([1, 1, 1, 2, 2, 3])))
    prefix = rng.choice(["", "", "", "", "/", "!", "!", "!/"])
    return prefix + pattern + rng.choice(["", "", "", "/", "  "])


def _plant_at_random(tree: "Tree", rng: random.Random) -> None:
    folders = [""]
    for _ in range(rng.randint(4, 12)):
        path = rng.choice(folders) + rng.choice(NAMES)
        if path.count("/") < 4 and not (tree.root / path).exists():
            (tree.root / path).mkdir()
            folders.append(f"{path}/")
    for folder in folders:
        files = [folder + name for name in rng.sample(NAMES, rng.randint(1, 6))]
        tree.plant(*(path for path in files if not (tree.root / path).exists()))
        if folder == "" or rng.random() < 0.4:
            tree.plant(f"{folder}.gitignore", text="\n".join(_pattern(rng) for _ in range(rng.randint(1, 5))))


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git to compare with")
@pytest.mark.parametrize("seed", range(40))
def test_the_same_files_as_git(tree: "Tree", seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "media_type", lambda _: "markdown")
    _plant_at_random(tree, random.Random(seed))
    home = {**os.environ, "HOME": str(tree.root.parent), "GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": ""}
    subprocess.run(["git", "init", "-q"], cwd=tree.root, env=home, check=True)
    command = ["git", "ls-files", "-coz", "--exclude-standard"]
    listed = subprocess.run(command, cwd=tree.root, env=home, check=True, capture_output=True, text=True).stdout
    expected = sorted(path for path in listed.split("\0") if path and not path.endswith(".gitignore"))
    assert tree.paths() == expected
