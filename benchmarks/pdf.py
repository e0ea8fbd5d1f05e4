"""PDFs made on the spot: is every page found and cited as itself, does damage ever do harm, and what does reading cost?

Sound files of every kind are parsed and cut; files cut off and with bits flipped are parsed. Cost is pages per second
against a bare loop over PDFium's text in this process, which does no layout and has no protection.

Usage: python benchmarks/pdf.py [--rounds 14] [--damaged 250]
"""

import argparse
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from measure import machine, table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import pdf_samples
from kebab.chunk.pages import PageChunker
from kebab.core.asset import Asset
from kebab.core.chunk import ChunkPolicy
from kebab.core.errors import KebabError, LeftAside
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.parse.pdf import PdfParser
from pdf_samples import Sample

MOMENT = "2020-01-01T00:00:00Z"


def context(raw: bytes, name: str) -> ParseContext:
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), "pdf", f"{name}.pdf", f"file:///{name}.pdf", MOMENT)
    return ParseContext(asset, f"{name}.pdf", MOMENT, MOMENT, None, None)


def check_sound(parser: PdfParser, samples: list[Sample]) -> list[str]:
    """Pages whose phrase is not found in a chunk of that page, or is found on another."""
    wrong = []
    for sample in samples:
        document = parser.parse(sample.raw, context(sample.raw, sample.name))
        chunks = PageChunker().chunk(document, ChunkPolicy())
        for number, phrase in enumerate(sample.phrases, 1):
            held = {chunk.place.page for chunk in chunks if chunk.place and phrase and phrase in chunk.text}
            if phrase and held != {number}:
                wrong.append(f"{sample.name} page {number}: {sorted(held)}")
    return wrong


def check_damaged(parser: PdfParser, samples: list[Sample], count: int) -> Counter[str]:
    """What became of files that were cut off or have bits flipped; anything but these three is a fault of ours."""
    outcomes: Counter[str] = Counter()
    sources = [sample.raw for sample in samples[:: max(1, len(samples) // 24)]]
    for index, raw in enumerate(sources):
        share = count // len(sources) + (index < count % len(sources))
        cut = max(1, share // 5)
        damaged = pdf_samples.truncated(raw, cut, index) + pdf_samples.flipped(raw, share - cut, index)
        for broken in damaged:
            try:
                parser.parse(broken, context(broken, "damaged"))
                outcomes["read"] += 1
            except LeftAside as aside:
                outcomes[f"left aside: {aside.reason}"] += 1
            except KebabError as error:
                outcomes[f"refused: {error.message}"] += 1
    return outcomes


def bare(raw: bytes) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(raw)
    size = 0
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        size += len(text.get_text_range())
        text.close()
        page.close()
    document.close()
    return size


def cpu() -> float:
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def time_of(work: Callable[[], object]) -> tuple[float, float]:
    wall, used = time.perf_counter(), cpu()
    work()
    return time.perf_counter() - wall, cpu() - used


def many_pages() -> Sample:
    """Pages of a few words, enough of them for every worker to start."""
    return Sample("many", pdf_samples.pages(*["a page of a few words"] * 70), ["a page of a few words"] * 70)


def compare(samples: list[Sample], runs: int) -> list[list[str]]:
    """The best of several runs that take turns. The workers' processor time counts, their one start does not."""
    pages = sum(len(sample.phrases) for sample in samples)
    best: dict[str, list[float]] = {}
    first = many_pages()
    for _ in range(runs):
        parser = PdfParser()
        parser.parse(first.raw, context(first.raw, "first"))

        def everything(parser: PdfParser = parser) -> None:
            for sample in samples:
                parser.parse(sample.raw, context(sample.raw, sample.name))

        wall, _ = time_of(everything)
        parser.close()

        def whole(files: list[Sample]) -> None:
            fresh = PdfParser()
            for sample in files:
                fresh.parse(sample.raw, context(sample.raw, sample.name))
            fresh.close()

        _, start = time_of(lambda: whole([first]))
        _, used = time_of(lambda: whole([first, *samples]))
        used -= start
        best.setdefault("parser", []).append(wall)
        best.setdefault("parser cpu", []).append(used)
        wall, used = time_of(lambda: [bare(sample.raw) for sample in samples])
        best.setdefault("bare", []).append(wall)
        best.setdefault("bare cpu", []).append(used)
    rows = []
    for name in ("bare", "parser"):
        wall, used = min(best[name]), min(best[f"{name} cpu"])
        ratio, dear = min(best["bare"]) / wall, used / min(best["bare cpu"])
        rows.append([name, f"{pages / wall:.0f}", f"{ratio:.2f}", f"{used * 1000 / pages:.2f}", f"{dear:.2f}"])
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=14)
    options.add_argument("--damaged", type=int, default=250)
    options.add_argument("--runs", type=int, default=5)
    given = options.parse_args()
    print(machine(), f"load {os.getloadavg()[0]:.1f}")
    samples = pdf_samples.corpus(given.rounds)
    parser = PdfParser()
    wrong = check_sound(parser, samples)
    phrases = sum(1 for sample in samples for phrase in sample.phrases if phrase)
    print(f"{len(samples)} sound files, {phrases} pages with text: {len(wrong)} not found or cited to another page")
    for line in wrong[:10]:
        print(" ", line)
    outcomes = check_damaged(parser, samples, given.damaged)
    print(f"{outcomes.total()} damaged files:", ", ".join(f"{count} {name}" for name, count in outcomes.most_common()))
    parser.close()
    for title, chosen in _groups(samples):
        print(f"\n{title}: {len(chosen)} files, {sum(len(sample.phrases) for sample in chosen)} pages")
        print(table(["", "pages/s", "speed", "CPU ms/page", "CPU"], compare(chosen, given.runs)))


def _groups(samples: list[Sample]) -> list[tuple[str, list[Sample]]]:
    books = [pdf_samples.prose("book", 300, margins=True), pdf_samples.prose("koreanbook", 200, korean=True)]
    crossed = [pdf_samples.columns("crossed", 200, interleaved=True)]
    return [("all files", samples), ("two books", books), ("columns drawn across", crossed)]


if __name__ == "__main__":
    main()
