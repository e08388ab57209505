"""Whether a name stands where the question is answered, or is only mentioned in passing."""

from __future__ import annotations

import re

from core.judging.match.surroundings.context import CLAUSE_BORDER, SENTENCE_BORDER, Objection
from core.judging.match.surroundings.sentences import telling_stems
from core.judging.match.values import Hit
from core.text.words import stem

NEEDS_A_JUDGE = "needs a judge"
"""The rule of what words cannot decide: it is not judged."""
IN_PASSING = "in passing"
REACH = 600
"""Characters on each side of a name that are read."""
_WORD = re.compile(r"[^\W_]+")
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
_RELATED = re.compile(
    r"\b(inform(?:s|ed)|notif(?:ies|ied|y)|consult(?:s|ed)|advis(?:es|ed)|tells|told|thank(?:s|ed)"
    r"|(?:assisted|accompanied|supported|witnessed|observed|supervised|helped) by|together with|with help from"
    r"|ahead of|followed by"
    r"|succeed(?:ed|s|ing)|replac(?:ed|es|ing)|report(?:s|ed|ing) to|predecessor|successor|deputy|assistant"
    r"|married to"
    r"|(?:wife|husband|son|daughter|brother|sister|friend|colleague|rival|neighbour) of|near|close to|opposite|outside"
    r"|below|above|beneath|beside|next to|adjacent to|alongside|across from|(?:right|just) behind|in front of"
    r"|(?:just|right|immediately|directly) (?:before|after)|one (?:before|after)"
    r"|among (?:them|these|those|whom|which|others)(?: (?:one|some|two|entries|designs?))?(?: (?:by|from|of))?"
    r"|(?:km|kilomet(?:er|re)s?|miles?|met(?:er|re)s?|minutes?|hours?|drive|walk)(?: away| drive| walk| north| south"
    r"| east| west)? (?:from|of|to)"
    r"|(?:north|south|east|west|northeast|northwest|southeast|southwest) of|translated from|took over from"
    r"|taking over from|derived from|similar to|different from|compared (?:to|with)|modelled on|named after|worse than"
    r"|better than|(?:larger|smaller|older|newer|higher|lower) than)(?: (?:to|of))?(?: (?:is|was|are|were))?"
    r"(?: (?:the|a|an))?\W*$"
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
_UNTIL = re.compile(r"\b(?:until|till|up to|before (?:that|then|[12]\d{3}))\b")
_SINCE = re.compile(r"\b(?:since then|now|today|currently|afterwards|thereafter|from then on|nowadays)\b")
_UNTIL_ASKED = re.compile(r"\b(?:until|before|was|were|former\w*|previous\w*|origin\w*)\b")
_DUTY = re.compile(
    r"\W*(?:must|should|may|can|will|has to|have to|needs to|is to)(?: also| then| be)* (?P<act>[a-z]+)\b"
)
_GOES_ON = re.compile(
    r"^\W*(?:it|its|this|that|these|those|he|she|they|his|her|their|who|the (?:answer|latter|former|current|new"
    r"|name|one)"
    r"|there|here|so|thus|therefore|hence)\b"
)
_ACT = re.compile(r"\b(?P<act>[a-z]{3,}) (?:by|in|at|on|to|from|for|with) (?:the |an? )?")
_ACT_LATER = re.compile(r"\b(?P<act>[a-z]{2,}ed) (?!by\b)(?:[\w-]+ ){1,4}?by (?:the |an? )?")
_CALLED = re.compile(
    r"\b(?:what|which) (?:is|was) (?:the|its|his|her|their) (?P<what>[\w '-]{3,40}?) (?:of|for|on|in)\b"
)
"""What a question wants, in its own words: "what is the serial number of"."""
_DETERMINED = re.compile(r"\b(?:the|an?|its|his|her|their|our|your|this|that)\s+$")
"""In front of a noun: "took over the account from" is no accounting."""
_PAST = ("ed", "en", "wn", "lt", "ht", "de", "un", "nt")
_JOINED = re.compile(r"^(?:[^.;]{0,60}?)(?:\bbut\b|\band\b|,|\bwhile\b|\bwhereas\b)")
_THEREFORE = re.compile(r"\b(?:therefore|thus|hence)\b|^\W*so\b")
_SUPERLATIVE = re.compile(
    r"\b(?:highest|lowest|largest|smallest|biggest|greatest|oldest|newest|longest|shortest|best|worst|most|least|fewest"
    r"|cheapest|earliest|latest|first|last)\b"
)
MOST_SHOWN = 40
SHORT = 160
"""Characters of an answer that may be no more than a name with a remark."""
FEW_WORDS = 6
_LEAD = re.compile(r"^(?:(?:the|an?|in|at|by|on) )?(?P<lead>[a-z][\w' -]{1,40}?)(?:[,;]\s|\.\s(?=the |it ))")
_CLAUSE_START = re.compile(r"[,;:]\s|[.](?=\s|$)|\s(?:and|but|while|whereas)\s")
_NO_LEAD_WORDS = """
yes no well so thus according based as if when while although though however sure ok okay hi hello thanks sorry
unfortunately therefore hence today now then here there this that it he she they we you i overall also from for
during after before under since because given per both all currently answer none nothing not never
"""
_NO_LEAD = frozenset(_NO_LEAD_WORDS.split())
_LEADER = re.compile(r"\b(?:(?:line |direct )?manager|supervisor|boss|superior|team lead|reports? to)\b")
_MANY = re.compile(r"\b(?:are|were|have|do|did|list|all|names|every|each|any)\b")
_MAINLY = re.compile(r",? (?:mainly|mostly|especially|particularly|in particular|primarily|notably|including)\b")
"""Behind a value, what is said of it in detail."""
_PART = re.compile(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
MOST_WORDS = 4
"""The most words of a part of an enumeration of names."""


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
    if weighed and not _asked(weighed[0], question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is only mentioned: "{(value + weighed[0]).strip()}".')
    candidates = _CANDIDATES.search(before)
    if candidates and not _asked(candidates[0], question) and "," not in before[: candidates.start()]:
        behind = before[candidates.end() :]
        if len(_WORD.findall(behind)) <= 12 and not re.search(r"\b(?:but|chosen|selected|picked)\b", behind):
            return Objection(rule=IN_PASSING, reason=f'"{value}" is one of the {candidates[0]} only.')
    if ranked := _ranked(before, clause, question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is not the one asked for: "{(value + ranked).strip()}".')
    if _UNTIL.search(clause) and _SINCE.search(text[hit.end : hit.end + REACH]) and not _UNTIL_ASKED.search(question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is said to be so no longer.')
    return (
        _of_the_past(value, before, after, question, last=not text[end:].strip(" .!"))
        or weighed_only(hit, text, question)
        or _in_relation(hit, text, (start, end), question)
    )


def _ranked(before: str, clause: str, question: str) -> str:
    """The words behind a name that rank it behind another one, where a question does not ask for that place."""
    ranked = _RANKED_AFTER.match(clause) or (_WITH_BEFORE.search(before) and _RANKED.match(clause))
    if not ranked:
        return ""
    place = ranked.groupdict().get("place") or "second"
    return "" if _asked(place, question) else str(ranked[0])


def is_outranked(hit: Hit, text: str, question: str) -> bool:
    """Whether a name is ranked behind another one where the question asks for the first: wherever else it stands.

    >>> answer = "1. north 2. south. south was the largest. north was second."
    >>> is_outranked(Hit(rule="text", start=42, end=47, reason=""), answer, "which area is the largest?")
    True
    """
    if not _SUPERLATIVE.search(question):
        return False
    start, end = _sentence(text, hit)
    return bool(_ranked(text[start : hit.start], text[hit.end : end], question))


def has_superlative(hit: Hit, text: str) -> bool:
    """Whether the sentence of a name says that something is the first of several."""
    start, end = _sentence(text, hit)
    return _SUPERLATIVE.search(text[start:end]) is not None


def _of_the_past(value: str, before: str, after: str, question: str, *, last: bool) -> Objection | None:
    """Whether a name is what others say, or was so before; `last` where nothing follows its sentence."""
    if (said := _OTHERS_SAY.search(before)) and not last:
        return _undecided(f'"{value}" is what others say: "{said[0].strip()} {value}".')
    former = _FORMER_BEFORE.search(before)
    if former and not _FROM_ASKED.search(question):
        return Objection(
            rule=IN_PASSING, reason=f'"{value}" is the {former["word"]} one: "{former[0].strip()} {value}".'
        )
    moved = _FROM.search(before)
    if moved and _TO.match(after) and (_TO_ASKED.search(question) or not _FROM_ASKED.search(question)):
        return Objection(rule=IN_PASSING, reason=f'"{value}" is what it was before: "{moved[0].strip()} {value}".')
    of = _OF_SOMETHING.search(before)
    if of and not _asked(of["what"], question) and stem(of["what"]) not in telling_stems(value):
        return _undecided(f'"{value}" stands in relation to something else: "{of[0].strip()} {value}".')
    return None


def _in_relation(hit: Hit, text: str, span: tuple[int, int], question: str) -> Objection | None:
    """Whether a name stands in relation to something else, among others, or in another sentence than the answer's."""
    value = text[hit.start : hit.end]
    before, after = text[span[0] : hit.start], text[hit.end : span[1]]
    duty = _DUTY.match(after)
    if (
        duty
        and stem(duty["act"]) not in telling_stems(question)
        and telling_stems(after[duty.end() :]) & telling_stems(question)
    ):
        return _undecided(f'"{value}" does something else in the answer: "{(value + duty[0]).strip()}".')
    related = _RELATED.search(before)
    if related and not _asked(related[1], question) and not _is_led_by(related[1], question):
        return _undecided(f'"{value}" stands in relation to something else: "{related[0].strip()} {value}".')
    if lead := _leads(hit, text, question):
        return _undecided(f'The answer begins with "{lead}", which is something else.')
    if of := _of_another_kind(hit, text, span, question):
        return _undecided(f'"{value}" is said of something else than "{of}".')
    if act := _another_act(before, after, question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" stands with another act than the one asked for: "{act}".')
    if not _MANY.search(question) and (others := _others(before, value, after)):
        return _undecided(f'"{value}" is one of several: "{others}".')
    if other := _answered_elsewhere(text, span, value, question):
        return _undecided(f'"{value}" stands in another sentence than the one about the question ("{other}").')
    return None


def _is_led_by(relation: str, question: str) -> bool:
    """Whether "reports to" names who leads somebody, which is asked."""
    return relation.startswith("report") and _LEADER.search(question) is not None


def _leads(hit: Hit, text: str, question: str) -> str:
    """A name or a thing with which a short answer begins and answers, where the reference stands in a later clause."""
    lead = _LEAD.match(text)
    if lead is None or lead.end() > hit.start or len(text) > SHORT:
        return ""
    words = _WORD.findall(lead["lead"])
    if not 1 <= len(words) <= MOST_WORDS or words[0] in _NO_LEAD or any(word.endswith("ly") for word in words):
        return ""
    value = text[hit.start : hit.end]
    clause = _CLAUSE_START.split(text[: hit.start])[-1] + value + _CLAUSE_START.split(text[hit.end :])[0]
    own = telling_stems(lead["lead"])
    if (
        not own
        or own & (telling_stems(question) | telling_stems(value))
        or telling_stems(clause) & telling_stems(question) - telling_stems(value)
    ):
        return ""
    return lead["lead"] if telling_stems(clause) - telling_stems(value) else ""


def _of_another_kind(hit: Hit, text: str, span: tuple[int, int], question: str) -> str:
    """The clause that names what is asked about in full, where the reference's names another one of its kind."""
    value = text[hit.start : hit.end]
    asked = telling_stems(question) - telling_stems(value)
    clauses = []
    start = span[0]
    for border in [*_CLAUSE_START.finditer(text, *span), None]:
        stop = border.start() if border else span[1]
        clauses.append((start, stop))
        start = border.end() if border else stop
    own = next((text[start:stop] for start, stop in clauses if start <= hit.start < stop), "")
    named = telling_stems(own) & asked
    modified = telling_stems(own) - asked - telling_stems(value)
    if not named or not modified:
        return ""
    for start, stop in clauses:
        other = text[start:stop]
        about = telling_stems(other)
        if other != own and named < about & asked and about - asked and value not in other and len(about) <= FEW_WORDS:
            return other.strip()
    return ""


def _another_act(before: str, after: str, question: str) -> str:
    """What was done with a name where its sentence says what is asked of another: "drafted in X, signed in Y"."""
    asked, own = telling_stems(question), telling_stems(before)
    called = _CALLED.search(question)
    if called and telling_stems(called["what"]) <= own:
        return ""
    for other in (*_ACT.finditer(after), *_ACT_LATER.finditer(after)):
        act = stem(other["act"])
        if _DETERMINED.search(after[: other.start()]):
            continue
        if act in asked - own and other["act"].endswith(_PAST) and _JOINED.search(after[: other.start()]):
            return before.strip()[-MOST_SHOWN:]
    return ""


def weighed_only(hit: Hit, text: str, question: str) -> Objection | None:
    """Whether a name is one of those that were weighed before another was taken, or has left since; or None.

    >>> answer = "it considered france and italy but settled on spain."
    >>> weighed_only(Hit(rule="text", start=14, end=20, reason=""), answer, "where does it invest?").rule
    'in passing'
    """
    start, end = _sentence(text, hit)
    before, after = text[start : hit.start], text[hit.end : end]
    left = _LEFT_AFTER.match(after)
    if left and not _asked(left[0], question) and not _FROM_ASKED.search(question):
        value = text[hit.start : hit.end]
        return _undecided(f'"{value}" is said to be so no longer: "{(value + left[0]).strip()}".')
    weighed, settled = _WEIGHED_BEFORE.search(before), _SETTLED.search(after)
    if not weighed or not settled or _asked(weighed[0], question):
        return None
    value = text[hit.start : hit.end]
    return Objection(rule=IN_PASSING, reason=f'"{value}" was only weighed: "{weighed[0]} ... {settled[0].strip()}".')


def _undecided(reason: str) -> Objection:
    return Objection(rule=NEEDS_A_JUDGE, reason=reason)


def _sentence(text: str, hit: Hit) -> tuple[int, int]:
    start = max(0, hit.start - REACH)
    for border in SENTENCE_BORDER.finditer(text, start, hit.start):
        start = border.end()
    stop = SENTENCE_BORDER.search(text, hit.end, hit.end + REACH)
    return start, stop.start() if stop else min(len(text), hit.end + REACH)


def _asked(words: str, question: str) -> bool:
    return bool(telling_stems(words) & telling_stems(question))


def _others(before: str, value: str, after: str) -> str:
    """The enumeration of three parts or more in which a value is one, or empty."""
    after = _MAINLY.split(after, maxsplit=1)[0]
    parts = [part.strip(" .") for part in _PART.split(before + "\0" + value + "\0" + after)]
    place = next((number for number, part in enumerate(parts) if part.startswith("\0") or "\0" in part), -1)
    if len(parts) < 3 or place < 0 or " or " in before + after:
        return ""
    own = parts[place].split("\0")
    if (own[0].strip() and place) or (own[-1].strip() and place != len(parts) - 1):
        return ""
    short = [0 < len(_WORD.findall(part)) <= MOST_WORDS for part in parts]
    first, last = place, place
    while first > 0 and (short[first - 1] or first == 1):
        first -= 1
    while last < len(parts) - 1 and (short[last + 1] or last == len(parts) - 2):
        last += 1
    whole = (before + value + after).strip()
    return whole[:120] if last - first >= 2 and re.search(r",? (?:and|or) [^,]*$", whole) and first == 0 else ""


def _answered_elsewhere(text: str, span: tuple[int, int], value: str, question: str) -> str:
    """The sentence that is about the question and says something else, where the value's is not; or empty."""
    own = text[span[0] : span[1]]
    asked = telling_stems(question) - telling_stems(value)
    rest = telling_stems(own) - telling_stems(value)
    if not asked or len(rest) < 2 or _GOES_ON.match(own):
        return ""
    most = _SUPERLATIVE.search(question)
    for sentence in SENTENCE_BORDER.split(text):
        if value in sentence or not (telling_stems(sentence) & asked and telling_stems(sentence) - asked):
            continue
        if _THEREFORE.search(sentence) or (most and most[0] in sentence and most[0] not in own):
            return sentence.strip()[:80]
    for sentence in SENTENCE_BORDER.split(text[: span[0]][-REACH:]):
        about = telling_stems(sentence)
        covers = len(about & asked)
        if 2 * covers >= len(asked) and covers > 2 * len(rest & asked) and about - asked and value not in sentence:
            return sentence.strip()[:80]
    return ""
