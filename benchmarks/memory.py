"""What the main process takes at most while it ingests one file of each kind, as large as files may be.

Every file is ingested in a home of its own, and the peak is what the system says of the main process at its end;
workers have limits of their own. With --model there are vectors, and a small note is read before the file, so that the
built-in model is in memory when the file comes; with --before a whole folder is, for Korean a dictionary is loaded too.

Usage: python benchmarks/memory.py [--only NAME ...] [--mb 50] [--model] [--before FOLDER] [--bar 500]
"""

import argparse
import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import environment, machine, table, write_config

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import office_samples
import pdf_samples

MB = 1024 * 1024
# The command in a process that says at its end how much memory was in use at most.
INGEST = """
import sys
from kebab.ui.cli.main import run
peak = sys.argv.pop()
try:
    run()
finally:
    with open('/proc/self/status') as status, open(peak, 'w') as told:
        told.write(next(line.split()[1] for line in status if line.startswith('VmHWM')))
"""
WORDS = [f"word{number}" for number in range(400)] + "한국어 문서 검색 색인 근거 인용 문단 저장소".split()


def words(size: int, line: int = 90, between: str = "\n") -> str:
    """Lines of words, many different ones, up to a size in bytes."""
    chance, lines, written = random.Random(size), [], 0
    while written < size:
        lines.append(" ".join(chance.choices(WORDS, k=line // 7)))
        written += len(lines[-1].encode()) + len(between)
    return between.join(lines)


def markdown(size: int) -> bytes:
    parts = words(size - size // 60).split("\n")
    return "\n".join(
        f"\n## Part {at // 12}\n\n{line}" if at % 12 == 0 else line for at, line in enumerate(parts)
    ).encode()


def log(size: int) -> bytes:
    row = "2024-01-01T00:00:00Z,host{0},{1},{2},GET /path/{1}/of/something,200\n"
    return "".join(row.format(at % 97, at, at * 7919 % 65_521) for at in range(size // 64)).encode()[:size]


def minified(size: int) -> bytes:
    unit = "function f{0}(a,b){{return a+b*{0}}}var v{0}=f{0}(1,{0});"
    return "".join(unit.format(at) for at in range(size // 56)).encode()[:size]


def html(size: int) -> bytes:
    inside = words(size, between="</p><p>").replace("word1 ", "<b>word1</b> ")
    return f"<!doctype html><title>large</title><h1>Large</h1><p>{inside}</p>".encode()


def html_table(size: int) -> bytes:
    return b"<table>" + b"<tr><td>a<td>b<td>c<td>d" * (size // 24) + b"</table>"


def docx(size: int) -> bytes:
    return office_samples.docx("".join(map(office_samples.para, words(size).split("\n"))))


def odt(size: int) -> bytes:
    return office_samples.odt("".join(f"<text:p>{line}</text:p>" for line in words(size).split("\n")))


def xlsx(size: int) -> bytes:
    rows = "".join(
        f'<row r="{row}">' + "".join(f'<c r="{name}{row}"><v>{row * 31}</v></c>' for name in "ABCDEFGH") + "</row>"
        for row in range(1, size // 240)
    )
    return office_samples.xlsx({"Numbers": rows}, ["a", "b"])


def xlsx_strings(size: int) -> bytes:
    texts = words(size).split("\n")
    rows = "".join(f'<row r="{at + 1}"><c r="A{at + 1}" t="s"><v>{at}</v></c></row>' for at in range(len(texts)))
    return office_samples.xlsx({"Texts": rows}, texts)


def pptx(size: int) -> bytes:
    count = 2000
    return office_samples.pptx(
        [office_samples.slide(office_samples.shape("body", *words(size // count).split("\n"))) for _ in range(count)]
    )


def epub(size: int) -> bytes:
    count = 400
    names = [f"c{at}.xhtml" for at in range(count)]
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{0}</h1><p>{1}</p></body></html>'
    inside = words(size // count, between="</p><p>")
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names)
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    opf = f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>'
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'
    )
    chapters = {name: page.format(name, inside) for name in names}
    mimetype = {"mimetype": "application/epub+zip"}
    return office_samples.archive({**mimetype, "META-INF/container.xml": container, "a.opf": opf, **chapters})


def notebook(size: int) -> bytes:
    cells = [{"cell_type": "markdown", "source": text} for text in words(size, 900).split("\n")]
    return json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False).encode()


def notebook_numbers(size: int) -> bytes:
    """JSON that takes far more room as values than as text."""
    return b'{"cells":[],"metadata":{"a":[' + b"[]," * (size // 3) + b"0]}}"


def mail(size: int) -> bytes:
    count = 2000
    part = "--=b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    encoded = base64.encodebytes(words(size * 7 // 10 // count).encode()).decode()
    return (
        f"Subject: large\nContent-Type: multipart/mixed; boundary==b\n\n{(part + encoded) * count}--=b--\n"
    ).encode()


def rtf(size: int) -> bytes:
    return b"{\\rtf1\\ansi " + words(size, between="\\par\n").encode("ascii", "ignore") + b"}"


def pdf(size: int) -> bytes:
    """About two kB are needed for a page of text; no more than the largest number of pages that is read."""
    return pdf_samples.prose("large", min(size // 2500, 20_000)).raw


def pdf_padded(size: int) -> bytes:
    buffer, sheet = pdf_samples.canvas(pageCompression=0)
    sheet.setKeywords("x" * (size - 4096))
    sheet.drawString(60, 700, "a page of a few words")
    return pdf_samples.finish(buffer, sheet)


def image(_: int) -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.new("L", (10_000, 9_900), 255).save(buffer, "PNG")
    return buffer.getvalue()


def json_data(size: int) -> bytes:
    return b"[" + b'{"a":1},' * (size // 8) + b"0]"


KINDS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "markdown": ("large.md", markdown),
    "markdown one line": ("line.md", lambda size: words(size, between=" ").encode()),
    "markdown brackets": ("brackets.md", lambda size: b"[" * size),
    "markdown list": ("list.md", lambda size: b"- a\n" * (size // 4)),
    "text": ("large.txt", lambda size: words(size).encode()),
    "text short lines": ("short.txt", lambda size: b"a\n\n" * (size // 3)),
    "log": ("large.csv", log),
    "python": ("large.py", lambda size: b"".join(b"def f%d(a):\n    return a\n\n" % at for at in range(size // 34))),
    "minified": ("large.js", minified),
    "json": ("large.json", json_data),
    "html": ("large.html", html),
    "html table": ("table.html", html_table),
    "docx": ("large.docx", docx),
    "odt": ("large.odt", odt),
    "xlsx": ("large.xlsx", xlsx),
    "xlsx strings": ("strings.xlsx", xlsx_strings),
    "pptx": ("large.pptx", pptx),
    "epub": ("large.epub", epub),
    "ipynb": ("large.ipynb", notebook),
    "ipynb numbers": ("numbers.ipynb", notebook_numbers),
    "eml": ("large.eml", mail),
    "rtf": ("large.rtf", rtf),
    "pdf": ("large.pdf", pdf),
    "pdf padded": ("padded.pdf", pdf_padded),
    "image": ("large.png", image),
}
# Zipped text is this much larger than its file, and limited by how much it may be when it is unpacked.
UNPACKED = {"docx": 3, "odt": 3, "xlsx": 3, "xlsx strings": 3, "pptx": 3, "epub": 3}


def peak(name: str, megabytes: int, before: Path | None, *, model: bool) -> list[str]:
    file, make = KINDS[name]
    with tempfile.TemporaryDirectory() as scratch:
        home, notes = Path(scratch, "home"), Path(scratch, "notes")
        home.mkdir()
        notes.mkdir()
        raw = make(megabytes * UNPACKED.get(name, 1) * MB - MB)
        (notes / file).write_bytes(raw)
        if before is not None:
            shutil.copytree(before, notes / "0 before")
        elif model:
            (notes / "0 small.md").write_bytes(markdown(300 * 1024))
        size = len(raw)
        del raw
        config, told = write_config(home, notes), home / "peak"
        env = environment(str(home)) | {"KEBAB_WORKSPACE_MAX_FILE_MB": str(megabytes)}
        env |= {} if model else {"KEBAB_MODELS_EMBEDDING_PROVIDER": "none"}
        command = [sys.executable, "-c", INGEST, "ingest", "--json", "--config", str(config), str(told)]
        began = time.perf_counter()
        done = subprocess.run(command, env=env, capture_output=True, check=False)
        took = time.perf_counter() - began
        held = int(told.read_text()) / 1024 if told.exists() else float("nan")
    return [name, f"{size / MB:.1f}", f"{held:.0f}", f"{took:.0f}", outcome(done, file)]


def outcome(done: "subprocess.CompletedProcess[bytes]", file: str) -> str:
    try:
        report = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return f"status {done.returncode}: {done.stderr[-200:].decode('utf-8', 'replace')}"
    items = [item for item in report.get("items") or () if item.get("doc_path") == file]
    item = items[0] if items else {"kind": "not looked at"}
    return " ".join(str(item.get(key) or "") for key in ("kind", "chunk_count", "error")).strip()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="*", choices=KINDS, default=list(KINDS))
    options.add_argument("--mb", type=int, default=50)
    options.add_argument("--bar", type=int, default=500)
    options.add_argument("--model", action="store_true")
    options.add_argument("--before", type=Path)
    given = options.parse_args()
    print(machine(), f"load {os.getloadavg()[0]:.1f}")
    rows = []
    for name in given.only:
        rows.append(peak(name, given.mb, given.before, model=given.model))
        print(*rows[-1], file=sys.stderr, flush=True)
    print(table(["", "MB", "peak MB", "s", "outcome"], rows))
    above = [row[0] for row in rows if not float(row[2]) <= given.bar]
    print(f"above {given.bar} MB: {', '.join(above) or 'none'}")


if __name__ == "__main__":
    main()
