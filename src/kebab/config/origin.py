"""Where a value came from, so that it can be shown beside it and an error can point at it."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from kebab.config.schema import Key
from kebab.config.values import check
from kebab.core.errors import ConfigInvalid

Giver: TypeAlias = Literal["default", "file", "env", "flag"]


class Origin(NamedTuple):
    """The giver of `key`. `text` is that of the file, in which the key's line is looked up when somebody asks for it.

    Relative paths start at `base` or where we are.
    """

    key: str
    giver: Giver
    variable: str | None = None
    file: Path | None = None
    text: str = ""

    @property
    def base(self) -> Path | None:
        return self.file.parent if self.file is not None else None

    @property
    def line(self) -> int | None:
        """The line of the key, or of the nearest table around it."""
        key, lines = self.key, _lines(self.text)
        while key and key not in lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        return lines.get(key)

    @property
    def label(self) -> str:
        detail = self.line if self.giver == "file" else self.variable
        return self.giver if detail is None else f"{self.giver}:{detail}"

    def of(self, key: str) -> "Origin":
        """The same giver, for another key."""
        return self._replace(key=key)

    def accept(self, key: Key, raw: object) -> object:
        """`raw` as the type of `key`, or ConfigInvalid that says where it stands."""
        try:
            return check(key, raw)
        except ValueError as error:
            raise self.refuse(str(error)) from None

    def refuse(self, problem: str, *, hint: str | None = None) -> ConfigInvalid:
        line = self.line
        place = {"file": f"{self._file_name}:{line}: " if line else f"{self._file_name}: ", "env": f"{self.variable}: "}
        return ConfigInvalid(
            f"{place.get(self.giver, '')}{self.key} {problem}",
            hint=hint or self._hint(),
            path=str(self.file) if self.file is not None else None,
            key=self.key,
            line=line,
            cause=problem,
        )

    @property
    def _file_name(self) -> str:
        return self.file.name if self.file is not None else ""

    def _hint(self) -> str | None:
        if self.giver == "file":
            return f"edit {self.file}"
        return f"change or unset {self.variable}" if self.giver == "env" else None


@lru_cache(maxsize=4)
def _lines(text: str) -> Mapping[str, int]:
    from kebab.config.lines import line_numbers

    return line_numbers(text)


Layer: TypeAlias = dict[str, tuple[object, Origin]]


class Origins(Mapping[str, str]):
    """The label of every key's origin, made when it is asked for: finding a line costs more than reading the file."""

    def __init__(self, layer: Layer) -> None:
        self._layer = layer

    def __getitem__(self, key: str) -> str:
        return self._layer[key][1].label

    def __iter__(self) -> Iterator[str]:
        return iter(self._layer)

    def __len__(self) -> int:
        return len(self._layer)
