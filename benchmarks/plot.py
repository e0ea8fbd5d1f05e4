"""Results of a benchmark run to one SVG of bars: quality, queries beside other tools, searches by size.

Text only and no scripts; colours follow the reader's light or dark setting.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

WIDTH, LEFT, BAR, GAP, PANEL_GAP = 760, 290, 16, 6, 44
STYLE = """
svg { font: 13px system-ui, sans-serif; background: #fff }
text { fill: #24292f } .soft { fill: #57606a } .title { font-weight: 600; font-size: 15px }
.a { fill: #0969da } .b { fill: #bf5b04 } .c { fill: #6e7781 } .axis { stroke: #d0d7de }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9da7b3 }
  .a { fill: #58a6ff } .b { fill: #f0a04b } .c { fill: #8b949e } .axis { stroke: #30363d }
}
"""


class Bar(NamedTuple):
    label: str
    value: float
    shown: str
    kind: str


class Panel(NamedTuple):
    title: str
    bars: list[Bar]


def drawn(results: dict[str, Any]) -> str:
    panels = [panel for panel in panels_of(results["parts"]) if panel.bars]
    body: list[str] = []
    y = 16.0
    for panel in panels:
        lines, y = _panel(panel, y)
        body += lines
    height = round(y + 8)
    words = escape("; ".join(panel.title for panel in panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{words}">\n'
        f"<style>{STYLE}</style>\n" + "\n".join(body) + "\n</svg>\n"
    )


def panels_of(parts: dict[str, Any]) -> Iterator[Panel]:
    yield Panel("nDCG@10 on public sets (higher is better)", list(_quality(_table(parts, "quality", "nDCG@10"))))
    yield Panel("CPU ms of a warm query, the same folder", list(_rivals(_table(parts, "rivals", "warm query CPU ms"))))
    yield Panel("CPU ms of a warm search by size, median", list(_scale(_table(parts, "scale", "CPU ms median"))))


def _table(parts: dict[str, Any], part: str, column: str) -> list[dict[str, str]]:
    """The rows of the part's table that has this column."""
    for table in parts.get(part, {}).get("tables", []):
        if column in table["header"]:
            # The first of columns with one name counts.
            names = table["header"]
            return [{name: row[names.index(name)] for name in names} for row in table["rows"]]
    return []


def _quality(rows: Sequence[dict[str, str]]) -> Iterator[Bar]:
    kinds = {"hybrid": "a", "lexical": "c", "vector": "b"}
    for row in rows:
        yield Bar(f"{row['set']}, {row['mode']}", value := float(row["nDCG@10"]), f"{value:.3f}", kinds[row["mode"]])


def _rivals(rows: Sequence[dict[str, str]]) -> Iterator[Bar]:
    for row in rows:
        value = row["warm query CPU ms"]
        yield Bar(row[""], float(value), value, "a" if row[""].startswith("kebab") else "c")


def _scale(rows: Sequence[dict[str, str]]) -> Iterator[Bar]:
    for row in rows:
        if row["filter"] in ("none", "lang", "path"):
            told = "" if row["filter"] == "none" else f", filtered by {row['filter']}"
            value = row["CPU ms median"]
            label = f"{int(row['chunks']):,} chunks, {row['mode']}{told}"
            yield Bar(label, float(value), f"{float(value):.0f}", "a" if row["mode"] == "hybrid" else "c")


def _panel(panel: Panel, top: float) -> tuple[list[str], float]:
    y = top + 14
    lines = [f'<text class="title" x="12" y="{y:.0f}">{escape(panel.title)}</text>']
    y += 14
    first = y
    most = max(bar.value for bar in panel.bars) or 1.0
    room = WIDTH - LEFT - 70
    for bar in panel.bars:
        length = max(1.0, room * bar.value / most)
        base = y + BAR - 4
        lines += [
            f'<text class="soft" x="{LEFT - 8}" y="{base:.0f}" text-anchor="end">{escape(bar.label)}</text>',
            f'<rect class="{bar.kind}" x="{LEFT}" y="{y:.0f}" width="{length:.1f}" height="{BAR}" rx="2"/>',
            f'<text x="{LEFT + length + 6:.1f}" y="{base:.0f}">{escape(bar.shown)}</text>',
        ]
        y += BAR + GAP
    lines.append(f'<line class="axis" x1="{LEFT}" y1="{first - 3:.0f}" x2="{LEFT}" y2="{y - GAP + 3:.0f}"/>')
    return lines, y + PANEL_GAP - 14
