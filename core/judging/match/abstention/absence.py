"""What is asked and said to be absent, in whatever words of telling: read with the question, where it is open.

"The painter's identity is not revealed" declines where the painter is asked for; "flood is not covered" answers
whether it is. The verbs are those with which a writing tells and a reader finds; where a writing is the subject,
any verb will do but those of a rule ("does not apply").
"""

from __future__ import annotations

import re
from collections.abc import Collection

from core.judging.match.abstention.vocabulary import (
    ADVERBS,
    DO_NOT,
    FACT,
    IS_NOT,
    SOURCE,
    SURE_SOURCE,
    TEXT,
    any_of,
    between,
)

_TOLD = (
    "(?:revealed|recorded|noted|attributed|shared|given|named|listed|discussed|indicated|determined|extracted|shown|quoted"
    "|spelled out|spelt out|disclosed|mentioned|stated|specified|detailed|described|provided|explained|identified"
    "|reported"
    "|documented|addressed|supplied|published|referenced|elaborated|clarified|established|presented|printed|legible"
    "|readable|visible|retrievable|identifiable|ascertainable|quantified|outlined|set out|touched (?:on|upon)"
    "|talked about"
    "|reproduced|broken (?:down|out)|apparent|discernible|deducible|derivable|evident|dealt with|gone into|tackled"
    "|traceable|captured|featured|contained|to be (?:found|seen|had))"
)
_GONE = (
    "(?:unspecified|illegible|unreadable|missing|absent|blank|undisclosed|unstated|unavailable|lacking|cut off"
    "|truncated"
    "|omitted|unnamed|unattributed|undetermined|unaddressed|unexplained|uncovered|left (?:open|out"
    "|unanswered)|unanswered|unreported|unmentioned|undocumented|obscured|hidden|nowhere to be \\w+"
    "|not there|nowhere)"
)
_OF_A_RULE = (
    "(?:apply|expire|require|allow|permit|need|change|affect|prevent|cost|work|charge|exceed|oblige|entitle|bind|replace"
    "|constitute|grant|lapse|end|exist|limit|exclude|accept|pay)"
)
WRITING = (
    rf"(?:{SURE_SOURCE}|{TEXT}|calendars?|lists?|overviews?|plans?|timetables?|directory|tables?|drawings?|statistics"
    "|catalogues?|labels?|pictures?|wikis?|scans?|cop(?:y|ies)|tariffs?|rosters?|menus?|squad lists?|price lists?"
    "|boards?|spreadsheets?|dossiers?|slides?|decks?|tickets?|threads?|captions?|recordings?)"
)
"""What people write or draw to tell something."""
ABSENT = re.compile(
    any_of(
        rf"(?P<subject>.{{2,120}}?) {IS_NOT}{ADVERBS} {_TOLD}\b(?! (?:to|with|by) (?:third|other|anyone|customers"
        rf"|clients))",
        rf"(?P<subject2>.{{2,120}}?) (?:is|are|was|were|has been|have been|remains?|seems?"
        rf"|appears?)(?: to be)?{ADVERBS} {_GONE}\b",
        rf"(?P<subject3>.{{2,80}}?) {DO_NOT}{ADVERBS} (?:feature|appear|show up|come up|figure|turn up|surface"
        rf"|occur)\b",
        rf"(?P<subject4>.{{2,80}}?) {IS_NOT}(?: even)? (?:among|amongst|part of|one of)\b.*\b(?:{SOURCE}|listed"
        rf"|items?|given|provided|retrieved)\b",
        rf"(?P<subject6>.{{2,80}}?) (?:{IS_NOT}|aint)(?: even| just| actually| really)? (?:in|on|among"
        rf"|within|inside|under|to be)"
        rf" (?:here|there|it|them|this|these|those|what|that|any of|the|my|our|your)\b(?:(?= ?\W*$)"
        rf"|.{{0,60}}\b(?:{SOURCE}|{WRITING}"
        rf"|given|provided|retrieved|shown|have|had|see|found)\b)",
        rf"(?:there is |there are |theres )?no (?P<subject7>(?:[\w-]+ ){{1,6}}?)(?:in|on|within|among"
        rf"|for that in) (?:here|there"
        rf"|(?:the|this|that|these|those|my|our|your|any of the) (?:[\w-]+ ){{0,3}}?{WRITING})\b",
        r"nowhere\b.{2,100}?\b(?:is|are|was|were|does|do|can|could) (?P<subject5>.{2,80}?)(?= (?:given|named|stated"
        r"|mentioned|found|listed"
        r"|specified|described|be|say|tell|mention)\b)",
    )
)
"""The first group is what is absent."""
NOT_IN_A_WRITING = re.compile(
    any_of(
        rf"\bno (?:[\w-]+ ){{1,6}}?(?:in|on|within|among) (?:the|this|that|these|those|my|our|your|any of the)"
        rf" (?:[\w-]+ ){{0,3}}?{WRITING}\b",
        rf"(?:is|are|was|were|seems?) {_GONE} (?:in|from|on) (?:the|this|that|these|those|my|our|your)"
        rf" (?:[\w-]+ ){{0,3}}?{WRITING}\b",
        rf"{IS_NOT} (?:in|on|part of|among|within) (?:the|this|that|these|those|my|our"
        rf"|your) (?:[\w-]+ ){{0,3}}?{WRITING}\b",
    )
)
"""What a writing does not have, whatever the question, unless that asks about a writing."""
NOT_TOLD_BY_A_WRITING = re.compile(
    any_of(
        rf"^(?:the |these |this |those )?(?:[\w-]+ ){{0,3}}?{WRITING}\b.{{0,140}}\bwithout (?:saying|telling|giving"
        rf"|naming|stating"
        r"|specifying|mentioning|explaining|revealing|indicating)\b",
        rf"{SOURCE}{between(8)} {DO_NOT}{ADVERBS} [a-z]+\b.{{0,80}}\bin (?:the|this) (?:portion|part|extract|excerpt"
        rf"|section|version)\b",
        r"\btoo (?:short|brief|vague|general|limited|incomplete|little|ambiguous) to (?:tell|say|answer|determine"
        r"|know|decide)\b",
        rf"{IS_NOT}(?: [a-z]+ed)? in (?:what|anything) (?:i|you|we)\b",
        rf"\b{WRITING}{between(10)} (?:but )?{DO_NOT}{ADVERBS} (?!{_OF_A_RULE}(?:e?d|e?s)?\b)[a-z]{{3,}}",
        rf"\b{WRITING}{between(12)} (?:lacks?|omits?|misses|is missing|contains? no|gives? no|holds? no|shows? no"
        r"|names? no|lists? no|mentions? no|provides? no|offers? no|states? no"
        rf"|without (?:saying|telling|giving|naming|stating|specifying|mentioning|explaining|revealing))\b",
        rf"\b(?:{WRITING}|it){between(10)},? (?:but )?not (?:(?:by|for|at|to|from|in|on) )?(?:when|how much"
        rf"|how many|who|why|what|where"
        r"|which|how long|whether)\b",
        r"\bnone (?:of them |of these )?(?:gives?|mentions?|names?|states?|says?|specif(?:y|ies)|lists?|contains?"
        r"|has|have|tells?|talks?"
        r"|discuss(?:es)?|covers?|refers?|indicates?|provides?)\b",
        r"\b(?:outside|beyond) (?:of )?(?:what|anything) (?:i|ive|we)\b",
        r"\b(?:(?:has|have|had|was|were) not|hasnt|havent|hadnt|wasnt|werent)(?: been)? (?:shared|provided|uploaded"
        r"|supplied|given|made available)"
        r" (?:with|to) (?:me|us)\b",
        r"\bi (?:can|could|am able to) (?:only )?(?:tell|speak|help|answer|say)[^.]{0,60}\bonly\b",
        rf"\b(?:{SOURCE})(?: [\w-]+){{0,4}} (?:is|are|was|were)(?: [a-z]+ly)? (?:illegible|unreadable|missing|blank"
        rf"|cut off|truncated|incomplete)\b",
        r"\bpage (?:is )?missing\b",
        rf"\b(?:{WRITING}|sheets?|annex(?:es)?|append(?:ix|ices)|attachments?|enclosures?|files?|photos?|minutes)"
        rf"{between(8)} (?:(?:was|were|is|are|has been|have been) (?:never|not)|(?:was|were|is|are|has|have|had)nt)"
        r"(?: yet)?(?: been)? (?:handed in|handed over|attached|uploaded|enclosed|scanned|transmitted|archived"
        r"|filed|loaded|indexed|imported)\b",
        r"\b(?:leaves?|left) (?:that|this|the|its) (?:field|cell|column|line|box|space|entry) (?:as |at )?"
        r"(?:[\"']?tb[acd]\b|blank|empty|open)",
        r"\b(?:steers? (?:well )?clear of|sidesteps?|skirts?|keeps? (?:quiet|mum) (?:about|on)|draws? a blank)\b",
        r"\bleft unsaid\b|\bgoes unmentioned\b|\bin not (?:a single )?one (?:of them )?by name\b",
        r"\baccess denied\b|\bno view is expressed\b|\b(?:is|are|remains?) undocumented\b",
        r"^[^:.]{2,60}:(?: \w+){0,2} (?:silence|tbd|tba|restricted|no entry|not indexed|not recorded|not known"
        r"|left blank|(?:directory|folder|file|page) not indexed|undocumented(?: as far as [^.]*)?)\W*$",
        r"\b(?:column|field|cell|box|entry)(?: is| was| are)? (?:empty|blank)\b",
        r"\b(?:cannot|cant) be (?:established|ascertained|verified) here\b",
        rf"\bdoes not appear from (?:the )?(?:{WRITING}|material|file)",
        rf"{IS_NOT} part of (?:this|the|our|my) (?:archive|index|collection|knowledge base|store|repository|corpus)\b",
        r"\bfalls? (?:right )?(?:in|into|within) (?:the|a) gap\b",
        rf"{IS_NOT}{ADVERBS} (?:collected|kept|tracked|held|compiled) (?:in|by) (?:it|them|the|this|these|any)\b",
    )
)
_PRONOUNS = re.compile(r"^(?:it|this|that|they|these|those|its|their)\b")
_NEGATIVE = re.compile(
    r"\b(?:no|not|never|nowhere|none|without|lack\w*|omit\w*|miss\w*|fail(?:s|ed)|neither|nor|[a-z]{2,}nt|un[a-z]{4,}"
    r"|illegible|absent|blank|cut|truncated|incomplete|obscured|hidden|only|too|outside|beyond|dont)\b"
)
_CONDITION = re.compile(r"^\W*(?:if|when|unless|whenever|in case|where|until|once|should)\b")
_WORD = re.compile(r"[a-z]{4,}")
OF_A_WRITING = re.compile(rf"\b{WRITING}\b")
FAMILY = 4
"""First letters that words of one family share: painter, painted."""
_FACT = re.compile(rf"\b(?:{FACT}|identity|cause|reason|origin|author|duration|deadline|figure|value)\b")


def absent(clause: str, asked: Collection[str]) -> str:
    """The words with which a clause says that what is asked is not told; empty where it says something else.

    Args:
        clause: Match text.
        asked: Word families of the question.

    >>> absent("the painter identity is not revealed", {"paint"})
    'the painter identity is not revealed'
    """
    if not _NEGATIVE.search(clause) or _CONDITION.match(clause):
        return ""
    if match := NOT_TOLD_BY_A_WRITING.search(clause):
        return match[0].strip()
    match = ABSENT.search(clause)
    if match is None:
        return ""
    subject = next(group for group in match.groups() if group is not None)
    asked_for = {word[:FAMILY] for word in asked if len(word) >= FAMILY}
    about = bool(_FACT.search(subject) or _PRONOUNS.match(subject))
    about = about or any(word[:FAMILY] in asked_for for word in _WORD.findall(subject))
    return match[0].strip() if about else ""
