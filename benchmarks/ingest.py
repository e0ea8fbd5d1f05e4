"""Cost of an ingest: all of a folder, then nothing changed, then half of it (cost must be linear in the text).

Usage: python benchmarks/ingest.py FOLDER
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from measure import cost, environment, machine, table, write_config


def text_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.md"))


def run(notes: Path, scratch: Path, name: str) -> list[str]:
    home = scratch / name
    home.mkdir()
    config = write_config(home, notes)
    command = [sys.executable, "-m", "kebab", "ingest", "--quiet", "--config", str(config)]
    env = environment(str(home))
    full = cost(command, env)
    again = cost(command, env)
    size = sum(path.stat().st_size for path in (home / "data").glob("kebab.sqlite*"))
    text = text_bytes(notes)
    files = sum(1 for _ in notes.rglob("*.md"))
    return [
        name,
        str(files),
        f"{text / 1e6:.1f}",
        f"{full.cpu_s:.1f}",
        f"{full.cpu_s / (text / 1e6):.2f}",
        f"{full.peak_mb:.0f}",
        f"{again.cpu_s:.2f}",
        f"{size / 1e6:.1f}",
        f"{size / text:.2f}",
    ]


def half_of(notes: Path, target: Path) -> Path:
    for number, path in enumerate(sorted(notes.rglob("*.md"))):
        if number % 2 == 0:
            copy = target / path.relative_to(notes)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        rows = [
            run(options.folder.resolve(), scratch, "all"),
            run(half_of(options.folder, scratch / "notes"), scratch, "half"),
        ]
    header = ["part", "files", "text MB", "CPU s", "CPU s/MB", "peak MB", "unchanged CPU s", "database MB", "x text"]
    print(table(header, rows))


if __name__ == "__main__":
    main()
