"""Runs kebab as its users do: as a process of its own, in a home of its own, on a pipe or on a terminal."""

import json
import os
import pty
import subprocess
import sys
import tempfile
import termios
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from wire_schemas import check

KEBAB = (sys.executable, "-m", "kebab")
REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples" / "kb"
TIMEOUT = 60
# A pager would wait for somebody to press a key.
PLAIN_SCREEN = {"TERM": "xterm-256color", "KEBAB_NO_PAGER": "1"}
WORDS_ONLY = {"KEBAB_MODELS_EMBEDDING_PROVIDER": "none"}

Json = dict[str, Any]
Case = TypeVar("Case", bound=Hashable)
Result = TypeVar("Result")


class Done(NamedTuple):
    """A finished process."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        # Only a newline ends a line: U+2028 and its kind may stand in the text of a note.
        return self.out.removesuffix("\n").split("\n") if self.out else []


def environment(home: Path, **extra: str) -> dict[str, str]:
    """What a fresh login has, and nothing of the shell the tests run in but the way to Python and to kebab.

    Without a model, unless `extra` names one: loading it is most of the time of a short command.
    """
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", **WORDS_ONLY}
    if paths := os.environ.get("PYTHONPATH"):
        # A relative entry means the folder the tests were started in, which is not where kebab will run.
        env["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in paths.split(os.pathsep))
    return {**env, **extra}


def start(home: Path, *arguments: str | Path, env: Mapping[str, str] | None = None, **options: Any) -> Any:
    """A running kebab, its streams pipes unless `options` say otherwise."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [*KEBAB, *map(str, arguments)], env=environment(home, **(env or {})), **{**pipes, **options}
    )


def kebab(
    home: Path,
    *arguments: str | Path,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = TIMEOUT,
) -> Done:
    """Runs a command to its end, on pipes."""
    done = subprocess.run(
        [*KEBAB, *map(str, arguments)],
        env=environment(home, **(env or {})),
        input=stdin,
        capture_output=True,
        cwd=cwd or home,
        timeout=timeout,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def well(done: Done, status: int = 0) -> Done:
    """The same, once it is clear that it ended as it should."""
    assert done.status == status, (done.status, done.out[-2000:], done.err[-2000:])
    return done


def objects(done: Done) -> list[Json]:
    """Every line of stdout as a wire object that its schema accepts."""
    found = []
    for line in done.lines:
        value = json.loads(line)
        check(value)
        found.append(value)
    return found


def answer(home: Path, *arguments: str | Path, status: int = 0, **options: Any) -> Json:
    """The last wire object of a command that succeeds under --json and has nothing to say on stderr."""
    done = well(kebab(home, *arguments, "--json", **options), status)
    assert done.err == ""
    last: Json = objects(done)[-1]
    return last


def refusal(done: Done, code: str) -> Json:
    """The one error a failed command gave under --json: exit 2, a single line on stderr, nothing on stdout."""
    assert done.status == 2, (done.status, done.out[-2000:], done.err[-2000:])
    assert done.out == "", done.out[-2000:]
    assert done.err.endswith("\n")
    assert done.err.count("\n") == 1, done.err
    error: Json = json.loads(done.err)
    check(error)
    assert error["schema_version"] == "error.v1"
    assert error["code"] == code, error
    return error


def side_by_side(run: Callable[[Case], Result], cases: Iterable[Case]) -> dict[Case, Result]:
    """What `run` gives for each case, two at a time: most of a test's time is a process starting up."""
    cases = list(cases)
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(cases, pool.map(run, cases), strict=True))


def search(home: Path, *arguments: str, **options: Any) -> list[Json]:
    hits: list[Json] = answer(home, "search", *arguments, **options)["hits"]
    return hits


def on_terminal(
    home: Path,
    *arguments: str | Path,
    streams: Iterable[str] = ("stdin", "stdout", "stderr"),
    env: Mapping[str, str] | None = None,
    typed: bytes = b"",
) -> Done:
    """Runs a command with `streams` on a terminal of 80 columns; what it shows is `out`, without stdout there `err`."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (24, 80))
    shown = b""
    with tempfile.TemporaryFile() as aside:
        places: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": aside, "stderr": aside}
        places |= dict.fromkeys(streams, theirs)
        process = start(home, *arguments, env={**PLAIN_SCREEN, **(env or {})}, cwd=home, **places)
        os.close(theirs)
        os.write(ours, typed)
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # the last holder of the other end is gone
                break
            if not piece:
                break
            shown += piece
        process.wait(TIMEOUT)
        os.close(ours)
        aside.seek(0)
        other = aside.read().decode()
    screen = shown.decode().replace("\r\n", "\n")
    return Done(process.returncode, *((screen, other) if "stdout" in streams else (other, screen)))


def plant(root: Path, files: Mapping[str, str]) -> Path:
    """Writes notes, with times far enough back that their stamps can be trusted at once."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        settle(path)
    return root


def settle(path: Path) -> None:
    before = path.stat().st_mtime_ns - 10_000_000_000
    os.utime(path, ns=(before, before))


def write_config(path: Path, root: str | Path = "notes", data: str | Path = "data", more: str = "") -> Path:
    """A config whose paths all lie beside it unless told otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'schema_version = 1\n\n[workspace]\nroot = "{root}"\n\n[storage]\ndata_dir = "{data}"\n{more}',
        encoding="utf-8",
    )
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` with its content, folders as empty content with a slash."""
    return {
        f"{path.relative_to(folder)}{'/' if path.is_dir() else ''}": b"" if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if not path.is_symlink()
    }
