"""Whether a name stands in relation to something else than what is asked, or beside what is answered."""

from __future__ import annotations

import re

from core.judging.match.readers.times.dates import MONTHS
from core.judging.match.surroundings.language import SENTENCE_BORDER, SUPERLATIVE, WORD
from core.judging.match.surroundings.objections import IN_PASSING, Objection, is_asked, undecided
from core.judging.match.surroundings.sentences import telling_stems
from core.judging.match.values import Hit
from core.text.words import stem

REACH = 600
"""Characters on each side of a name that are read."""
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
_WHO_DID = re.compile(r"\W*(?:who|(?:which|what) [a-z-]+)(?P<act>(?: (?!the\b|an?\b)[a-z-]{3,}){1,3})")
"""A question for who did something; what else it says was done describes the thing: "who built the lift fitted in"."""
_DONE_IN = re.compile(r"\b(?P<act>[a-z]{3,}) (?:in|on|at|since|by|during)(?: [a-z]+)? (?:19|20)\d\d\b")
_DONE_BY = re.compile(r"\b(?P<act>[a-z]{3,}) by (?:the |an? )?$")
_VOWELS = re.compile(r"[aeiou]")
_DETERMINED = re.compile(r"\b(?:the|an?|its|his|her|their|our|your|this|that)\s+$")
"""In front of a noun: "took over the account from" is no accounting."""
_IT_IS = re.compile(r"\W*(?:it|this|that|he|she)(?:d|s| is| was| would| will)?(?: be)? \W*")
"""In front of a value that is all a sentence says at first: "that'd be X, elected in 2014"."""
_A_DAY = re.compile(rf"\d|(?:{'|'.join(MONTHS)})\b")
"""Behind what was done, when: it tells more of the value, and gives no other one."""
_PAST = ("ed", "en", "wn", "lt", "ht", "de", "un", "nt")
_JOINED = re.compile(r"^(?:[^.;]{0,60}?)(?:\bbut\b|\band\b|,|\bwhile\b|\bwhereas\b)")
_OF_THE_VALUE = re.compile(r"^[\"')]*(?:,| and)? (?:who|which|that|it|he|she|they|this)\b")
"""Behind a value, what goes on about it: "is held by Ann, who lasted for"."""
_THEREFORE = re.compile(r"\b(?:therefore|thus|hence)\b|^\W*so\b")
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
_DOES_HAVE = re.compile(r"^\W*(?:which|what) (?:[a-z-]+ )?[a-z-]+(?<!s) does\b[^?]{0,120}?\bhave\b")
"""Which one something has."""
_MAINLY = re.compile(r",? (?:mainly|mostly|especially|particularly|in particular|primarily|notably|including)\b")
"""Behind a value, what is said of it in detail."""
_PART = re.compile(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
MOST_WORDS = 4
"""The most words of a part of an enumeration of names."""


def in_relation(hit: Hit, text: str, span: tuple[int, int], question: str) -> Objection | None:
    """Whether a name stands in relation to something else, among others, or in another sentence than the answer's."""
    value = text[hit.start : hit.end]
    before, after = text[span[0] : hit.start], text[hit.end : span[1]]
    duty = _DUTY.match(after)
    if (
        duty
        and stem(duty["act"]) not in telling_stems(question)
        and telling_stems(after[duty.end() :]) & telling_stems(question)
    ):
        return undecided(f'"{value}" does something else in the answer: "{(value + duty[0]).strip()}".')
    related = _RELATED.search(before)
    if related and not is_asked(related[1], question) and not _is_led_by(related[1], question):
        return undecided(f'"{value}" stands in relation to something else: "{related[0].strip()} {value}".')
    if lead := _leads(hit, text, question):
        return undecided(f'The answer begins with "{lead}", which is something else.')
    if of := _of_another_kind(hit, text, span, question):
        return undecided(f'"{value}" is said of something else than "{of}".')
    if act := _another_act(before, after, question):
        return Objection(rule=IN_PASSING, reason=f'"{value}" stands with another act than the one asked for: "{act}".')
    if not _MANY.search(_DOES_HAVE.sub(" ", question)) and (others := _others(before, value, after)):
        return undecided(f'"{value}" is one of several: "{others}".')
    if other := _answered_elsewhere(text, span, value, question):
        return undecided(f'"{value}" stands in another sentence than the one about the question ("{other}").')
    return None


def _is_led_by(relation: str, question: str) -> bool:
    """Whether "reports to" names who leads somebody, which is asked."""
    return relation.startswith("report") and _LEADER.search(question) is not None


def _leads(hit: Hit, text: str, question: str) -> str:
    """A name or a thing with which a short answer begins and answers, where the reference stands in a later clause."""
    lead = _LEAD.match(text)
    if lead is None or lead.end() > hit.start or len(text) > SHORT:
        return ""
    words = WORD.findall(lead["lead"])
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
        if "used to" in other:
            continue  # what was so before is no other kind
        if other != own and named < about & asked and about - asked and value not in other and len(about) <= FEW_WORDS:
            return other.strip()
    return ""


def _another_act(before: str, after: str, question: str) -> str:
    """What was done with a name where its sentence says what is asked of another: "drafted in X, signed in Y"."""
    asked, own = telling_stems(question), telling_stems(before)
    if _IT_IS.fullmatch(before) or _OF_THE_VALUE.match(after):
        return ""
    called = _CALLED.search(question)
    if called and telling_stems(called["what"]) <= own:
        return ""
    if _is_done_by(before, question):
        return ""
    for other in (*_ACT.finditer(after), *_ACT_LATER.finditer(after)):
        act = stem(other["act"])
        if _DETERMINED.search(after[: other.start()]) or _A_DAY.match(after, other.end()):
            continue
        if act in asked - own and other["act"].endswith(_PAST) and _JOINED.search(after[: other.start()]):
            return before.strip()[-MOST_SHOWN:]
    return ""


def _is_done_by(before: str, question: str) -> bool:
    """Whether the words in front of a name say of it what a question asks: "was built by" for "who built"."""
    doer, done = _WHO_DID.match(question), _DONE_BY.search(before)
    return bool(doer and done and any(_same_verb(word, done["act"]) for word in doer["act"].split()))


def is_year_of_the_thing(before: str, question: str) -> bool:
    """Whether a question has its year of something else that was done, and a name did what is asked.

    >>> is_year_of_the_thing("the organ was built by ", "who built the organ renovated in 2004?")
    True
    >>> is_year_of_the_thing("the organ was built by ", "who built the organ in 2004?")
    False
    """
    described = _DONE_IN.search(question)
    if described is None or not described["act"].endswith(_PAST) or not _is_done_by(before, question):
        return False
    done = _DONE_BY.search(before)
    return done is not None and not _same_verb(described["act"], done["act"])


def _same_verb(one: str, other: str) -> bool:
    """Whether two forms of the past are of one verb: "supplied", "supplied"; "wrote", "written".

    >>> _same_verb("wrote", "written"), _same_verb("installed", "inspected")
    (True, False)
    """
    if one.endswith("ed") or other.endswith("ed"):
        return stem(one) == stem(other)
    consonants = [re.sub(r"(.)\1", r"\1", _VOWELS.sub("", word)) for word in (one, other)]
    return consonants[1].startswith(consonants[0])


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
    short = [0 < len(WORD.findall(part)) <= MOST_WORDS for part in parts]
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
    most = SUPERLATIVE.search(question)
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
