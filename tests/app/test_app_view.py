"""A document as a person looks at it: windows of lines, rendered Markdown, pages, regions and times; and facets."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from reading_bench import PNG

from kebab.app import facets as facet_limits
from kebab.core.answer import AnswerReady, Question
from kebab.core.errors import DocNotFound, InvalidInput
from kebab.core.query import Filters, Freshness
from kebab.core.viewing import DocumentView, ViewKind, ViewRequest
from office_samples import pptx, shape, slide
from pdf_samples import pages

if TYPE_CHECKING:
    from app_bench import Desk

    from stand_ins.readers import ScriptedOcr, ScriptedTranscriber


def view(desk: "Desk", reference: str, **asked: int) -> DocumentView:
    return desk.app().view(ViewRequest(reference, **asked))


def shown(desk: "Desk", text: str, **asked: int) -> DocumentView:
    desk.write("note.md", text)
    desk.ingest()
    return view(desk, "note.md", **asked)


def test_a_note_comes_with_its_lines_and_its_tree(desk: "Desk") -> None:
    found = shown(desk, "# 밥\n\nwith *rice*\n")
    assert found.kind is ViewKind.MARKDOWN
    assert found.window.items == ("# 밥", "", "with *rice*")
    assert (found.window.first, found.window.start, found.window.more, found.line_count) == (1, 0, False, 3)
    assert found.nodes is not None
    assert [node.tag for node in found.nodes] == ["h1", "p"]
    assert found.doc.freshness is Freshness.FRESH


def test_links_lead_to_documents_of_the_index(desk: "Desk") -> None:
    desk.write("a/other.md")
    found = shown(desk, "[x](a/other.md) [[other]] [y](a/gone.md)\n")
    assert found.nodes is not None
    assert [node.attributes.get("doc") for node in found.nodes[0].children if node.tag == "a"] == [
        "a/other.md",
        "a/other.md",
        None,
    ]


def test_a_window_is_what_was_asked_for(desk: "Desk") -> None:
    text = "".join(f"line {number}\n\n" for number in range(1, 2001))
    found = shown(desk, text, from_line=101, lines=10)
    assert found.window.items[0] == "line 51"
    assert len(found.window.items) == 10
    assert text[found.window.start :].startswith("line 51\n")
    assert found.window.more
    assert found.line_count == 4000
    assert found.nodes is not None
    assert [node.lines for node in found.nodes] == [(101, 101), (103, 103), (105, 105), (107, 107), (109, 109)]
    assert all(text[leaf.start : leaf.end] == leaf.text for node in found.nodes for leaf in node.children)
    last = view(desk, "note.md", from_line=3999)
    assert (last.window.items, last.window.more) == (("line 2000", ""), False)
    assert view(desk, "note.md", from_line=9999).window.first == 4000


def test_a_window_inside_of_code_is_still_code(desk: "Desk") -> None:
    found = shown(desk, "before\n\n```py\n" + "# no heading\n" * 50 + "```\n\nafter\n", from_line=20, lines=10)
    assert found.nodes is not None
    assert [node.tag for node in found.nodes] == ["pre"]
    assert found.nodes_lines == (3, 29)


@pytest.mark.parametrize("asked", [{"from_line": 0}, {"lines": 0}, {"lines": 2001}, {"from_page": 0}])
def test_a_window_that_cannot_be_is_refused(desk: "Desk", asked: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        shown(desk, "a\n", **asked)


def test_a_note_of_one_endless_line_is_cut(desk: "Desk") -> None:
    found = shown(desk, "x " * 200_000)
    assert found.window.cut
    assert len(found.window.items[0]) == 100_000


def test_a_note_with_too_many_elements_is_lines_alone(desk: "Desk") -> None:
    found = shown(desk, "*a* `b` " * 20_000)
    assert found.nodes is None
    assert found.window.items


def test_an_empty_note_is_an_empty_view(desk: "Desk") -> None:
    desk.write("empty.md", "\n")
    desk.ingest()
    found = view(desk, "empty.md")
    assert found.line_count == 1
    assert found.nodes == ()


def test_code_has_its_definitions_and_no_tree(desk: "Desk") -> None:
    desk.write("kettle.py", "def boil() -> None:\n    pass\n\n\nclass Pot:\n    pass\n")
    desk.ingest()
    found = view(desk, "kettle.py")
    assert found.kind is ViewKind.CODE
    assert found.nodes is None
    assert [(each.name, each.line, each.line_end) for each in found.symbols] == [("boil", 1, 2), ("Pot", 5, 6)]


def test_pages_of_a_pdf_have_sizes_and_stand_in_its_text(desk: "Desk") -> None:
    desk.write("book.pdf", pages("Alpha begins here.\nAlpha goes on.", "", "Gamma is on page three."))
    desk.ingest()
    found = view(desk, "book.pdf")
    text = "\n".join(found.window.items)
    assert (found.kind, found.page_count) == (ViewKind.PAGES, 3)
    assert found.pages is not None
    assert [page.page for page in found.pages] == [1, 2, 3]
    assert [page.text for page in found.pages] == ["Alpha begins here.\nAlpha goes on.", "", "Gamma is on page three."]
    assert [text[page.start : page.end] for page in found.pages] == [page.text for page in found.pages]
    assert {page.size for page in found.pages} == {(595.0, 842.0)}
    later = view(desk, "book.pdf", from_page=3).pages
    assert later is not None
    assert [page.page for page in later] == [3]


def test_a_pdf_that_is_gone_still_has_its_pages(desk: "Desk") -> None:
    file = desk.write("book.pdf", pages("Alpha", "Beta"))
    desk.ingest()
    file.unlink()
    found = view(desk, "book.pdf")
    assert found.doc.freshness is Freshness.MISSING
    assert found.pages is not None
    assert [(page.page, page.text, page.size) for page in found.pages] == [(1, "Alpha", None), (2, "Beta", None)]


def test_slides_are_pages_without_a_picture(desk: "Desk") -> None:
    desk.write("deck.pptx", pptx([slide(shape("title", f"Slide {n}")) for n in (1, 2)]))
    desk.ingest()
    found = view(desk, "deck.pptx")
    assert found.kind is ViewKind.PAGES
    assert found.pages is not None
    assert [(page.page, page.size) for page in found.pages] == [(1, None), (2, None)]


def test_text_in_an_image_has_its_boxes(desk: "Desk", eyes: "ScriptedOcr") -> None:
    desk.write("sign.png", PNG)
    desk.ingest()
    found = view(desk, "sign.png")
    text = "\n".join(found.window.items)
    assert (found.kind, found.size) == (ViewKind.IMAGE, (400, 300))
    assert found.regions is not None
    assert [(each.x, each.y) for each in found.regions] == [(10, 10), (12, 200)]
    assert all(text[each.start : each.end] == each.text for each in found.regions)
    assert len(eyes.given) == 1


def test_speech_has_its_times(desk: "Desk", ears: "ScriptedTranscriber") -> None:
    desk.flags |= {"ingest.speech.provider": "faster-whisper"}
    desk.write("talk.mp3", b"ID3" + bytes(200))
    desk.ingest()
    found = view(desk, "talk.mp3")
    assert found.kind is ViewKind.AUDIO
    assert found.segments is not None
    assert [(each.start_ms, each.end_ms, each.speaker) for each in found.segments] == [
        (0, 4000, "S1"),
        (4500, 9000, "S1"),
    ]
    assert "zebra" in found.segments[1].text
    assert ears.given


def test_what_is_not_in_the_index_is_not_looked_at(desk: "Desk", tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    desk.write("a.md")
    desk.ingest()
    for reference in ("../secret.md", str(tmp_path / "secret.md"), "a.md/../../secret.md", "%2e%2e/secret.md"):
        with pytest.raises(DocNotFound):
            view(desk, reference)


def test_facets_count_documents_by_what_filters_take(desk: "Desk") -> None:
    desk.write("a.md", "---\ntags: [red, blue]\n---\n# A\n\nThe words of a note in English.\n")
    desk.write("b.md", "---\ntags: [red]\n---\n# 나\n\n한국어로 쓴 노트입니다.\n")
    desk.write("c.py", "def boil() -> None:\n    pass\n")
    desk.ingest()
    app = desk.app()
    found = app.facets()
    told = {name: {each.value: each.documents for each in values} for name, values in found.facets.items()}
    assert told["media"] == {"markdown": 2, "code": 1}
    assert told["tag"] == {"red": 2, "blue": 1}
    assert told["code_lang"] == {"python": 1}
    assert told["freshness"] == {"fresh": 3}
    assert (found.doc_count, found.truncated) == (3, False)
    assert [each.value for each in found.facets["tag"]] == ["red", "blue"]
    for name, field in (("media", "media"), ("tag", "tags"), ("lang", "langs"), ("source_type", "source_types")):
        for value, count in told[name].items():
            assert len(app.list_docs(Filters(**{field: (value,)}), "path")) == count


def test_facets_tell_what_became_of_files(desk: "Desk") -> None:
    for name in ("same", "touched", "longer", "gone"):
        desk.write(f"{name}.md", f"# {name}\n\nwords\n")
    desk.ingest()
    os.utime(desk.root / "touched.md", (1, 1))
    (desk.root / "longer.md").write_text("# longer\n\nmore words\n")
    (desk.root / "gone.md").unlink()
    told = {each.value: each.documents for each in desk.app().facets().facets["freshness"]}
    assert told == {"fresh": 2, "changed": 1, "missing": 1}


def test_facets_do_not_ask_files_of_a_large_index(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("a.md")
    desk.write("b.md", "# B\n")
    desk.ingest()
    monkeypatch.setattr(facet_limits, "MOST_FILES", 1)
    found = desk.app().facets()
    assert found.truncated
    assert "freshness" not in found.facets


def test_there_are_facets_before_there_is_an_index(desk: "Desk") -> None:
    app = desk.app()
    assert app.facets().doc_count == 0
    assert app.corpus_revision() == 0
    desk.write("a.md")
    desk.ingest()
    assert desk.app().corpus_revision() > 0


def test_files_that_failed_are_told_until_they_are_read_or_gone(desk: "Desk") -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        desk.write(name, b"%PDF-1.7 and nothing that makes sense")
    desk.write("fine.md")
    desk.ingest()
    assert [failure.doc_path for failure in desk.app().failures()] == ["a.pdf", "b.pdf", "c.pdf"]
    assert "damaged" in desk.app().failures()[0].message
    desk.write("a.pdf", pages("mended"), at=1_700_000_100)
    (desk.root / "b.pdf").unlink()
    desk.ingest()
    assert [failure.doc_path for failure in desk.app().failures()] == ["c.pdf"]


def test_an_answer_says_what_the_gate_went_by_also_from_the_record(desk: "Desk") -> None:
    desk.write("rice.md", "# Rice\n\nOne cup of brown rice needs two cups of water.\n")
    desk.ingest()
    app = desk.app()
    *_, last = app.ask(Question("How much water does brown rice need?"))
    assert isinstance(last, AnswerReady)
    told = last.answer.retrieval.features
    assert told is not None
    assert told["coverage"] > 0
    assert app.find_answer(last.answer.retrieval.trace_id).answer.retrieval.features == told
