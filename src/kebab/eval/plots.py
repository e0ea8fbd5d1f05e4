"""Figures to SVG: bars, a histogram of ranks, a curve. Text in, text out; nothing in it is fetched from anywhere."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

# Told apart by everyone, on light ground and on dark.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
_ROW, _GAP, _LABEL, _VALUE, _BAR = 18, 12, 240, 60, 400
_HEIGHT = 150


def bars(groups: Sequence[tuple[str, Sequence[float | None]]], names: Sequence[str], title: str) -> str:
    """Groups of bars from 0 to 1, one bar for each name; None where nothing was measured."""
    parts: list[str] = []
    top = 0
    for label, values in groups:
        shown = [(at, value) for at, value in enumerate(values) if value is not None]
        parts.append(_text(_LABEL - 8, top + _ROW * len(shown) / 2 + 4, label, anchor="end"))
        for at, value in shown:
            width = max(1.0, value * _BAR)
            tip = f"{label}, {names[at]}: {value:.3f}"
            parts.append(_rect(_LABEL, top + 2, width, _ROW - 4, COLOURS[at % len(COLOURS)], tip))
            parts.append(_text(_LABEL + width + 6, top + _ROW - 5, f"{value:.3f}"))
            top += _ROW
        top += _GAP
    return _svg(_LABEL + _BAR + _VALUE, top, title, parts)


def legend(names: Sequence[str]) -> str:
    parts, left = [], 0.0
    for at, name in enumerate(names):
        parts += [_rect(left, 3, 12, 12, COLOURS[at % len(COLOURS)], name), _text(left + 18, 14, name)]
        left += 40 + 8 * len(name)
    return _svg(left, 20, "colours of the modes", parts)


def histogram(counts: Mapping[int, int], k: int, colour: int, title: str) -> str:
    """How many queries have their first relevant hit at each rank; the last bar is those without one."""
    # Beyond forty bars ranks are counted together.
    step = max(1, -(-k // 40))
    columns = [
        (str(first) if step == 1 else f"{first}+", sum(counts.get(rank, 0) for rank in range(first, first + step)))
        for first in range(1, k + 1, step)
    ]
    columns.append(("none", counts.get(0, 0)))
    most, width = max(1, *(count for _, count in columns)), 34
    parts: list[str] = []
    for at, (label, count) in enumerate(columns):
        height = count / most * (_HEIGHT - 50)
        left = at * width + 4
        fill = "#888888" if label == "none" else COLOURS[colour % len(COLOURS)]
        parts.append(_rect(left, _HEIGHT - 24 - height, width - 8, height, fill, f"rank {label}: {count}"))
        if count:
            parts.append(_text(left + width / 2 - 4, _HEIGHT - 28 - height, str(count), anchor="middle"))
        parts.append(_text(left + width / 2 - 4, _HEIGHT - 8, label, anchor="middle"))
    return _svg(len(columns) * width + 8, _HEIGHT, title, parts)


def lines(series: Sequence[tuple[str, Sequence[tuple[float, float]]]], marks: Mapping[str, float], title: str) -> str:
    """Curves of y over x, both from 0 to 1, with names at their ends and upright marks at some x."""
    width, height, left = 520, 260, 40
    parts = [_text(left - 6, _at(y, height) + 4, f"{y:.1f}", anchor="end") for y in (0.0, 0.5, 1.0)]
    parts += [_text(left + x * width, height + 16, f"{x:.1f}", anchor="middle") for x in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    parts += [_line(left, _at(y, height), left + width, _at(y, height)) for y in (0.0, 0.5, 1.0)]
    for row, (name, x) in enumerate(marks.items()):
        parts.append(_line(left + x * width, 0, left + x * width, height, dashed=True))
        parts.append(_text(left + x * width + 4, height / 3 + 16 * row, name))
    for at, (name, points) in enumerate(series):
        path = " ".join(f"{left + x * width:.1f},{_at(y, height):.1f}" for x, y in points)
        colour = COLOURS[at % len(COLOURS)]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        last = _at(points[-1][1], height) if points else 0.0
        parts.append(_text(left + width + 6, min(last + 4, height), name, fill=colour))
    return _svg(left + width + 150, height + 24, title, parts)


def _at(y: float, height: float) -> float:
    return (1 - y) * (height - 16) + 12


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return "\n".join(_wrapped(width, height, title, parts))


def _wrapped(width: float, height: float, title: str, parts: Sequence[str]) -> Iterator[str]:
    name = escape(title)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    yield f'<svg {size} role="img" aria-label="{name}"><title>{name}</title>'
    yield from parts
    yield "</svg>"


def _rect(x: float, y: float, width: float, height: float, fill: str, tip: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{fill}"><title>{escape(tip)}</title></rect>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", fill: str = "currentColor") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    place = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {place} stroke="currentColor" stroke-opacity="0.35"{dash}/>'
