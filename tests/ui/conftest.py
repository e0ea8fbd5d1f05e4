"""A home for every test, and nothing of the shell the tests run in."""

import os
from pathlib import Path

import pytest
from ui_bench import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    for name in [name for name in os.environ if name.startswith(("KEBAB_", "XDG_", "HF_"))]:
        monkeypatch.delenv(name)
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "KnowledgeBase").mkdir()
    return Home(tmp_path, capsys)
