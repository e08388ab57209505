"""Other forms: a question as a directive, as a statement of need, or as the few words of a search."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.indirect import indirect
from core.testset.variants.nouns import asked_with, property_of
from core.testset.variants.registry import variant
from core.testset.variants.spans import capital
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec
from core.testset.variants.wrapped import Wrapped, listed, wrapped

_NOUN: Final = re.compile(
    r"^(?:What|How high|How large|How long) (?:is|are|was|were) (?P<noun>the (?!most\b).+?)\??$", re.IGNORECASE
)
_WHO: Final = re.compile(r"^Who (?P<be>is|are|was|were) (?P<noun>the .+?)\??$", re.IGNORECASE)
SHORT: Final = 6
"""Words of a name for somebody behind which a verb can still stand at the end."""
_SECOND: Final = re.compile(
    r"(?:,| and) (?:and )?(?:how|what|why|who|which|when|where|did|do|does|is|are)\b.*\?", re.IGNORECASE
)
_DIRECTIVE: Final = re.compile(
    r"^(?:Look up|Find|Get|Give me|Give|State|Show|Tell me) (?:the )?(?P<noun>(?!all\b|me\b|every\b).+?)[.?]?$",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(r"^How many (?P<what>.+?) are there (?P<where>.+?)\??$", re.IGNORECASE)
_HAVE: Final = re.compile(r"^How many (?P<what>.+?) does (?P<who>.+?) have\??$", re.IGNORECASE)
_SUBJECT: Final = re.compile(
    r"^(?P<ask>who (?!is\b|are\b|was\b|were\b|did\b|do\b|does\b|has\b|have\b|can\b|will\b)[a-z]+ .+?)\??$",
    re.IGNORECASE,
)
_NO_NOUN: Final = re.compile(
    r"(?:out|more|me|us|about|how|what|who|which|when|where|why|if|whether|an?)\b", re.IGNORECASE
)
_BARE: Final = re.compile(r"^(?P<noun>[A-Z][a-z]+(?: [a-z]+){0,5} of [a-z]+ (?:[a-z]+ )?'.+')$")
_TASK: Final = re.compile(
    r"^(?:list|show|name|state|describe|compare|summari[sz]e|analy[sz]e|outline|calculate|identify|discuss|provide|"
    r"mention|count|explain) \S+ \S",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(r"how (?:many|much|long|often|old|far|soon|high|large|big|fast)\b")
_CAN: Final = re.compile(
    r"^(?:Can|Could|Would) you (?:kindly |please )?(?P<do>(?:tell|explain|describe|list|give|find|show)\b.+?)\??$",
    re.IGNORECASE,
)


@variant(
    VariantSpec(
        name="other_form",
        title="Other forms",
        question="Does the answer stay right when a question becomes a directive, or the other way round?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        source="HCAT 6.1; forms of text templates as in GRAMMAR 3.2.",
        version=4,
    )
)
def other_form(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Turns a question into a directive or a statement of need, and a directive or bare words into a question."""
    question = case.question.strip()
    if _SECOND.search(question):
        return Skip("it asks two things")
    if (match := _WHO.match(question)) and len(match["noun"].split()) <= SHORT:
        be = match["be"].lower()
        return Draft(question=f"Tell me who {match['noun']} {be}.", change="a question became a directive")
    if (match := _NOUN.match(question)) and property_of(match["noun"]):
        lead = draw.choice(("Give me {}.", "Tell me {}.", "Please state {}."))
        return Draft(question=lead.format(match["noun"]), change="a question became a directive")
    if match := _COUNT.match(question):
        lead = draw.choice(("Tell me how many {} there are {}.", "I need to know how many {} there are {}."))
        return Draft(question=lead.format(match["what"], match["where"]), change="a question became a directive")
    if match := _HAVE.match(question):
        return Draft(
            question=f"Tell me how many {match['what']} {match['who']} has.", change="a question became a directive"
        )
    if match := _SUBJECT.match(question):
        ask = match["ask"][:1].lower() + match["ask"][1:]
        lead = draw.choice(("Tell me {}.", "I need to know {}."))
        return Draft(question=lead.format(ask), change="a question became a directive")
    if (inner := wrapped(question)) and (inner.told or not _CAN.match(question)):
        return _unwrapped(inner)
    if match := _CAN.match(question):
        return Draft(question=f"{capital(match['do'])}.", change="a question became a directive")
    if (match := _DIRECTIVE.match(question)) and not _NO_NOUN.match(match["noun"]):
        return Draft(
            question=f"{asked_with(match['noun'])} the {match['noun']}?", change="a directive became a question"
        )
    if match := _BARE.match(question):
        noun = match["noun"][:1].lower() + match["noun"][1:]
        return Draft(question=f"Please give me the {noun}.", change="bare words became a directive")
    return _by_clause(question, draw) or Skip("no rule turns this wording into another form")


def _by_clause(question: str, draw: random.Random) -> Draft | None:
    """Notes and tasks as questions, and questions as the clause of a directive."""
    parts = listed(question)
    if parts and not parts[1].endswith("s") and not parts[1].startswith("number"):
        return Draft(question=f"What is the {parts[1]} of {parts[0]}?", change="bare words became a question")
    if _TASK.match(question):
        task = question[:1].lower() + question[1:].rstrip(". ")
        return Draft(question=f"Can you {task}?", change="a directive became a question")
    if not (clause := indirect(question)):
        return None
    why = clause.startswith(("why ", "how ")) and not _MEASURED.match(clause)
    text = draw.choice(("Tell me {}.", "Please explain {}.") if why else ("Tell me {}.", "Please find out {}."))
    text = text.format(clause)
    if question.islower():
        text = text.lower() if question.endswith("?") else text.lower().rstrip(".")
    return Draft(question=text, change="a question became a directive")


def _unwrapped(inner: Wrapped) -> Draft | Skip:
    """A directive to say something as a question, and a question around another as a directive."""
    if not inner.told:
        return Draft(question=f"Tell me {inner.clause}.", change="a question became a directive")
    if direct := inner.direct():
        return Draft(question=direct, change="a directive became a question")
    return Skip("no rule turns this wording into another form")
