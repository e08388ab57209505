"""Paraphrase: the same question in other words, by a model where there is one, else by rules."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.indirect import indirect
from core.testset.variants.nouns import property_of, several
from core.testset.variants.registry import variant
from core.testset.variants.spans import capital, protected, values_of
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec
from core.testset.variants.wrapped import listed, wrapped
from core.text.questions import QUOTED

_DONE: Final = "held|made|born|founded|built|written|released|opened|invented|created|published"
_FACT: Final = "has|have|had|uses|contains|made|won|played"
_GIVEN: Final = r"could you tell me the \1?"
_KNOWN: Final = r"I would like to know the \1."
_CHECKED: Final = r"could you check the \1?"
RULES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), replacements)
    for pattern, replacements in (
        (r"^what (?:is|are) the (.+?)\??$", (_GIVEN, _KNOWN, r"could you tell me what the \1 {be}?")),
        (r"^what (?:was|were) the (.+?)\??$", (r"can you tell me what the \1 {be}?",)),
        (
            r"^who (?:is|are) the (.+?)\??$",
            (r"could you tell me who the \1 {be}?", r"I would like to know who the \1 {be}."),
        ),
        (
            r"^how many (.+?) are there (.+?)\??$",
            (r"what is the number of \1 \2?", r"can you tell me how many \1 there are \2?"),
        ),
        (r"^how many (.+?) does (.+?) have\??$", (r"what is the number of \1 that \2 has?",)),
        (r"^how (?:high|large) is the (.+?)\??$", (r"what is the \1?", r"could you tell me the \1?")),
        (r"^(?:look up|get) (?:the )?(.+?)[.?]?$", (r"please find the \1.", _CHECKED)),
        (
            r"^who (was|were|is|are) (?!the\b|an?\b)([a-z].+?)\??$",
            (r"can you tell me who \1 \2?", r"I would like to know who \1 \2."),
        ),
        (
            r"^((?:how many|which) (?:[a-z-]+ ){1,3}(?:was|were|is|are) [a-z]+(?:ed|en|ade|old|aid) .+?)\??$",
            (r"can you tell me \1?", r"I would like to know \1."),
        ),
        (r"^why (was|were|is|are|did|does|do) (.+?)\??$", (r"for what reason \1 \2?",)),
        (r"^what time (does|do|did) (.+?)\??$", (r"at what time \1 \2?",)),
        (
            r"^(?:give|tell|show) me (?:the )?((?!all\b|an?\b|every|how|wh|if|about|more).+?)[.]?$",
            (r"could you tell me the \1?", r"please look up the \1.", r"what I need is the \1."),
        ),
        (r"^(list|show) (?:all )?(the .+?)[.]?$", (r"could you \1 \2?", r"please \1 \2.")),
        (
            r"^when (?:was|were) (.+) ([a-z]+ed)\??$",
            (r"can you tell me when \1 {be} \2?", r"do you know when \1 {be} \2?"),
        ),
        (
            r"^(who (?!is\b|are\b|was\b|were\b|did\b|do\b|does\b|has\b|have\b)[a-z]+s? .+?)\??$",
            (r"can you tell me \1?", r"do you know \1?"),
        ),
        (rf"^((?:which|what) [a-z]+ (?:{_FACT}) .+?)\??$", (r"can you tell me \1?",)),
        (
            rf"^when (was|were|is|are) (.+) ({_DONE})\??$",
            (r"can you tell me when \2 \1 \3?", r"do you know when \2 \1 \3?"),
        ),
        (
            r"^where (is|are|was|were) (.+) (located|held|made|born|founded|built|filmed|found)\??$",
            (r"can you tell me where \2 \1 \3?", r"in which place \1 \2 \3?"),
        ),
        (r"^(how (?:has|have|did|does|do)|what|which|has|have|in what ways) (.+?)\??$", ()),
    )
    if replacements
)
_SENTENCES: Final = re.compile(r"[.?!] +[A-Z]")
SHORT: Final = 6
"""Words behind which a verb can still stand at the end."""
_AROUND: Final = (
    "Could you tell me {}?",
    "Do you happen to know {}?",
    "I would like to know {}.",
    "I need to know {}.",
)
"""Sentences that a question may stand in as a clause."""
_CLAUSES: Final = (
    ("Could you tell me", "?"),
    ("Do you know", "?"),
    ("I would like to know", "."),
    ("I am trying to find out", "."),
)
"""What a question that is made a clause follows."""
_TASKS: Final = (
    "list|show|name|state|describe|compare|summari[sz]e|analy[sz]e|outline|calculate|identify|discuss|provide|mention|"
    "count|explain"
)
_OPENINGS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), replacements)
    for pattern, replacements in (
        (r"^do i need to ", ("do I have to ", "is it necessary for me to ")),
        (r"^do i have to ", ("do I need to ", "am I required to ")),
        (r"^should i ", ("am I supposed to ",)),
        (r"^may i ", ("am I allowed to ",)),
        (r"^what do i do (if|when) ", (r"what should I do \1 ", r"what am I supposed to do \1 ")),
        (r"^what should i do (if|when) ", (r"what do I do \1 ", r"what am I supposed to do \1 ")),
        (r"^what happens (if|when) ", (r"what will happen \1 ",)),
        (r"^how do i ", ("how can I ", "what do I have to do to ")),
        (r"^how can i ", ("how do I ", "what is the way to ")),
        (r"^where can i ", ("where do I ",)),
        (r"^how much does (.+) cost$", (r"what does \1 cost", r"what is the price of \1")),
        (r"^how long does (.+) take$", (r"how much time does \1 take",)),
        (r"^how long does it take ", ("how much time does it take ",)),
        (r"^who is responsible for ", ("who is in charge of ",)),
        (r"^what is meant by ", ("what is the meaning of ",)),
    )
)
"""Openings with others that ask the same."""
_TASK: Final = re.compile(rf"^(?:{_TASKS}) (?=\S+ \S)", re.IGNORECASE)
_BARE: Final = re.compile(r"^(?:look up )?([a-z]+(?: [a-z]+){0,5} of [a-z]+ (?:[a-z]+ ){0,2}'.+')$", re.IGNORECASE)
_LEADS: Final = (
    (
        re.compile(
            r"\bso I would be grateful if you could find it out for me and let me know as soon as you have it\b"
        ),
        "so please look it up for me and tell me when you have it",
    ),
    (re.compile(r"\bnobody in the room could remember\b"), "none of us there knew"),
    (re.compile(r"\bI would like to know exactly\b"), "I need to know exactly"),
    (re.compile(r"\bI am preparing a reply to\b"), "I am writing an answer to"),
    (re.compile(r"\bas far as you can tell\b"), "as far as you know"),
    (re.compile(r"\bcan be (?:gleaned|drawn|identified)\b"), "can be seen"),
    (re.compile(r"\bcould be gleaned\b"), "could be gained"),
    (re.compile(r"\bthese quarters\b"), "the quarters in question"),
    (re.compile(r"\bWhat were the risk factors identified by\b"), "Which risk factors were named by"),
    (re.compile(r"\bas (?:disclosed|reported|stated) in(?= (?:the|its|their|these|this)\b)"), "according to"),
    (re.compile(r"\bcompare to\b"), "compare with"),
    (re.compile(r"\bWhat are the key changes in\b"), "What has changed most in"),
    (re.compile(r"\bhow do you\b", re.IGNORECASE), "how does one"),
    (re.compile(r"\bwhat kind of\b", re.IGNORECASE), "what sort of"),
    (re.compile(r"\bwhat type of\b", re.IGNORECASE), "what kind of"),
    (re.compile(r"\btake place\b"), "happen"),
    (re.compile(r"\bused for\b"), "there for"),
    (re.compile(r"\bimpact\b"), "effect"),
    (re.compile(r"\bsubstantial\b"), "large"),
    (re.compile(r"\bdiscuss\b", re.IGNORECASE), "describe"),
    (re.compile(r"\bsignificant\b"), "important"),
)
"""Phrases with others that mean the same wherever they stand in a question."""


_TWO_IN_ONE: Final = re.compile(r" [–—] (?:what|who|which|when|where|how|is|are|was|were|do|does|did)\b", re.IGNORECASE)


@variant(
    VariantSpec(
        name="paraphrase",
        title="Paraphrase",
        question="Does the answer stay right when the question is asked in other words?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        source="HCAT 6.1, input variations. By a model where one is chosen, which sees no value, else by rules.",
        version=4,
    )
)
def paraphrase(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Asks in other words; a model that is chosen words it, and where it gives nothing usable the case is skipped."""
    if ground.reword is not None:
        worded = ground.reword(case)
        if worded is None:
            return Skip("the model gave no usable wording")
        return Draft(question=worded, change="reworded by a model")
    question, values = case.question.strip(), values_of(case.sql_params)
    if _TWO_IN_ONE.search(question):
        return Skip("two questions in one, joined by a dash")
    if inner := wrapped(question):
        fitting = [text for lead in _AROUND if (text := lead.format(inner.clause)).casefold() != question.casefold()]
        return Draft(question=draw.choice(fitting), change="asked in other words")
    for pattern, replacements in RULES if not _SENTENCES.search(QUOTED.sub("'x'", question)) else ():
        # The opening word may come to stand inside a sentence.
        if match := pattern.match(question[:1].lower() + question[1:]):
            be = next(iter(re.findall(r"\b(is|are|was|were)\b", question)), "is")
            # The verb comes last only where nothing stands between it and its subject.
            fitting = [
                text
                for text in replacements
                if (", and " not in question or (text.endswith("?") and "{be}" not in text))
                and ("{be}" not in text[-5:] or len(match[1].split()) <= SHORT)
            ]
            fitting = [text for text in fitting if _fits(text, match[1], question)]
            if not fitting:
                continue
            text = match.expand(draw.choice(fitting)).replace("{be}", be)
            if text.count(" and ") < 2:
                return Draft(question=_written_like(text, question), change="asked in other words")
    for pattern, replacement in _LEADS:
        match = pattern.search(question)
        if match and not any(start < match.end() and match.start() < end for start, end in protected(question, values)):
            other = capital(replacement) if match[0][:1].isupper() else replacement
            return Draft(
                question=question[: match.start()] + other + question[match.end() :],
                change=f"'{match[0]}' became '{other}'",
            )
    return _opened_otherwise(question, draw) or Skip("no rule for this wording, and no model to reword it")


def _fits(text: str, asked: str, question: str) -> bool:
    """Whether a wording suits what is asked: only a property is given, and one thing alone is checked."""
    if text == _CHECKED:
        return not several(asked)
    if question[:4].casefold() == "what" and text in (_GIVEN, _KNOWN):
        return property_of(asked)
    return True


def _written_like(text: str, question: str) -> str:
    """The text in small letters and without a mark where the question is so."""
    if not question.islower():
        return capital(text)
    return text.lower() if question.endswith(("?", ".")) else text.lower().rstrip("?.")


def _opened_otherwise(question: str, draw: random.Random) -> Draft | None:
    """The question with another opening, or as a clause of another sentence; written small where it was."""
    small = question.islower()
    asked = question.rstrip("?. ")
    marked = bool(question[len(asked) :].strip()) or not small
    mark = "?" if marked else ""
    texts: list[str] = []
    for pattern, replacements in _OPENINGS:
        if match := pattern.match(asked):
            texts = [match.expand(text) + asked[match.end() :] + mark for text in replacements]
            break
    if not texts and _TASK.match(asked):
        task = asked[:1].lower() + asked[1:]
        texts = [f"could you {task}{mark}", f"please {task}{'.' if marked else ''}"]
    if not texts and (parts := listed(question)):
        texts = [f"I need the {parts[1]} of {parts[0]}.", f"Can you give me the {parts[1]} of {parts[0]}?"]
    if not texts and (match := _BARE.match(asked)):
        noun = match[1][:1].lower() + match[1][1:]
        texts = [f"I am looking for the {noun}.", f"Can you give me the {noun}?"]
    if not texts and (clause := indirect(question)):
        texts = [f"{lead} {clause}{end if marked else ''}" for lead, end in _CLAUSES]
    if not texts:
        return None
    text = draw.choice(texts)
    return Draft(question=text.lower() if small else capital(text), change="asked in other words")
