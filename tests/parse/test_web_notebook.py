import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.document import Document
from kebab.parse.web import NotebookParser, notebook
from office_samples import check, outcome, read, survives


def parse(*cells: dict[str, Any], **more: Any) -> Document:
    raw = json.dumps({"nbformat": 4, "cells": list(cells), **more}, ensure_ascii=False).encode()
    document = read(NotebookParser(), raw, "study/실험.ipynb", "ipynb")
    check(document)
    return document


def markdown(*lines: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": [f"{line}\n" for line in lines]}


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


PYTHON = {"metadata": {"kernelspec": {"language": "python"}}}


def test_cells_are_text_and_code_under_their_headings() -> None:
    document = parse(markdown("# 실험 #", "", "글", "둘째 줄"), code("x = 1\nprint(x)"), markdown("## 결과"), **PYTHON)
    assert document.source_text == "# 실험\n\n글\n둘째 줄\n\n```python\nx = 1\nprint(x)\n```\n\n## 결과\n"
    assert [(block.kind.value, block.heading_path) for block in document.blocks] == [
        ("heading", ("실험",)),
        ("paragraph", ("실험",)),
        ("code", ("실험",)),
        ("heading", ("실험", "결과")),
    ]
    assert dict(document.blocks[2].payload) == {"lang": "python", "cell": 2}
    assert (document.title, document.metadata.code_lang) == ("실험", "python")


def test_markdown_in_a_cell_is_told_by_its_look() -> None:
    cell = markdown(
        "1. a", "2. b", "", "| x | y |", "|---|---|", "", "> q", "", "```sh", "# no heading", "", "ls", "```", "end"
    )
    assert [(block.kind.value, block.text.split("\n")[0]) for block in parse(cell).blocks] == [
        ("list", "1. a"),
        ("table", "| x | y |"),
        ("quote", "> q"),
        ("code", "```sh"),
        ("paragraph", "end"),
    ]


def test_outputs_are_short_text_and_pictures_are_left_out() -> None:
    document = parse(
        code(
            "f()",
            {"output_type": "stream", "text": ["a\n", "\x1b[1;31mb\x1b[0m\n"]},
            {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
            {"output_type": "execute_result", "data": {"text/plain": ["4", "2"]}},
            {
                "output_type": "error",
                "ename": "ValueError",
                "evalue": "\x1b[31mbad\x1b[0m",
                "traceback": ["\x1b[31mlong"],
            },
            {"output_type": "stream", "text": "x" * 10_000},
        )
    )
    texts = [block.text for block in document.blocks[1:]]
    assert texts[:3] == ["```\na\nb\n```", "```\n42\n```", "```\nValueError: bad\n```"]
    assert len(texts) == 4
    assert len(texts[3]) < 2100
    assert texts[3].endswith("[...]\n```")
    assert document.blocks[1].payload["output"] is True


def test_the_older_format_is_read_too() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["제목"]},
        {
            "cell_type": "code",
            "input": ["1+1"],
            "language": "python",
            "outputs": [{"output_type": "pyout", "text": ["2"]}],
        },
    ]
    raw = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
    assert read(NotebookParser(), raw).source_text == "## 제목\n\n```python\n1+1\n```\n\n```\n2\n```\n"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not well-formed JSON"),
        (b"[1]", "it holds no notebook"),
        (b"{}", "it has no cells"),
        (b"[" * 200_000, "not well-formed JSON"),
        (b'{"cells": ' + b'{"a":' * 100_000, "not well-formed JSON"),
        (b'{"cells": [' + b"1" * 10_000 + b"]}", "not well-formed JSON"),
    ],
    ids=["empty", "list", "no cells", "deep", "deep objects", "long number"],
)
def test_what_is_no_notebook_is_explained(raw: bytes, why: str) -> None:
    assert why in outcome(NotebookParser(), raw)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.sampled_from(["markdown", "code", "heading"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["cell_type", "source", "outputs", "data", "text", "text/plain", "metadata", "level", "input"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(anything, max_size=4), anything)
def test_cells_of_any_shape_make_a_document(cells: list[Any], metadata: Any) -> None:
    for found in ({"cells": cells, "metadata": metadata}, {"worksheets": cells}):
        outcome(NotebookParser(), json.dumps(found).encode())


def test_damage_of_any_kind_ends_well() -> None:
    survives(NotebookParser(), json.dumps({"cells": [markdown("# 제목", "글"), code("x")]}).encode())


def test_a_notebook_of_more_data_than_words_is_refused_and_long_outputs_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notebook, "MAX_VALUES", 100)
    assert parse(code('print("a")', {"output_type": "stream", "text": '1, "2", [3], \\ ' * 200}))
    raw = json.dumps({"cells": [], "metadata": {"a": [[]] * 200}}).encode()
    assert outcome(NotebookParser(), raw) == "not a readable ipynb: it holds more data than a notebook does"
