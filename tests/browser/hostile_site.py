"""Documents that try to run something or to call somebody, in every way a document can be written."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser_site import write_pdf

# Every payload calls one of these: a function that only a tripwire defines, a listener of the test, a name to look up.
RUN = "owned(1)"
NAME = "beacon.example"
NEEDLE = "hollyhock"

MARKDOWN = """---
title: "<img src=x onerror={run}> hostile"
tags: ['"><script>{run}</script>', "javascript:{run}"]
---
# <script>{run}</script> {needle} & <b onclick={run}>bold</b>

The {needle} grows <img src="{out}/inline.png" onerror="{run}"> by the wall <svg onload={run}></svg> in June.

<script>{run}</script>
<script src="{out}/script.js"></script>
<iframe srcdoc="<script>parent.{run}</script>" src="{out}/frame"></iframe>
<object data="{out}/object"></object><embed src="{out}/embed">
<link rel="stylesheet" href="{out}/style.css"><link rel="dns-prefetch" href="//{name}">
<style>@import "{out}/import.css"; body {{ background: url({out}/css.png) }}</style>
<meta http-equiv="refresh" content="0; url={out}/refresh"><base href="{out}/">
<form id="main" name="status" action="{out}/form"><input name="body" autofocus onfocus="{run}"></form>
<a id="drawer" name="kebab" href="{out}/ping" ping="{out}/pinged">x</a><img name="getElementById" src="{out}/c.png">
<video poster="{out}/poster.png" src="{out}/v.mp4" autoplay></video><audio src="{out}/a.mp3" autoplay></audio>
<details open ontoggle="{run}">x</details><marquee onstart="{run}">x</marquee>
<math><mtext><table><mglyph><style><img src=x onerror="{run}"></style></mglyph></table></mtext></math>

![beacon]({out}/image.png "t") ![by name](http://{name}/image.png) ![data](data:image/svg+xml,<svg/onload={run}>)
![protocol](//{name}/relative.png) ![file](file:///etc/passwd) ![up](../../../../etc/passwd)

[run](javascript:{run}) [RUN](JaVaScRiPt:{run}) [tab](java&#9;script:{run}) [vb](vbscript:{run})
[data](data:text/html,<script>{run}</script>) [blob](blob:{out}/x) <javascript:{run}> [space](&#1;javascript:{run})
[title](http://{name}/link "\\" onmouseover=\\"{run}") [hash](#/enter?key=x) [page](/v1/ingest)
[ref]: javascript:{run}
[ref] and [^note].

[^note]: <img src=x onerror={run}>

| <img src=x onerror={run}> | [x](javascript:{run}) |
|---|---|
| <svg/onload={run}> | `</code><script>{run}</script>` |

```html"><script>{run}</script>
</code></pre><script>{run}</script> {needle} fenced
```

```constructor
{needle} of a language that is none
```

- [ ] <input onfocus={run} autofocus>
- [x] ~~<b onmouseover={run}>~~ \u202egnp.evil\u202c \u0000 &lt;script&gt;{run}&lt;/script&gt;
"""

HTML = """<!doctype html><html><head><title><script>{run}</script>{needle}</title><base href="{out}/">
<link rel="icon" href="{out}/icon.png"><style>@font-face {{ src: url({out}/font) }}</style></head>
<body onload="{run}" background="{out}/bg.png"><h1 onclick="{run}">{needle} page</h1>
<p>The {needle} of the page <img src="{out}/html.png"> is <a href="javascript:{run}">here</a>.</p>
<script>{run}</script></body></html>"""

SVG = """<svg xmlns="http://www.w3.org/2000/svg" onload="{run}"><script>{run}</script>
<image href="{out}/svg.png"/><foreignObject><body onload="{run}"/></foreignObject><text>{needle}</text></svg>"""

CODE = """# </script><script>{run}</script> {needle}
def hollyhock_script():
    return "</pre><img src=x onerror={run}>"
"""

NAMES = (
    "<img src=x onerror=owned(1)>.md",
    "'\"><svg onload=owned(1)>.md",
    "javascript:owned(1).md",
    "a?b#c%2e%2e.md",
    "\u202egnp.md",
    "__proto__.md",
    "constructor.md",
)


def plant_hostile(notes: Path, out: str) -> None:
    """`out` is the address of a listener that nothing may reach."""
    words = {"run": RUN, "out": out, "name": NAME, "needle": NEEDLE}
    notes.mkdir(parents=True)
    (notes / "notes.md").write_text(MARKDOWN.format(**words), "utf-8")
    (notes / "page.html").write_text(HTML.format(**words), "utf-8")
    (notes / "picture.svg").write_text(SVG.format(**words), "utf-8")
    (notes / "program.py").write_text(CODE.format(**words), "utf-8")
    for name in NAMES:
        (notes / name).write_text(f"# {name}\n\nThe {NEEDLE} of {name} stands here.\n", "utf-8")
    write_pdf(notes / "paper.pdf", [[f"<script>{RUN}</script> {NEEDLE}", f"javascript:{RUN} in a paper"]])
    _add_actions(notes / "paper.pdf", out)


def _add_actions(path: Path, out: str) -> None:
    """An action on opening and a link, as PDF readers know them; the page must show the picture and no more."""
    action = f"/OpenAction << /S /JavaScript /JS (app.launchURL\\('{out}/pdf'\\)) >> /URI ({out}/uri)"
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"/Type /Catalog", b"/Type /Catalog " + action.encode(), 1))


TRIPWIRE = """
globalThis.tripped = [];
globalThis.owned = (word) => { globalThis.tripped.push(String(word)); };
for (const name of ["alert", "confirm", "prompt", "open", "print"]) {
  globalThis[name] = () => { globalThis.tripped.push(name); };
}
addEventListener("securitypolicyviolation", (event) => globalThis.tripped.push(`policy: ${event.violatedDirective}`));
"""


# The browser asks its maker about itself, whatever is shown; no document here names these.
ERRANDS = (".google.com", ".googleapis.com", ".gstatic.com")


def asked_of_the_network(log: Path) -> set[str]:
    """Every host that the browser's own log of its network names: requests, lookups and connections."""
    whole = json.loads(log.read_text("utf-8"))
    kinds = {number: name for name, number in whole["constants"]["logEventTypes"].items()}
    found = {host for event in whole["events"] for host in _hosts(kinds[event["type"]], event.get("params") or {})}
    return {host for host in found if not host.partition(":")[0].endswith(ERRANDS)}


def _hosts(kind: str, params: dict[str, Any]) -> Iterator[str]:
    if kind == "URL_REQUEST_START_JOB" and str(params.get("url", "")).startswith("http"):
        yield params["url"].split("/")[2]
    if kind.startswith("HOST_RESOLVER") and "host" in params:
        yield str(params["host"]).partition("://")[2] or str(params["host"])
    if kind == "TCP_CONNECT_ATTEMPT" and "address" in params:
        yield str(params["address"])
