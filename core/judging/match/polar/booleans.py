"""Yes and no: what an answer as a whole says, by its lead, its conclusion or its statements."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.polar.statements import SHORT, WORD, asked_core, stated_in_sentence, telling_stems
from core.judging.match.polar.support import in_the_words_asked
from core.judging.match.surroundings.context import ALLOWED, DOUBT, MAYBE
from core.judging.match.surroundings.language import DENYING_NO, FUNCTION_WORDS
from core.text.words import stem

_YES = "yes yeah yep true y correct right affirmative indeed absolutely certainly definitely ja oui si"
YES = frozenset(_YES.split())
NO = frozenset({"no", "none", "nope", "false", "n", "incorrect", "negative", "nein", "non"})
ASKS = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b"
    r"|\b(?:whether|if it is|true or false|yes or no|true that)\b"
)
_BARE = re.compile(
    r"(?!.*\b(?:what|which|who|whom|whose|when|where|how|why|number|count|total|many|much|average|sum|list|names?|id"
    r"|level|grade|position|rank)\b)(?:[^?]+\?|.+ yes ?/ ?no\W*)"
)
"""A question in a few words that asks for no thing: "berth 7 dangerous goods allowed?"."""
ANY_AT_ALL = re.compile(r"^\W*(?:is|are|was|were|does|do|did|has|have|had)\b[^?]*\bany(?:thing|one|body)?\b")
"""A question whether there is any, of which "none" is a no."""
LEADS = re.compile(
    r"^\W*(?:(?:well|answer|the answer is|(?:the )?short answer(?: is)?|final answer|it is|thats|that is|this is"
    r"|so|thus|therefore|hence"
    r"|in (?:short|summary|brief|a word|conclusion|this case)|overall|yes or no"
    r"|(?:based on|according to|from|given|as per|per)(?: [\w'-]+){1,8}?(?=[,:]))\W{1,3})*"
    rf"({DENYING_NO}|(?!no\b)\w+)\b(?! (?:one|longer)\b)"
)
BOTH = re.compile(r"^\W*(?:yes|no)\W{0,3}(?:and|or) (?:yes|no)\b")
FLATLY_NOT = re.compile(
    r"^\W*(?:(?:unfortunately|sadly|regrettably|i am afraid|im afraid|afraid|certainly|probably"
    r"|apparently) not|not (?:at all|really|so|quite|exactly|that)|(?:absolutely|certainly|definitely|of course"
    r"|indeed) not|far from it|by no means)\b"
    r"|^\W*(?:not (?:yet|currently|as yet|so far|any ?more|any longer|for now|at (?:present|the moment))"
    r"|no longer)\s*[.,;:(]"
)
FLATLY = re.compile(
    r"^\W*(?:of course|sure|by all means|very much so|without (?:a )?doubt)\b(?=\s*[.,!;:-]|$)(?!,? not)"
)
CONCLUDES = re.compile(
    r"\b(?:so|therefore|thus|hence|in (?:short|summary|conclusion)|overall),? (?:the answer is |it is )?"
    r"(yes|no)\b(?P<what>(?: [a-z]+){0,3})"
)
ELLIPTIC = re.compile(
    r"^\W*(?:it|they|he|she|there|this|that|we|you|i|the(?: [\w-]+){1,4}?)"
    r" (?:does|do|did|is|are|was|were|has|have|had|can|could|will|would|should|may|must)(?P<not>nt"
    r"| not)?(?: indeed| so)?\s*(?:[.,;!]|$)"
    r"|^\W*(?:it|they|he|she|there|this|that|we|you|i) (?P<cannot>cannot|cant|wont)\s*(?:[.,;!]|$)"
)
"""A statement that leaves out what was asked: "It does not."."""
_PROPERTY = re.compile(
    r"^\W*(?:is|are|was|were) (?:[\w'-]+ ){1,8}?(?P<what>free|available|open|closed|included|covered|allowed|permitted"
    r"|required|mandatory|optional|insured|registered|valid|eligible|exempt|taxable|refundable|transferable|accessible|possible)\b"
)
"""What is asked whether something is."""
MOST_SENTENCES = 6
MOST_READ = 40
"""Sentences in which a conclusion is looked for."""
CONCLUSION = re.compile(
    r"^\W*(?:therefore|thus|hence|so|overall|in (?:short|summary|conclusion)|to (?:conclude|summari[sz]e|sum up)"
    r"|consequently|accordingly|as a result|based on (?:this|these|the above)|given (?:this|these)|conclusion"
    r"|finally)\b"
)
SAID = re.compile(
    r"(?:\b(?:the answer is|answer:|it is|that is|this is|statement is|claim is)|[a-z_] ?=)"
    r"\s(yes|no|true|false|correct|incorrect)\b(?! longer\b)"
)
_LETTER = re.compile(r"(?:\b(?:is|was|as|to|says|shows|value|flag|entry)|[:=]) ?['\"(]?([yn])\b['\")]?(?! ?[/|])")
"""A flag, given as its letter."""
_SO_THEN = re.compile(r", (?:so|therefore|thus|hence|which means)\b")
"""Behind a yes or no, what follows from it."""
_ROW = re.compile(r"\s*(?:\||$)")
"""A line of a table, or an empty one."""
_SENTENCE_END = re.compile(r"(?<!\.[a-z])[.!;](?:\s|$)|\n")


_OPEN = re.compile(
    r"^.*?\b(?:what(?: is|s| was)|tell me|look up|know(?: exactly)?(?: what)?|give me)(?: the)? (?P<what>.{2,60}?)"
    r" (?:of|for|at|in) (?:the )?[^?]*['\"][^?]*",
    re.DOTALL | re.IGNORECASE,
)
_LETTER_ASKED = re.compile(
    r"\b(?:codes?|grades?|class(?:es)?|categor\w+|letters?|types?|status|zones?|ratings?|sizes?|directions?|genders?|sex"
    r"|series|blocks?|groups?|symbols?|initials?|keys?|names?|abbreviations?|how many|who|where|when|which)\b",
    re.IGNORECASE,
)
"""Questions to which Y or N may be a letter."""


def as_polar(question: str, references: Sequence[str]) -> str:
    """A question for a flag, as one for yes or no: "what is the part time of inspector 'Lee'" asks whether he is.

    Args:
        question: As asked.
        references: Every acceptable answer; only Y and N are flags whatever is asked.

    >>> as_polar("What is the part time of inspector 'Lee'?", ["Y"]), as_polar("What is the grade of 'Lee'?", ["N"])
    ('Is it part time?', "What is the grade of 'Lee'?")
    """
    if any(reference.strip().upper() not in {"Y", "N"} for reference in references) or ASKS.search(question.casefold()):
        return question
    if _LETTER_ASKED.search(question) or not (asked := _OPEN.match(question)):
        return question
    return f"Is it {asked['what']}?"


def truth(reference: str, question: str) -> bool | None:
    """The truth value a reference is, or None; 1 and 0 only where the question asks for yes or no.

    Args:
        reference: Match text of the reference.
        question: Match text of the question.

    >>> truth("true", ""), truth("1", "is it open?"), truth("1", "how many?")
    (True, True, None)
    """
    word = reference.strip(" .!\"'")
    if word in {"yes", "true"}:
        return True
    if word in {"no", "false"}:
        return False
    if word == "none" and ANY_AT_ALL.search(question):
        return False
    if word in {"1", "0", "y", "n", "t", "f"} and (ASKS.search(question) or _BARE.fullmatch(question)):
        return word in {"1", "y", "t"}
    return None


def said_truth(text: str, question: str) -> tuple[bool | None, str]:
    """What an answer says to a yes-or-no question, and the words that say it.

    A leading yes or no decides; else a conclusion, else a statement with the question's words says yes, with a negation
    no. "Declined" says no where the question asks whether something improved.

    Args:
        text: Match text of the answer.
        question: Match text of the question.

    >>> said_truth("no, it is closed.", "is it open?"), said_truth("the branch is open.", "is the branch open?")
    ((False, 'no'), (True, 'the branch is open'))
    """
    question = asked_core(question)
    text = in_the_words_asked(text, question)
    lead = LEADS.match(text)
    word = lead[1] if lead else ""
    led = word in YES | NO and not re.match(r"\W{0,3}(?:or|and)\b", text[lead.end() if lead else 0 :])
    first = _SO_THEN.split(_SENTENCE_END.split(text, maxsplit=1)[0], maxsplit=1)[0] if led else text
    if doubt := DOUBT.search(text if len(text) <= SHORT else first) or _maybe(first, question):
        return None, doubt[0]
    if led:
        return word in YES, word
    if letter := _LETTER.search(text):
        return letter[1] == "y", letter[0]
    if text.strip(" .") in {"1", "0"}:
        return text.strip(" .") == "1", text.strip()
    if flat := FLATLY.match(text):
        return True, flat[0].strip()
    if flat := FLATLY_NOT.match(text):
        return False, flat[0].strip()
    statement = SAID.search(text) or _concluding(text, question)
    if statement:
        return statement[1] in YES, statement[0]
    if text.rstrip().endswith("?"):
        return None, ""
    if elliptic := ELLIPTIC.match(text):
        return not (elliptic["not"] or elliptic["cannot"]), elliptic[0].strip()
    sentences = [one for one in _SENTENCE_END.split(text, maxsplit=MOST_READ) if not _ROW.match(one)][:MOST_READ]
    concluding = [stated_in_sentence(sentence[:400], question) for sentence in sentences if CONCLUSION.match(sentence)]
    if told := [found for found in concluding if found[0] is not None]:
        return told[-1]
    stated = [stated_in_sentence(sentence[:400], question) for sentence in sentences[:MOST_SENTENCES]]
    told = [found for found in stated if found[0] is not None]
    return told[0] if told and len({truth for truth, _ in told}) == 1 else (None, "")


def _concluding(text: str, question: str) -> re.Match[str] | None:
    """Where a text concludes with yes or no, and not with "so no payments are possible", which asks of nothing."""
    for found in CONCLUDES.finditer(text):
        what = frozenset(WORD.findall(found["what"])) - FUNCTION_WORDS
        if not what or telling_stems(" ".join(what)) & telling_stems(question):
            return found
    return None


def _maybe(text: str, question: str) -> re.Match[str] | None:
    """A hedge, but for what is allowed besides: "a form may be requested" where a visa is asked about."""
    asked = set(WORD.findall(question))

    def kept(match: re.Match[str]) -> str:
        return match[0] if match[0].split()[-1] in asked else " "

    return MAYBE.search(ALLOWED.sub(kept, text))


def unsaid(text: str, question: str) -> str:
    """The property that a question asks about where an answer has no word of it; or empty.

    >>> unsaid("donors pay the standard tariff", "is parking free for donors?")
    'free'
    >>> unsaid("parking is not free for donors", "is parking free for donors?")
    ''
    """
    asked = _PROPERTY.search(asked_core(question))
    return asked["what"] if asked and stem(asked["what"]) not in telling_stems(text) else ""
