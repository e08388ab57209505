"""How the words around a value change its meaning: denied, hedged, retracted, asked, echoed, one of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.judging.match.abstention import find_gap
from core.judging.match.values import Hit

REACH = 200
"""Characters before and after a value that are read."""

SENTENCE_BORDER = re.compile(
    r"[.!?](?=\s|$)(?<!\b[a-z]\.)(?<!\b(?:mr|ms|dr|no|st)\.)(?<!\bmrs\.)"
    r"(?!(?<=\b(?:inc|ltd)\.)(?= (?:is|was|are|were|has|have|had|will|and|or|who|which|until|after|resigned|of|in)\b))"
    r"(?!(?<=\bcorp\.)(?= (?:is|was|are|were|has|have|had|will|and|or|who|which|until|after|resigned|of|in)\b))"
    r"|[;\n]"
)
CLAUSE_BORDER = re.compile(r"[,:]\s|\bbut\b|\bhowever\b|\balthough\b|\bthough\b|\bwhile\b|\bwhereas\b|\s-\s")
TURN = re.compile(r"\b(?:but|however|although|though|nevertheless|still)\b")

_NEGATORS = """
not never neither nor isnt wasnt arent werent doesnt didnt dont hasnt havent hadnt cant cannot couldnt wont
wouldnt shouldnt aint false untrue incorrect wrong wrongly mistakenly denied denies without except excluding
unlike
"""
NEGATORS = frozenset(_NEGATORS.split())
NO_NEGATION = re.compile(
    r"\b(?:not only|not just|not merely|none other than|no one other than|nobody other than|no other than|no one but|"
    r"nobody but|nothing but|no doubt|not until|not before|no later than|not later than|not to mention|not wrong|"
    r"(?:not|never|cannot|cant|mustnt|dont|nor) (?:\w+ ){0,3}?(?:exceed(?:s|ing)?|(?:more|longer|less|fewer|later"
    r"|greater|higher|older|younger|earlier) than)|not incorrect"
    r"|without (?:a )?doubt|(?:not|nt) \w+(?: \w+){0,3} (?:until|before))\b"
)
PHRASES_BEFORE = re.compile(
    r"\b(?:other than|instead of|rather than|as opposed to|apart from|no longer|formerly|previously|used to be|"
    r"contrary to|anyone but|anything but|no)\s(?:\w+\s){0,2}$"
)
_CONCLUDED_AS = re.compile(
    r"\b(?:(?:answer|result|figure|value|amount) (?:is|would be|should be|must be)(?: therefore| thus| then)?"
    r"|(?:we|i) (?:state|report|answer)|(?:so|therefore|thus|hence),? (?:it|this|that) is)\W*(?:[a-z]{3} )?[€$£]?\W*$"
)
"""Right before a value that an answer concludes from a gap: "as none is listed, the answer is 0"."""
_SET_APART = re.compile(
    r"\b(?:excluding|without|except(?:ing)?(?: for)?) (?:[\w'-]+ ){1,4}?(?=(?:(?:increas|decreas|declin|improv|total"
    r"|reach|amount|end|clos|remain)(?:e?d|s)|rose|fell|grew|was|were|is|are|stood|came|went|has|had)\b)"
)
"""What is left out of the subject of a clause, which goes on: "sales excluding fuel rose by"."""
FORMER = re.compile(
    r"\b(?:former|formerly|previous|previously|used to|earlier|old|original|originally|initial|initially|first)\b"
)
_AT_FIRST = re.compile(r"\b(?:originally|initially|at first)\b[^,.;:\n]{0,60}$")
_FIRST_THOUGHT = re.compile(
    r"\b(?:i|we) (?:initially|at first|first|originally|almost|nearly|mistakenly|wrongly|had (?:first|initially))"
    r"(?: (?!but\b)\w+){1,3} (?:(?:prof|dr|mr|mrs|ms)\.? )?$"
)
"""In front of a value that an answer thought of before it looked again: "I initially read this as"."""
_NO_LONGER = re.compile(
    r"\b(?:but|however|later|since|subsequently|before|then) [^.;\n]{0,20}?\b\w+(?:ed|ged|wn|nt|lt)\b"
)
"""Behind a value that was changed: "but has been re-assigned to"."""
DENIED_AFTER = re.compile(
    r"[\"')]*\s(?:\w+\s){0,2}?(?:"
    r"(?:is|was|are|were|does|did|do|has|had|have|will|can|could|would)\s(?:certainly |definitely )?not\b"
    r"(?! (?:only|just|merely))"
    r"|isnt|wasnt|arent|werent|doesnt|didnt|dont|hasnt|hadnt|wont|cant|cannot"
    r"|(?:is|was|would be)\s(?:\w+\s)?(?:incorrect|wrong|false|untrue|a mistake)\b"
    r"|no longer\b)"
)
FAMILY = 5
"""First letters that words of one family share: absent, absences."""
WINDOW = 6
"""Words before a value in which a negation reaches it."""

DOUBT = re.compile(
    r"\b(?:"
    r"not (?:entirely |completely |totally |really |quite |100% |absolutely |so )?(?:sure|certain)|unsure|uncertain"
    r"|(?:just|only|merely) (?:a guess|guessing)|my (?:best )?guess|i (?:would |will |d )?(?:guess|guessing)"
    r"|im guessing|i am guessing|(?:might|may|could) be (?:wrong|mistaken|incorrect)"
    r"|(?:cannot|cant) (?:confirm|verify|guarantee|be certain)"
    r"|if i had to guess|take (?:this|it) with a grain of salt|unclear (?:whether|if)"
    r")\b"
)
MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might be|may be|could be|might have|may have|could have|conceivably"
    r"|either(?! (?:year|case|way|side|party|quarter|period|month|approach|method|basis|measure|definition|view|metric"
    r"|of (?:the|these|those|them))\b))\b"
)
PERMISSION = re.compile(
    r"\b(?:allow\w*|permit\w*|permission|may|can|must|require[ds]?|who (?:is|are) (?:entitled|eligible))\b"
)
"""Questions to which "may be kept" is an answer, not a guess."""
ALLOWED = re.compile(
    r"\bmay be (?:only |also )?(?:sold|served|bought|purchased|kept|brought|taken|hired|lent|borrowed|consumed|drunk"
    r"|driven|operated|carried|parked|returned|exchanged|cancell?ed|refunded|claimed|submitted|admitted|employed|stored"
    r"|transferred|deducted|paid|worn|flown|ridden|sent|requested|asked|charged|required|checked)\b"
)
"""What is allowed, whatever is asked: "may be sold to persons from sixteen"."""
MAYBE_AFTER = re.compile(r"[\"')]*,? ?\(?(?:maybe|perhaps|possibly|i guess|or not)\b")
OR_AFTER = re.compile(
    r"[\"')*]*,? ?(?:/|(?:and/)?or\b)(?! (?:so|more|less|equivalently|rather|better|about)\b)"
    r"(?! (?:over|above|older|under|below|younger|fewer|beyond|upwards?)\b(?! \d))"
    r"(?! (?:by|via|through|call|phone|ring|telephone|contact|visit|write|see|online|in person)\b)"
    r"(?! (?:earlier|later|sooner|longer|higher|lower|even [a-z]+er) (?:if|when|where|in case|should|provided)\b)"
)
OR_BEFORE = re.compile(r"(?:\bor|/) ?(?:(?:the|a|in|on|by|at|of|it|is|was|even|with|[a-z]{3}) ){0,2}[\"'€$£]?$")
TAKEN_BACK = re.compile(
    r"[-,.;(\s]\s?(?:no(?=\s?[,:-]| [\d$€£\"'])|wait|sorry|correction|oops|scratch that|actually|i mean|or rather"
    r"|rather|my mistake|i misspoke|"
    r"let me correct that|on second thought)\b[,:]?\s?(?!(?:for|about|than|to|if|that|because|he|she|they|this|one|"
    r"other|longer|doubt|further|more|later)\b)(?=[\w$€£\"'(-])"
    r"|[.;!]\s(?:no|wait|sorry|correction)\s?[,:-]\s?(?=[\w$€£\"'(-])"
)
CONFIRMED = re.compile(r"\s*(?:yes|indeed|correct|right|exactly|that is (?:right|correct))\b")
_ALL_BUT = re.compile(
    r"\b(?:any|every|all|each) (?!more |longer )(?:[\w-]+ ){1,3}but (?:\w+ ){0,2}$"
    r"|\b(?:anything|anyone|anybody|everything|everyone|everybody|all|anywhere|everywhere) but (?:\w+ ){0,2}$"
)
_UNIT_END = re.compile(r"(?<=[\da-z] )[a-z]+$")
_UNIT_AHEAD = re.compile(r" ?\d[\d.,]* (?P<unit>[a-z]+)")
_PER_SLASH = re.compile(r" ?(?:/[a-z]|[a-z]* ?/ ?\d+ [a-z])")
"""Behind a figure: a rate ("2.50/hour"), or another count beside it ("8 days / 7 nights")."""
_COUNT_BEFORE = re.compile(r"\d [a-z]+ ?/ ?$")
_DENIED_BEFORE = re.compile(
    r"\b(?:not|isnt|wasnt|no longer|never|instead of|rather than)\s(?:the |a |on |in |at )?(?:[a-z]{3} )?[€$£]?$"
)
"""Before a value that is denied, and so no choice beside another one: "not 60 days, 30"."""
LINKED = re.compile(
    r" |\n(?:- )?"
    r"|(?: ?(?!(?:for|in|at|on|by|of|yes|no)\b)[a-z%€$£]{0,3} ?)(?:,|/|-|to|,? and|,? or|&|as well as)"
    r"(?: (?:in|on|the|of|from))* ?(?:[a-z]{3} |[€$£])?"
)
STARTS = re.compile(r"\b(?:start\w*|beg[aiu]n\w*|open\w*|commenc\w*|launch\w*|initiat\w*|from|since|first)\b")
ENDS = re.compile(r"\b(?:end\w*|clos\w*|finish\w*|complet\w*|expir\w*|matur\w*|until|last)\b")
DIVIDED = re.compile(r"[)\]]* / [(\[]?[€$£]?\d")
SHARE = re.compile(r"%|percent|per cent")
FIGURE_AHEAD = re.compile(r"[^\d.;\n]{0,16}\d[\d.,]*(?P<share> ?(?:%|percent|per cent))?")
FIGURE_BEHIND = re.compile(r"\d[\d.,]*(?P<share> ?(?:%|percent|per cent))?")
CHANGED = re.compile(
    r"\b(?:increas|decreas|grew|grow|rose|rise|fell|fall|improv|declin|chang|drop|went|moved|up|down|expand|"
    r"widen|narrow|"
    r"climb|jump|slip|shr[aiu]nk|reduc)\w*\b[^.\n;]{0,80}\b(?:from|by) (?:[a-z]{3} |[€$£])?$"
)
BY_HOW_MUCH = re.compile(r"\bby (?:[a-z]{3} |[€$£])?$")
EXCLUDED = re.compile(r"\b(?:exclu(?:ded?|des|sions?)|exempt\w*|prohibited|forbidden|banned|unavailable|ineligible)\b")
_LEFT_OUT = re.compile(
    r"\b(?:skip\w*|omit\w*|miss(?:es|ed|ing)?|lacks?|lacking|leaves? out|left out|does not|do not|doesnt|dont|not)\b"
)
"""Questions for what something leaves out, which an answer may deny of it: "does not call at"."""
RESPECTIVELY = re.compile(r"\brespective(?:ly)?\b")
WORD = re.compile(r"[^\W_]+")
_FUNCTION_WORDS = """
a an the of in on at to by for from with and or is are was were be been it its this that as has have had do does
did which who what when where how i you we they he she there
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why a value that stands in an answer is not what the answer says.

    Attributes:
        rule: "negated", "hedged", "several values", "retracted", "question", "echo" or "abstained".
        reason: One sentence a person can check.
    """

    rule: str
    reason: str


def objection(
    hit: Hit, text: str, question: str, hits: Sequence[Hit], others: Sequence[tuple[int, int]], *, many: bool
) -> Objection | None:
    """Why a hit does not count, or None where it does.

    Args:
        hit: The value in question.
        text: Match text of the answer.
        question: Match text of the question.
        hits: Every hit of every acceptable answer; two spellings of one value beside each other are no choice.
        others: Spans of other values of its kind.
        many: Whether several values are wanted, so that an enumeration is no choice.
    """
    value = text[hit.start : hit.end]
    before = text[max(0, hit.start - REACH) : hit.start]
    after = text[hit.end : hit.end + REACH]
    sentence_before = _after_last(SENTENCE_BORDER, before)
    ends = SENTENCE_BORDER.search(after)
    sentence_after = after[: ends.start()] if ends else after
    if ends and ends[0] == "?" and not CONFIRMED.match(after, ends.end()):
        return Objection(rule="question", reason=f'"{value}" stands in a question, which states nothing.')
    if is_echo(hit, text, question):
        return Objection(rule="echo", reason=f'"{value}" only repeats words of the question.')
    clause_before = _after_last(CLAUSE_BORDER, sentence_before)
    if (word := negation(clause_before, value, sentence_after, question)) and not (
        _asks_what_is_not(question) and not EXCLUDED.search(clause_before + value + sentence_after)
    ):
        return Objection(rule="negated", reason=f'"{value}" is denied: "{word}".')
    if _AT_FIRST.search(sentence_before) and _NO_LONGER.search(sentence_after) and not FORMER.search(question):
        return Objection(rule="other value", reason=f'"{value}" is what it was at first.')
    if hit.rule in {"text", "name"} and (thought := _FIRST_THOUGHT.search(before)):
        return Objection(rule="retracted", reason=f'"{value}" is taken back: "{thought[0].strip()}".')
    if all_but := _ALL_BUT.search(sentence_before):
        return Objection(rule="negated", reason=f'"{value}" is denied: "{all_but[0].strip()}".')
    turned = _after_last(TURN, sentence_before)
    no_answer = None if _CONCLUDED_AS.search(turned) else find_gap(turned)
    if no_answer and not _is_asked_about(no_answer[0], question) and ":" not in turned[no_answer.end() :]:
        return Objection(rule="abstained", reason=f'The answer says "{no_answer[0]}" before it names "{value}".')
    # a long answer with figures may doubt one thing and state another
    nearby = (
        text[: 20 * REACH]
        if hit.rule != "number" or len(text) < 2 * REACH
        else sentence_before + value + sentence_after
    )
    if word := _doubt(clause_before, sentence_after, nearby, permitted=bool(PERMISSION.search(question))):
        return Objection(rule="hedged", reason=f'"{value}" is only a guess: "{word}".')
    if not many and (
        rival := _rival(hit, text, question, clause_before, sentence_before, sentence_after, hits, others)
    ):
        return Objection(rule=rival[0], reason=rival[1])
    if retraction := _taken_back(after, hit, hits):
        return Objection(rule="retracted", reason=f'"{value}" is taken back: "{retraction}".')
    return None


def _is_asked_about(gap: str, question: str) -> bool:
    """Whether the last word of a gap is of the family of a word of the question: "was absent" for absences."""
    word = WORD.findall(gap)[-1]
    return len(word) >= FAMILY and any(asked.startswith(word[:FAMILY]) for asked in WORD.findall(question))


def _asks_what_is_not(question: str) -> bool:
    """Whether a question asks what is excluded, so that "not in the UK" names it."""
    return bool(EXCLUDED.search(question) or _LEFT_OUT.search(question))


def negation(clause_before: str, value: str, sentence_after: str, question: str) -> str:
    """The words that deny a value, or empty.

    >>> negation("it is not ", "ann lee", "", ""), negation("it is not only ", "ann lee", "", "")
    ('not', '')
    """
    plain = _SET_APART.sub(" ", NO_NEGATION.sub(" ", clause_before))
    for word in WORD.findall(plain)[-WINDOW:]:
        if word in NEGATORS:
            return str(word)
    phrase = PHRASES_BEFORE.search(plain)
    if phrase and not (
        phrase[0].startswith("no ") and value[:1].isdigit() and not re.search(r"\b(?:has|have|had) no $", plain)
    ):
        words = str(phrase[0]).strip()
        if not (FORMER.search(words) and FORMER.search(question)):
            return words
    denied = DENIED_AFTER.match(sentence_after)
    return denied[0].strip(" \"')") if denied else ""


def is_echo(hit: Hit, text: str, question: str) -> bool:
    """Whether a value stands in the answer only as the same piece of the question does.

    The question names "Paris Branch", the reference is "Paris": "Paris Branch" in the answer is the question's name
    again. It is an echo where a neighbouring word that carries meaning is the same on the same side; for figures any
    neighbour counts. Where the question offers a choice ("A or B") only figures and quoted names count.
    """
    value = text[hit.start : hit.end]
    if value not in question:
        return False
    figures = hit.rule in {"number", "date", "range"}
    choice = " or " in question
    left, right = _neighbours(text, hit.start, hit.end)
    place = question.find(value)
    tries = 0
    while place != -1 and tries < 50:
        tries += 1
        asked_left, asked_right = _neighbours(question, place, place + len(value))
        for own, other in ((left, asked_left), (right, asked_right)):
            telling = figures or own not in FUNCTION_WORDS
            if own and own == other and telling and not choice:
                return True
        place = question.find(value, place + 1)
    return False


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The words directly beside a span, empty across a sentence border or a comma."""
    before = re.search(r"([^\W_]+)[ \"'-]{0,3}$", text[max(0, start - 40) : start])
    after = re.match(r"[ \"'-]{0,3}([^\W_]+)", text[end : end + 40])
    return (before[1] if before else ""), (after[1] if after else "")


def _after_last(border: re.Pattern[str], text: str) -> str:
    place = 0
    for match in border.finditer(text):
        place = match.end()
    return text[place:]


def _doubt(clause_before: str, sentence_after: str, text: str, *, permitted: bool) -> str:
    match = DOUBT.search(text)
    if match is None:
        window = " ".join(clause_before.split()[-WINDOW:])
        window = ALLOWED.sub(" ", window)
        if permitted:
            window = window.replace("may be", "").replace("may have", "")
        match = MAYBE.search(window) or MAYBE_AFTER.match(sentence_after)
    return match[0].strip(" ,(\"')") if match else ""


def _rival(
    hit: Hit,
    text: str,
    question: str,
    clause_before: str,
    sentence_before: str,
    sentence_after: str,
    hits: Sequence[Hit],
    others: Sequence[tuple[int, int]],
) -> tuple[str, str] | None:
    value = text[hit.start : hit.end]
    is_number = hit.rule == "number"
    after = OR_AFTER.match(sentence_after)
    if after and is_number and _is_no_choice(value, sentence_after, after.end()):
        after = None
    if after and not _near([other.start for other in hits], hit.end + after.end(), 20):
        offered = (value + sentence_after[:40]).strip()
        return "hedged", f'The answer leaves a choice: "{offered}".'
    before = OR_BEFORE.search(clause_before)
    if is_number and (_COUNT_BEFORE.search(clause_before) or _of_another_kind_before(value, sentence_before)):
        before = None
    if before and not _near([other.end for other in hits], hit.start - len(before[0]), 8, backwards=True):
        return "hedged", f'The answer leaves a choice: "{(clause_before[-40:] + value).strip()}".'
    if RESPECTIVELY.search(text[hit.start : hit.start + REACH]):
        return None
    told = [span for span in others if not _DENIED_BEFORE.search(text[max(0, span[0] - 24) : span[0]])]
    for start, end in told:
        gap = text[end : hit.start] if end <= hit.start else text[hit.end : start]
        if is_number and gap == " / ":
            continue
        if is_number and gap.strip(" $€£") == "to" and _of_a_change(text, min(start, hit.start), end <= hit.start):
            continue
        if hit.rule == "date" and _is_end_asked_for(gap, question, first=hit.start < start):
            continue
        if len(gap) <= 24 and LINKED.fullmatch(gap):
            listed = text[min(start, hit.start) : max(end, hit.end)]
            return "several values", f'The answer gives several values: "{listed}".'
    return None


def _is_no_choice(value: str, after: str, place: int) -> bool:
    """Whether "or" and "/" behind a figure leave no choice: a rate, a fraction, a figure of another kind or unit."""
    ahead = after[place:]
    return bool(
        _other_unit(value, ahead) or _PER_SLASH.match(after) or DIVIDED.match(after) or _of_another_kind(value, ahead)
    )


def _of_a_change(text: str, start: int, second: bool) -> bool:
    """Whether a figure before or behind "to" tells a change: the new value, or by how much ("fell by 5 to 20")."""
    change = CHANGED.search(text[max(0, start - 140) : start])
    return change is not None and (second or BY_HOW_MUCH.search(change[0]) is not None)


def _other_unit(value: str, after: str) -> bool:
    """Whether a figure behind "or" has another unit, so that both may hold: "8 years or 160,000 km"."""
    own, other = _UNIT_END.search(value), _UNIT_AHEAD.match(after)
    return bool(own and other and own[0] != other["unit"] and own[0][:4] != other["unit"][:4])


def _of_another_kind(value: str, after: str) -> bool:
    """Whether a figure behind "or" is of another kind ("5% or $6.8 billion"), so that both may be meant."""
    figure = FIGURE_AHEAD.match(after)
    return figure is not None and bool(figure["share"]) != bool(SHARE.search(value))


def _of_another_kind_before(value: str, before: str) -> bool:
    figures = list(FIGURE_BEHIND.finditer(before[-60:]))
    return bool(figures) and bool(figures[-1]["share"]) != bool(SHARE.search(value))


def _is_end_asked_for(gap: str, question: str, *, first: bool) -> bool:
    """Whether the value is the end of a period ("from A to B") that the question asks for."""
    if gap.strip() not in {"to", "until", "till", "-", "through"}:
        return False
    return bool((STARTS if first else ENDS).search(question))


def _near(places: Sequence[int], place: int, reach: int, *, backwards: bool = False) -> bool:
    if backwards:
        return any(place - reach <= other <= place + 1 for other in places)
    return any(place <= other <= place + reach for other in places)


def _taken_back(after: str, hit: Hit, hits: Sequence[Hit]) -> str:
    match = TAKEN_BACK.search(after)
    if match is None or any(other.start > hit.end for other in hits):
        return ""
    return after[match.start() : match.end() + 30].strip(" ,.;-(")
