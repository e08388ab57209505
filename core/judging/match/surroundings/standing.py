"""Whether a name stands where the question is answered, or is only mentioned in passing."""

from __future__ import annotations

import re

from core.judging.match.readers.figures.numbers import find_numbers
from core.judging.match.surroundings.language import CLAUSE_BORDER, SENTENCE_BORDER, SUPERLATIVE, WORD
from core.judging.match.surroundings.objections import IN_PASSING, Objection, is_asked, undecided
from core.judging.match.surroundings.relations import REACH, in_relation
from core.judging.match.surroundings.sentences import telling_stems
from core.judging.match.values import Hit
from core.text.words import stem

_WEIGHED = (
    "(?:consider|evaluat|reject|nominat|shortlist|propos|suggest|rul(?:ed|ing) out|pass(?:ed)? over|dropp"
    "|discard|interview"
    "|turn(?:ed)? down|compar|dismiss|declin|discuss|abandon)"
)
_WEIGHED_AFTER = re.compile(
    rf"[\"')]*(?: [\w-]+)?? (?:was|were|is|are|had been|has been|have been|being|got)(?: [\w-]+)?? {_WEIGHED}\w*"
)
_CANDIDATES = re.compile(
    r"\b(?:candidates?|options?|shortlist(?:ed)?|finalists?|applicants?|contenders?|alternatives?|nominees?|nominated"
    r"|considered|possibilities|rivals?|competitors?"
    r"|(?:race|contest|competition|choice|decision|toss-?up|tie|(?:close|tough) call) between)\b"
)
_RANKED_AFTER = re.compile(
    r"\W*(?:came|comes|was|is|are|were|ranks?|ranked|finished|placed|follow(?:s|ed)?)(?: in| at)?(?: the)? "
    r"(?P<place>second|third|fourth|fifth|next|last|behind|after)\b"
    r"|\W*(?P<follows>follow(?:s|ed)?)(?=\W*$|[.,;]| (?:with|at|in)\b)"
)
_WITH_BEFORE = re.compile(r"\bwith (?:the )?$")
_RANKED = re.compile(r"\W*(?:in )?(?P<place>second|third|fourth|fifth|next|last)\b")
_FORMER_BEFORE = re.compile(
    r"\b(?P<word>former|previous|outgoing|retired|deposed|ex)[ _-](?:[a-z]+[ _-]){0,2}?[a-z]+\W{1,5}$"
)
_FROM = re.compile(
    r"\b(?P<act>mov|relocat|transferr|switch|chang|renam|convert|migrat|upgrad|downgrad|rebrand|revis|amend|turn)\w*"
    r"\b[^,.;:]{0,60}?\bfrom (?:the |an? )?$"
)
_RAISED_FROM = re.compile(r"\b(?:rais|lower|upgrad|downgrad|promot|demot)\w* from (?:the |an? )?$")
"""What something no longer is, whatever it became."""
_TO_ASKED = re.compile(
    r"\b(?:mov|relocat|transfer|switch|chang|renam|convert|migrat|upgrad|downgrad|rebrand|turn)[a-z]*"
    r"(?: [\w'-]+){0,2}? (?:in)?to\b(?! from\b)"
)
"""A question for where something went, whatever else it says."""
_TO = re.compile(r"[\"')]* (?:\([^)]*\) )?(?:in(?:to)?|to) [\"'(]?\w")
_FROM_ASKED = re.compile(
    r"\b(?:from|former\w*|previous\w*|origin\w*|before|earlier|was|were|did|start\w*|old|first|until|initial\w*)\b"
)
_LEFT_AFTER = re.compile(
    r"[\"')]*\.? (?:had |has |have )?(?:resigned|retired|left|stepped down|quit|departed|died|withdrew|was dismissed"
    r"|dropped|ended|stopped|pulled out|gave up|was removed|was replaced|was sold|was closed|was dropped"
    r"|was discontinued|expired|ceased)\b"
)
_SETTLED = re.compile(
    r"\b(?:but|before|and|then)(?: has| have| had| was| were| it| they| we| he| she)*(?: then| finally| eventually"
    r"| ultimately| instead| later)* "
    r"(?:settled|settling|chose|choosing|opted|opting|decided|deciding|picked|picking|selected|selecting"
    r"|went (?:for|with)"
    r"|going (?:for|with)|signed with|hired|hiring|appointed|appointing)\b"
)
_WEIGHED_BEFORE = re.compile(rf"\b{_WEIGHED}\w*\b(?! (?:as|to be)\b)")
_OF_SOMETHING = re.compile(
    r"\b(?:an?|his|her|its|their) (?:[a-z-]+ ){0,2}?(?P<what>[a-z]{3,}) of (?:the )?$"
    r"(?<!city of )(?<!state of )(?<!town of )(?<!name of )(?<!member of )(?<!subsidiary of )(?<!part of"
    r" )(?<!kind of )(?<!type of )"
)
"""Behind which a name says whose something is: "a pupil of"."""
_OTHERS_SAY = re.compile(
    r"\b(?:many|some|most|others?|people|one|often|commonly|widely|popularly|usually|wrongly|mistakenly"
    r"|falsely)\b(?: \w+){0,3}? "
    r"(?:say|says|said|think|thinks|thought|believe[sd]?|assume[sd]?|claim(?:s|ed)?|guess(?:es|ed)?|expect(?:s|ed)?"
    r"|confuse[sd]?|name|answer)\b[^,.;:]{0,20}$"
)
_MOST_ASKED = re.compile(r"\b(?:most|highest|largest|biggest|greatest|longest|heaviest|tallest|oldest|top)\b")
_LEAST_ASKED = re.compile(r"\b(?:least|fewest|lowest|smallest|shortest|lightest|youngest|cheapest)\b")
_WORST_ASKED = re.compile(r"\b(?:worst|weakest|poorest|slowest|last)\b")
_BESIDE = re.compile(r"[\"')]*,? ?(?:[:(-] ?|(?:with|has|had|made|produced|of|at) )?(?P<figure>[€$£]?\d)")
"""A figure directly behind a name."""
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_OF_ANOTHER = re.compile(
    r"(?:\band|\bwhile|\bbut|\bthan|[,;]) (?!(?:after|in|or|from|up|down|before|total|about|an?|the|of|at|with)\b)"
    r"[\w'-]+(?: [\w'-]+)?(?:[:(]| with| had| made| of| at)? ?[€$£]?$|[\w'-]{3,} \([€$£]?$"
)
"""In front of a figure that stands beside another name."""
_UNTIL = re.compile(r"\b(?:until|till|up to|before (?:that|then|[12]\d{3}))\b")
_SINCE = re.compile(r"\b(?:since then|now|today|currently|afterwards|thereafter|from then on|nowadays)\b")
_UNTIL_ASKED = re.compile(r"\b(?:until|before|was|were|former\w*|previous\w*|origin\w*)\b")


def standing(hit: Hit, text: str, question: str) -> Objection | None:
    """Why a name that stands in an answer may not be its answer, or None.

    Args:
        hit: Where the reference stands; its words are neither denied nor hedged.
        text: Match text of the answer.
        question: Match text of the question.

    >>> answer = "the branch is run by bob roy, who succeeded ann lee."
    >>> standing(Hit(rule="text", start=44, end=51, reason=""), answer, "who runs the branch?").rule
    'needs a judge'
    """
    value = text[hit.start : hit.end]
    start, end = _sentence(text, hit)
    before, after = text[start : hit.start], text[hit.end : end]
    clause = after[: border.start()] if (border := CLAUSE_BORDER.search(after)) else after
    weighed = _WEIGHED_AFTER.match(clause)
    if weighed and not is_asked(weighed[0], question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is only mentioned: "{(value + weighed[0]).strip()}".')
    candidates = _CANDIDATES.search(before)
    if candidates and not is_asked(candidates[0], question) and "," not in before[: candidates.start()]:
        behind = before[candidates.end() :]
        if len(WORD.findall(behind)) <= 12 and not re.search(r"\b(?:but|chosen|selected|picked)\b", behind):
            return Objection(rule=IN_PASSING, reason=f'"{value}" is one of the {candidates[0]} only.')
    if ranked := _ranked(before, clause, question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is not the one asked for: "{(value + ranked).strip()}".')
    if _UNTIL.search(clause) and _SINCE.search(text[hit.end : hit.end + REACH]) and not _UNTIL_ASKED.search(question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is said to be so no longer.')
    return (
        _of_the_past(value, before, after, question, last=not text[end:].strip(" .!"))
        or weighed_only(hit, text, question)
        or in_relation(hit, text, (start, end), question)
    )


def _ranked(before: str, clause: str, question: str) -> str:
    """The words behind a name that rank it behind another one, where a question does not ask for that place."""
    ranked = _RANKED_AFTER.match(clause) or (_WITH_BEFORE.search(before) and _RANKED.match(clause))
    if not ranked:
        return ""
    place = ranked.groupdict().get("place") or "second"
    if place == "last" and (_LEAST_ASKED.search(question) or _WORST_ASKED.search(question)):
        return ""
    return "" if is_asked(place, question) else str(ranked[0])


def is_outranked(hit: Hit, text: str, question: str) -> bool:
    """Whether a name is ranked behind another one where the question asks for the first: wherever else it stands.

    >>> answer = "1. north 2. south. south was the largest. north was second."
    >>> is_outranked(Hit(rule="text", start=42, end=47, reason=""), answer, "which area is the largest?")
    True
    """
    if not SUPERLATIVE.search(question):
        return False
    start, end = _sentence(text, hit)
    return bool(_ranked(text[start : hit.start], text[hit.end : end], question))


def outdone(hit: Hit, text: str, question: str) -> str:
    """The figure of another name in a sentence that is more than the one beside a name, where the most is asked for.

    Args:
        hit: Where the name stands.
        text: Match text of the answer.
        question: Match text of the question.

    >>> answer = "linden honey: aro 210 kg and beka 340 kg."
    >>> outdone(Hit(rule="text", start=14, end=17, reason=""), answer, "which apiary made the most linden honey?")
    '340 kg'
    """
    most, least = _MOST_ASKED.search(question), _LEAST_ASKED.search(question)
    if bool(most) == bool(least):
        return ""
    start, end = _sentence(text, hit)
    own = _BESIDE.match(text, hit.end, end)
    numbers = [number for number in find_numbers(text[start:end]) if not number.word]
    mine = next((number for number in numbers if own and number.start == own.start("figure") - start), None)
    if mine is None:
        return ""
    others = [number for number in numbers if number != mine and number.unit == mine.unit]
    others = [number for number in others if number.currency == mine.currency and _YEAR.fullmatch(number.text) is None]
    others = [number for number in others if _OF_ANOTHER.search(text[start : start + number.start])]
    beyond = [number for number in others if (number.value > mine.value) == bool(most) and number.value != mine.value]
    return beyond[0].text.strip() if beyond and (mine.unit or mine.currency or len(numbers) == 2) else ""


def has_superlative(hit: Hit, text: str) -> bool:
    """Whether the sentence of a name says that something is the first of several."""
    start, end = _sentence(text, hit)
    return SUPERLATIVE.search(text[start:end]) is not None


def _of_the_past(value: str, before: str, after: str, question: str, *, last: bool) -> Objection | None:
    """Whether a name is what others say, or was so before; `last` where nothing follows its sentence."""
    if (said := _OTHERS_SAY.search(before)) and not last:
        return undecided(f'"{value}" is what others say: "{said[0].strip()} {value}".')
    former = _FORMER_BEFORE.search(before)
    if former and not _FROM_ASKED.search(question):
        return Objection(
            rule=IN_PASSING, reason=f'"{value}" is the {former["word"]} one: "{former[0].strip()} {value}".'
        )
    moved = _FROM.search(before)
    if moved and _TO.match(after) and (_TO_ASKED.search(question) or not _FROM_ASKED.search(question)):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is what it was before: "{moved[0].strip()} {value}".')
    raised = _RAISED_FROM.search(before)
    if raised and not _FROM_ASKED.search(question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is what it was before: "{raised[0].strip()} {value}".')
    of = _OF_SOMETHING.search(before)
    if of and not is_asked(of["what"], question) and stem(of["what"]) not in telling_stems(value):
        return undecided(f'"{value}" stands in relation to something else: "{of[0].strip()} {value}".')
    return None


def weighed_only(hit: Hit, text: str, question: str) -> Objection | None:
    """Whether a name is one of those that were weighed before another was taken, or has left since; or None.

    >>> answer = "it considered france and italy but settled on spain."
    >>> weighed_only(Hit(rule="text", start=14, end=20, reason=""), answer, "where does it invest?").rule
    'in passing'
    """
    start, end = _sentence(text, hit)
    before, after = text[start : hit.start], text[hit.end : end]
    left = _LEFT_AFTER.match(after)
    if left and not is_asked(left[0], question) and not _FROM_ASKED.search(question):
        value = text[hit.start : hit.end]
        return undecided(f'"{value}" is said to be so no longer: "{(value + left[0]).strip()}".')
    weighed, settled = _WEIGHED_BEFORE.search(before), _SETTLED.search(after)
    if not weighed or not settled or is_asked(weighed[0], question):
        return None
    value = text[hit.start : hit.end]
    return Objection(rule=IN_PASSING, reason=f'"{value}" was only weighed: "{weighed[0]} ... {settled[0].strip()}".')


def _sentence(text: str, hit: Hit) -> tuple[int, int]:
    start = max(0, hit.start - REACH)
    for border in SENTENCE_BORDER.finditer(text, start, hit.start):
        start = border.end()
    stop = SENTENCE_BORDER.search(text, hit.end, hit.end + REACH)
    return start, stop.start() if stop else min(len(text), hit.end + REACH)
