"""What declining sounds like in English, German and French.

The patterns read match text (`core.judging.match.readers.normalise.match_text`): lower case, no accents, no apostrophes
inside words and no "'s", so "I don't" is "i dont", "it's" is "it" and "enthält" is "enthalt". Each alternative is one
line.
"""

from __future__ import annotations

import re


def _any(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


_ADVERBS = (
    "(?: (?:also|currently|unfortunately|really|actually|honestly|simply|still|personally|yet|explicitly|specifically"
    "|directly|clearly|exactly|either|seem to|appear to|or implicitly|itself))*"
)
_DO_NOT = "(?:do not|dont|did not|didnt)"
_IS_NOT = (
    "(?:(?:is|are|was|were|has been|have been|has|have) not(?: been)?|isnt|arent|wasnt|werent|hasnt been|havent been)"
)
_CAN_NOT = _any("cannot", "can not", "cant", "could not", "couldnt")
_UNABLE = _any(
    _CAN_NOT,
    "(?:am|are|was|were|im|have been|ive been) (?:currently )?(?:unable|not able) to",
    "(?:wasnt|werent|havent been|have not been) able to",
    "(?:am|are|im) not (?:yet )?(?:allowed|permitted|authori[sz]ed|in a position) to",
)
DOCUMENT = (
    "(?:documents?|documentation|contexts?|passages?|texts?|articles?|sources?|excerpts?|snippets?|paragraphs?"
    "|information|database|knowledge base|materials?|content|search results?|records?|conversation|corpus)"
)
"""What an assistant calls the texts it was given; a policy or a contract is what people ask about."""

_TELL = (
    "(?:mention|specify|state|provide|contain|include|list|say|give|indicate|disclose|address|discuss|cover|explain"
    "|describe|offer|have(?! to)|define|clarify|reveal|answer|detail|elaborate|tell|identify|show|confirm|name)"
)
_TELLS = (
    "(?:mentions?|specif(?:y|ies)|states?|provides?|contains?|includes?|lists?|says?|gives?|indicates?|address(?:es)?"
    "|discuss(?:es)?|covers?|explains?|describes?|offers?|has|have|answers?|shows?|names?)"
)
_TOLD = (
    "(?:mentioned|specified|stated|indicated|discussed|addressed|explained|defined|detailed|described|provided"
    "|available|found|given|listed|included|contained|present|covered|known|clear|disclosed|documented|recorded|named"
    "|answered|part of)"
)
_PASSED_ON = r"(?! to (?!me\b|us\b|you\b)|[\w ]*\bto third\b)"
_FACT = (
    "(?:information|mention|details?|data|indication|reference|records?|answer|documentation|guidance|results?|entry)"
)
_ABOUT = (
    r"(?=\W*$| (?:about|on|regarding|concerning|for|in|that|available|provided|given|found|as|of|to|from|how|why|what"
    r"|which|when|where|whether|who|here|within|related|relating|specific)\b)"
)
_IN_DOCUMENTS = rf"(?: [\w/-]+){{0,6}} (?:the|this|these|my|any|your|our)(?: [\w-]+){{0,3}} {DOCUMENT}\b"

FIRST_PERSON = re.compile(
    r"\b"
    + _any(
        rf"i{_ADVERBS} {_DO_NOT}{_ADVERBS} (?:know|have|hold|possess|find|see|store|recall|understand|recogni[sz]e)",
        r"(?:i|we) (?:have not|havent) (?:yet )?(?:found|seen|been given|been provided)",
        "ive been (?:unable|not able) to",
        rf"i{_ADVERBS} {_UNABLE}(?! (?:stress|emphasi|overstate))",
        rf"i{_ADVERBS} (?:will not|wont|must decline|have to decline|refuse)",
        rf"(?:im|i am){_ADVERBS} (?:not (?:sure|certain|aware)|unsure|uncertain|unaware|unable to)",
        rf"(?:i|we){_ADVERBS} have no (?:[\w-]+ ){{0,2}}(?:idea|{_FACT}|knowledge|access|way)",
        rf"we{_ADVERBS} {_DO_NOT}{_ADVERBS} know",
        rf"we{_ADVERBS} {_DO_NOT}{_ADVERBS} (?:have|hold|possess|find|store|disclose)(?: [\w-]+){{0,3}}"
        rf" (?:{_FACT}|access|knowledge)",
        rf"we{_ADVERBS} (?:{_UNABLE}|do not|dont) (?:answer|disclose|share|confirm|find|determine|say|tell|comment"
        "|identify|verify|discuss|reveal|help|assist|fulfil|give out)",
        rf"we{_ADVERBS} {_UNABLE} (?:provide|give)(?: you)?(?: with)?(?: (?:any|such|specific|further|the|an))*"
        rf" (?:[\w-]+ ){{0,2}}(?:{_FACT}|advice|figures?|this|that|it)",
        "(?:i|we) (?:can|may|am able to|are able to) only (?:help|answer|assist|provide|respond|support|discuss)",
        "(?:im|i am) (?:only|not) (?:able|designed|trained|programmed|authori[sz]ed|allowed|permitted)",
        "(?:id|i would) (?:rather|prefer) not",
        "(?:not|isnt) (?:something|known to) (?:i|we|me)(?: can)?",
    )
    + r"\b"
)
"""The assistant says of itself that it does not know, cannot or may not. A bank's "we" needs words of telling, since
"we do not have a branch in Jersey" is an answer."""

_ANYWHERE = _any(
    rf"{DOCUMENT}(?: [\w-]+){{0,7}}? (?:does not|doesnt|do not|dont|did not|didnt|fails? to){_ADVERBS} {_TELL}",
    rf"{DOCUMENT}(?: [\w-]+){{0,7}}? {_TELLS} (?:no|neither|nothing)(?: [\w-]+){{0,3}}? (?:{_FACT}|about|on){_ABOUT}",
    rf"(?:none of|neither of|nothing in)(?: [\w-]+){{1,4}} {_TELLS}",
    rf"(?:no|neither) (?:[\w-]+ )?{DOCUMENT}(?: [\w-]+){{0,3}} {_TELLS}",
    r"there(?: is| are| was| were| seems to be| appears to be)? (?:currently )?no"
    rf" (?:[\w-]+ ){{0,4}}?{_FACT}{_ABOUT}",
    "there (?:isnt|is not|arent|are not|wasnt|was not) (?:any|enough|sufficient|an?)"
    rf" (?:[\w-]+ ){{0,3}}?{_FACT}{_ABOUT}",
    rf"no (?:[\w-]+ ){{0,3}}?{_FACT}(?: [\w-]+){{0,8}}? (?:is|are|was|were|could be|can be|has been|have been) {_TOLD}",
    "(?:not enough|insufficient|not sufficient) (?:[\\w-]+ )?(?:information|context|data|details)",
    "(?:more|additional|further) (?:information|context|details|data) (?:is|are|would be) (?:needed|required)",
    rf"(?:information|answer|details?|(?:this|your|that) question)(?: [\w-]+){{0,8}}? {_IS_NOT}{_ADVERBS}"
    rf" {_TOLD}{_PASSED_ON}",
    rf"{_IS_NOT}{_ADVERBS} (?:mentioned|specified|stated|indicated|discussed|addressed|explained|described)"
    rf"(?:,? (?:or|nor) \w+)?(?:(?=\W*$)|{_IN_DOCUMENTS})",
    rf"{_IS_NOT}{_ADVERBS} {_TOLD}{_IN_DOCUMENTS}",
    rf"(?:information|answer)(?: [\w-]+){{0,8}}? {_IS_NOT}{_IN_DOCUMENTS}",
    rf"(?:unclear|unknown|not possible to \w+|impossible to \w+){_IN_DOCUMENTS}",
    "(?:not possible|impossible) (?:for me )?to (?:say|tell|determine|answer|know|confirm|give an answer)",
    f"{_CAN_NOT} be (?:determined|answered|inferred|ascertained)",
    f"{_CAN_NOT} be (?:found|established|confirmed|verified|identified|located){_IN_DOCUMENTS}",
    f"(?:your|this|the) (?:request|question|query) {_CAN_NOT} be (?:answered|processed|fulfilled|completed|handled)",
    "(?:outside|beyond|not within|out of)(?: of)? (?:the |my |our )?(?:scope|knowledge|expertise|remit|capabilities)",
    "information is (?:strictly )?(?:confidential|private|restricted|protected)",
)
_AT_THE_START = _any(
    rf"(?:no|not enough|insufficient) (?:[\w-]+ )?{_FACT}(?:\W*$| (?:about|on|found|available|regarding|in)\b)",
    rf"{_FACT} not (?:found|available|provided|given)\b",
    r"(?:it|they) (?:does not|doesnt|do not|dont) (?:say|specify|mention it|state it|tell)\W*$",
    r"(?:(?:it|this|that) (?:is |was )?)?(?:unclear|unknown|not (?:known|clear|specified|stated|mentioned|provided"
    r"|available|found|given))\W*$",
    r"(?:cannot|cant|unable to|could not) (?:answer|find|determine|say|tell|locate|provide|confirm|disclose)\b",
    rf"not (?:found |mentioned |stated |specified |provided |available )?(?:in|by|within)(?: [\w-]+){{1,3}} {DOCUMENT}",
)
IMPERSONAL = re.compile(rf"\b{_ANYWHERE}|^{_AT_THE_START}")
"""The documents, or nobody in particular, are said to hold no answer."""

GERMAN = re.compile(
    r"\b"
    + _any(
        r"ich (?:weiss|kenne|habe|kann|konnte|finde|darf|verfuge|besitze|bin)(?: [\w-]+){0,8}?"
        r" (?:nicht|kein\w*|nichts)",
        r"(?:weiss|kann|konnte|habe|finde|darf|verfuge) ich(?: [\w-]+){0,8}? (?:nicht|kein\w*|nichts)",
        r"(?:wir (?:konnen|durfen|haben)|(?:konnen|durfen|haben) wir)(?: [\w-]+){0,6}? nicht (?:beantworten|mitteilen"
        "|sagen|bestatigen|offenlegen|weitergeben)",
        r"kein(?:e|en|erlei)? (?:[\w-]+ )?(?:informationen|information|angaben|angabe|auskunfte?|erwahnung|ahnung)",
        r"(?:dokumente?n?|unterlagen|texte?n?|kontext|quellen?|abschnitte?n?|passagen?)(?: [\w-]+){0,10}? (?:nicht"
        r"|nichts|keine?n?) (?:[\w-]+ )?(?:erwahnt|genannt|angegeben|enthalten|beschrieben|aufgefuhrt|hervor|zu finden"
        "|dazu)",
        r"(?:wird|werden|ist|sind)(?: [\w-]+){0,6}? nicht (?:erwahnt|genannt|angegeben)",
        r"(?:information|informationen|angaben?) (?:ist|sind)(?: [\w-]+){0,3}? nicht (?:verfugbar|vorhanden|enthalten)",
        r"geht(?: [\w-]+){0,8}? nicht (?:[\w-]+ )?hervor",
        r"(?:lasst|lassen) sich(?: [\w-]+){0,6}? nicht (?:beantworten|ermitteln|feststellen|sagen|bestimmen)",
        r"(?:frage|anfrage)(?: [\w-]+){0,4}? nicht (?:beantwortet|beantworten)",
    )
    + r"\b"
)
FRENCH = re.compile(
    r"\b"
    + _any(
        r"je ne (?:sais|peux|suis|dispose|trouve|connais|possede|vois)(?: [\w-]+){0,3}? (?:pas|aucun\w*|daucun\w*)",
        r"je nai (?:pas|aucun\w*|malheureusement pas|trouve aucun\w*)",
        r"nous ne (?:disposons|pouvons|savons|connaissons|sommes)(?: [\w-]+){0,2}? (?:pas|daucun\w*)(?: [\w-]+){0,2}?"
        " (?:information|informations|repondre|communiquer|divulguer|savoir|confirmer|en mesure)",
        r"(?:documents?|textes?|contextes?|passages?|sources?|extraits?)(?: [\w-]+){0,4}? ne (?:mentionn|precis|contien"
        r"|indiqu|fourni|donn|parl|comport|di[ts]|specifi)\w*",
        r"aucune? (?:[\w-]+ )?(?:information|informations|donnee|mention|indication|renseignement|detail|reponse)",
        r"(?:nest|ne sont|netait|na|nont)(?: pas|jamais)(?: ete)? (?:[\w-]+ )?(?:mentionne|precise|indique|specifie"
        r"|fourni|communique)\w*",
        "il (?:nest|mest) (?:pas possible|impossible) de (?:repondre|savoir|determiner|dire)",
    )
    + r"\b"
)

ALL = (FIRST_PERSON, IMPERSONAL, GERMAN, FRENCH)
"""In the order they are tried."""

BEFORE_CLAIM = re.compile(r"\b(?:if|when|unless|whether|because|in case|wenn|falls|weil|ob|si|quand|lorsque)\b")
"""Words before a declining phrase that make it a condition and no refusal."""

YES_NO = re.compile(r"^(?:yes|no|nope|yeah|ja|nein|oui|non)[,.;:!]")
"""An answer that begins so has taken a side; only words about the assistant itself can take it back."""

TURN = re.compile(
    r"(?:[,;.]\s*|\s+[-]\s+|\s)(?:but|however|nevertheless|nonetheless|yet|aber|jedoch|allerdings|mais|cependant"
    r"|toutefois)"
    r"\b,?\s*|;\s*|,\s*(?:so|and|though|although|while|whereas|und|et)\s+(?=(?:the|it|its|they|he|she|i|we|you|this"
    r"|that"
    r"|these|there|der|die|das|es|sie|er|le|la|les|il|elle|ils)\b)"
)
"""Where a sentence turns from one statement to the next."""

YIELDING = re.compile(r"^(?:while|although|though|even though|whereas|despite|obwohl|wahrend|bien que|meme si)\b")
"""A sentence that begins so says two things, parted by a comma."""
YIELDED = re.compile(
    r",\s+(?=(?:i|we|it|they|the|this|that|there|these|you|he|she|one|some|ich|wir|es|sie|je|nous|il|elle)\b)"
)
