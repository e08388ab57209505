"""Figures for the other case than the question asks for: with hoses, up to 50,000, for part-time staff."""

from __future__ import annotations

import re
from functools import lru_cache

from core.judging.match.figures.words import question_words
from core.judging.match.readers.times.dates import MONTHS
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.judging.match.values import Hit
from core.text.words import stem

_PAIRS = (
    ("full-time", "part-time"),
    ("gross", "net"),
    ("(?:minimum|lowest|bottom)", "(?:maximum|highest|top|peak)"),
    ("adults?", "(?:children|child|infants?)"),
    ("domestic", "(?:international|foreign|overseas)"),
    ("basic", "diluted"),
    ("short-term", "long-term"),
    ("fixed", "variable"),
    ("opening", "closing"),
    ("indoors?", "outdoors?"),
    ("weekdays?", "weekends?"),
    ("before tax", "after tax"),
    ("single", "joint"),
    ("men", "women"),
    ("winter", "summer"),
    ("(?:largest|biggest)", "smallest"),
    ("(?:oldest|earliest)", "(?:youngest|newest|latest)"),
    ("longest", "shortest"),
    ("best", "worst"),
    ("most", "(?:least|fewest)"),
    ("(?<!off[ -])peak", "off[ -]peak"),
    ("(?:deficits?|shortfalls?)", "surplus(?:es)?"),
    ("(?:on[ -]time|punctual)", "(?:(?:arrived|were|was|are|ran|come|came) late|delayed)"),
    (
        "(?:using|used|drawn|utili[sz]ed|utili[sz]ation)",
        "(?:unused|undrawn|still (?:free|available)|(?<!for )free(?=\\W*$| capacity| space| headroom| on| at| as))",
    ),
    ("buyers?", "sellers?"),
    ("tenants?", "landlords?"),
    ("imports?", "exports?"),
    ("departures?", "arrivals?"),
    ("assets", "liabilities"),
    ("inbound", "outbound"),
    ("(?:clos(?:ed|es?)|resolved)", "open(?:ed|s)?(?! (?:until|till)\\b)"),
)
"""Words of which one excludes the other."""
_MORE = r"(?:above|over|exceeding|in excess of|more than|greater than|higher than|beyond)"
_LESS = r"(?:up to|the first|below|under|less than|lower than|not exceeding|until)"
_LIMIT = r"\s(?:[a-z]{3} |[€$£] ?)?(?P<limit>\d[\d.,']*\d|\d)"
_ABOVE = re.compile(_MORE + _LIMIT)
_BELOW = re.compile(_LESS + _LIMIT)
_WITHOUT = re.compile(r"\b(?:without|excluding)\s(?:the |any |its )?(?P<what>[a-z]{3,})")
_WITH = re.compile(r"\b(?:with|including)\s(?:the |its )?(?P<what>[a-z]{3,})")
_PER = re.compile(r"\bper (?P<what>\d+ ?[a-z]+|(?!cent\b|annum\b)(?:(?:common|ordinary|basic|diluted) )?[a-z]{3,})")
_ADJECTIVES = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annual": "year|annum"}
_ON_A_DAY = re.compile(rf"\d+ ?(?:{'|'.join(MONTHS)})\b|\b(?:eind|ende|end)$")
"""What is no measure behind "per": a day, in German and Dutch."""
_BORDER = re.compile(r"(?<!\.[a-z])[.;!?](?=\s|$)|\n|,\s|\s(?:and|but|while|whereas|although)\s|:\s")
REACH = 160
FEW = 2
"""Words in front of a comma that belong to what follows it."""
_OF_ANOTHER = re.compile(r"(?:^|\s)(?:for|of|under)\s(?:the\s)?(?P<what>[a-z]{3,})")
_NAMES_OF_MONTHS = "|".join(sorted((name for name in MONTHS if name != "may"), key=lambda name: (-len(name), name)))
_MONTH = re.compile(rf"(?<![\w-])({_NAMES_OF_MONTHS})\b(?! \d{{1,2}}\b(?!,? ?\d))")
_IN_ALL = re.compile(r"\b(?:in all|in total|altogether|all told)\b")
_TOGETHER = re.compile(r"\b(?:together|combined|jointly|between them|both of them)\b")
_ALONE = re.compile(
    r"\d (?:[a-z]+ )?of (?:these|those|them|which)\b|\b(?:alone|by itself|on its own|individually|itself)\b"
)
_ALL_ASKED = re.compile(r"\b(?:total\w*|combined|overall|aggregate|altogether|together|jointly|in all|both|all|sum)\b")
_TERM = re.compile(
    r"\b(?:within|in less than|in more than|after(?: more than)?|beyond|before|over|under|up to|in)"
    r" (?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3})(?: to [a-z]+| or more)?"
    r" (?:year|month|week|day|hour|quarter)s?\b"
)
"""How long something lasts or when it is due: "within one year"."""
_OUTSIDE = re.compile(r"\boutside (?:of )?(?:the )?(?P<place>[a-z]+(?: (?!in\b|for\b|during\b|at\b)[a-z]+)?)")
_DENIED = re.compile(r"\b(?:not|never|except|[a-z]{2,}nt)\b(?<!ent)(?<!ant)(?<!unt)(?<!int)")
_OR_ELSE = re.compile(r"\((?:and/)?or [^()]{2,40}\)")
"""What counts as well: "below investment grade (or unrated)"."""
_PIECE = re.compile(r"[();\n]|[.!?](?=\s|$)|, ")
_LONG_WORD = re.compile(r"(?<![\w-])[a-z]{4,}\b")
_SENTENCE = re.compile(r"[.;!?](?=\s|$)|\n")
_WHOLE = "(?<![\\w'’.&-]){}(?![\\w'’.&-])"
_LETTERED = tuple(
    (re.compile(_WHOLE.format(asked)), named)
    for asked, named in (
        (r"(?P<letter>[b-hj-z]) (?P<word>[a-z]{3,})", "([a-z]) {}"),
        (r"(?P<word>[a-z]{4,}) (?P<letter>[b-hj-z])", "{} ([a-z])"),
    )
)
"""A kind that a question names by a letter, "B hoses" or "class C", and the form in which others are named."""
_NO_OTHER = frozenset(
    "million billion thousand year quarter period month usd eur dollars euros which that this its total".split()  # noqa: SIM905
)


@lru_cache(maxsize=4_096)
def _excluded(question: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What a question names, with what excludes it."""
    found = []
    for one, other in (*_PAIRS, *((b, a) for a, b in _PAIRS)):
        own = re.compile(rf"\b{one}\b")
        opposite = re.compile(rf"\b{other}\b")
        if own.search(question) and not opposite.search(question):
            found.append((own, opposite))
    for pattern, words, opposites in ((_ABOVE, _MORE, _LESS), (_BELOW, _LESS, _MORE)):
        if (match := pattern.search(question)) and len(pattern.findall(question)) == 1:
            limit = re.escape(match["limit"])
            tail = rf"\s(?:[a-z]{{3}} |[€$£] ?)?{limit}(?![\d,.]*\d)"
            found.append((re.compile(words + tail), re.compile(rf"{opposites}(?:{tail}|\s(?:it|that|this)\b)")))
    for pattern, words, opposites in (
        (_WITHOUT, "(?:without|excluding)", "(?:with|including)"),
        (_WITH, "(?:with|including)", "(?:without|excluding)"),
    ):
        if match := pattern.search(question):
            tail = rf"\s(?:the |any |its )?{re.escape(match['what'])}"
            found.append((re.compile(rf"\b{words}{tail}"), re.compile(rf"\b{opposites}{tail}")))
    if (match := _PER.search(question)) and len(_PER.findall(question)) == 1 and not _ON_A_DAY.search(match["what"]):
        spans = "|".join(span for adjective, span in _ADJECTIVES.items() if adjective in question) or "(?!)"
        what = re.escape(match["what"].split()[-1] if match["what"][0].isalpha() else match["what"])
        found.append(
            (
                re.compile(rf"\bper (?:[a-z]+ )?{what}|# (?:[a-z]+ )?an? {what}|#[^#]{{0,20}} an? {what}"),
                re.compile(
                    rf"\bper (?!(?:[a-z]+ )?{what}|(?:{spans})\b)(?:\d+ ?[a-z]+|[a-z]{{3,}})(?<!cent)(?<!annum)"
                ),
            )
        )
    return tuple(found)


def other_condition(text: str, start: int, end: int, question: str) -> str:
    """The words beside a figure that exclude what the question names, or empty.

    Args:
        text: Match text or figure text.
        start: Offset of the figure.
        end: Offset behind it.
        question: Match text of the question.

    >>> other_condition("with hoses it weighs 12 kg.", 21, 26, "what is the weight without hoses?")
    'with hoses'
    """
    excluded = _excluded(question)
    months = _months(question)
    *ahead, before = _BORDER.split(text[max(0, start - REACH) : start])
    # "Off-peak, the price is"
    leading = ahead[-1] if ahead and len(ahead[-1].split()) <= FEW and not any(map(str.isdigit, ahead[-1])) else ""
    after = _BORDER.split(text[end : end + REACH], maxsplit=1)[0]
    clause = _OR_ELSE.sub(" ", f"{before}#{after}")
    if months and (named := _MONTH.findall(_piece(text, start, end))):
        others = [name for name in named if MONTHS[name] not in months]
        if others and len(others) == len(named):
            return str(others[0])
    whole = _IN_ALL.search(clause)
    if whole and _PER.search(question) and not re.search(r"\b(?:per|each|every|apiece)\b|/", clause):
        return whole[0]
    joint = _TOGETHER.search(clause)
    if joint and _ALONE.search(text) and not _ALONE.search(clause) and not _ALL_ASKED.search(question):
        return joint[0]
    for own, opposite in excluded:
        if (
            (match := opposite.search(clause) or opposite.search(leading))
            and not own.search(clause)
            and not _DENIED.search(clause)
        ):
            return match[0]
    if inside := _inside(clause, question):
        return inside
    if letter := _another_letter(clause, question):
        return letter
    if term := _another_term(text, start, end, question):
        return term
    if (match := _opposite(clause, question)) and not re.search(rf"\b{re.escape(match['word'])}", clause):
        return match[0]
    return ""


def _another_letter(clause: str, question: str) -> str:
    """The kind beside a figure that has another letter than the one a question names: "c hoses"; or empty."""
    for asked, form in _LETTERED:
        for match in asked.finditer(question):
            named = list(re.finditer(_WHOLE.format(form.format(match["word"])), clause))
            if named and match["letter"] not in {one[1] for one in named}:
                return named[0][0]
    return ""


def _inside(clause: str, question: str) -> str:
    """The place beside a figure where the question asks for what is outside of it; or empty."""
    outside = _OUTSIDE.search(question)
    if outside is None or re.search(r"\b(?:outside|other|international|foreign|abroad|overseas|non-)", clause):
        return ""
    words = outside["place"].split()
    names = [outside["place"], *(["".join(word[0] for word in words)] if len(words) > 1 else [])]
    found = re.search(rf"\b(?:{'|'.join(map(re.escape, names))})\b", clause)
    return found[0] if found else ""


def _another_term(text: str, start: int, end: int, question: str) -> str:
    """The term directly behind a figure where the question names another one, which the sentence has too; or empty."""
    asked = _TERM.findall(question)
    if len(asked) != 1:
        return ""
    sentence = _SENTENCE.split(text[max(0, start - REACH) : start])[-1]
    behind = _SENTENCE.split(text[end : end + REACH], maxsplit=1)[0]
    own = _TERM.search(behind)
    if own is None or own[0] == asked[0] or asked[0] not in sentence + behind[own.end() :]:
        return ""
    return "" if re.search(r"\d", behind[: own.start()]) else own[0]


def _piece(text: str, start: int, end: int) -> str:
    """What stands around a figure up to the next comma, bracket or end of a sentence."""
    before = _PIECE.split(text[max(0, start - REACH) : start])[-1]
    return f"{before}#{_PIECE.split(text[end : end + REACH], maxsplit=1)[0]}"


@lru_cache(maxsize=4_096)
def _months(question: str) -> frozenset[int]:
    """The months that a question names, where it asks for no change over time."""
    return frozenset(MONTHS[name] for name in _MONTH.findall(question))


_PREFIXED = re.compile(r"\b(?:non-?|un|dis|in|im|ir|il|mis)(?P<word>[a-z]{4,})\b")
_ENDINGS = ("", "able", "ible", "ed")


@lru_cache(maxsize=4_096)
def _long_words(question: str) -> frozenset[str]:
    return frozenset(
        word + end for word in _LONG_WORD.findall(question) if word not in FUNCTION_WORDS for end in _ENDINGS
    )


def _opposite(text: str, question: str) -> re.Match[str] | None:
    """A word of a question with a prefix that denies it: "dissatisfied", "non-refundable", "unpaid"."""
    return next(
        (
            match
            for match in _PREFIXED.finditer(text)
            if match["word"] in _long_words(question) and match[0] not in question
        ),
        None,
    )


def denied_by_prefix(text: str, question: str) -> str:
    """The word of a text that denies a word of the question by its prefix, or empty.

    >>> denied_by_prefix("the deposit is non-refundable.", "is the deposit refundable?")
    'non-refundable'
    """
    match = _opposite(text, question)
    return match[0] if match and not re.search(rf"(?<![\w-]){re.escape(match['word'])}", text) else ""


def speaks_of_another(text: str, hit: Hit, question: str) -> bool:
    """Whether a figure of an answer that declines is given for something that was not asked about.

    >>> text, question = "for fire it is 500 francs.", "what is the deductible for water damage?"
    >>> speaks_of_another(text, Hit(rule="number", start=15, end=18, reason=""), question)
    True
    """
    before = _SENTENCE.split(text[max(0, hit.start - REACH) : hit.start])[-1].lstrip()
    after = _SENTENCE.split(text[hit.end : hit.end + REACH], maxsplit=1)[0]
    clause = f"{before}#{after}"
    asked = question_words(question)
    words = {stem(word) for word in re.findall(r"[a-z]{3,}", clause) if word not in FUNCTION_WORDS}
    if words & asked:
        return False
    return any(
        match["what"] not in FUNCTION_WORDS | _NO_OTHER and stem(match["what"]) not in asked
        for match in _OF_ANOTHER.finditer(clause)
    )
