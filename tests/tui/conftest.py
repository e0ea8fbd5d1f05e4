"""Notes in both languages with an index over them, and nothing of the shell the tests run in."""

import os
from pathlib import Path

import pytest
from tui_bench import Notes

RICE = """---
tags: [recipes]
---
# 현미밥

## 압력밥솥

현미 2컵에 물 2.5컵을 붓는다. 불린 현미는 물을 조금 줄인다.

## 냄비

약한 불에 40분 끓인다.
"""
BACKUP = """# Backups

## Restore

Stop the server before you restore a backup. The restore takes an hour.

```shell
pg_restore --clean backup.dump
```

## Schedule

Backups run every night at two.
"""
CODE = '''"""Rice."""


def boil(cups: int) -> int:
    """Minutes for so many cups."""
    return 20 + cups * 5
'''


@pytest.fixture(autouse=True)
def quiet_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("KEBAB_", "TEXTUAL_", "XDG_"))]:
        if name != "KEBAB_UPDATE_SNAPSHOTS":
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "LC_ALL", "LC_MESSAGES", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def empty(tmp_path: Path) -> Notes:
    return Notes(tmp_path)


@pytest.fixture
def notes(empty: Notes) -> Notes:
    empty.write("쌀/현미밥.md", RICE)
    empty.write("ops/backups.md", BACKUP)
    empty.write("src/rice.py", CODE)
    empty.ingest()
    return empty
