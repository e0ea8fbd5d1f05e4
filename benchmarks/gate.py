"""The refusal gate: how many questions without an answer it refuses, and how many with one it refuses by mistake.

Usage: python benchmarks/gate.py DATA CONFIG [--limit N] [--features FILE] [--fit]

CONFIG is a config file whose index holds the Kubernetes docs of DATA (`kebab ingest --config CONFIG` before). Questions
without an answer are those of refusal-ood, questions with one those of k8s-ko-en-sections. --features keeps what was
measured, so that a second run asks nothing; --fit searches for coefficients and prints the best of them.
"""

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure import machine, table
from quality import rows

from kebab.app.facade import App
from kebab.config import load
from kebab.core.answer import Question
from kebab.core.query import SearchMode
from kebab.rag import gate
from kebab.rag.gate import Features, judge

SETS = {"refusal-ood": False, "k8s-ko-en-sections": True}


def measured(app: App, text: str, mode: SearchMode) -> Features:
    asker, _ = app.asker()
    return asker.features(Question(text, mode))


def collect(options: argparse.Namespace, mode: SearchMode) -> list[tuple[bool, str, Features]]:
    app = App(load(path=options.config, env={"HOME": str(options.config.parent)}), readonly=True)
    return [
        (answerable, str(row["lang"]), measured(app, str(row["text"]), mode))
        for name, answerable in SETS.items()
        for row in list(rows(options.data / name / "queries.jsonl"))[: options.limit]
    ]


def kept(path: Path | None, options: argparse.Namespace, mode: SearchMode) -> list[tuple[bool, str, Features]]:
    place = path.with_suffix(f".{mode}.json") if path else None
    if place is not None and place.exists():
        return [(answerable, lang, Features(*values)) for answerable, lang, values in json.loads(place.read_text())]
    found = collect(options, mode)
    if place is not None:
        place.write_text(json.dumps(found))
    return found


def rates(found: Sequence[tuple[bool, str, Features]]) -> Iterator[list[str]]:
    for lang in ("ko", "en", "all"):
        chosen = [each for each in found if lang in (each[1], "all")]
        for answerable in (False, True):
            group = [judge(features) for known, _, features in chosen if known is answerable]
            if group:
                refused = sum(not verdict.passed for verdict in group)
                weak = sum(verdict.passed and verdict.weak for verdict in group)
                kind = "answerable" if answerable else "not answerable"
                yield [lang, kind, str(len(group)), f"{refused / len(group):.3f}", f"{weak / len(group):.3f}"]


def area(found: Sequence[tuple[bool, str, Features]], name: str) -> float:
    """The chance that a question with an answer has more of a feature than one without."""
    values = [(getattr(features, name) or 0.0, known) for known, _, features in found]
    values.sort()
    ranks = {True: 0.0, False: 0.0}
    counts = {True: 0, False: 0}
    for rank, (_, known) in enumerate(values, start=1):
        ranks[known] += rank
        counts[known] += 1
    return (ranks[True] - counts[True] * (counts[True] + 1) / 2) / max(1, counts[True] * counts[False])


def fit(found: Sequence[tuple[bool, str, Features]]) -> Iterator[list[str]]:
    """For each pair of weights the threshold that refuses 4 % of answerable questions, and what else it refuses."""
    for sentence, coverage in itertools.product((0.0, 0.3, 0.7, 1.0), (0.0, 0.6, 1.2)):
        topics = [(known, topic_with(features, sentence, coverage)) for known, _, features in found]
        good = sorted(topic for known, topic in topics if known)
        threshold = good[int(len(good) * 0.04)]
        bad = [topic for known, topic in topics if not known]
        refused = sum(topic < threshold for topic in bad) / len(bad)
        yield [f"{sentence:.1f}", f"{coverage:.1f}", f"{threshold:.3f}", f"{refused:.3f}"]


def topic_with(features: Features, sentence: float, coverage: float) -> float:
    words = gate.FUSED_WEIGHT * max(0.0, features.fused - gate.FUSED_FROM)
    covered = coverage * max(0.0, features.coverage - gate.COVERAGE_FROM)
    return (features.cosine or 0.0) + sentence * (features.sentence or 0.0) + words + covered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("config", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--features", type=Path)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    print(machine())
    for mode in (SearchMode.HYBRID, SearchMode.LEXICAL):
        found = kept(options.features, options, mode)
        print(f"\n{mode}: topic threshold {gate.TOPIC_THRESHOLD}, lexical threshold {gate.LEXICAL_THRESHOLD}")
        print(table(["language", "questions", "count", "refused", "called weak"], list(rates(found))))
        areas = [[name, f"{area(found, name):.3f}"] for name in ("cosine", "fused", "sentence", "coverage")]
        print(table(["feature", "area under the curve"], areas))
        if options.fit and mode is SearchMode.HYBRID:
            print(table(["sentence", "coverage", "threshold", "refused"], list(fit(found))))


if __name__ == "__main__":
    main()
