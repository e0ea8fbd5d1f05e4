"""The page of `kebab serve`: its weight, its first paint in Chromium, and the server's CPU for every letter typed.

Usage: python benchmarks/web.py CONFIG [--loads N] [--typed N]

CONFIG names an index, which is only read. CPU is that of the server's threads, as the kernel counts it; paints are wall
time, as people see them: mind the load of the machine.
"""

import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from measure import machine, table

PAGE = Path(__file__).resolve().parents[1] / "src/kebab/ui/web/page"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
TYPED = (
    "how to restart a pod",
    "파드 재시작 방법",
    "persistent volume claim",
    "network policy egress",
    "롤링 업데이트 전략",
    "kubectl drain node",
    "horizontal pod autoscaler metrics",
    "시크릿 암호화",
)
# As the page asks: see `request` in search.js.
ASKED = {"mode": "hybrid", "k": 20, "snippet_chars": 320}


class Server(NamedTuple):
    pid: int
    url: str

    def cpu_ms(self) -> float:
        """Of all its threads until now."""
        tasks = Path(f"/proc/{self.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e6


@contextmanager
def serving(config: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "kebab", "--config", config, "--readonly", "serve", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert process.stderr is not None
        while "serving http" not in (line := process.stderr.readline()):
            if not line:
                raise SystemExit(f"the server ended: {process.wait()}")
        yield Server(process.pid, line.split()[1])
    finally:
        process.terminate()
        process.wait()


def letters(text: str) -> Iterator[str]:
    """What stands in the field after each letter."""
    return (text[:end] for end in range(1, len(text) + 1) if text[:end].strip())


def keystrokes(server: Server, texts: Sequence[str]) -> list[float]:
    """CPU of the server for each letter, in milliseconds."""
    place = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port)
    search(connection, "warm up")
    costs = []
    for text in texts:
        for typed in letters(text):
            before = server.cpu_ms()
            search(connection, typed)
            costs.append(server.cpu_ms() - before)
    connection.close()
    return costs


def search(connection: http.client.HTTPConnection, text: str) -> None:
    body = json.dumps({"query": text, **ASKED})
    connection.request("POST", "/v1/search", body, {"content-type": "application/json"})
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        raise SystemExit(f"{text!r}: {response.status}")


def paints(url: str, loads: int) -> tuple[list[float], int]:
    """First paints of a page that was never loaded before, in milliseconds, and the bytes it took."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("KEBAB_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("there is no Chromium here: apt-get install chromium, or set KEBAB_CHROMIUM")
    times, sizes = [], []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for _ in range(loads + 1):
            context = browser.new_context()
            page = context.new_page()
            page.goto(url)
            page.wait_for_selector(".welcome")
            times.append(page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            sizes.append(page.evaluate(SIZE))
            context.close()
        browser.close()
    # The first one also starts the browser's own parts.
    return times[1:], max(sizes)


SIZE = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter((entry) => new URL(entry.name).pathname === "/" || entry.name.includes("/page/"))
  .reduce((sum, entry) => sum + entry.transferSize, 0)"""


def quantiles(values: Sequence[float]) -> list[str]:
    ordered = sorted(values)
    return [f"{statistics.median(ordered):.1f}", f"{ordered[int(len(ordered) * 0.95)]:.1f}", f"{ordered[-1]:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("--loads", type=int, default=10)
    parser.add_argument("--typed", type=int, default=len(TYPED), help="how many of the questions are typed")
    given = parser.parse_args()
    with serving(given.config) as server:
        costs = keystrokes(server, TYPED[: given.typed])
        times, taken = paints(server.url, given.loads)
    weight = sum(path.stat().st_size for path in PAGE.iterdir())
    print(machine())
    rows = [
        ["CPU of the server for a letter, ms", str(len(costs)), *quantiles(costs)],
        ["first contentful paint, ms", str(len(times)), *quantiles(times)],
    ]
    print(table(["what", "n", "median", "p95", "most"], rows))
    print(f"page: {weight / 1024:.0f} KiB in {len(list(PAGE.iterdir()))} files, {taken / 1024:.0f} KiB over the wire")


if __name__ == "__main__":
    main()
