"""Where a clause tells of a gap: somebody or something that should know, a negated provision, and what is asked.

The same shape has five subjects: the assistant ("I could not locate"), a source ("the filing does not state"), what is
asked ("the amount is not specified"), nobody ("there is no mention of it") and the question itself ("it cannot be
determined"). A clause with another subject and the same verb tells a fact: "the pilot was unable to see the runway",
"flood damage is not covered", "refunds are not available".
"""

from __future__ import annotations

import re
from threading import Lock

from core.judging.match.abstention.empty_handed import EMPTY_HANDED, NEARLY_EMPTY
from core.judging.match.abstention.other_languages import ABROAD, OTHER_LANGUAGES
from core.judging.match.abstention.vocabulary import (
    ABOUT,
    ADVERBS,
    CAN_NOT,
    DO_NOT,
    ESTABLISHED,
    FACT,
    GIVEN,
    HOLDS,
    IN_HAND,
    IN_SOURCE,
    IN_SURE_SOURCE,
    IS_NOT,
    LOCATED,
    MISSING,
    SOURCE,
    SPEAKS,
    SPEAKS_S,
    SURE_SOURCE,
    TEXT,
    TOLD,
    TOLD_AT_THE_END,
    TOLD_BY_A_TEXT,
    TOLD_SURELY,
    UNABLE,
    any_of,
    between,
)

_I = any_of("i", "i myself", "i personally", "this (?:assistant|model|chatbot|system)", "the (?:assistant|chatbot)")
_WE = "(?:we|our (?:system|database|records|assistant))"
_TELLING = (
    "(?:answer|disclose|share|confirm|find|locate|determine|say|tell|comment|identify|verify|discuss|reveal|help|assist"
    "|fulfil|give out|publish|speculate|advise on|speak to|provide (?:this|that|it|you|any|such|specific|further|an?))"
)

ASSISTANT = (
    r"\b"
    + any_of(
        rf"{_I}{ADVERBS} {DO_NOT}{ADVERBS} (?:know(?! of (?:any|anyone|anybody|anything) \w*(?: \w+)? ?other)"
        "|have(?! to\\b)|hold|possess|find|see|store|recall|understand|recogni[sz]e|hear|come across|retain)",
        rf"{_I}{ADVERBS} {DO_NOT}{ADVERBS} (?:think|believe|feel)(?: that)? .{{0,80}}\b(?:answers?|{SPEAKS_S}"
        r"|enough|can be)",
        rf"{_I}{ADVERBS} (?:have not|havent|had not|has not)(?: yet)? (?:found|seen|got|been given|been provided"
        rf"|come across"
        "|been shown|received)",
        "(?:ive|have) been (?:unable|not able) to",
        rf"{_I}{ADVERBS} {UNABLE}(?! (?:stress|emphasi|overstate|help (?:but|noticing)|recommend \w+ (?:enough"
        rf"|highly)))",
        rf"{_I}{ADVERBS} (?:will not|wont|must decline|have to decline|refuse|am missing|lack|was missing)",
        rf"{_I}{ADVERBS} (?:was|were|am|have) (?:not|never)(?: been)? (?:given|provided|shown|supplied|told"
        rf"|handed|trained)",
        rf"{_I}{ADVERBS} (?:wasnt|havent been|am not) (?:given|provided|shown|supplied|told|handed|trained)",
        rf"(?:im|i am){ADVERBS} (?:not (?:sure|certain|aware|familiar)|not able to|unable to|unsure|uncertain"
        rf"|unaware|unfamiliar|missing"
        "|limited to|restricted to|instructed to)",
        r"(?:i|ive) (?:have |was )?been (?:instructed|asked|told|designed) to (?:only )?(?:answer|use|rely)",
        rf"(?:im|i am){ADVERBS} not an? (?:\w+ )?(?:doctor|physician|lawyer|attorney|advis[eo]r|expert"
        rf"|professional|pharmacist"
        "|clinician|accountant)",
        rf"(?:{_I}|we){ADVERBS} (?:have|had|see|saw|find|found|got|retrieved|know)(?: absolutely"
        rf"| also)? (?:no(?! (?:doubt"
        r"|reason|objection|problem))\b|nothing|neither|little information)"
        rf"(?=(?: [\w-]+){{0,4}}? (?:idea|{FACT}|knowledge|access|way|such|on|about|in|for|provision|price"
        rf"|number|amount"
        r"|value|name|date|clause|line|section|passage|answer|policy|rule|article|case|term|table|steps?)\b|\W*$)",
        rf"we{ADVERBS} {DO_NOT}{ADVERBS} (?:know|(?:have|hold|possess|find|store|disclose|publish"
        rf"|share)(?: [\w-]+){{0,3}}"
        rf" (?:{FACT}|access|knowledge|targets?|figures))",
        rf"(?:we|our system){ADVERBS} (?:{UNABLE}|do not|dont) {_TELLING}",
        rf"our (?:database|system|records) {DO_NOT}{ADVERBS} \w+",
        "(?:i|we) (?:can|may|am able to|are able to) only (?:help|answer|assist|provide|respond|support|discuss"
        "|comment)",
        "(?:im|i am) (?:only|not) (?:able|designed|trained|programmed|authori[sz]ed|allowed|permitted)",
        "(?:id|i would) (?:rather|prefer) not",
        "(?:not|isnt|arent) (?:something|known to|topics?|one of the things)(?: that)? (?:i|we|me|this|the)(?: can)?",
        "(?:not|isnt|arent|wasnt) (?:available|accessible|visible|known|clear|shown|given) to (?:me|us)",
        "before i (?:can|could) answer",
        rf"{_I} (?:therefore|thus|hence|consequently) {UNABLE}",
        rf"{_I} (?:must|have to|will|ll) leave (?:this|that|it)(?: one)?(?: question)? (?:unanswered|open)",
        rf"(?:{_I}|we|ive){between(10)} (?:and|but|yet) (?:found|saw|see|find|came across|got|located) (?:no"
        rf"|nothing|none)",
        rf"(?:{_I}|id)(?: would| will)?(?: only| just)? be (?:guessing|speculating)",
    )
    + r"\b"
)
"""The assistant says of itself that it does not know, cannot or may not. A bank's "we" needs words of telling, since
"we do not have a branch in Jersey" is an answer."""

_IN_HAND_NEAR = rf"(?:{SURE_SOURCE}|{TEXT}|{GIVEN}(?: [\w-]+)?(?: [\w-]+)? {SOURCE}|{SOURCE}(?: \w+){{0,2}}? {GIVEN})"
_NO_GOAL = r"(?! (?:to|that) (?:third|other|anyone|customers|clients|the public)\b)"

SOURCES = any_of(
    # a source does not speak
    rf"{SOURCE}{between(8)} {DO_NOT}{ADVERBS} {SPEAKS}\b",
    rf"{_IN_HAND_NEAR}{between(8)} (?:{DO_NOT}|cannot|cant|unable to){ADVERBS} {HOLDS}\b(?! (?:fees?|charges?)\b)",
    rf"{SOURCE}{between(6)} {SPEAKS_S}(?: \w+ly)? (?:no|neither|nothing|little|insufficient|not enough)\b"
    rf"(?: [\w/-]+){{0,4}}? (?:{FACT}|about|on|of|regarding|line|steps?|figures?|number|amount|value|provisions?"
    rf"|sections?"
    r"|explicit|specific|separate|direct)\b",
    rf"{SURE_SOURCE}{between(8)} (?:mentions?|names?|lists?|says?|gives?|specif(?:y|ies)|contains?"
    rf"|states?) (?:no|nothing|neither)\b",
    rf"{SOURCE}{between(6)} (?:is|are|was|remains?) (?:completely |entirely |otherwise |largely )?silent\b",
    rf"{SOURCE}{between(6)} (?:lacks?|omits?|skips?|ignores?|misses|passes over|glosses over|leaves? out"
    rf"|leaves? \w+ open|stops? (?:at|before|short)|ends? before"
    r"|(?:is|are) cut off|falls short|(?:is|are) (?:insufficient|inadequate|not (?:enough|sufficient|helpful"
    r"|relevant)))",
    rf"{SOURCE}{between(8)} {SPEAKS_S}{between(12)},? (?:(?:but|and|though|although) )?"
    r"(?:(?<!\bhas )(?<!\bhave )not|without|excluding)"
    r" (?!only\b|just\b|merely\b|less\b|more\b|later\b|earlier\b)(?:how|what|why|when|where|who|which|whether"
    r"|the|a|an|any"
    r"|distances?|\w+(?= ?\W*$))",
    rf"{SOURCE}{between(8)} (?:{SPEAKS_S}) (?:none|nothing)(?=\W*$| (?:about|on|of|relevant|useful|that"
    rf"|regarding|for)\b)",
    rf"{SOURCE}{between(6)} (?:{SPEAKS_S})(?: [\w-]+)? no (?:[\w-]+ )?(?:hint|clue|trace|sign|idea|match|matches"
    rf"|hits|results?|mention)\b",
    rf"{SOURCE}{between(6)} never {SPEAKS_S}\b",
    rf"neither(?: [\w-]+){{0,4}}? {SOURCE}(?: [\w-]+){{0,6}}? {SPEAKS_S}\b",
    rf"(?:none of|neither of|nothing in|nowhere in|nothing within|not one of)(?: [\w-]+){{1,6}}? (?:{SPEAKS_S}|is there"
    r"|does)\b",
    rf"nothing in(?: [\w/-]+){{1,8}}? (?:{SPEAKS_S})",
    rf"(?:no|neither)(?: [\w-]+)?(?: [\w-]+)? {SOURCE}(?: [\w-]+){{0,3}}? {SPEAKS_S}\b",
    rf"(?:it|this|they|which|that|{SOURCE}) {DO_NOT}{ADVERBS} (?:break|split|separate|single|itemi[sz]e)\b",
    rf"(?:it|this|they|which|that) {DO_NOT}{ADVERBS} (?:mention|specify|discuss|address|touch on|go into"
    rf"|make (?:any )?reference)\b",
    rf"(?:it|this|they|which|that) {DO_NOT}{ADVERBS} (?:state|say|tell|indicate)"
    r"(?=\W*$| (?:it|this|that|the|a|an|any|what|who|how|when|where|whether|why|which|about)\b)",
)
ASKED = any_of(
    # what is asked is not told
    rf"(?:{FACT}|question)(?: [\w%/-]+){{0,10}}? {IS_NOT}{ADVERBS} {TOLD}{_NO_GOAL}",
    rf"{IS_NOT}{ADVERBS} {TOLD_SURELY}(?:,? (?:or|nor|and) \w+)?(?:(?=\W*$)|(?=,? (?:nor|so|therefore|and|although)\b)"
    rf"|(?:{IN_HAND})(?! but\b))",
    rf"{IS_NOT}{ADVERBS} (?:specified|stated|mentioned|indicated|disclosed|listed|given|described|shown|provided)"
    r" (?:for|as to|in relation to|how|what|when|who|whether|if|explicitly|specifically|separately|directly)\b",
    rf"{IS_NOT}{ADVERBS} {TOLD_BY_A_TEXT}(?:{IN_SOURCE}| anywhere\b| here\b)(?! but\b)",
    rf"{IS_NOT}{ADVERBS} {TOLD}(?:{IN_SURE_SOURCE}| anywhere\b)(?! but\b)",
    rf"(?:{IS_NOT}{ADVERBS}|nowhere)(?: anywhere)? to be (?:found|seen)\b",
    rf"{IS_NOT}{ADVERBS} {TOLD_AT_THE_END}\W*$",
    rf"{IS_NOT} (?:publicly|readily|currently) (?:available|known|disclosed|released)\W*$",
    rf"(?:{FACT}) (?:is|are|was|were) (?:unavailable|unknown|confidential|private|restricted|protected|{MISSING})",
    rf"(?:is|are|was|were|seems?(?: to be)?|appears?(?: to be)?) {MISSING}(?=\W*$|{IN_SOURCE})",
    rf"{IS_NOT} (?:entirely |completely |fully |really |very |made |quite )?clear(?: to me)?,? (?:from|in|if"
    rf"|whether|what|how|who"
    r"|when|which|where|based on)\b",
    rf"(?:unclear|unknown|uncertain|undetermined|unspecified)(?:{IN_SOURCE}|,? (?:whether|if|based on|from the)\b)",
    rf"{DO_NOT}{ADVERBS} (?:appear|feature|occur|come up|figure|exist|stand)(?: anywhere"
    rf"| explicitly)?(?:{IN_SOURCE}| anywhere\b)",
    rf"(?:information|answer|detail)(?: [\w-]+){{0,8}}? {IS_NOT}{IN_SOURCE}",
    rf"{IS_NOT}{ADVERBS} (?:in|among|on|within|part of|anywhere in|one of) (?:the|this|these|those|my|any|your|our)"
    rf" (?:[\w/%-]+ ){{0,3}}?{SURE_SOURCE}\b",
    rf"{IS_NOT}{ADVERBS} (?:in|among|part of|on) (?:what|anything|the \w+) (?:i|you|we|that i|that you)\b",
    rf"(?:{CAN_NOT} be|(?:is|was) (?:not|never) possible to be|(?:is|are|was) (?:impossible"
    rf"|not possible) to) {ESTABLISHED}"
    r"(?! by\b)",
    rf"{CAN_NOT} be {LOCATED}(?:{IN_SOURCE})",
    rf"(?:{FACT}|question|request|query)(?: [\w-]+){{0,4}}? {CAN_NOT} be (?:{LOCATED}|{ESTABLISHED}|processed"
    rf"|fulfilled|handled"
    "|completed|disclosed|shared)(?! (?:in|by|at) the (?:branch|post|mail|counter)| online)",
    "(?:makes?|making|made|renders?|rendering)(?: [\\w-]+){1,4} (?:impossible|unanswerable)",
    "(?:is|are|seems?|lies?|falls?|fall|goes|its|it|that|this|question) (?:well )?(?:outside|beyond|not within"
    "|out of)(?: of)?"
    r" (?:the |my |our |what |its )?(?:(?:\w+ ){0,2}(?:scope|knowledge|expertise|remit|capabilities|sources?"
    r"|documents?)"
    r"|i\b|we can)",
    r"(?:outside|beyond) (?:of )?(?:the scope|my|our|what i)\b",
)
NOBODY = any_of(
    # there is none
    rf"no (?:[\w-]+ ){{0,3}}?{SURE_SOURCE} (?:was|were|is|are|could be|have been|has been) (?:\w+ )?(?:retrieved"
    rf"|found|available"
    r"|returned|provided|given|located|supplied|loaded)\b",
    rf"there(?: is| are| was| were| seems to be| appears to be| does not (?:seem|appear) to be| has been)?"
    rf"(?: currently| also| simply)? (?:no|nothing|not enough|insufficient|little|zero|any)\b(?: [\w%/$-]+){{0,4}}?"
    rf" (?:{FACT}|mention|indication){ABOUT}",
    r"theres? (?:is |are |was )?no (?:[\w-]+ )?(?:projections?|forecasts?|estimates?|breakdowns?|outlook|comparisons?)"
    r" (?:for|of|on|about|by)\b",
    r"there(?: is| was| seems to be| appears to be)? nothing"
    r"(?! (?:left )?(?:outstanding|owed|owing|due|overdue|unpaid|payable|pending|to pay|wrong)\b)(?: [\w-]+){0,2}"
    r" (?:in|on|about|regarding|here|that)\b",
    rf"there (?:isnt|is not|arent|are not|wasnt|was not|were not|does not (?:seem|appear) to be) (?:any|enough"
    rf"|sufficient|an?"
    rf"|much)(?: [\w-]+){{0,3}}? {FACT}{ABOUT}",
    rf"no(?: [\w%/$-]+){{1,8}}? (?:is|are|was|were|could be|can be|has been|have been|were"
    rf"|being) (?:{TOLD_SURELY}|listed|given"
    rf"|shown|published|(?:provided|available|included)(?=\W*$|{IN_SOURCE})"
    rf"|(?:found|identified|reported|recorded|located)(?:{IN_SURE_SOURCE}))",
    rf"no(?: [\w%/$-]+){{1,8}}? (?:appears?|exists?|occurs?|features?)(?:{IN_SOURCE}| (?:in|on|anywhere)\b)",
    rf"(?:not enough|insufficient|not sufficient|too little|inadequate) (?:[\w-]+ )?(?:{FACT}|evidence)",
    "(?:more|additional|further) (?:information|context|details|data) (?:is|are|would be) (?:needed|required"
    "|necessary)",
    "(?:comparison|calculation)s? (?:(?:is|are) (?:not|im)\\s?|isnt |arent )possible",
    "(?:not possible|impossible)(?: for me)? to (?:say|tell|determine|answer|know|confirm|give an answer"
    "|calculate|compute"
    "|infer|assess|establish|compare|derive|identify|conclude)",
    "(?:difficult|hard) to (?:say|tell|determine|answer) (?:from|based on|without|with the)",
)
STARTS = any_of(
    rf"(?:no|not enough|insufficient|zero) (?:[\w/-]+ ){{0,3}}?(?:{FACT}|evidence|mention|documents?|price"
    rf"|amount|figure|value|name"
    r"|date|number)(?:\W*$| (?:about|on|found|available|regarding|in|of|given|provided|for|listed|stated|specified)\b)",
    rf"(?:{FACT})(?: [\w-]+){{0,4}}? (?:not|un)\s?(?:found|available|provided|given|specified|stated|mentioned"
    rf"|disclosed)\b",
    r"(?:it|they) (?:does not|doesnt|do not|dont) (?:say|specify|mention it|state it|tell)\W*$",
    r"(?:(?:it|this|that) (?:is |was )?)?(?:unclear|unknown|not (?:known|clear|specified|stated|mentioned"
    r"|provided|available"
    r"|found|given|sure|certain|disclosed|applicable|covered))\W*$",
    rf"(?:currently |also |still )?(?:{CAN_NOT}|unable to|not able to) (?:be )?(?:answer|find|determine|say|tell"
    rf"|locate|provide"
    rf"|confirm|disclose|recommend|give|help|verify|identify|calculate|compute|infer|assist|{ESTABLISHED})\b",
    rf"(?:not |un)(?:found |mentioned |stated |specified |provided |available |disclosed |known |listed "
    rf"|covered |clear )?"
    rf"(?:in|by|within|from|based on|on)(?: [\w-]+){{0,4}} {SOURCE}\b",
    rf"{DO_NOT}{ADVERBS} (?:mention|specify|state|say|address|discuss|indicate|disclose|answer)\b",
    r"(?:not|never) (?:mentioned|specified|stated|disclosed|discussed|addressed|indicated)\b(?! but\b)",
    r"(?:do not|dont|did not|didnt) (?:know|have (?:any|enough|access))\b",
    r"n/?a\b",
    r"(?:cannot|cant|could not|unable to) be (?:found|located|answered|determined)\b",
    r"(?:(?:so|therefore|thus|hence),? )?(?:the |this |that )?(?:calculation|computation|figure|ratio|average)"
    r" (?:cannot|cant|could not) be (?:completed|computed|calculated|given|derived|worked out)\b",
    r"nothing (?:on|about|regarding|found|in the)\b",
    r"(?:i )?(?:found|saw|see|find|located|got|came across) (?:no|nothing|neither)\b",
)
IMPERSONAL = rf"(?<![\w-])(?:{SOURCES}|{ASKED}|{NOBODY})|^(?:{STARTS})"
"""A source, the matter or nobody in particular is said to hold no answer."""

_EMPTY_HANDED = rf"(?<![\w-])(?:{EMPTY_HANDED})"

CONDITION = re.compile(r"\b(?:if|when|unless|whether|because|in case|wenn|falls|weil|ob|si|quand|lorsque|until|once)\b")
"""Words before that make it a condition and no refusal."""
_WHEN = re.compile(r"^(?:when|whether|how|why)\b")
"""An asked clause may be the subject: "when it ends is not stated"."""
_RELATIVE = re.compile(r"\b(?:which|who|whose|for reasons that|those that|reasons that)\b(?! (?:i|we)\b)[^,]*$")
_LABEL = re.compile(r"^[^:.]{1,120}:\s+")
FACT_OF_THE_MATTER = re.compile(r"^(?:yes|no|nope|yeah|ja|nein|oui|non)[,.;:!]")
"""An answer that begins so has taken a side; only words about the assistant itself can take it back."""
_CONTRAST = re.compile(r"^[^,.]{0,60}, (?:only|merely|just|rather) (?:an?|the|one|by|in|to|for|its)\b")
"""What is not named stands beside what is: "names no person, only a role: the CFO"."""
CLOSING = re.compile(
    r"\b(?:(?:no|any|not|nothing)(?: [\w-]+)? (?:further|other|others|more|additional|else)|exceptions?|further \w+)\b"
)
"""What is missing besides an answer takes nothing from it ("No further details are available")."""


def find_gap(clause: str, *, took_side: bool = False) -> re.Match[str] | None:
    """Where a clause tells of a gap, or None.

    Args:
        clause: Match text.
        took_side: Whether the sentence began with yes or no.

    >>> find_gap("i could not find this in the documents.")[0]
    'i could not'
    >>> find_gap("flood damage is not covered") is None
    True
    """
    texts = (ASSISTANT, IMPERSONAL, *([_EMPTY_HANDED] if NEARLY_EMPTY.search(clause) else []))
    patterns = tuple(_compiled(text) for text in texts)
    if ABROAD.search(clause):
        patterns = (*patterns, *OTHER_LANGUAGES)
    for place, pattern in enumerate(patterns):
        if took_side and place:
            return None
        found = _found(pattern, clause, is_first_person=place == 0)
        if found:
            return found
        label = _LABEL.match(clause)
        if place == 1 and label and (found := _found(pattern, clause[label.end() :], is_first_person=False)):
            return found
    return None


_compiling = Lock()
_patterns: dict[str, re.Pattern[str]] = {}


def _compiled(text: str) -> re.Pattern[str]:
    """Compiled when first needed: the longest take a tenth of a second, which a process that judges nothing saves.

    Once, however many threads begin to judge together: each of them would else compile all of it for itself.
    """
    pattern = _patterns.get(text)
    if pattern is None:
        with _compiling:
            pattern = _patterns.get(text) or re.compile(text)
            _patterns[text] = pattern
    return pattern


def _found(pattern: re.Pattern[str], clause: str, *, is_first_person: bool) -> re.Match[str] | None:
    match = pattern.search(clause)
    if match is None:
        return None
    before = clause[: match.start()]
    if _WHEN.match(before) and "," not in clause:
        before = ""
    if before.count('"') % 2 or CONDITION.search(before) or _CONTRAST.match(clause[match.end() :]):
        return None
    return None if not is_first_person and _RELATIVE.search(before) else match
