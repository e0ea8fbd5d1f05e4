"""Homes to run kebab in: a small one to change at will, and a read-only library of the example notes."""

import shutil
import threading
from pathlib import Path

import fluent_notes
import pytest
from background_work import Background
from kebab_process import EXAMPLES, kebab, plant, settle, well, write_config

NOTES = {
    "rice.md": "---\ntags: [cooking]\n---\n# Rice\n\nOne cup of brown rice needs two cups of water.\n",
    "쌀/현미밥.md": "# 현미밥\n\n불린 현미 한 컵에 물 1.2컵을 붓는다.\n\n## 보관\n\n한 공기씩 냉동한다.\n",
    "dev/backup.md": "# Backup\n\nRestore the nightly backup with pg_restore.\n",
}


@pytest.fixture(scope="session")
def builtin(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables under which kebab has its built-in model. Its weights are unpacked once for all homes."""
    return {
        "KEBAB_MODELS_EMBEDDING_PROVIDER": "builtin",
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
    }


@pytest.fixture(scope="session")
def background(tmp_path_factory: pytest.TempPathFactory, builtin: dict[str, str]) -> Background:
    return Background(tmp_path_factory.mktemp, builtin, threading.Event())


@pytest.fixture(scope="session")
def small_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three notes, a config that says where they are, and their index. Every path is relative to the home.

    It is moved once it is made: an index follows its folder, as long as nothing is left at the old place.
    """
    home = tmp_path_factory.mktemp("small") / "home"
    plant(home / "notes", NOTES)
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    well(kebab(home, "ingest", "--quiet"))
    return home.rename(home.with_name("moved"))


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    """A copy of the small home, the test's own."""
    return shutil.copytree(small_home, tmp_path / "home")


@pytest.fixture(scope="session")
def fluent_library(tmp_path_factory: pytest.TempPathFactory, builtin: dict[str, str]) -> Path:
    """Notes in two languages, indexed by words and by meaning. For tests that only read."""
    home = tmp_path_factory.mktemp("fluent") / "home"
    plant(home / "notes", fluent_notes.NOTES)
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    well(kebab(home, "ingest", "--quiet", env=builtin))
    return home.rename(home.with_name("moved"))


@pytest.fixture
def fluent(fluent_library: Path, tmp_path: Path) -> Path:
    """A copy of them, the test's own."""
    return shutil.copytree(fluent_library, tmp_path / "fluent")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A home with three notes and a config, and no index yet."""
    home = tmp_path / "bare"
    plant(home / "notes", NOTES)
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    return home


def copy_examples(target: Path) -> Path:
    shutil.copytree(EXAMPLES, target)
    for path in target.rglob("*.md"):
        settle(path)
    return target


@pytest.fixture
def example_home(tmp_path: Path) -> Path:
    """The example notes as the workspace, not indexed yet."""
    home = tmp_path / "home"
    copy_examples(home / "notes")
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    return home


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example notes, indexed, and a second source with two more. For tests that only read."""
    home = tmp_path_factory.mktemp("library") / "home"
    copy_examples(home / "notes")
    plant(
        home / "papers",
        {
            "bm25.md": "---\ntrust: secondary\ntags: [search, ranking]\n---\n# BM25\n\nOkapi ranking of a backup.\n",
            "auto.md": "---\ntags: [search]\n---\n# Generated\n\nA machine wrote this about a backup.\n",
        },
    )
    source = '\n[[workspace.sources]]\nid = "papers"\nroot = "../../papers"\nsource_type = "paper"\n'
    write_config(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab", source)
    well(kebab(home, "ingest", "--quiet"))
    return home
