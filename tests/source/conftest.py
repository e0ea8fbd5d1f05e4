"""A folder to plant files in and to scan."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kebab.core.asset import Source
from kebab.source import ScanRequest, ScanResult, scan


@dataclass(frozen=True)
class Tree:
    root: Path

    def plant(self, *paths: str, text: str = "# Note\n") -> None:
        for path in paths:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def scan(self, *, include: Sequence[str] = (), exclude: Sequence[str] = (), **request: Any) -> ScanResult:
        source = Source("default", self.root, tuple(include), tuple(exclude))
        return scan(source, ScanRequest(**request))

    def paths(self, **options: Any) -> list[str]:
        return [file.workspace_path for file in self.scan(**options).files]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    root = tmp_path / "kb"
    root.mkdir()
    return Tree(root)
