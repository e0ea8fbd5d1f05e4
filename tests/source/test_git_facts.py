import os
from pathlib import Path

import pytest

from kebab.core.ports import Repository
from kebab.source.git import Repositories

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SHORT = COMMIT[:12]


def plant(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def git(head: str = "ref: refs/heads/main\n", **files: str | bytes) -> dict[str, str | bytes]:
    """The files of a `.git` folder; `__` in a keyword is a slash, `_` a dash."""
    more = {name.replace("__", "/").replace("_", "-"): content for name, content in files.items()}
    return {f".git/{name}": content for name, content in {"HEAD": head, **more}.items()}


def ask(root: Path, name: str = "a.md", source: Path | None = None) -> Repository | None:
    return Repositories().repository_of(root / name, source or root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def test_a_branch_with_its_commit(root: Path) -> None:
    plant(root, git(refs__heads__main=COMMIT + "\n"))
    assert ask(root, "deep/er/a.md") == Repository("notes", "main", SHORT, "")


def test_a_branch_among_packed_refs(root: Path) -> None:
    packed = f"# pack-refs with: peeled\n{'f' * 40} refs/heads/main-2\n{COMMIT} refs/heads/feat/한글\n^{'e' * 40}\n"
    plant(root, git("ref: refs/heads/feat/한글\n", packed_refs=packed))
    assert ask(root) == Repository("notes", "feat/한글", SHORT, "")


def test_a_commit_checked_out_by_itself_has_no_branch(root: Path) -> None:
    plant(root, git(COMMIT + "\n"))
    assert ask(root) == Repository("notes", None, SHORT, "")


def test_a_branch_may_name_another_but_not_for_ever(root: Path) -> None:
    plant(root, git(refs__heads__main="ref: refs/heads/real\n", refs__heads__real=COMMIT))
    assert ask(root) == Repository("notes", "main", SHORT, "")
    plant(root, git(refs__heads__real="ref: refs/heads/main\n"))
    assert ask(root) == Repository("notes", "main", None, "")


def test_a_branch_without_a_commit(root: Path) -> None:
    plant(root, git())
    assert ask(root) == Repository("notes", "main", None, "")


def test_a_repository_with_reftables_has_only_its_name(root: Path) -> None:
    plant(root, git("ref: refs/heads/.invalid\n", reftable__tables="x"))
    assert ask(root) == Repository("notes", None, None, "")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.org/team/kebab.git", "kebab"),
        ("https://user:secret@example.org/team/kebab/", "kebab"),
        ("git@example.org:team/kebab.git", "kebab"),
        ("git@example.org:kebab", "kebab"),
        ("/srv/git/kebab.git", "kebab"),
        ("C:\\git\\kebab", "kebab"),
        ('"../kebab.git"', "kebab"),
        ("https://secret@example.org", "notes"),
        ("secret@example.org", "notes"),
        ("", "notes"),
        ("x/" + "y" * 500, "notes"),
    ],
)
def test_the_name_is_that_of_the_origin_and_never_holds_a_password(root: Path, url: str, name: str) -> None:
    config = (
        f'[core]\n\tbare = false\n[remote "other"]\n\turl = /no/other\n[remote "origin"]\n\tfetch = x\n\turl = {url}\n'
    )
    plant(root, git(config=config))
    assert ask(root) == Repository(name, "main", None, "")


def test_a_source_inside_a_repository_is_told_of_it(root: Path) -> None:
    plant(root, git())
    assert ask(root, "docs/deep/a.md", root / "docs") == Repository("notes", "main", None, "")


def test_the_innermost_repository_counts_and_says_where_it_is(root: Path) -> None:
    plant(root, git())
    plant(root / "vendor" / "lib", git("ref: refs/heads/dev\n"))
    found = Repositories()
    assert found.repository_of(root / "vendor" / "lib" / "src" / "a.c", root) == Repository(
        "lib", "dev", None, "vendor/lib"
    )
    assert found.repository_of(root / "vendor" / "a.c", root) == Repository("notes", "main", None, "")


def test_a_worktree_has_its_own_head_and_shared_branches(root: Path, tmp_path: Path) -> None:
    config = '[remote "origin"]\n\turl = x/kebab.git\n'
    own = {
        ".git/worktrees/fix/HEAD": "ref: refs/heads/fix\n",
        ".git/worktrees/fix/commondir": "../..\n",
        ".git/worktrees/fix/gitdir": f"{tmp_path}/fix/.git\n",
    }
    plant(root, {**git(config=config, refs__heads__fix=COMMIT), **own})
    plant(tmp_path / "fix", {".git": f"gitdir: {root}/.git/worktrees/fix\n"})
    assert ask(tmp_path / "fix") == Repository("kebab", "fix", SHORT, "")


def test_a_submodule_is_a_repository_of_its_own(root: Path) -> None:
    module = {".git/modules/lib/HEAD": COMMIT, ".git/modules/lib/config": '[remote "origin"]\nurl = h:x/lib-c.git\n'}
    plant(root, {**git(), **module, "third/lib/.git": "gitdir: ../../.git/modules/lib\n"})
    assert ask(root, "third/lib/a.c") == Repository("lib-c", None, SHORT, "third/lib")


def test_a_git_file_that_leads_to_a_stranger_tells_only_a_name(root: Path, tmp_path: Path) -> None:
    plant(tmp_path / "private", git("ref: refs/heads/secret\n", refs__heads__secret=COMMIT))
    plant(root, {".git": f"gitdir: {tmp_path}/private/.git\n"})
    assert ask(root) == Repository("notes", None, None, "")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 100,
        b"gitdir: x\n" * 100_000,
        b"gitdir: .git\n",
        b"gitdir: /nowhere\n",
        b"gitdir:\n",
        b"\xff\xfe",
        b"hello",
    ],
    ids=lambda content: ascii(content[:12]),
)
def test_a_git_file_that_makes_no_sense_gives_nothing(root: Path, content: bytes) -> None:
    plant(root.parent, git())
    plant(root, {".git": content})
    assert ask(root) is None


def test_a_folder_called_git_that_is_none_is_passed_by(root: Path) -> None:
    plant(root.parent, git("ref: refs/heads/outer\n"))
    (root / ".git").mkdir()
    found = ask(root)
    assert found is not None
    assert found.branch == "outer"


@pytest.mark.parametrize(
    "head",
    [
        "ref: refs/heads/../../../secret",
        "ref: /etc/passwd",
        "ref: refs/heads/a\\b",
        "ref: ",
        "x" * 40,
        "a" * 9999,
        "\x00",
    ],
)
def test_a_head_that_makes_no_sense_tells_only_a_name(root: Path, head: str) -> None:
    plant(root, git(head))
    plant(root.parent, {"secret": COMMIT})
    assert ask(root) == Repository("notes", None, None, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_links_and_pipes_are_not_opened(root: Path, tmp_path: Path) -> None:
    plant(tmp_path / "private", git("ref: refs/heads/secret\n"))
    (root / ".git").symlink_to(tmp_path / "private" / ".git")
    assert ask(root) == Repository("notes", None, None, "")
    os.mkfifo(tmp_path / "private" / ".git" / "config")
    assert ask(tmp_path / "private") == Repository("private", "secret", None, "")


def test_no_repository_is_none_and_a_folder_is_looked_at_once(root: Path) -> None:
    found = Repositories()
    before = found.repository_of(root / "a.md", root)
    plant(root, git())
    assert found.repository_of(root / "b.md", root) == before != ask(root)
