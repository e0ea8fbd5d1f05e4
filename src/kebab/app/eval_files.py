"""Suites and runs on disk: a suite read from its file, a run kept in a folder of its own and found by its name."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.evaluation import EvalRun, Suite
from kebab.core.text import unify_newlines
from kebab.eval.lined_yaml import MAX_BYTES
from kebab.eval.suite import read_suite

RUN = "run.json"
SUITE = "suite.yaml"
_LARGEST = 512 * 1024 * 1024
_LAST = re.compile(r"last(?:~([0-9]{1,4}))?")


def load_suite(path: Path) -> Suite:
    """Raises InvalidInput, with the file and the line, and IoFailure."""
    try:
        raw = _read(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise InvalidInput(
            f"there is no suite {path}", hint="`kebab eval make` proposes one from your documents", path=str(path)
        ) from error
    try:
        text = unify_newlines(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InvalidInput(f"{path}: line {line}: not UTF-8", hint="save the suite as UTF-8", path=str(path)) from error
    try:
        return read_suite(text, path.stem, str(path))
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error.message}", hint=error.hint, path=str(path), **error.details) from error


def _read(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as opened:
            raw = opened.read(most + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise IoFailure(f"cannot read {path}: {error.strerror}", path=str(path), op="read") from error
    if len(raw) > most:
        raise InvalidInput(f"{path} is larger than {most // (1024 * 1024)} MB", path=str(path))
    return raw


def write_files(folder: Path, files: Mapping[str, str]) -> tuple[str, ...]:
    """Each whole or not at all, readable by their owner only. Nothing else in the folder is touched."""
    written = []
    for name, text in files.items():
        path = folder / name
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as out:
                out.write(text)
            draft.replace(path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise IoFailure(f"cannot write {path}: {error.strerror}", path=str(path), op="write") from error
        written.append(str(path))
    return tuple(written)


class StoredRuns:
    """The runs below a folder, each in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """Oldest first: a name begins with its time."""
        try:
            return sorted(path.parent.name for path in self._folder.glob(f"*/{RUN}"))
        except OSError as error:
            raise IoFailure(
                f"cannot read {self._folder}: {error.strerror}", path=str(self._folder), op="list"
            ) from error

    def find(self, reference: str) -> EvalRun:
        """By name, the beginning of a name, `last`, `last~1` and so on, or the path of a run. Raises InvalidInput."""
        if (counted := _LAST.fullmatch(reference)) is not None:
            return self.read(self._folder / self._before_last(int(counted[1] or 0)))
        path = Path(reference)
        if path.name == RUN or (path / RUN).is_file():
            return self.read(path.parent if path.name == RUN else path)
        fitting = [name for name in self.names() if name.startswith(reference)] if reference else []
        if reference in fitting:
            fitting = [reference]
        if len(fitting) != 1:
            problem = f"{reference} fits several runs" if fitting else f"no run {reference!r}"
            raise InvalidInput(problem, hint="`kebab eval aggregate` lists runs; `last` is the latest", run=reference)
        return self.read(self._folder / fitting[0])

    def _before_last(self, back: int) -> str:
        names = self.names()
        if back >= len(names):
            raise InvalidInput(
                f"there are {len(names)} runs" if names else "there are no runs yet", hint="`kebab eval run` makes one"
            )
        return names[-1 - back]

    def read(self, folder: Path) -> EvalRun:
        from kebab.wire.decode_evaluation import decode_run

        path = folder / RUN
        try:
            return decode_run(json.loads(_read(path, _LARGEST)))
        except FileNotFoundError as error:
            raise InvalidInput(f"there is no run in {folder}", path=str(folder)) from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidInput(f"{path} is not a run that this kebab can read", path=str(path)) from error

    def readable(self, names: Iterable[str]) -> tuple[list[EvalRun], list[str]]:
        """Those that can be read, and what is wrong with the others."""
        runs, problems = [], []
        for name in names:
            try:
                runs.append(self.read(self._folder / name))
            except (InvalidInput, IoFailure) as error:
                problems.append(error.message)
        return runs, problems

    def latest_like(self, run: EvalRun) -> EvalRun | None:
        """The last one whose figures can be compared with those of `run`, which is not stored yet."""
        for name in reversed(self.names()):
            found, _ = self.readable([name])
            if found and (found[0].suite_name, found[0].k, found[0].max_per_doc) == (
                run.suite_name,
                run.k,
                run.max_per_doc,
            ):
                return found[0]
        return None
