"""Pages as word processors make them: several fonts in a line, raised numbers, and tables above columns."""

import ctypes
from itertools import chain

from kebab.parse.pdf import glyphs, layout

Box = tuple[int, int, int, int]


def line(text: str, left: int, y: int, width: int, height: int = 90) -> tuple[str, list[Box]]:
    return text, [(left, y, left + width, y + height)]


def cells(texts: str, y: int, *lefts: int) -> tuple[str, list[Box]]:
    return texts.replace("|", "\t"), [(left, y, left + 200, y + 90) for left in lefts]


def read(*lines: tuple[str, list[Box]]) -> list[str]:
    text = "".join(text + "\n" for text, _ in lines)
    return [row.text for row in layout.rows(text, list(chain(*chain.from_iterable(boxes for _, boxes in lines))))]


def columns(count: int) -> list[tuple[str, list[Box]]]:
    return [
        line(f"{name} line {at} of the column", left, 5000 - 120 * at, 2000)
        for name, left in (("left", 500), ("right", 2800))
        for at in range(count)
    ]


def test_a_line_goes_on_after_a_raised_number() -> None:
    raised = [line("about rice1", 500, 7000, 600, 100), line("near the harbour", 1105, 7005, 900)]
    below = [line("and a second line", 500, 6880, 1500), line("and a third one", 500, 6760, 1400)]
    assert read(*raised, *below)[0] == "about rice1 near the harbour"
    words = [text for text, _ in columns(6)]
    assert read(*raised, *columns(6)) == ["about rice1 near the harbour", *words]


def test_neighbours_of_one_height_with_a_gap_between_them_are_not_one_line() -> None:
    assert read(line("left", 500, 7000, 300), line("right", 1500, 7000, 300)) == ["left  right"]


def test_a_table_above_columns_keeps_its_rows() -> None:
    rows = [cells(f"a{at}|b{at}|c{at}", 6000 - 120 * at, 500, 1800, 3600) for at in range(3)]
    words = [text for text, _ in columns(8)]
    assert read(*rows, *columns(8)) == [*(f"a{at}  b{at}  c{at}" for at in range(3)), *words]


def test_short_columns_below_a_table_and_prose_are_read_as_they_come() -> None:
    prose = [line(f"a full line {at} of text over the page", 500, 7000 - 120 * at, 4300) for at in range(4)]
    rows = [cells(f"a{at}|b{at}|c{at}", 6000 - 120 * at, 500, 720, 940) for at in range(3)]
    heading = line("Heading", 500, 5140, 500, 140)
    given = [heading, *columns(4)]
    assert read(*prose, *rows, *given)[-9:] == [text for text, _ in given]


def test_cells_written_column_by_column_below_prose_are_rows_again() -> None:
    prose = [line(f"a full line {at} of text over the page", 500, 7000 - 120 * at, 4300) for at in range(4)]
    written = [
        line(f"{name} {at} {'word ' * (at + 1)}".strip(), left, 5000 - 120 * at, 400 + 500 * at)
        for name, left in (("left", 500), ("right", 2800))
        for at in range(4)
    ]
    rows = [cells(f"a{at}|b{at}|c{at}", 6000 - 120 * at, 500, 720, 940) for at in range(3)]
    assert read(*prose, *rows, *written)[7] == "left 0 word  right 0 word"


def test_a_wide_gap_in_a_line_of_a_column_does_not_join_the_columns() -> None:
    lines = []
    for at in range(8):
        y = 6000 - 120 * at
        parts = [(500, y, 1300, y + 90), (1500, y, 2500, y + 90)] if at == 3 else [(500, y, 2500, y + 90)]
        left = f"left {at} words\tand more of them" if at == 3 else f"left {at} words and more of them"
        lines.append((f"{left}\tright {at} words and more of them", [*parts, (2800, y, 4800, y + 90)]))
    found = read(*lines)
    assert len(found) == 16
    assert [row.split()[0] for row in found] == ["left"] * 8 + ["right"] * 8


def gaps(*rects: Box) -> list[tuple[int, int]]:
    found = glyphs._Segments(ctypes.c_void_p(), "", 0, (0, 0, 0))
    found._is_generated = lambda *_: 0
    found._left = lambda at: rects[-1][0]  # type: ignore[method-assign]
    return found._cuts("one two three", 0, list(rects))


def test_a_space_that_comes_late_makes_no_gap() -> None:
    words, space, more = (500, 0, 1600, 100), (900, 20, 950, 21), (1680, 0, 2600, 100)
    assert gaps(words, space, more) == []
    assert [index for _, index in gaps(words, space, (2000, 0, 2600, 100))] == [2]
