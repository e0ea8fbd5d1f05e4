"""What a browser is shown for an entry link that opens nothing any more: a page of a few words, in two languages.

Holds nothing of the request, runs no script and loads only our own style.
"""

from kebab.ui.web.page import CSP

HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": CSP.replace("script-src 'self'", "script-src 'none'"),
    "cross-origin-opener-policy": "same-origin",
}
_PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>kebab</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/frame.css">
<main>
<h1>{title}</h1>
<p>{why}</p>
<p><a href="/">{back}</a></p>
</main>
</html>
"""
_WORDS = {
    "en": {
        "title": "This link has been used",
        "why": "A link of <code>kebab web</code> opens the page once. Run <code>kebab web</code> again for a new one.",
        "back": "Go to the page if this browser has been let in",
    },
    "ko": {
        "title": "이미 사용한 링크입니다",
        "why": "<code>kebab web</code> 링크는 한 번만 열립니다. 다시 열려면 <code>kebab web</code>을 또 실행하세요.",
        "back": "이 브라우저로 이미 들어왔다면 페이지로 가기",
    },
}


def wants_page(accept: str) -> bool:
    """A browser names HTML; whoever names JSON is a program."""
    return "text/html" in accept.lower() and "application/json" not in accept.lower()


def used_link(languages: str) -> bytes:
    """The page in the language an `Accept-Language` prefers, English where it knows neither."""
    wanted = sorted((_preference(each) for each in languages.split(",")), key=lambda each: -each[1])
    lang = next((lang for lang, weight in wanted if lang in _WORDS and weight > 0), "en")
    return _PAGE.format(lang=lang, **_WORDS[lang]).encode()


def _preference(part: str) -> tuple[str, float]:
    """A language without its country, and how much it is wanted."""
    tag, _, weight = part.partition(";q=")
    try:
        return tag.strip().lower().partition("-")[0], float(weight or 1)
    except ValueError:
        return "", 0.0
