"""Built-in answers: how often they hold the answer, how often they refuse, and whether every quote is where it says.

Usage: python benchmarks/answers.py DATA INDEXES [SET ...] [--limit N]

INDEXES is the folder a `benchmarks/quality.py --keep` run filled. Each quote of each answer is looked up in the file it
cites, at the lines it cites.
"""

import argparse
import re
from pathlib import Path
from typing import NamedTuple

from measure import machine, own_cpu, table
from quality import rows

from kebab.app.facade import App
from kebab.config import load
from kebab.core.answer import Answer, AnswerReady, Question
from kebab.core.citation import LineCitation
from kebab.core.query import Query, SearchMode
from kebab.core.text import decode, split_lines

DEFAULT_SETS = ("tydiqa-ko", "squad2-dev")


class Result(NamedTuple):
    answerable: bool
    refused: bool
    holds: bool
    sentences: int
    quotes: int
    wrong: int
    beyond_ms: float


def plain(text: str) -> str:
    return re.sub(r"[\s*_`]+", "", text).lower()


def misplaced(answer: Answer, notes: Path) -> tuple[int, int]:
    """How many quotes there are, and how many do not stand at their lines in the file."""
    quotes = [quote for statement in answer.statements for quote in statement.quotes]
    wrong = 0
    for quote in quotes:
        assert isinstance(quote.citation, LineCitation)
        lines = split_lines(decode((notes / quote.citation.path).read_bytes()).text)
        wrong += quote.text not in "\n".join(lines[quote.citation.start - 1 : quote.citation.end])
    return len(quotes), wrong


def asked(app: App, row: dict[str, object], notes: Path) -> Result:
    text = str(row["text"])
    before = own_cpu()
    app.search(Query(text, SearchMode.HYBRID, 10))
    searched = own_cpu()
    answer = next(event.answer for event in app.ask(Question(text)) if isinstance(event, AnswerReady))
    done = own_cpu()
    golds = [plain(str(gold)) for gold in row.get("answers") or []]  # type: ignore[attr-defined]
    said = plain(answer.answer)
    holds = answer.grounded and any(gold and gold in said for gold in golds)
    beyond = max(0.0, (done - searched) - (searched - before)) * 1000
    return Result(
        bool(row["answerable"]), not answer.grounded, holds, len(answer.statements), *misplaced(answer, notes), beyond
    )


def spread(questions: list[dict[str, object]], limit: int | None) -> list[dict[str, object]]:
    """So many of them from everywhere: neighbours ask about one document."""
    return questions[:: max(1, len(questions) // limit)][:limit] if limit else questions


def measure_set(data: Path, home: Path, limit: int | None) -> list[str]:
    flags = {"workspace.root": home / "notes", "storage.data_dir": home / "data"}
    app = App(load(flags, env={"HOME": str(home)}), readonly=True)
    questions = list(rows(data / "queries.jsonl"))
    chosen = spread([row for row in questions if row["answerable"]], limit)
    chosen += spread([row for row in questions if not row["answerable"]], limit)
    results = [asked(app, row, home / "notes") for row in chosen]
    app.close()
    good = [each for each in results if each.answerable]
    bad = [each for each in results if not each.answerable]
    beyond = sorted(each.beyond_ms for each in results)
    return [
        data.name,
        str(len(good)),
        f"{sum(each.holds for each in good) / len(good):.3f}",
        f"{sum(each.refused for each in good) / len(good):.3f}",
        f"{sum(each.refused for each in bad) / len(bad):.3f} of {len(bad)}" if bad else "-",
        str(max(each.sentences for each in results)),
        f"{sum(each.wrong for each in results)} of {sum(each.quotes for each in results)}",
        f"{beyond[len(beyond) // 2]:.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("indexes", type=Path)
    parser.add_argument("sets", nargs="*", default=list(DEFAULT_SETS))
    parser.add_argument("--limit", type=int, help="only N questions of each kind, evenly spread")
    options = parser.parse_args()
    print(machine())
    header = ["set", "answerable", "holds the answer", "refused", "unanswerable refused", "most sentences"]
    header += ["misplaced quotes", "CPU ms beyond the search"]
    print(table(header, [measure_set(options.data / n, options.indexes / n, options.limit) for n in options.sets]))


if __name__ == "__main__":
    main()
