"""Cold starts: `kebab --help` and `kebab search`, with compiled bytecode, against what Python itself costs.

Usage: python benchmarks/startup.py FOLDER [--runs N]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from measure import best, cost, environment, machine, table, write_config

QUERIES = ("파드를 삭제하려면 어떻게 해야 하나요?", "how do I delete a pod")
CLICK_SCRIPT = """
import click
@click.command()
@click.argument("q")
def main(q): click.echo(q)
main(["x"], standalone_mode=False)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    print(machine())
    kebab = [sys.executable, "-m", "kebab"]
    with tempfile.TemporaryDirectory() as home:
        env = environment(home)
        config = write_config(Path(home), options.folder)
        cost([*kebab, "ingest", "--quiet", "--config", str(config)], env)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "a bare click script": [sys.executable, "-c", CLICK_SCRIPT],
            "kebab --help": [*kebab, "--help"],
            **{
                f"kebab search --mode {mode} {query!r}": [
                    *(*kebab, "--config", str(config)),
                    *("search", "--mode", mode, query),
                ]
                for mode in ("lexical", "hybrid")
                for query in QUERIES
            },
        }
        rows = [[name, f"{best(command, env, options.runs):.0f}"] for name, command in commands.items()]
    print(table(["command", "CPU ms"], rows))


if __name__ == "__main__":
    main()
