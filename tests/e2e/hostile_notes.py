"""A folder of everything that ever broke a reader of notes, and an ingest of it within limits."""

import os
import subprocess
import sys
import time
import unicodedata
from pathlib import Path
from typing import NamedTuple

from kebab_process import Done, Json, environment, objects, plant, well, write_config

MEMORY = 2 << 30
LIMITED = f"""
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
sys.argv[0] = "kebab"
runpy.run_module("kebab", run_name="__main__", alter_sys=True)
"""


def nested_list(depth: int) -> bytes:
    return b"".join(b" " * (2 * level) + b"- item\n" for level in range(depth))


def alias_bomb() -> bytes:
    lines = [b"a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"]
    lines += [b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 10)]
    return b"---\n" + b"".join(lines) + b"---\n"


# What stands before the word by which the file has to be found again: "needle" and the name without its end.
CONTENT = {
    "brackets": b"[" * 100_000 + b"\n\n",
    "pairs": b"[" * 50_000 + b"]" * 50_000 + b"\n\n",
    "openlinks": b"[a](" * 50_000 + b"\n\n",
    "images": b"![" * 50_000 + b"\n\n",
    "quotes": b">" * 100_000 + b" deep\n\n",
    "spacedquotes": b"> " * 50_000 + b"deep\n\n",
    "lists": nested_list(1_500) + b"\n\n",
    "inlinelists": b"- " * 50_000 + b"deep\n\n",
    "numbers": b"1. " * 30_000 + b"deep\n\n",
    "emphasis": b"*a **a _b __b " * 10_000 + b"\n\n",
    "backticks": b" ".join(b"`" * n for n in range(1, 800)) + b"\n\n",
    "comments": b"<!-- " * 30_000 + b"\n\n",
    "tags": b"<a " * 30_000 + b"\n\n",
    "entities": b"&#x1F959;&amp;&nosuch; " * 10_000 + b"\n\n",
    "table": b"|" * 50_000 + b"\n" + b"|-" * 25_000 + b"|\n\n",
    "references": b"".join(b"[r%d]: /x\n" % n for n in range(20_000)) + b"\n\n",
    "footnotes": b"".join(b"[^%d]: see [^%d]\n\n" % (n, n + 1) for n in range(3_000)),
    "fence": b"```\n" * 20_001 + b"\n",
    "headings": b"".join(b"#" * (n % 6 + 1) + b" h%d\n" % n for n in range(3_000)) + b"\n",
    "carriages": b"a\r" * 30_000 + b"\n\n",
    "nul": b"# nul\x00title\n\ntext \x00\x00 after\n\n",
    "invalid": b"# bad \xff\xfe\xfa\n\ntext \x80\x81 caf\xe9\n\n",
    "surrogates": b"# lone \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf\n\n",
    "bom": b"\xef\xbb\xbf# with a mark\n\n",
    "controls": bytes(range(1, 32)) * 50 + b"\n\n",
    "frontmatter": b"---\ntitle: large\ndata: " + b"a" * 1_000_000 + b"\n---\n\n",
    "manykeys": b"---\n" + b"".join(b"k%d: v\n" % n for n in range(20_000)) + b"---\n\n",
    "aliases": alias_bomb() + b"\n",
    "yamldepth": b"---\na: " + b"[" * 24_000 + b"]" * 24_000 + b"\n---\n\n",
    "yamlflow": b"---\na: " + b"{a: " * 24_000 + b"1" + b"}" * 24_000 + b"\n---\n\n",
    "yamlblock": b"---\n" + b"- " * 24_000 + b"x\n---\n\n",
    "tomldepth": b"+++\na = " + b"[" * 24_000 + b"]" * 24_000 + b"\n+++\n\n",
    "yamltag": b"---\n!!python/object/apply:os.system ['true']\n---\n\n",
    "yamltypes": b"---\ntitle: [no]\ntags: 3\ncreated: 2026-99-99\ntrust: {a: b}\nlang: 12:30:45\n---\n\n",
    "unclosed": b"---\ntitle: never closed\n\n",
}
ENCODED = {
    "utf16": "\ufeff# 제목\n\n본문 needleutf16\n".encode("utf-16-le"),
    "utf16be": "\ufeff# 제목\n\n본문 needleutf16be\n".encode("utf-16-be"),
    "utf32": "\ufeff# 제목\n\n본문 needleutf32\n".encode("utf-32-le"),
    "cp949": "# 제목\n\n옛 노트 needlecp949\n".encode("cp949"),
    "halfutf16": "\ufeff# Half\n\nneedlehalfutf16\n".encode("utf-16-le") + b"\x00",
}
EMPTY = {"empty": b"", "spaces": b" \n\t\n   \n", "onlymark": b"\xef\xbb\xbf", "onlyrule": b"---\n---\n"}
# Names that are text stay reachable under that name; the others are skipped, with the reason.
NAMES = {
    "a b  c.md": "needlespaces",
    "#hash.md": "needlehash",
    "100%25.md": "needlepercent",
    "quote\"'`.md": "needleapostrophe",
    "emoji 🥙.md": "needleemoji",
    "-rf.md": "needledash",
    "semi;colon&$(x).md": "needlesemi",
    "*[glob]?.md": "needleglob",
    unicodedata.normalize("NFD", "한글 이름.md"): "needlenfd",
    "x" * 250 + ".md": "needlelong",
    "/".join(["deep"] * 60) + "/down.md": "needledown",
}
BAD_NAMES = (b"new\nline.md", b"stray\xff\xfebytes.md", b"esc\x1b[31m.md", b"back\\slash.md")


class Run(NamedTuple):
    home: Path
    config: Path
    report: Json
    seconds: float


def limited(home: Path, config: Path) -> Run:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "ingest", "--json", "--config", str(config)],
        env=environment(home),
        capture_output=True,
        timeout=120,
        check=False,
    )
    report = objects(well(Done(done.returncode, done.stdout.decode(), done.stderr.decode())))[-1]
    assert done.stderr == b""
    return Run(home, config, report, time.monotonic() - began)


def ingest_line(home: Path) -> Run:
    """A single line of 50 MB, which is as large as a file may be."""
    plant(home / "notes", {"line.md": "needleline " + "x" * (50 * 1024 * 1024 - 12) + "\n"})
    return limited(home, write_config(home / "kebab.toml"))


def ingest_hostile(home: Path) -> Run:
    """Everything of this module in one folder."""
    plant_hostile(home / "notes")
    return limited(home, write_config(home / "kebab.toml"))


def plant_hostile(root: Path) -> None:
    plant(root, {"good.md": "# Good\n\nneedlegood\n"})
    for name, content in {**CONTENT, **ENCODED, **EMPTY}.items():
        ending = f"needle{name}\n".encode() if name in CONTENT else b""
        (root / f"{name}.md").write_bytes(content + ending)
    for path, needle in NAMES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# Name\n\n{needle}\n", encoding="utf-8")
    for raw in BAD_NAMES:
        with open(os.fsencode(root) + b"/" + raw, "wb") as out:  # noqa: PTH123 - no text, so no Path
            out.write(b"# never read\n")
    os.mkfifo(root / "pipe.md")
    (root / "loop").symlink_to(root)
    (root / "self.md").symlink_to("self.md")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "device.md").symlink_to("/dev/zero")
    (root / "x.md").mkdir()
    if os.geteuid() != 0:
        (root / "unreadable.md").write_text("# closed\n", encoding="utf-8")
        (root / "unreadable.md").chmod(0)
