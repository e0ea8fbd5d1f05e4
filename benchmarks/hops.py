"""Answers in several hops: how often all supporting paragraphs are among the evidence, with and without `--multi-hop`.

Usage: python benchmarks/hops.py DATA INDEXES [SET] [--limit N] [--skip N]

INDEXES is the folder a `benchmarks/quality.py --keep` run filled. Nothing is recorded in it.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

from answers import plain
from measure import machine, own_cpu, table
from quality import relevance, rows

from kebab.app.facade import App
from kebab.config import load
from kebab.core.answer import Answer, AnswerReady, Question

RUNS = (("single, k=10", 10, False), ("single, k=20", 20, False), ("hops, k=10", 10, True), ("hops, k=5", 5, True))


class Result(NamedTuple):
    supported: bool
    cited: bool
    holds: bool | None
    refused: bool
    passages: int
    cpu_ms: float


def judged(answer: Answer, wanted: set[str], names: dict[str, str], row: dict[str, object], cpu_ms: float) -> Result:
    """`holds` is None for a question that is answered with yes or no, which no sentence says."""
    golds = [plain(str(gold)) for gold in row["answers"]]  # type: ignore[attr-defined]
    said = {number for statement in answer.statements for number in statement.markers}
    shown = {names[each.hit.doc_path] for each in answer.evidence}
    cited = {names[each.hit.doc_path] for each in answer.evidence if each.number in said}
    holds = answer.grounded and any(gold in plain(answer.answer) for gold in golds)
    return Result(
        wanted <= shown,
        wanted <= cited,
        None if set(golds) <= {"yes", "no"} else holds,
        not answer.grounded,
        len(answer.evidence),
        cpu_ms,
    )


def line(name: str, results: list[Result]) -> list[str]:
    def share(values: list[bool]) -> str:
        return f"{sum(values) / len(values):.3f}"

    return [
        name,
        str(len(results)),
        share([each.supported for each in results]),
        share([each.cited for each in results]),
        share([each.holds for each in results if each.holds is not None]),
        share([each.refused for each in results]),
        f"{sum(each.passages for each in results) / len(results):.1f}",
        f"{sum(each.cpu_ms for each in results) / len(results):.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("indexes", type=Path)
    parser.add_argument("set", nargs="?", default="multihop-hotpotqa")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0)
    options = parser.parse_args()
    data, home = options.data / options.set, options.indexes / options.set
    names = {f"{at // 1000:03d}/{at:06d}.md": str(row["id"]) for at, row in enumerate(rows(data / "corpus.jsonl"))}
    wanted = relevance(data / "qrels.tsv")
    chosen = [row for row in rows(data / "queries.jsonl") if str(row["id"]) in wanted]
    chosen = chosen[options.skip : options.skip + options.limit]
    flags = {"workspace.root": home / "notes", "storage.data_dir": home / "data"}
    app = App(load(flags, env={"HOME": str(home)}), readonly=True)
    found = []
    for name, k, hops in RUNS:
        results = []
        for row in chosen:
            before = own_cpu()
            question = Question(str(row["text"]), k=k, multi_hop=hops)
            answer = next(event.answer for event in app.ask(question) if isinstance(event, AnswerReady))
            spent = (own_cpu() - before) * 1000
            results.append(judged(answer, set(wanted[str(row["id"])]), names, row, spent))
        found.append(line(name, results))
    app.close()
    print(machine())
    header = [
        "run",
        "questions",
        "all paragraphs shown",
        "all cited",
        "holds the answer",
        "refused",
        "passages",
        "CPU ms",
    ]
    print(table(header, found))


if __name__ == "__main__":
    main()
