import pytest

from kebab.parse.pdf import naming
from kebab.parse.pdf.values import Entry, Facts, Page, Row

FIRST = [
    Page(
        1, [Row("A large line", 7000, 7200), *(Row("body", 6800 - at, 6890 - at) for at in range(0, 900, 120))], "text"
    )
]


@pytest.mark.parametrize("title", ["On rice", "한국어 문서", "C++ in 21 days", "Report 2024", "and/or a question"])
def test_a_title_that_is_one_is_used(title: str) -> None:
    assert naming.title(Facts(1, title=title), [], FIRST) == title


@pytest.mark.parametrize(
    "title",
    [
        "",
        " \x00 ",
        "Microsoft Word - report final.doc",
        "report.docx",
        "보고서 최종.hwp",
        "untitled",
        "(anonymous)",
        "/home/x/a",
        r"C:\papers\a",
        "\\\\server\\a",
        "PowerPoint Presentation",
        "---",
        "2024",
        "\ufffd\ufffd",
    ],
)
def test_a_title_that_is_none_is_not_used(title: str) -> None:
    assert naming.title(Facts(1, title=title), [], FIRST) == "A large line"
    assert naming.title(Facts(1, title=title), [Entry(0, "Chapter one", 1, None)], FIRST) == "Chapter one"
    assert naming.title(Facts(1, title=title), [], []) == ""


def test_a_table_of_contents_is_no_title() -> None:
    assert naming.title(Facts(1), [Entry(0, "목차", 1, None), Entry(0, "서론", 2, None)], FIRST) == "서론"


def test_lines_of_one_size_give_no_title() -> None:
    page = Page(1, [Row("body", 6800 - at, 6890 - at) for at in range(0, 900, 120)], "text")
    assert naming.title(Facts(1), [], [page]) == ""


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("D:20240131093000+09'00'", "2024-01-31T00:30:00Z"),
        ("D:20240131093000-0530", "2024-01-31T15:00:00Z"),
        ("D:20240131093000Z", "2024-01-31T09:30:00Z"),
        ("D:20240131", "2024-01-31T00:00:00Z"),
        ("20240131", "2024-01-31T00:00:00Z"),
        ("D:2024", "2024-01-01T00:00:00Z"),
        ("D:20241331", None),
        ("D:00010101000000+14'00'", None),
        ("D:20240131093000+99'00'", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(given: str, moment: str | None) -> None:
    assert naming.moment(given) == moment
