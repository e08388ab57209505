"""What a figure is in its sentence: stated, a result, a part of a calculation, what is compared with, a benchmark."""

from __future__ import annotations

import re

COMPARED = re.compile(
    r"\b(?:compared|versus|vs|relative|up from|down from|against|than|"
    r"(?<!cash )(?<!flow )(?<!flows )(?<!income )(?<!revenue )(?<!revenues )(?<!sales )(?<!profit )(?<!loss )from"
    r"(?! (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?:to|until|through|till)\b)|"
    r"(?:the )?(?:prior|previous|preceding|last|year-ago|earlier|former)"
    r"(?: (?:year|quarter|period|fiscal year|month)s?)?)\b"
    r"(?:(?!\b(?:was|were|is|are|amount(?:ed|s)|total(?:led|ed|s)|stood|came|reached|provided)\b)(?:[^,;:.=]|(?<=\b[a-z])\.)){0,60}$"
)
_OTHER_TIME = (
    r"(?:(?:a|the|one) year (?:later|earlier|ago|before|prior|after)|year-ago|the year-earlier"
    r"|(?:(?:in |during |for )?(?:the )?(?:same )?(?:\w+ )?(?:of |in )?(?:the )?(?:prior|previous|preceding|following"
    r"|subsequent|next|last)[ -](?:fiscal )?(?:year|quarter|period|season))"
    r"|(?:in |during |for )?the (?:season|year|quarter|month|edition) before)"
)
OTHER_TIME_AFTER = re.compile(
    rf"(?:\s(?:million|billion|thousand|dollars|usd|eur|%))*[\s,(]*(?:in |during |for )?{_OTHER_TIME}\b"
)
OTHER_TIME_BEFORE = re.compile(rf"\b{_OTHER_TIME}(?:,)?\s(?:it|this|that|they|the figure|there)\b[^,;:.=]{{0,40}}$")
OTHER_TIME_ASKED = re.compile(
    r"\b(?:prior|previous|preceding|following|subsequent|next|last|year-ago|year before|compare\w*|change\w*"
    r"|differ\w*|versus)\b"
)
BENCHMARK = re.compile(
    r"\b(?P<word>industry|peers?|sector|target|targets|targeted|targeting|budget(?:ed)?|forecasts?|guidance|"
    r"benchmark|threshold|require[sd]?|requirements?|"
    r"extend\w*|extension|extendable|option(?:al)?|regulatory minimum|typical(?:ly)?|for example|for instance"
    r"|hypothetical(?:ly)?|competitors?)\b"
    r"[^;:.=\n]{0,60}$"
)
BENCHMARK_AFTER = re.compile(
    r"(?: [a-z]+)? as (?:the|an?|its) (?P<as>target|budget|benchmark|threshold|forecast)\b|"
    r" (?:is|was) (?:the|our|a|its) (?:[a-z]+ )?(?P<is>commitment|target|guarantee|objective|requirement|threshold)\b|"
    r"[)\]]*(?: (?:million|billion|thousand|per cent|percent))? (?:regulatory |minimum |legal |required |internal"
    r" |statutory )*(?P<word>requirements?|minimum|threshold|target|covenant|floor|hurdle|benchmark|guidance|budget)\b"
)
_OPERATOR_AFTER = re.compile(
    r"[)\]]*\s?(?:million|billion|thousand|m|bn)?[)\]]*"
    r"(?:\s[a-z]+(?=\s(?:divided|multiplied) by\b))?\s?(?:[+*÷^]|/(?![a-z]|\([a-z])"
    r"|(?<= )x(?=\s?[($€£]*\d)|x(?=\s?[$€£]*\d)|-\s(?=[\d($€£])|"
    r"-(?=[\d($€£][^\n;]{0,80}=)|"
    r"(?:divided by|multiplied by|minus|plus|less(?!\sthan\b)(?=\s[a-z& -]{0,40}[$€£]?\d)"
    r"|over(?!\s(?:the (?:last|past|next|year|period|course)|an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|several)\b)(?!\s\d[\d.,]*\s?(?:days?|weeks?|months?|years?|hours?"
    r"|minutes?|nights?)\b)"
    r"(?!\s(?:q[1-4]|h[12]|fy)\b)|times(?=\s[$€£(]*\d))\s)(?!\s?$)"
)
_OVER_ALL = re.compile(r" (?:over|plus) \d[\d.,]* [a-z]+(?: [a-z]+)?\W*")
"""Behind a figure that is no operand: "came to EUR 3,917 over 612 claims", "a staff of 84 plus 29 helpers"."""
_OPERATOR_BEFORE = re.compile(
    r"(?:(?<=[\w)%\]])\s?[+*/÷^]\s?|(?:[\d)%\]]|illion|thousand|\b(?:m|bn|revenue|sales|costs?|expenses|income|assets"
    r"|liabilities|capex|profit|cash|debt|equity))\s\s?-\s\s?|(?<=[\d)])\sx\s|\b(?:divided by|multiplied "
    r"by)\s(?:[a-z& -]{1,40}\sof\s)?|[\d)][^.;\n]{0,40}\b(?:minus|plus|"
    r"less)\s(?:[a-z& -]{1,40}\sof\s)?)[(\[]*\s?(?:[a-z]{3} )?[€$£]?\s?$"
)
_RESULT = re.compile(r"=\s?(?:about|approximately|around|roughly|~)?\s?[(\[]?\s?(?:[a-z]{3} )?-?[€$£]?\s?$")
_GIVES = re.compile(r"=|\b(?:gives|yields|equals|is|results in|resulting in|equal to|comes to|amounts to|was)\b")
PER = re.compile(r"\bper (?:[a-z]{3} |[€$£] ?)?$")


_BY_HOW_MUCH = re.compile(
    r"\b(?:increas|decreas|grew|grow|rose|risen|rise|fell|fall|drop|declin|climb|jump|shr[aiu]nk|reduc|improv|gain|lost|lower"
    r"|rais|cut)\w*\b(?:(?! to\b)[^.;,:=]){0,60}?\bby (?:about |some |around |roughly |nearly |almost "
    r"|approximately |an? )*"
    r"(?:[a-z]{3} )?[€$£]?\s?$"
)
_REPLACED_AFTER = re.compile(
    r"(?: (?:million|billion|thousand))? (?:was|were|has been|have been|had been|is being|got) (?:since |later |then )?"
    r"(?:raised|lowered|increased|reduced|changed|replaced|cut|revised|restated|amended|updated"
    r"|corrected) (?:to|by|in)\b"
)
"""Behind a figure that another one has replaced."""
_UP_OR_DOWN = re.compile(r"\d ?%?(?: [a-z]+)?,? \(?(?:up|down|plus|minus) (?:by )?(?:(?!for )[a-z]{3} )?[€$£]?\s?$")
_CHANGE_ASKED = re.compile(
    r"\b(?:chang|grow|grew|increas|decreas|declin|differ|improv|ris(?:e|ing)|rose|fell|fall|drop|evol|cut|rais|reduc|lower"
    r"|adjust|mov(?:e|ed|ing)\b|var(?:y|ied|iation)|gain|los[ets]|year[ -]over[ -]year|yoy|compar|by how"
    r"|delta|trend|sav|inflation|growth)\w*"
    r"|^\W*(?:what (?:is|was) the )?(?:[a-z]+ ){0,2}?return (?:of|for)\b"
    r"|\bhow much [a-z]{3,}er\b|\bhow (?:many|much) (?:net|new|more|fewer|less|additional|further)\b"
)


_GRANT_ASKED = re.compile(r"\b(?:grants?|fund(?:ing|ed|s)?|approved|allocat\w*|award\w*|appropriat\w*|granted)\b")
_SET_ASKED = re.compile(
    r"\b(?:commit|guarante|need|must|requir|minimum|plan|expect|forecast|target|goal|aim|promis|budget|should|set|response)\w*"
)
"""Questions for what is set and not what came of it."""
_PERFORMANCE_ASKED = re.compile(r"\b(?:performance|perform(?:ed)?|return)\b")
"""Questions for what something gained or lost."""


MOVED = re.compile(
    r"\b(?:rose|fell|grew|increased|decreased|declined|dropped|climbed|jumped|surged|slipped|shrank|gained|lost|plunged)"
    r" (?:by )?(?:about |some |around |roughly |nearly |almost |approximately |an? |only |just |another )*$"
)
"""In front of a share that says how far something went."""


_LOSS_ASKED = re.compile(r"\b(?:declin|fell|fall|drop|decreas|los[est]|lower|down)\w*")
_DOWN = re.compile(r"(?:fell|decreased|declined|dropped|slipped|shrank|lost|plunged)\b")


_EARLIER = frozenset({"last", "prior", "previous", "preceding", "earlier", "former"})


def is_change(before: str, question: str, *, share: bool = False) -> bool:
    """Whether a figure says by how much something changed, where the question asks for the thing itself.

    >>> is_change("revenue rose by $", "what was the revenue?"), is_change("it rose by ", "how much did it rise?")
    (True, False)
    """
    moved = (
        _BY_HOW_MUCH.search(before)
        or _UP_OR_DOWN.search(before)
        or (share and MOVED.search(before) and not _PERFORMANCE_ASKED.search(question))
    )
    return bool(moved) and not _CHANGE_ASKED.search(question)


def _is_granted(word: str, question: str) -> bool:
    """Whether a budget is what is asked for: "what was approved for the project?"."""
    return word.startswith("budget") and _GRANT_ASKED.search(question) is not None


def is_loss(before: str, question: str) -> bool:
    """Whether a figure is what something lost, where its performance is asked for.

    >>> is_loss("the fund lost ", "what was the performance?"), is_loss("the fund gained ", "what was the return?")
    (True, False)
    """
    asked = _PERFORMANCE_ASKED.search(question) and not _LOSS_ASKED.search(question)
    moved = MOVED.search(before) if asked else None
    return moved is not None and _DOWN.match(moved[0]) is not None


def role(before: str, after: str, question: str, *, share: bool = False) -> str:
    """What a figure is in its sentence: "stated", "result", "operand", "compared", "change" or "benchmark".

    Args:
        before: Its sentence in front of it.
        after: Its sentence behind it.
        question: Match text of the question.
        share: Whether the figure is a percentage.

    >>> role("10 / ", " = 2", ""), role("up from ", "", ""), role("it is ", "", "")
    ('operand', 'compared', 'stated')
    """
    if re.search(r"\b(?:plus|minus|times)\b", question):
        # "Giro Plus" is a name.
        before = re.sub(r"\b(?:plus|minus|times)\b", "it", before)
    if (
        _OPERATOR_AFTER.match(after)
        and (_GIVES.search(after) or re.search(r"\d", after))
        and not _OVER_ALL.fullmatch(after)
    ):
        return "operand"
    if _OPERATOR_BEFORE.search(before) or PER.search(before):
        return "operand"
    if _REPLACED_AFTER.match(after) and not _CHANGE_ASKED.search(question) and not OTHER_TIME_ASKED.search(question):
        return "compared"
    if is_change(before, question, share=share):
        return "change"
    benchmark = BENCHMARK.search(before)
    if benchmark and not _is_granted(benchmark["word"], question) and benchmark["word"][:6] not in question:
        return "benchmark"
    beyond = BENCHMARK_AFTER.match(after)
    if beyond and (beyond["as"] or beyond["is"]) and _SET_ASKED.search(question):
        beyond = None
    if beyond and (beyond["word"] or beyond["as"] or beyond["is"])[:6] not in question:
        return "benchmark"
    if _RESULT.search(before):
        return "result"
    beside = OTHER_TIME_AFTER.match(after) or OTHER_TIME_BEFORE.search(before)
    if beside and not OTHER_TIME_ASKED.search(question):
        return "compared"
    compared = COMPARED.search(before)
    if compared is None or (compared[0].split()[0] in _EARLIER and compared[0].split()[0] in question):
        # "at his last visit" is what is asked for
        return "stated"
    return "compared"
