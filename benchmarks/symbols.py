"""Go to definition: names that ctags finds in real source trees, looked for by kebab by name and by symbol.

Usage: python benchmarks/symbols.py FOLDER [FOLDER ...] [--names 40] [--seed 7] [--set KEY=VALUE]

Needs Universal Ctags, which knows nothing of kebab. Each folder is ingested into an index of its own. A name counts as
found when the first hit is a definition of it: its lines hold the line that ctags names. `cited` is the share of first
hits in a file with such a definition whose lines hold it.
"""

import argparse
import json
import random
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from measure import machine, table

from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import load
from kebab.core.citation import CodeCitation
from kebab.core.query import Filters, Query, SearchMode

LANGUAGES = "Python,JavaScript,TypeScript,C,C++,Go,Rust,Java,Kotlin"
KINDS = {"class", "function", "method", "func", "struct", "interface", "enum", "trait", "macro", "typedef"}


def definitions(folder: Path) -> dict[str, set[tuple[str, int]]]:
    """Names of three letters and more, with the places of their definitions."""
    command = ["ctags", "-R", "--output-format=json", "--fields=+nK", f"--languages={LANGUAGES}", "-f", "-", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for line in done.stdout.splitlines():
        tag = json.loads(line)
        named = str(tag.get("name", ""))
        # A member is a method in Python and a field elsewhere.
        wanted = tag.get("kind") in KINDS or (tag.get("kind") == "member" and tag["path"].endswith((".py", ".pyi")))
        if wanted and len(named) > 2 and named.isidentifier() and not named.startswith("__anon"):
            found[named].add((tag["path"].removeprefix("./"), int(tag["line"])))
    return found


def first_hit(app: App, query: Query, places: set[tuple[str, int]]) -> tuple[bool, bool | None]:
    """Whether the first hit is a definition, and whether its lines are right if its file has one."""
    hits = app.search(query).hits
    if not hits or not isinstance(hits[0].citation, CodeCitation):
        return False, None
    cited = hits[0].citation
    inside = [line for path, line in places if path == cited.path]
    right = any(cited.line_start <= line <= cited.line_end for line in inside)
    return right, right if inside else None


def measured(folder: Path, options: argparse.Namespace) -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory() as scratch:
        given = dict(text.split("=", 1) for text in options.set)
        flags = {"workspace.root": folder, "storage.data_dir": Path(scratch) / "data", **given}
        app = App(load(flags, env={"HOME": scratch}))
        for _ in app.ingest(ScopeRequest()):
            pass
        indexed = {each.doc_path for each in app.list_docs(Filters(), "path")}
        known = {
            name: places & {place for place in places if place[0] in indexed}
            for name, places in definitions(folder).items()
        }
        names = sorted(name for name, places in known.items() if places)
        chosen = random.Random(options.seed).sample(names, min(options.names, len(names)))
        for way in ("search NAME", "search --symbol NAME"):
            results = []
            for name in chosen:
                filters = Filters(symbols=(name,)) if "--symbol" in way else Filters()
                results.append(first_hit(app, Query(name, SearchMode.HYBRID, 5, filters), known[name]))
                if not results[-1][0] and options.misses:
                    print(f"  {way}: {name} {sorted(known[name])[:2]}")
            cited = [right for _, right in results if right is not None]
            yield [
                folder.name,
                way,
                str(len(chosen)),
                f"{sum(found for found, _ in results) / len(results):.3f}",
                f"{sum(cited) / len(cited):.3f}" if cited else "-",
            ]
        app.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--names", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--misses", action="store_true", help="print the names that were not found")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of kebab's")
    options = parser.parse_args()
    if shutil.which("ctags") is None:
        parser.error("needs ctags: apt install universal-ctags")
    print(machine())
    rows = [row for folder in options.folders for row in measured(folder.resolve(), options)]
    print(table(["folder", "way", "names", "first", "cited"], rows))


if __name__ == "__main__":
    main()
