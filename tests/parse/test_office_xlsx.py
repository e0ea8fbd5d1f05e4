import pytest

from kebab.chunk.headings import HeadingChunker
from kebab.core.chunk import ChunkPolicy
from kebab.core.document import Document
from kebab.parse.office import XlsxParser, xlsx_sheet
from kebab.parse.office import xlsx as module
from office_samples import check, read, xlsx


def parse(raw: bytes) -> Document:
    document = read(XlsxParser(), raw, "data/매출 2021.xlsx")
    check(document)
    return document


def row(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def cell(reference: str, value: str, kind: str = "n", style: int = 0) -> str:
    return f'<c r="{reference}" t="{kind}" s="{style}"><v>{value}</v></c>'


def test_rows_are_lines_under_the_sheet_and_their_range() -> None:
    rows = row(1, cell("A1", "0", "s"), cell("B1", "1", "s")) + row(3, cell("A3", "1", "s"), cell("B3", "2.50"))
    document = parse(xlsx({"매출": rows}, ["이름", "금액"]))
    assert document.source_text == "# 매출\n\n## A1:B3\n\n| 이름 | 금액 |\n| 금액 | 2.5 |\n"
    assert document.blocks[-1].heading_path == ("매출", "A1:B3")
    assert document.title == "매출 2021.xlsx"


def test_values_are_shown_as_a_person_sees_them() -> None:
    cells = (
        cell("A1", "44197", style=1)
        + cell("B1", "44197.5", style=2)
        + cell("C1", "0.155", style=3)
        + cell("D1", "0.30000000000000004")
        + cell("E1", "1", "b")
        + cell("F1", "#DIV/0!", "e")
        + '<c r="G1" t="str"><f>CONCAT(A1,B1)</f><v>joined</v></c>'
        + '<c r="H1"><f>SUM(A1:B1)</f><v>12</v></c>'
        + '<c r="I1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>'
        + cell("J1", "0.75", style=2)
        + cell("K1", "1", style=1)
    )
    shown = ["2021-01-01", "2021-01-01T12:00:00", "15.5%", "0.3", "TRUE", "#DIV/0!", "joined", "12", "inline"]
    shown += ["18:00:00", "1900-01-01"]
    assert parse(xlsx({"s": row(1, cells)}, [])).blocks[-1].text == f"| {' | '.join(shown)} |"


@pytest.mark.parametrize(
    ("value", "style", "shown"),
    [
        ("1.5", 4, "36:00:00"),
        ("0.25", 4, "06:00:00"),
        ("41.0208333333333", 5, "984:30:00"),
        ("-0.5", 5, "-12:00:00"),
        ("44197.75", 6, "2021-01-01T18:00:00"),
    ],
)
def test_lengths_of_time_are_no_dates_and_parts_of_a_second_hide_none(value: str, style: int, shown: str) -> None:
    rows = row(1, cell("A1", "0", "s"), cell("B1", value, style=style))
    assert parse(xlsx({"s": rows}, ["x"])).blocks[-1].text == f"| x | {shown} |"


def test_dates_may_count_from_1904() -> None:
    rows = row(1, cell("A1", "0", "s"), cell("B1", "42735", style=1))
    assert "| x | 2021-01-01 |" in parse(xlsx({"s": rows}, ["x"], workbook='<workbookPr date1904="1"/>')).source_text


def test_a_long_sheet_is_blocks_that_each_name_their_range_and_columns() -> None:
    rows = row(1, cell("A1", "0", "s"), cell("B1", "1", "s"))
    rows += "".join(row(n, cell(f"A{n}", "2", "s"), cell(f"B{n}", str(n))) for n in range(2, 71))
    chunks = HeadingChunker().chunk(parse(xlsx({"s": rows}, ["이름", "수", "배"])), ChunkPolicy())
    assert [chunk.heading_path for chunk in chunks] == [("s", "A1:B30"), ("s", "A31:B59"), ("s", "A60:B70")]
    assert all("| 이름 | 수 |" in chunk.text for chunk in chunks)
    assert "| 배 | 31 |" in chunks[1].text
    assert sum(chunk.text.count("| 배 |") for chunk in chunks) == 69


def test_numbers_in_the_first_row_are_not_taken_for_names() -> None:
    rows = "".join(row(n, cell(f"A{n}", str(n)), cell(f"B{n}", "7")) for n in range(1, 41))
    assert parse(xlsx({"s": rows}, [])).source_text.count("| 1 | 7 |") == 1


def test_a_hidden_sheet_is_kept_with_a_warning() -> None:
    document = parse(xlsx({"a": row(1, cell("A1", "1")), "b": row(1, cell("A1", "2"))}, [], hidden=("b",)))
    assert [block.heading_path[0] for block in document.blocks] == ["a"] * 3 + ["b"] * 3
    assert document.warnings == ("sheet b is hidden",)


def test_columns_without_a_value_are_left_out_however_far_apart() -> None:
    rows = row(1, cell("B1", "1"), cell("XFD1", "2")) + row(2, cell("ZZZ2", "3"), cell("B2", "4"))
    document = parse(xlsx({"s": rows}, []))
    assert document.source_text == "# s\n\n## B1:XFD2\n\n| 1 | 2 |\n| 4 |  |\n"


def test_names_of_columns_follow_the_alphabet() -> None:
    assert [xlsx_sheet.letters(n) for n in (1, 26, 27, 702, 703, 16384)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]


def test_rows_beyond_the_limit_are_left_out_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(row(n, cell(f"A{n}", str(n)), cell(f"B{n}", "7")) for n in range(1, 50))
    monkeypatch.setattr(module, "MAX_ROWS", 40)
    document = parse(xlsx({"s": rows}, []))
    assert document.warnings == ("only the first 40 rows are read",)
    assert "| 40 | 7 |" in document.source_text
    assert "| 41 | 7 |" not in document.source_text


def test_references_that_lead_nowhere_are_empty() -> None:
    rows = row(1, cell("A1", "9", "s"), cell("B1", "x", "s"), cell("C1", "5", style=99), '<c r="??"><v>6</v></c>')
    assert parse(xlsx({"s": rows}, [])).blocks[-1].text == "| 5 | 6 |"
