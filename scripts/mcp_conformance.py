"""Runs the official MCP inspector and conformance suite against `kebab mcp`, over stdio and over HTTP.

    python scripts/mcp_conformance.py [--tools DIR]

Needs npm and the network once: the tools, and a Node they run on, are installed into DIR. Everything else happens in a
temporary home. Prints one line per check and exits 1 if any fails.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("node@22", "@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/conformance@0.1.16")
# Those that need no tool, resource or prompt made for the suite.
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
NOTES = {
    "rice.md": "# Rice\n\nOne cup of brown rice needs two cups of water.\n",
    "쌀/현미밥.md": "# 현미밥\n\n불린 현미 한 컵에 물 1.2컵을 붓는다.\n",
    "boil.py": "def boil(cups: int) -> int:\n    return cups * 2\n",
}
SECONDS = 120
# A busy machine takes longer to start a server than the inspector waits by itself.
PATIENCE = "60000"


class Bench(NamedTuple):
    """Where the tools are, and the home in which kebab runs."""

    tools: Path
    home: Path

    @property
    def env(self) -> dict[str, str]:
        modules = self.tools / "node_modules"
        path = os.pathsep.join((str(modules / "node/bin"), str(modules / ".bin"), os.environ["PATH"]))
        own = {"HOME": str(self.home), "LANG": "C.UTF-8", "PATH": path, "KEBAB_MODELS_EMBEDDING_PROVIDER": "none"}
        return own | ({"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {})

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - the words are this script's own
            arguments, env=self.env, cwd=self.home, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    def kebab(self, *arguments: str) -> dict[str, Any]:
        done = self.run(sys.executable, "-m", "kebab", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        value: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return value


class Tally:
    def __init__(self) -> None:
        self.failed = 0

    def note(self, name: str, problem: str | None) -> None:
        self.failed += problem is not None
        print(f"{'FAIL' if problem else 'ok  '}  {name}{f': {problem}' if problem else ''}", flush=True)  # noqa: T201


def main() -> int:
    parser = argparse.ArgumentParser(description="The official MCP checks against `kebab mcp`.")
    parser.add_argument("--tools", type=Path, default=ROOT / "build" / "mcp-tools", help="where npm installs to")
    tools = parser.parse_args().tools.absolute()
    if not (tools / "node_modules/.bin/conformance").exists():
        tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(tools), *PACKAGES], check=True)  # noqa: S603, S607
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(tools, Path(folder))
        calls = prepared(bench)
        started = [sys.executable, "-m", "kebab", "mcp", "--allow-ingest"]
        inspect(bench, tally, "stdio", started, calls)
        fail(bench, tally, "stdio", started)
        with listening(bench) as url:
            inspect(bench, tally, "http", [url], calls)
            fail(bench, tally, "http", [url])
            conform(bench, tally, url)
    print(f"{tally.failed} failed" if tally.failed else "all passed")  # noqa: T201
    return 1 if tally.failed else 0


def prepared(bench: Bench) -> dict[str, dict[str, Any]]:
    """A home with an index and an answer in it; what every tool is called with there."""
    for name, text in NOTES.items():
        path = bench.home / "KnowledgeBase" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    bench.kebab("ingest")
    trace = bench.kebab("ask", "how much water does brown rice need?")["retrieval"]["trace_id"]
    outside = bench.home / "outside.md"
    outside.write_text("# Outside\n\nTea.\n", encoding="utf-8")
    return {
        "search": {"query": "brown rice", "k": 2, "max_tokens": 500},
        "bulk_search": {"queries": [{"query": "rice"}, {"query": "현미밥", "k": 1}]},
        "ask": {"question": "how much water does brown rice need?"},
        "fetch": {"kind": "doc", "reference": "쌀/현미밥.md"},
        "list_docs": {"sort": "title"},
        "symbols": {"query": "boil"},
        "schema": {},
        "doctor": {},
        "verify": {"trace_id": trace},
        "ingest_file": {"path": str(outside)},
        "ingest_stdin": {"text": "Green tea at 80 degrees.", "title": "Tea"},
        "ingest": {"summary_only": True},
    }


@contextmanager
def listening(bench: Bench) -> Iterator[str]:
    arguments = [sys.executable, "-m", "kebab", "mcp", "--allow-ingest", "--http", "127.0.0.1:0"]
    options = {"env": bench.env, "cwd": bench.home, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(arguments, **options) as server:  # noqa: S603
        assert server.stderr is not None
        try:
            found = re.search(r"http://\S+", server.stderr.readline())
            assert found, "the server did not say where it listens"
            yield found[0]
        finally:
            server.terminate()
            server.wait(SECONDS)


def inspect(bench: Bench, tally: Tally, over: str, target: list[str], calls: dict[str, dict[str, Any]]) -> None:
    """Lists everything and calls every tool with the inspector; results must follow the schemas that were listed."""

    def asked(*arguments: str, era: str = "legacy") -> dict[str, Any]:
        done = inspector(bench, over, target, arguments, era)
        if done.returncode:
            raise AssertionError(f"exit {done.returncode}: {done.stderr[-300:].strip()}")
        value: dict[str, Any] = json.loads(done.stdout)
        return value.get("result", value)

    def check(name: str, *arguments: str, era: str = "legacy", schema: Any = None) -> dict[str, Any]:  # noqa: ANN401
        try:
            value = asked(*arguments, era=era)
            problem = str(value["content"]) if value.get("isError") else None
            if schema is not None and problem is None:
                errors = jsonschema_rs.Draft202012Validator(schema).iter_errors(value["structuredContent"])
                problem = next((error.message for error in errors), None)
        except (AssertionError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
            value, problem = {}, f"{type(error).__name__}: {error}"
        tally.note(f"inspector {over} {name}", problem)
        return value

    listed = check("tools/list", "--method", "tools/list", "--strict").get("tools", [])
    schemas = {tool["name"]: tool["outputSchema"] for tool in listed}
    tally.note(f"inspector {over} lists every tool", None if set(schemas) == set(calls) else str(sorted(schemas)))
    for tool, given in calls.items():
        named = ("--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(given))
        check(f"tools/call {tool}", *named, schema=schemas.get(tool))
        if tool == "search":
            check("tools/call search (2026-07-28)", *named, era="modern", schema=schemas.get(tool))
    check("tools/list (2026-07-28)", "--method", "tools/list", era="modern")
    for method in ("resources/list", "resources/templates/list", "prompts/list"):
        check(method, "--method", method)
    check("resources/read", "--method", "resources/read", "--uri", "kebab://doc/rice.md")


def inspector(
    bench: Bench, over: str, target: list[str], arguments: Sequence[str], era: str
) -> subprocess.CompletedProcess[str]:
    environment = [part for name, value in bench.env.items() for part in ("-e", f"{name}={value}")]
    started = environment if over == "stdio" else []
    head = (
        "mcp-inspector",
        "--cli",
        "--quiet",
        "--format",
        "json",
        "--protocol-era",
        era,
        "--connect-timeout",
        PATIENCE,
    )
    return bench.run(*head, *started, *arguments, "--", *target)


def fail(bench: Bench, tally: Tally, over: str, target: list[str]) -> None:
    """An error must reach whoever called, although it does not follow the schema of the tool."""
    given = json.dumps({"kind": "doc", "reference": "none.md"})
    call = ("--method", "tools/call", "--tool-name", "fetch", "--tool-args-json", given)
    for era in ("legacy", "modern"):
        said = inspector(bench, over, target, call, era).stdout
        tally.note(f"inspector {over} shows an error ({era})", None if "doc_not_found" in said else said[-300:])


def conform(bench: Bench, tally: Tally, url: str) -> None:
    for scenario in SCENARIOS:
        done = bench.run("conformance", "server", "--url", url, "--scenario", scenario)
        passed = done.returncode == 0 and re.search(r"Passed: [1-9]\d*/\d+, 0 failed", done.stdout)
        tally.note(f"conformance {scenario}", None if passed else (done.stdout + done.stderr)[-500:])


if __name__ == "__main__":
    sys.exit(main())
