"""Does a sentence say that there is no answer? Patterns for Korean and English, applied to what is not quoted in it."""

import re


def _any(*choices: str) -> str:
    return f"(?:{'|'.join(choices)})"


_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|‘[^‘’]*’|「[^「」]*」|『[^『』]*』|«[^«»]*»|`[^`]*`")
_QUOTE_MARKS = '"“”‘’「」『』«»` .'
_LETTER = re.compile(r"\w")
_EMPHASIS = re.compile(r"[*_~#>]+")
_SPACE = re.compile(r"\s+")
# Nobody takes longer to say that there is nothing.
_LONGEST = 400

# What a model calls the passages it was given; the bare word for evidence only where nothing narrows it down,
# because "there is no legal basis" is an answer.
_GIVEN_KO = _any(
    r"(?:제공|제시|검색|인용)된",
    r"주어진",
    r"(?:^|(?:위|이|해당|현재|관련|충분한|명확한|직접적인|확인할|뒷받침할|답할|답변할|있는|만한) )근거",
    r"컨텍스트",
    r"문맥",
    r"검색 ?결과",
    r"\bKB\b",
    r"\bchunk\b",
    r"지식 ?베이스",
)
_ABOUT_KO = _any("근거", "자료", "문서", "내용", "정보", "답", "언급", "설명", "기록", "데이터", "노트")
_STATED_KO = r"(?:나와|나타나|들어|담겨|쓰여|적혀|(?:포함|언급|명시|기술|기재|설명|제공)(?:되어|돼|하고|되지|하지)?)"
_ABSENT_KO = _any(
    r"(?:찾|찾아볼|알|확인할|판단할|답할|답변할|드릴) ?수 ?(?:는 )?없",
    r"찾을 수 ?(?:는 )?없",
    r"(?:찾지|답하지|답변하지) ?못",
    r"(?:답하|답변하)기 ?어렵",
    r"없[다습음네어었]",
    r"부족[하합함했]?",
    r"불충분",
    r"충분(?:하지|치) ?않",
    r"확인되지 ?않",
    _STATED_KO + r" ?(?:있지 ?)?않",
    r"(?:다루|나오)지 ?않",
)
# The end of the sentence, and not "means that the page cannot be found".
_END_KO = r"(?!다는|다고|는 (?:오류|경우|때|상태|상황|문제|값))[^.!?]{0,12}[.!?…]*$"
_SHORT_OF_KO = (
    r"근거(?:가|는|도|이|만으로는?)? ?(?:매우 |너무 |충분히 |많이 )?(?:부족|불충분|없[다습음네어]|충분하지 ?않)"
)
_CLEAR_KO = re.compile(
    _any(
        f"{_GIVEN_KO}.*{_ABSENT_KO}{_END_KO}",
        f"^{_SHORT_OF_KO}{_END_KO}",
        f"관련(?:된)? ?{_ABOUT_KO}.{{0,4}}(?:찾을 수 ?없|없[다습음네어]){_END_KO}",
    )
)
_PLAIN_KO = re.compile(
    _any(
        f"{_SHORT_OF_KO}{_END_KO}",
        f"{_ABOUT_KO}.*{_ABSENT_KO}{_END_KO}",
        f"(?:모르겠|(?:알|답할|답변할) 수 ?없){_END_KO}",
    )
)

_GIVEN_EN = _any(
    r"evidence",
    r"contexts?",
    r"passages?",
    r"excerpts?",
    r"sources?",
    r"documents?",
    r"notes",
    r"knowledge base",
    r"kb",
    r"search results?",
    r"(?:provided|given|available|supplied) (?:text|information|materials?|data)",
)
_STATE_EN = _any(
    *"contain include provide mention say specify state cover address give have answer describe discuss".split(),
    *"indicate explain support offer reveal tell show".split(),
)
_STATED_EN = _any(*"mentioned found specified stated covered addressed provided discussed available".split())
_LACK_EN = _any("not enough", "insufficient", "too little", "no", "lack of")
_WHAT_EN = (
    _any(*"relevant sufficient supporting direct specific explicit further".split())
    + "? ?"
    + _any("evidence", "information", "context", "details?", "mention", "answer")
)
_UNABLE_EN = _any("cannot", "can't", "can not", "could not", "couldn't", "unable to", "not able to", "not possible to")
_FIND_EN = _any(*"find answer determine locate say tell confirm".split(), r"be (?:found|answered|determined)")
_IN_GIVEN = rf"\b(?:in|from|based on) (?:the |these |this |any )?(?:\w+ )?{_GIVEN_EN}"
_CLEAR_EN = re.compile(
    _any(
        rf"\b{_GIVEN_EN}(?: \S+){{0,4}}? (?:do(?:es)? not|don't|doesn't|did not|fails? to)(?: \w+)? {_STATE_EN}\b",
        rf"\b{_GIVEN_EN}(?: \S+){{0,4}}? (?:(?:is|are) (?:not enough|not sufficient|insufficient|silent)|lacks?)\b",
        rf"\b{_GIVEN_EN}(?: \S+){{0,4}}? (?:has|have|contains?|provides?|gives?|includes?|offers?) {_LACK_EN} ",
        r"\b(?:not enough|insufficient|no (?:relevant|supporting|sufficient)) (?:evidence|information|context)\b",
        rf"\b{_LACK_EN} {_WHAT_EN}\b[^.]*{_IN_GIVEN}",
        rf"\b{_UNABLE_EN} {_FIND_EN}\b[^.]*\b{_GIVEN_EN}",
        rf"{_IN_GIVEN}[^.]*\b(?:I|we|it is) (?:am |are )?{_UNABLE_EN} {_FIND_EN}\b",
        rf"\bnot {_STATED_EN} {_IN_GIVEN}",
        rf"^I (?:do not|don't) know\b|^I (?:am )?{_UNABLE_EN} {_FIND_EN}\b",
    ),
    re.IGNORECASE,
)
_PLAIN_EN = re.compile(
    rf"\b{_LACK_EN} {_WHAT_EN} (?:about|on|regarding|for|to|is|was|found|available|provided)\b"
    rf"|\b{_UNABLE_EN} {_FIND_EN}\b|\bI (?:do not|don't) know\b",
    re.IGNORECASE,
)


def says_nothing_found(sentence: str, *, cited: bool) -> bool:
    """`sentence` comes without markers. One that cites must speak of the passages themselves to count."""
    bare = _unquoted(sentence[: _LONGEST * 5])
    if len(bare) > _LONGEST:
        return False
    patterns = (_CLEAR_KO, _CLEAR_EN) if cited else (_CLEAR_KO, _CLEAR_EN, _PLAIN_KO, _PLAIN_EN)
    return any(pattern.search(bare) for pattern in patterns)


def _unquoted(sentence: str) -> str:
    """Quoted words are the document's; a sentence that is nothing but a quotation is the model's own."""
    plain = _EMPHASIS.sub("", sentence)
    rest = _QUOTED.sub(" ", plain)
    if not _LETTER.search(rest):
        rest = plain.strip(_QUOTE_MARKS)
    return _SPACE.sub(" ", rest).strip()
