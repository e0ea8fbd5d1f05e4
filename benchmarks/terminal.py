"""The terminal app on an index that is only read: CPU until its first screen, and memory through a session.

Usage: python benchmarks/terminal.py CONFIG [--questions FILE]

The app runs in a pseudo terminal and is driven by keys: searches letter by letter, questions, the library. Memory is
what the kernel says is resident of the process at most (VmHWM), with every page of a mapped file that is in memory.
"""

import argparse
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

from measure import machine, table

SEARCHES = ("pod delete", "노드 상태 확인", "how to restrict access", "롤링 업데이트 전략")
QUESTIONS = (
    "How do I restrict access to a secret?",
    "파드의 메모리를 어떻게 제한하나요?",
    "What is a headless service?",
    "디플로이먼트를 롤백하는 방법은?",
    "노드를 비우는 방법은?",
    "How does the scheduler pick a node?",
    "인그레스란 무엇인가?",
    "What does a liveness probe do?",
    "컨피그맵을 파드에서 어떻게 사용하나요?",
    "스테이트풀셋은 언제 사용하나요?",
    "How do I drain a node?",
    "서비스 어카운트 토큰은 어떻게 회전되나요?",
)
# Panes by their keys.
SEARCH, ASK, LIBRARY = "1", "2", "3"
ESCAPE, ENTER, CLEAR, QUIT = "\x1b", "\r", "\x15", "\x11"


class Session:
    """A running app, whatever it writes read and thrown away."""

    def __init__(self, config: str) -> None:
        env = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-m", "kebab", "--config", config, "--readonly", "tui"], env)
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.written = 0

    def wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if select.select([self._terminal], [], [], 0.01)[0]:
                self.written += len(os.read(self._terminal, 1 << 16))

    def settle(self) -> None:
        """Until nothing was written for a second."""
        written = -1
        while written != self.written:
            written = self.written
            self.wait(1)

    def type(self, keys: str) -> None:
        for key in keys:
            os.write(self._terminal, key.encode())
            self.wait(0.03)

    def press(self, key: str) -> None:
        """A key on its own: what follows an escape at once would belong to it."""
        self.type(key)
        self.wait(0.4)

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> dict[str, int]:
        rows = (line.split() for line in Path(f"/proc/{self.pid}/status").read_text().splitlines())
        return {row[0].rstrip(":"): int(row[1]) // 1024 for row in rows if row[0] in ("VmRSS:", "RssAnon:", "VmHWM:")}

    def end(self) -> None:
        os.write(self._terminal, QUIT.encode())
        os.waitpid(self.pid, 0)
        os.close(self._terminal)


def start_cpu(config: str) -> float:
    """CPU until the screen is there and still."""
    session = Session(config)
    session.wait(0.5)
    session.settle()
    took = session.cpu_s()
    session.end()
    return took


def walk(config: str, questions: list[str]) -> list[list[object]]:
    session, rows = Session(config), []

    def note(what: str) -> None:
        session.settle()
        held = session.megabytes()
        rows.append([what, held["VmRSS"], held["RssAnon"], held["VmHWM"]])
        print(*rows[-1], file=sys.stderr, flush=True)

    note("started")
    for text in SEARCHES:
        session.type(CLEAR + text)
        session.settle()
    note(f"{len(SEARCHES)} searches")
    session.press(ESCAPE)
    session.press(ASK)
    for number, text in enumerate(questions, start=1):
        session.press("/")
        session.type(CLEAR + text + ENTER)
        session.settle()
        session.press(ESCAPE)
        if number % 4 == 0 or number == len(questions):
            note(f"{number} questions")
    session.press(LIBRARY)
    note("library")
    session.press(SEARCH)
    session.press("/")
    session.type(CLEAR + SEARCHES[1])
    note("one more search")
    session.end()
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("config")
    options.add_argument("--questions", type=Path, help="a file with a question on each line")
    given = options.parse_args()
    questions = given.questions.read_text().splitlines() if given.questions else list(QUESTIONS)
    print(machine(), f"load {os.getloadavg()[0]:.1f}")
    starts = [start_cpu(given.config) for _ in range(6)][1:]
    print(f"start: {statistics.median(starts):.2f} s of CPU ({min(starts):.2f} to {max(starts):.2f})")
    print(table(["after", "resident MB", "own MB", "most MB"], walk(given.config, questions)))


if __name__ == "__main__":
    main()
