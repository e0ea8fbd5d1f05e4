"""A workspace under random hands: files written, edited, moved and deleted, folders moved, ignore files changed."""

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

WORDS = "현미밥 물 backup restore 압력솥 index 냉동 replica 비율 log 메모 kernel".split()
IGNORED = ("drafts/\n", "*.tmp.md\n", "n1*.md\n", "", "", "")


class Editor:
    """Every operation leaves a whole tree: whoever watches may see any moment of it."""

    def __init__(self, root: Path, seed: int) -> None:
        self._root = root
        self._random = random.Random(seed)
        self._count = 0

    def begin(self, files: int) -> None:
        for _ in range(files):
            self._create()

    def step(self) -> None:
        """One operation; one that has nothing to act on creates a file."""
        names: dict[Callable[[], None], int] = {
            self._create: 7,
            self._edit: 6,
            self._append: 3,
            self._rename: 4,
            self._delete: 3,
            self._move_folder: 1,
            self._delete_folder: 1,
            self._ignore: 1,
        }
        (operation,) = self._random.choices(list(names), list(names.values()))
        # What was picked may just have been moved along with its folder.
        with suppress(FileNotFoundError, NotADirectoryError, shutil.Error):
            operation()

    def _files(self) -> list[Path]:
        return sorted(self._root.rglob("*.md"))

    def _folders(self) -> list[Path]:
        return sorted(path for path in self._root.rglob("*") if path.is_dir())

    def _folder(self) -> Path:
        if not (folders := self._folders()) or self._random.random() < 0.3:
            names = [self._random.choice(("notes", "일기", "drafts", "dev", "a b")) for _ in range(2)]
            folder = self._root.joinpath(*names[: self._random.randint(0, 2)])
            folder.mkdir(parents=True, exist_ok=True)
            return folder
        return self._random.choice([self._root, *folders])

    def _name(self) -> str:
        self._count += 1
        return f"n{self._count}{self._random.choice(('', '', '.tmp'))}.md"

    def _text(self) -> str:
        lines = [" ".join(self._random.choices(WORDS, k=8)) for _ in range(self._random.randint(1, 6))]
        return f"# {self._random.choice(WORDS)} {self._count}\n\n" + "\n\n".join(lines) + "\n"

    def _create(self) -> None:
        (self._folder() / self._name()).write_text(self._text(), encoding="utf-8")

    def _edit(self) -> None:
        if files := self._files():
            self._random.choice(files).write_text(self._text(), encoding="utf-8")

    def _append(self) -> None:
        if files := self._files():
            with self._random.choice(files).open("a", encoding="utf-8") as out:
                out.write(f"\n{self._text()}")

    def _rename(self) -> None:
        if files := self._files():
            self._random.choice(files).rename(self._folder() / self._name())

    def _delete(self) -> None:
        if files := self._files():
            self._random.choice(files).unlink()

    def _move_folder(self) -> None:
        if folders := self._folders():
            folder, target = self._random.choice(folders), self._folder()
            if folder != target and folder not in target.parents:
                self._count += 1
                folder.rename(target / f"f{self._count}")

    def _delete_folder(self) -> None:
        folders = [folder for folder in self._folders() if len(list(folder.rglob("*"))) < 6]
        if folders:
            shutil.rmtree(self._random.choice(folders))

    def _ignore(self) -> None:
        (self._folder() / self._random.choice((".gitignore", ".kebabignore"))).write_text(
            self._random.choice(IGNORED), encoding="utf-8"
        )
