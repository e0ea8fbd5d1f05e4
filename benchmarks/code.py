"""Speed of reading and cutting source code, per language, in CPU time of one core. The worker's counts, its start not.

Usage: python benchmarks/code.py FOLDER [FOLDER ...] [--megabytes 3]
"""

import argparse
import random
import resource
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from measure import machine, table

from kebab.chunk.symbols import SymbolChunker
from kebab.core.asset import Asset
from kebab.core.chunk import ChunkPolicy
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.parse.code.parser import FALLBACK_VERSION, CodeParser

EXTENSIONS = {
    "python": "py",
    "rust": "rs",
    "typescript": "ts tsx",
    "javascript": "js jsx mjs cjs",
    "go": "go",
    "java": "java",
    "kotlin": "kt kts",
    "c": "c h",
    "cpp": "cpp cc cxx hpp hh hxx",
}
MOMENT = "2020-01-01T00:00:00Z"


class Cost(NamedTuple):
    files: int
    size: int
    parse_s: float
    chunk_s: float
    blocks: int
    chunks: int
    without_units: int

    def row(self, name: str) -> list[str]:
        parse, chunk = self.size / 1e6 / self.parse_s, self.size / 1e6 / max(self.chunk_s, 1e-9)
        return [
            name,
            str(self.files),
            f"{self.size / 1e6:.1f}",
            f"{parse:.1f}",
            f"{chunk:.1f}",
            str(self.blocks),
            str(self.chunks),
            f"{self.size / max(self.chunks, 1):.0f}",
            str(self.without_units),
        ]


def context(path: Path, raw: bytes) -> ParseContext:
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), "code", path.name, path.as_uri(), MOMENT)
    return ParseContext(asset, path.name, MOMENT, MOMENT, None, None)


def ended() -> float:
    """The CPU time of workers that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(parser: CodeParser) -> float:
    """What a worker takes that reads one letter."""
    before = ended()
    parser.parse(b"x", context(Path("/warm"), b"x"))
    parser.close()
    return ended() - before


def run(language: str, files: list[tuple[Path, bytes]]) -> Cost:
    parser, chunker = CodeParser(language), SymbolChunker(language)
    starting = start(parser)
    before = ended() + starting
    size, parse_s, chunk_s, blocks, chunks, without = 0, 0.0, 0.0, 0, 0, 0
    for path, raw in files:
        about = context(path, raw)
        started = time.process_time()
        document = parser.parse(raw, about)
        parsed = time.process_time()
        chunks += len(chunker.chunk(document, ChunkPolicy()))
        chunk_s += time.process_time() - parsed
        parse_s += parsed - started
        size += len(raw)
        blocks += len(document.blocks)
        without += document.parser_version == FALLBACK_VERSION
    parser.close()
    parse_s += ended() - before
    return Cost(len(files), size, parse_s, chunk_s, blocks, chunks, without)


def sample(folders: list[Path], megabytes: float) -> dict[str, list[tuple[Path, bytes]]]:
    by_extension = {f".{part}": name for name, parts in EXTENSIONS.items() for part in parts.split()}
    found: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.resolve().rglob("*")):
            if path.suffix in by_extension and path.is_file() and not path.is_symlink():
                found[by_extension[path.suffix]].append(path)
    chosen: dict[str, list[tuple[Path, bytes]]] = {}
    for name, paths in found.items():
        random.Random(7).shuffle(paths)
        chosen[name], left = [], megabytes * 1e6
        for path in paths:
            raw = path.read_bytes()
            if left > 0 and raw and len(raw) < 5e6:
                chosen[name].append((path, raw))
                left -= len(raw)
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--megabytes", type=float, default=3.0, help="at most this much of each language")
    options = parser.parse_args()
    print(machine())
    costs = {name: run(name, files) for name, files in sorted(sample(options.folders, options.megabytes).items())}
    rows = [cost.row(name) for name, cost in costs.items()]
    rows.append(Cost(*map(sum, zip(*costs.values(), strict=True))).row("all"))
    header = ["language", "files", "MB", "parse MB/s", "chunk MB/s", "blocks", "chunks", "bytes/chunk", "without units"]
    print(table(header, rows))


if __name__ == "__main__":
    main()
