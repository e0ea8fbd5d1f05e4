"""Words that carry no meaning in a question. Dropped from queries only, and only while others are left."""

ENGLISH = frozenset(
    """a about after all also am an and any are as at be because been before being between both but by can could did do
    does doing during each few for from further had has have having he her here hers him his how i if in into is it its
    just may me might more most must my no nor not of off on once only or other our ours out over own same shall she
    should so some such than that the their theirs them then there these they this those through to too under until up
    us very was we were what when where which while who whom whose why will with would you your yours s t re ve ll d m
    please tell explain""".split()
)

# Morphemes of question words, light verbs and bound nouns, as the analyser cuts them.
KOREAN = frozenset(
    """어디 누구 누가 무엇 무어 언제 얼마 몇 어떻 어떻게 어떤 어떠 왜 하 되 있 없 이 그 저 것 거 수 등 무슨 어느 가장 뭐
    뭣 때 때문 위하 대하 관하 알 알려 주 싶 보 보이 같 않 아니 따르 통하 의하 및 또는 그리고 년 중 내 곳 인가 인지 대해
    관해 나요 까요 무엇인가 어디인가""".split()
)
