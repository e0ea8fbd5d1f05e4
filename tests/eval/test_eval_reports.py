"""Reports: complete, self-contained, and nothing from a document or a stored run that would run, load or mislead."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from evaluation_samples import calibration, comparison, full_run, hit, result, run
from kebab.eval.plots import bars, histogram, legend, lines
from kebab.eval.report_html import calibration_page, comparison_page, run_page
from kebab.eval.report_md import calibration_report, comparison_report, plain, run_report

EVIL = '"><script src="https://evil.example/x.js"></script><img src=x onerror=alert(1)> | [a](javascript:b) `c`'


class Page(HTMLParser):
    """The elements of a page, and every attribute that could lead somewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.places: list[str] = []
        self.events: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("href", "src", "srcset", "action", "data", "poster", "background"):
                self.places.append(value or "")
            if name.startswith("on") or name == "style":
                self.events.append(name)


def evil_run(**changes: object) -> str:
    made = run(
        result(EVIL, None, text=EVIL, hits=(hit(1, EVIL),)),
        result("b", None, text=EVIL, error=EVIL, metrics={}, hits=()),
        suite_name=EVIL,
        machine=EVIL,
        config={EVIL: EVIL},
        **changes,
    )
    return run_page(made, None)


@pytest.mark.parametrize("page", [run_page(full_run(), comparison()), calibration_page(calibration()), evil_run()])
def test_a_page_loads_nothing_and_runs_nothing(page: str) -> None:
    seen = Page(page)
    assert not seen.tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "video", "audio"}
    assert seen.events == []
    assert all(place.startswith("file:///") for place in seen.places)
    assert "default-src 'none'" in page
    assert "url(" not in page
    assert "@import" not in page


def test_a_page_shows_figures_plots_and_regressions_with_links() -> None:
    page = run_page(full_run(), comparison())
    assert page.count("<svg") == 4, "the legend, the bars and a histogram for each mode"
    assert "MRR@10" in page
    assert "rank 1 → none" in page
    assert '<a href="file:///home/kim/%EC%8C%80/' in page
    assert "쌀/현미%20밥.md#L1" in page
    assert "Failed (1)" in page
    assert "About the suite (2)" in page


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://evil.example/", "file://host/share"])
def test_only_files_of_this_machine_are_linked(address: str) -> None:
    page = run_page(full_run()._replace(files={"쌀/현미 밥.md": address}), None)
    assert Page(page).places == []


def test_every_plot_is_well_formed_whatever_its_names() -> None:
    plots = [
        bars([(EVIL, [0.5, None]), ("b", [1.0, 0.0])], [EVIL, "y"], EVIL),
        legend([EVIL]),
        histogram({0: 2, 1: 5, 99: 1}, 100, 1, EVIL),
        histogram({}, 1, 0, "empty"),
        lines([(EVIL, [(0.0, 0.0), (1.0, 1.0)]), ("none", [])], {EVIL: 0.3}, EVIL),
    ]
    for plot in plots:
        root = ET.fromstring(plot)
        assert root.tag == "svg"
        assert not [each for each in root.iter() if each.tag in ("script", "img", "image", "a")]


def test_a_histogram_counts_every_query_once() -> None:
    plot = histogram({0: 2, 1: 5, 41: 3, 100: 1}, 100, 0, "t")
    counts = [int(tip) for tip in re.findall(r"<title>rank [^:]+: ([0-9]+)</title>", plot)]
    assert sum(counts) == 11
    assert len(counts) <= 41


def test_markdown_holds_the_same_figures_and_no_live_marks() -> None:
    text = run_report(full_run(), comparison())
    assert "| hit@1 | 0.333 | 0.500 | 3 |" in text
    assert "stopped: before its end" in text
    assert "### Worse (2)" in text
    assert "## Not found (1)" in text
    assert "line 7:" in text
    assert plain(EVIL).count("\\<") == EVIL.count("<")
    assert "<script" not in run_report(run(result("a", None, text=EVIL)), None).replace("\\<", "")


def test_a_comparison_and_a_calibration_stand_alone() -> None:
    for text in (comparison_report(comparison(), 10), comparison_page(comparison(), 10, {})):
        assert "20260428T000000-0000" in text
        assert "the suites differ" in text
    for text in (calibration_report(calibration()), calibration_page(calibration())):
        assert "0.1001" in text
        assert "suite notes" in text


def test_a_run_without_any_result_still_makes_a_report() -> None:
    empty = run()
    assert "# Evaluation" in run_report(empty, None)
    assert "<h1>" in run_page(empty, None)
