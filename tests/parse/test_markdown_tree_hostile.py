"""Markdown that means harm, as a tree: no link leads where it should not, HTML stays text, and too much is given up."""

import pytest
from tree_bench import HERE, Library, every, sound, tree

from kebab.parse.markdown.nodes import MAX_NODES
from kebab.parse.markdown.tree import Passage, read

BAD_TARGETS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#10;script:alert(1)",
    "java&Tab;script:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;&#x61;vascript&colon;alert(1)",
    "\\javascript:alert(1)",
    "javascript&colon;alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "DATA:text/html,x",
    "file:///etc/passwd",
    "blob:http://a/b",
    "about:blank",
    "ftp://a.b/c",
    "ws://a.b",
    "view-source:http://a.b",
    "//evil.example/x",
    "\\\\evil.example\\x",
    "/\\evil.example",
    "http:evil.example",
    "http:/evil.example",
    "http:///evil.example",
    "https:javascript:alert(1)",
    "http://",
    "http://user:pass@evil.example/",
    "http://a.b/\u202egnp.exe",
    "http://evil.example\u00ad/",
    "http://a.b:99999/",
    "http://[::1/",
    "mailto:",
    "mailto:a@b.c,d@e.f;x",
    "mailto://a@b.c",
    "../../../etc/passwd",
    "../../top.md",
    "nothing.md",
    "%00",
    "..%2f..%2f..%2fetc/passwd",
    "\x01javascript:alert(1)",
    "\u200bjavascript:alert(1)",
    "http://a.b/" + "x" * 3000,
]
FORMS = (
    "[x]({})",
    "[x](<{}>)",
    "[x][r]\n\n[r]: {}",
    "[x]\n\n[x]: <{}>",
    "<{}>",
    "[[{}]]",
    "[![x]({})]({})",
    "![x]({})",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", BAD_TARGETS)
def test_what_leads_elsewhere_leads_nowhere(form: str, target: str) -> None:
    text = form.replace("{}", target)
    nodes = tree(text)
    sound(text, nodes)
    for node in every(nodes):
        assert not {"href", "doc"} & {name for name, value in node.attributes.items() if value is not None}, node


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<!-- comment --> after",
        "<style>*{background:url(http://evil.example)}</style>",
        "<svg onload=alert(1)>",
        "<form><input name=body></form>",
        "<?php x ?>",
        "<![CDATA[ x ]]>",
        "> <div\n> onclick=x>\n> text",
    ],
)
def test_html_stays_the_text_it_is(text: str) -> None:
    nodes = tree(text)
    sound(text, nodes)
    shown = [node for node in every(nodes) if node.tag == "html"]
    assert shown
    assert {node.tag for node in every(nodes)} <= {"html", "p", "text", "blockquote"}


DEEP = {
    "quotes": ">" * 20_000 + "a",
    "lists": "- " * 5_000 + "a",
    "emphasis": "*a **b " * 5_000 + "c" + "** *" * 5_000,
    "brackets": "[" * 20_000 + "a" + "](b)" * 20_000,
    "images": "![" * 8_000 + "a" + "](b)" * 8_000,
    "ticks": "`" * 9_999 + "a",
    "html": "<a " * 20_000,
    "comments": "<!--" * 50_000,
    "lines": "a\n" * 50_000,
    "html lines": "<div>\n" * 30_000,
    "words": "word " * 1_000_000,
    "table": "|" * 5_000 + "\n" + "|-" * 5_000 + "|\n" + ("|" * 5_000 + "\n") * 20,
    "references": "[a]: b\n" * 5_000 + "[a] " * 5_000,
    "entities": "&amp;" * 50_000,
    "footnotes": "[^a]: x\n\n" * 5_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_a_text_that_is_too_much_is_cut_down_or_given_up(name: str) -> None:
    nodes = read(Passage(DEEP[name]), HERE, Library())
    if nodes is not None:
        sound(DEEP[name], nodes)
        assert sum(1 for _ in every(nodes)) <= MAX_NODES * 2
