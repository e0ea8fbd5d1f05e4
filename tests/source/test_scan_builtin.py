from typing import TYPE_CHECKING

import pytest

from kebab.source.builtin import CACHE_SIGNATURE, is_secret

if TYPE_CHECKING:
    from conftest import Tree


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".env.local", ".ENV", "server.pem", "Server.KEY", "id_rsa", "id_rsa.pub", "id_ed25519", "a.p12"),
        *("a.pfx", "vault.kdbx", ".netrc", ".pgpass", "credentials", "Credentials.json", "a.keystore", ".htpasswd"),
        *(".npmrc", ".pypirc"),
    ],
)
def test_secret_files(name: str) -> None:
    assert is_secret(name, is_dir=False)


@pytest.mark.parametrize(
    "name", [".env.example", ".env.sample", ".env.template", "environment.md", "key.md", "keys.md", "credentials.md"]
)
def test_files_that_are_no_secret(name: str) -> None:
    assert not is_secret(name, is_dir=False)


def test_secret_folders_and_files_are_counted_apart(tree: "Tree") -> None:
    tree.plant("a.md", ".env", ".ssh/notes.md", ".aws/x.md", "keys/id_rsa.md", "credentials/howto.md")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md", "credentials/howto.md"]
    assert found.skips["secret"].examples == (".aws/", ".env", ".ssh/", "keys/id_rsa.md")


def test_a_secret_is_brought_back_by_its_name_in_kebabignore_only(tree: "Tree") -> None:
    tree.plant("id_rsa_howto.md", "id_rsa_other.md", ".ssh/notes.md")
    tree.plant(".gitignore", text="!id_rsa_other.md\n")
    tree.plant(".kebabignore", text="!id_rsa_howto.md\n!.ssh/\n!*_other.md\n")
    found = tree.scan(include=["id_rsa_other.md", "**"])
    assert [file.workspace_path for file in found.files] == [".ssh/notes.md", "id_rsa_howto.md"]


def test_generated_folders_count_once_each(tree: "Tree") -> None:
    tree.plant("a.md", "node_modules/x/a.md", "node_modules/y.md", "p/__pycache__/z.md", ".git/d.md", ".obsidian/e.md")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.skips["builtin_blacklist"].count == 4
    assert found.skips["builtin_blacklist"].examples == (".git/", ".obsidian/", "node_modules/", "p/__pycache__/")


def test_build_and_dist_are_ordinary_folders(tree: "Tree") -> None:
    tree.plant("build/a.md", "dist/b.md", "venv/c.md", "target/d.md")
    assert tree.paths() == ["build/a.md", "dist/b.md", "target/d.md", "venv/c.md"]


def test_target_beside_a_cargo_file_is_a_build_folder(tree: "Tree") -> None:
    tree.plant("crate/Cargo.toml", "crate/target/doc.md", "crate/README.md", "crate/src/target/x.md")
    assert tree.paths() == ["crate/Cargo.toml", "crate/README.md", "crate/src/target/x.md"]


def test_folders_are_known_by_what_they_hold(tree: "Tree") -> None:
    tree.plant("env/pyvenv.cfg", "env/lib/a.md", "cache/b.md", "fake/c.md")
    tree.plant("cache/CACHEDIR.TAG", text=CACHE_SIGNATURE.decode() + "\n# made by a tool\n")
    tree.plant("fake/CACHEDIR.TAG", text="just a note")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["fake/c.md"]
    assert found.skips["builtin_blacklist"].examples == ("cache/", "env/")


def test_a_marker_in_the_root_says_nothing(tree: "Tree") -> None:
    tree.plant("a.md", "pyvenv.cfg")
    assert tree.paths() == ["a.md", "pyvenv.cfg"]


def test_hidden_entries_are_skipped_but_github(tree: "Tree") -> None:
    tree.plant(".hidden.md", ".notes/a.md", ".github/CONTRIBUTING.md", "b/.c/d.md", "e.md")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == [".github/CONTRIBUTING.md", "e.md"]
    assert found.skips["builtin_blacklist"].count == 3


def test_editor_leftovers_are_skipped(tree: "Tree") -> None:
    tree.plant("a.md~", "#b.md#", "c.md.swp", "~$d.md", ".#e.md", "f.md")
    assert tree.paths() == ["f.md"]
    assert tree.scan().skips["builtin_blacklist"].count == 5


def test_what_is_spelled_in_kebabignore_or_include_is_meant(tree: "Tree") -> None:
    tree.plant(".notes/a.md", ".other/b.md", "node_modules/c.md", "env/pyvenv.cfg", "env/d.md")
    assert tree.paths(include=[".notes/**", "env/**"]) == [".notes/a.md", "env/d.md", "env/pyvenv.cfg"]
    tree.plant(".kebabignore", text="!node_modules/\n!.other\n!env/\n")
    assert tree.paths() == [".other/b.md", "env/d.md", "env/pyvenv.cfg", "node_modules/c.md"]


def test_the_usual_list_of_exceptions_opens_no_hidden_folder(tree: "Tree") -> None:
    tree.plant("a.md", "x/b.md", "c.markdown", ".git/d.md", ".ssh/e.md", ".f.md", "node_modules/g.md")
    tree.plant(".kebabignore", text="*\n!*/\n!*.md\n")
    assert tree.paths() == ["a.md", "x/b.md"]


def test_a_file_named_outright_needs_no_rule_but_keeps_its_secrets(tree: "Tree") -> None:
    tree.plant("_external/a.md", ".hidden/b.md", "id_rsa.md", "x.md")
    tree.plant(".kebabignore", text="_external/\n")
    for path in ("_external/a.md", ".hidden/b.md"):
        assert tree.paths(subtree=path) == []
        assert tree.paths(subtree=path, honour_ignores=False, include=["x.md"], exclude=["**"]) == [path]
    assert tree.paths(subtree="id_rsa.md", honour_ignores=False) == []
