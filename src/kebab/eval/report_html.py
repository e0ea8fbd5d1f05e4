"""A run, a comparison and a calibration as one HTML page each, with plots. It loads nothing and runs no script.

All that comes from documents and queries is escaped; links lead to files of this machine and to nowhere else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from kebab.core.citation import parse_citation
from kebab.core.errors import InvalidInput
from kebab.core.evaluation import PERCENTILES, EvalRun, QueryResult
from kebab.core.evaluation_findings import Calibration, Comparison, QueryChange
from kebab.eval.labels import CURVE_HEAD, calibration_facts, curve_rows, label, latency_rows, metric_rows, moved, number
from kebab.eval.plots import bars, histogram, legend, lines
from kebab.eval.report_md import facts, failed, missed

_LISTED = 200
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bad: #d55e00; --good: #009e73 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin-top: 2.2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { text-align: left; padding: .25rem .7rem }
th { border-bottom: 2px solid var(--line) } td { border-bottom: 1px solid var(--line) } td.n { text-align: right }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dt { opacity: .7 } dd { margin: 0 }
svg { max-width: 100%; height: auto; display: block } svg text { font-size: 12px }
.worse { color: var(--bad); font-weight: 600 } .better { color: var(--good) } .dim { opacity: .7 }
li { margin: .5rem 0 } a { color: inherit }
"""
# No script, no request: the page is what stands in it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

Files = Mapping[str, str]


def run_page(run: EvalRun, comparison: Comparison | None) -> str:
    return _page(f"Evaluation {run.run_id}", _run_parts(run, comparison))


def _run_parts(run: EvalRun, comparison: Comparison | None) -> Iterator[str]:
    names = [str(summary.mode) for summary in run.summaries]
    yield _facts(facts(run))
    yield "<h2>Figures</h2>"
    rows = list(metric_rows(run))
    yield legend(names)
    yield bars([(name, values) for name, values, _ in rows], names, "metrics by mode")
    yield _table(["metric", *names, "queries"], ([name, *map(number, each), str(max(of))] for name, each, of in rows))
    if comparison is not None:
        yield from _comparison_parts(comparison, run.k, run.files)
    yield "<h2>Rank of the first relevant hit</h2>"
    for at, summary in enumerate(run.summaries):
        if summary.ranks:
            yield f"<h3>{escape(str(summary.mode))}</h3>"
            yield histogram(summary.ranks, run.k, at, f"ranks, {summary.mode}")
    yield "<h2>Time per query</h2>"
    yield _table(
        ["mode", *(f"{kind} {name} ms" for kind in ("CPU", "wall") for name in PERCENTILES)],
        latency_rows(run.summaries),
    )
    yield from _listed("Not found", [_missed(each, run.files) for each in missed(run)])
    yield from _listed("Failed", [f"{escape(each.text)}<br>{escape(each.error or '')}" for each in failed(run)])
    yield from _listed(
        "About the suite",
        [escape(f"line {each.line}: {each.message}" if each.line else each.message) for each in run.problems],
    )
    yield from _settings(run)


def comparison_page(comparison: Comparison, k: int, files: Files) -> str:
    title = f"{comparison.before} → {comparison.after}"
    return _page(title, _comparison_parts(comparison, k, files))


def _comparison_parts(comparison: Comparison, k: int, files: Files) -> Iterator[str]:
    yield f"<h2>Against {escape(comparison.before)}</h2>"
    yield f"<p>{comparison.common} queries in common, tolerance {comparison.tolerance}.</p>"
    if comparison.notes:
        yield "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in comparison.notes) + "</ul>"
    yield "<table><tr><th>mode<th>metric<th>before<th>after<th>change</tr>"
    for each in comparison.metrics:
        kind = "n worse" if each.regressed else "n"
        cells = f"<td>{each.mode}<td>{escape(label(each.metric, k))}"
        values = f"<td class=n>{each.before:.3f}<td class=n>{each.after:.3f}"
        yield f'<tr>{cells}{values}<td class="{kind}">{each.after - each.before:+.3f}</tr>'
    yield "</table>"
    for title, regressed in (("Worse", True), ("Better", False)):
        chosen = [each for each in comparison.queries if each.regressed is regressed]
        yield from _listed(title, [_changed(each, k, files) for each in chosen])


def _changed(change: QueryChange, k: int, files: Files) -> str:
    kind = "worse" if change.regressed else "better"
    first = [_linked(uri, files) if uri else "nothing" for uri in (change.first_before, change.first_after)]
    return (
        f"{escape(change.text)} <span class=dim>{change.mode}, {escape(change.query_id)}</span><br>"
        f'<span class="{kind}">{escape(moved(change, k))}</span><br>'
        f"<span class=dim>first:</span> {first[0]} → {first[1]}"
    )


def _missed(result: QueryResult, files: Files) -> str:
    instead = ", ".join(_linked(hit.uri, files) for hit in result.hits[:3]) or "nothing"
    return (
        f"{escape(result.text)} <span class=dim>{result.mode}</span><br><span class=dim>found instead:</span> {instead}"
    )


def calibration_page(found: Calibration) -> str:
    return _page("The gate", _calibration_parts(found))


def _calibration_parts(found: Calibration) -> Iterator[str]:
    yield _facts(calibration_facts(found))
    series = [
        ("unanswerable refused", [(each.gate, each.recall) for each in found.curve]),
        ("answerable refused", [(each.gate, each.false_refusals) for each in found.curve]),
        ("precision", [(each.gate, each.precision) for each in found.curve if each.precision is not None]),
    ]
    yield "<h2>Refusals by gate</h2>"
    yield lines(series, {"fitted": found.gate, "configured": found.configured}, "refusals by gate")
    yield _table(CURVE_HEAD, curve_rows(found.curve))
    yield f"<p class=dim>{escape(found.provenance)}</p>"


def _settings(run: EvalRun) -> Iterator[str]:
    rows = ([name, str(value)] for name, value in run.config.items())
    yield "<details><summary>Settings</summary>"
    yield _table(["setting", "value"], rows)
    yield "</details>"


def _linked(uri: str, files: Files) -> str:
    """A citation that leads to its file, where that is known."""
    try:
        file = files.get(parse_citation(uri).path, "")
    except InvalidInput:
        file = ""
    # A stored run can be anybody's: what is no file of this machine is not followed.
    return f'<a href="{escape(file)}">{escape(uri)}</a>' if file.startswith("file:///") else escape(uri)


def _facts(rows: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>{body}</table>"


def _listed(title: str, items: Sequence[str]) -> Iterator[str]:
    """`items` are HTML."""
    if not items:
        return
    yield f"<h2>{escape(title)} ({len(items)})</h2><ul>"
    yield from (f"<li>{item}</li>" for item in items[:_LISTED])
    if len(items) > _LISTED:
        yield f"<li>and {len(items) - _LISTED} more</li>"
    yield "</ul>"


def _page(title: str, parts: Iterable[str]) -> str:
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title><style>{_STYLE}</style>'
    )
    body = "\n".join(parts)
    page = f"<head>{head}</head><body>\n<h1>{escape(title)}</h1>\n{body}\n</body>"
    return f'<!doctype html>\n<html lang="en">{page}</html>\n'
