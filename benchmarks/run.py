"""Every figure the README states, in one run: runs the programs of this folder one after the other and writes a report.

Usage: python benchmarks/run.py [--quick] [--data SETS] [--folder NOTES] [--only NAME,NAME] [--work DIR]

Writes docs/benchmarks.json (what was measured), docs/benchmarks.md and docs/benchmarks.svg from it. Parts that were not
run keep their figures, each with its date and commit. A part whose data or tools are missing is left out with a word.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import plot
import report
from measure import cost, environment, machine, write_config

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
DOCS = REPOSITORY / "docs"
EXAMPLES = REPOSITORY / "examples" / "kb"
QUICK_SETS = ("tydiqa-ko", "scifact-beir")


class Options(NamedTuple):
    quick: bool
    data: Path | None
    folder: Path
    work: Path | None
    sizes: str
    indexes: Path | None
    sets: tuple[str, ...]


class Missing(Exception):
    """Why a part is left out."""


class Part(NamedTuple):
    """A program and its arguments, which may need an index made before."""

    name: str
    title: str
    program: str
    arguments: Callable[[Options, Path], list[str]]


def quality(options: Options, scratch: Path) -> list[str]:
    if options.data is None or not options.data.is_dir():
        raise Missing("no public sets: give --data")
    # Indexes that are there already cost a quick run nothing.
    few = QUICK_SETS if options.quick and options.indexes is None else ()
    sets = options.sets or tuple(name for name in few if (options.data / name).is_dir())
    keep = options.indexes or (options.work or scratch) / "quality"
    limit = ["--limit", "100", "--modes", "lexical,hybrid"] if options.quick else []
    return [str(options.data), *sets, *limit, "--keep", str(keep)]


def folder(options: Options, scratch: Path) -> list[str]:  # noqa: ARG001 - the parts' signature
    return [str(options.folder)]


def startup(options: Options, scratch: Path) -> list[str]:  # noqa: ARG001 - the parts' signature
    return [str(EXAMPLES if options.quick else options.folder), "--runs", "5" if options.quick else "10"]


def vectors(options: Options, scratch: Path) -> list[str]:  # noqa: ARG001 - the parts' signature
    return ["--small"] if options.quick else []


def pdf(options: Options, scratch: Path) -> list[str]:  # noqa: ARG001 - the parts' signature
    return ["--rounds", "2", "--damaged", "24", "--runs", "2"] if options.quick else []


def ocr(options: Options, scratch: Path) -> list[str]:  # noqa: ARG001 - the parts' signature
    from shutil import which

    if which("tesseract") is None:
        raise Missing("no tesseract here (Debian: apt install tesseract-ocr tesseract-ocr-kor)")
    return ["--quick"]


def mcp(options: Options, scratch: Path) -> list[str]:
    """Asks an index of its own."""
    home = scratch / "mcp"
    home.mkdir(parents=True, exist_ok=True)
    config = write_config(home, EXAMPLES if options.quick else options.folder)
    cost([sys.executable, "-m", "kebab", "ingest", "--quiet", "--config", str(config)], environment(str(home)))
    return [str(config), *(["--calls", "400"] if options.quick else [])]


def scale(options: Options, scratch: Path) -> list[str]:
    words = ["--words", str(options.data)] if options.data and options.data.is_dir() else []
    fewer = ["--queries", "60"] if options.quick else []
    return ["--sizes", options.sizes, *words, *fewer, "--work", str(options.work or scratch)]


PARTS = (
    Part("quality", "Retrieval quality on public sets", "quality.py", quality),
    Part("rivals", "Beside what one would write by hand", "rivals.py", folder),
    Part("ingest", "Ingest: cost, memory, size", "ingest.py", folder),
    Part("scale", "Scale: synthetic notes", "scale.py", scale),
    Part("vectors", "Vector search", "vectors.py", vectors),
    Part("startup", "A command from a cold start", "startup.py", startup),
    Part("mcp", "The MCP server", "mcp.py", mcp),
    Part("pdf", "PDF", "pdf.py", pdf),
    Part("ocr", "Text in images: share of wrong characters", "ocr.py", ocr),
)


def commit() -> str:
    """Of the working copy; a plus sign when it has changes."""
    command = ["git", "-C", str(REPOSITORY), "describe", "--always", "--dirty=+", "--abbrev=9"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _short(argument: str) -> str:
    """A path by its last two names: where it lies is of no interest to a reader."""
    return "/".join(Path(argument).parts[2:][-2:]) if argument.startswith("/") else argument


def measured(part: Part, options: Options, scratch: Path) -> dict[str, object]:
    """What a program told, with when and how it was run."""
    facts: dict[str, object] = {
        "title": part.title,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "quick": options.quick,
    }
    out = scratch / f"{part.name}.json"
    started = time.perf_counter()
    try:
        arguments = part.arguments(options, scratch)
    except Missing as error:
        return {**facts, "left_out": str(error)}
    command = [sys.executable, str(HERE / "recorded.py"), str(out), str(HERE / part.program), *arguments]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, cwd=REPOSITORY)
    if done.returncode or not out.exists():
        last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        return {**facts, "left_out": f"{part.program} failed: {last}"}
    facts["how"] = " ".join([part.program, *map(_short, arguments)])
    return {**facts, "minutes": round((time.perf_counter() - started) / 60, 1), **json.loads(out.read_text("utf-8"))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a run of some minutes: less of everything")
    parser.add_argument("--data", type=Path, help="a folder with the public sets, one folder each")
    parser.add_argument("--folder", type=Path, default=EXAMPLES, help="a folder of Markdown to ingest and search")
    parser.add_argument("--work", type=Path, help="keep notes and indexes here, and go on where they were left")
    parser.add_argument("--sizes", help="of the synthetic notes, in chunks")
    parser.add_argument("--sets", nargs="*", default=(), help="the public sets to measure; all that are there")
    parser.add_argument("--indexes", type=Path, help="indexes of the public sets, as `quality.py --keep` left them")
    parser.add_argument("--only", help="the parts to run: " + ", ".join(part.name for part in PARTS))
    parser.add_argument("--out", type=Path, default=DOCS, help="the folder of the report")
    given = parser.parse_args()
    sizes = given.sizes or ("10000" if given.quick else "10000,100000,1000000")
    # Programs run in another folder than this one: from here `mcp` would be the program of that name.
    data, notes, work, indexes = (
        path.resolve() if path else None for path in (given.data, given.folder, given.work, given.indexes)
    )
    options = Options(given.quick, data, notes or EXAMPLES, work, sizes, indexes, tuple(given.sets))
    wanted = given.only.split(",") if given.only else [part.name for part in PARTS]
    if unknown := set(wanted) - {part.name for part in PARTS}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    kept = given.out / "benchmarks.json"
    results = json.loads(kept.read_text("utf-8")) if kept.exists() else {"parts": {}}
    results["machine"] = machine()
    for part in PARTS:
        if part.name not in wanted:
            continue
        print(f"\n== {part.title} ({part.program})", flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            found = measured(part, options, Path(scratch))
        if "left_out" in found:
            print(f"left out: {found['left_out']}", flush=True)
        # What could not be measured now does not take away what was measured before.
        if "left_out" not in found or "tables" not in results["parts"].get(part.name, {}):
            results["parts"][part.name] = found
        kept.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", "utf-8")
    results["parts"] = {part.name: results["parts"][part.name] for part in PARTS if part.name in results["parts"]}
    kept.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (given.out / "benchmarks.svg").write_text(plot.drawn(results), "utf-8")
    (given.out / "benchmarks.md").write_text(report.written(results), "utf-8")
    print(f"\nwritten to {given.out}")


if __name__ == "__main__":
    main()
