"""The words that deny a value, and what looks like a denial and is none."""

import re

from core.judging.match.surroundings.language import WORD

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
    r"|without (?:a )?doubt|without (?:these|those|them)(?: \w+)?|(?:not|nt) \w+(?: \w+){0,3} (?:until|before))\b"
)
PHRASES_BEFORE = re.compile(
    r"\b(?:other than|instead of|rather than|as opposed to|apart from|no longer|formerly|previously|"
    r"used to (?:be|have|hold)|contrary to|anyone but|anything but|no)\s(?:\w+\s){0,2}$"
)
_SET_APART = re.compile(
    r"\b(?:excluding|without|except(?:ing)?(?: for)?) (?:[\w'-]+ ){1,4}?(?=(?:(?:increas|decreas|declin|improv|total"
    r"|reach|amount|end|clos|remain)(?:e?d|s)|rose|fell|grew|was|were|is|are|stood|came|went|has|had)\b)"
)
"""What is left out of the subject of a clause, which goes on: "sales excluding fuel rose by"."""
_NOT_SINCE = re.compile(r"\b(?:not|nt) \w+(?: \w+){0,3} since\b")
"""In front of a day or a year from which on something is so: "have not been admitted since"."""
FORMER = re.compile(
    r"\b(?:former|formerly|previous|previously|used to|earlier|old|original|originally|initial|initially|first)\b"
)
DENIED_AFTER = re.compile(
    r"[\"')]*\s(?:\w+\s){0,2}?(?:"
    r"(?:is|was|are|were|does|did|do|has|had|have|will|can|could|would)\s(?:certainly |definitely )?not\b"
    r"(?! (?:only|just|merely))"
    r"|isnt|wasnt|arent|werent|doesnt|didnt|dont|hasnt|hadnt|wont|cant|cannot"
    r"|(?:is|was|would be)\s(?:\w+\s)?(?:incorrect|wrong|false|untrue|a mistake)\b"
    r"|no longer\b)"
)
WINDOW = 6
"""Words before a value in which a negation reaches it."""
ALL_BUT = re.compile(
    r"\b(?:any|every|all|each) (?!more |longer )(?:[\w-]+ ){1,3}but (?:\w+ ){0,2}$"
    r"|\b(?:anything|anyone|anybody|everything|everyone|everybody|all|anywhere|everywhere) but (?:\w+ ){0,2}$"
)
EXCLUDED = re.compile(r"\b(?:exclu(?:ded?|des|sions?)|exempt\w*|prohibited|forbidden|banned|unavailable|ineligible)\b")
_LEFT_OUT = re.compile(
    r"\b(?:skip\w*|omit\w*|miss(?:es|ed|ing)?|lacks?|lacking|leaves? out|left out|does not|do not|doesnt|dont|not)\b"
)
"""Questions for what something leaves out, which an answer may deny of it: "does not call at"."""


def asks_what_is_not(question: str) -> bool:
    """Whether a question asks what is excluded, so that "not in the UK" names it."""
    return bool(EXCLUDED.search(question) or _LEFT_OUT.search(question))


def negation(clause_before: str, value: str, sentence_after: str, question: str) -> str:
    """The words that deny a value, or empty.

    >>> negation("it is not ", "ann lee", "", ""), negation("it is not only ", "ann lee", "", "")
    ('not', '')
    """
    if value[:1].isdigit():
        clause_before = _NOT_SINCE.sub(" ", clause_before)
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
