"""What the benchmark programs share: CPU time of a child process, the machine's floor, and a table."""

import os
import platform
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    cpu_s: float
    peak_mb: float


def environment(home: str) -> dict[str, str]:
    """A throw-away home, and bytecode written so that only the first run compiles."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KEBAB_", "XDG_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "HOME": home}


def cost(command: Sequence[str], env: dict[str, str] | None = None) -> Cost:
    """CPU seconds and peak memory of one run, read in a helper process so that runs do not mix."""
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "sys.stderr.buffer.write(done.stderr[-2000:]) if done.returncode not in (0, 1) else None\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss)\n"
        "sys.exit(done.returncode if done.returncode not in (0, 1) else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command], env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    cpu, peak = done.stdout.split()
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(float(cpu), float(peak) / unit)


def best(command: Sequence[str], env: dict[str, str] | None = None, runs: int = 10) -> float:
    """The least CPU milliseconds of several runs after one that warms caches and bytecode."""
    cost(command, env)
    return min(cost(command, env).cpu_s for _ in range(runs)) * 1000


def processor() -> str:
    """What the processor calls itself, or at least its kind."""
    try:
        told = subprocess.run(["lscpu"], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.CalledProcessError):
        return platform.processor() or platform.machine()
    facts = dict(line.split(":", 1) for line in told.stdout.splitlines() if ":" in line)
    name = facts.get("Model name", "").strip()
    return f"{name} ({platform.machine()})" if name.strip("-") else platform.machine()


def system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()}"


def machine() -> str:
    floor = best([sys.executable, "-c", "pass"], runs=5)
    return (
        f"{processor()}, {os.cpu_count()} cores, {system()}, "
        f"Python {platform.python_version()}; python -c pass: {floor:.0f} ms CPU"
    )


def own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(str(row[column])) for row in (header, *rows)) for column in range(len(header))]
    lines = [
        "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, *rows)
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def write_config(home: Path, notes: Path) -> Path:
    """A config for `notes` whose index lies in `home`."""
    config = home / "config.toml"
    text = f"schema_version = 1\n[workspace]\nroot = '{notes.resolve()}'\n[storage]\ndata_dir = '{home / 'data'}'\n"
    config.write_text(text, "utf-8")
    return config
