"""The questions that the values of a clause answer, with a slot where the document's subject stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.testset.corpus.reading.clauses.frames import is_asked, spelled
from core.testset.corpus.reading.clauses.grammar import Clause
from core.testset.corpus.reading.clauses.splitting import BE
from core.testset.corpus.reading.clauses.values import DAY, MONEY, NAME, NUMBER, ROLE, SHARE, WORDS, Value, value_of
from core.testset.corpus.reading.labels import is_plural
from core.testset.corpus.reading.vocabulary.verbs import infinitive, participle

SCOPE = frozenset({"after", "above", "below", "over", "under", "during", "between", "per", "among", "against"})
"""Prepositions whose figures say when or for what something holds."""
_LOCATED = frozenset(
    [
        "located",
        "based",
        "stationed",
        "situated",
        "held",
        "kept",
        "stored",
        "born",
        "made",
        "built",
        "headquartered",
        "installed",
        "parked",
    ]
)
_PLACE = re.compile(rf"(?P<prep>in|at|near|on) (?P<value>(?:the )?{NAME}|room \d+)$")
_THING = re.compile(rf"(?P<article>[Aa]n?|[Tt]he) (?P<noun>[a-z][\w'’ -]*?) of (?P<value>{MONEY}|{SHARE})$")
_WHOSE = re.compile(
    rf"(?:[Tt]he |[Ww]ritten |[Pp]rior )*(?P<noun>approval|consent|permission|signature|agreement|authorisation|confirmation) of (?P<value>{ROLE})$"  # noqa: E501
)
_COUNT = re.compile(rf"(?P<value>(?i:{NUMBER})) (?P<noun>[a-z][\w'’-]*(?: [a-z][\w'’-]*)?)$")
_ACTOR = re.compile(rf"(?P<value>{ROLE})$", re.IGNORECASE)
_JOINED = re.compile(
    r" (?:and|or) (?:\w+ly )?(?:[a-z]+ed|is|was|are|were|has|had|began|became|made|took|went|came|gave|won|left)\b"
)
_COUNTED_SUBJECT = re.compile(rf"(?i:{NUMBER}) [a-z]")
_QUANTITY = re.compile(rf"\d|\b(?:{WORDS})\b", re.IGNORECASE)
_DAY_OR_YEAR = re.compile(DAY)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_COMPARED = re.compile(
    r"(?:the )?(?:[a-z]+est|best|worst|most|least|higher|lower|more|fewer|less|up|down)\b(?! than| to)"
)
"""A complement that ranks its subject among others, which the clause does not name: "Fern Ward was highest at 9.1%"."""
_CLOCK = re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m|p\.m)\b|\b\d{1,2}[:.]\d\d\b|\b(?:noon|midnight)\b")
_LINKING = frozenset({"remain", "stay", "become", "appear", "seem", "look"})
"""Verbs before a complement, which no "how much" takes."""
MOST_OF_AGENT = 1
"""Parts of a clause that may stand before "by" at its end."""
_GENERAL = frozenset({"are", "can", "may", "must", "do", "should"})
"""Verbs of what holds of any two things, and does not count them."""
_SPLIT = re.compile(rf"\b(?:and|or|but|plus) (?:{MONEY}|{SHARE})")
"""Another amount for another case, which the first one does not hold for."""
_LEFT = re.compile(
    r" (?:is|are|was|were|has|have|does|do|at least|at most|at the latest|at the earliest|or more|for example)\?$"
    r"| [–—] | \d+\.\d+ (?:with|and|or|in|to|for|at|by)\b"
)
"""What is left of a value or of two clauses, and the number of a section for what it is about."""
_VERBAL = re.compile(r"to (?P<verb>[a-z]+)\b|(?:by|after|before|for|without|in|with|from|of|on) [a-z]+ing\b")
_POINTS = re.compile(
    r"\b(?:its?|they|their|them|he|she|him|his|hers?|this|these|those|that|such|here|there|we|our|us|you|your|ours|yours|theirs|mine|I|my|same|"
    r"former|latter|the above|the below|following|other|others|another|each other|as well(?! as)|"
    r"respectively|one|ones|so|also|further|said)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of a clause.

    Attributes:
        question: With ``{}`` where its subject stands.
        statement: The yes/no question with ``{}`` for the subject and ``[]`` for the value; empty where there is none.
        value: The answer.
        attribute: The words that say what of the subject is asked.
        ask: How it begins, which two facts of one sentence differ by.
    """

    question: str
    statement: str
    value: str
    attribute: str
    ask: str


def questions_of(clause: Clause, subject: str) -> Iterator[Asked]:
    """The questions of a clause.

    Args:
        clause: The clause.
        subject: Its subject as a question names it, with ``{}`` for the document's.
    """
    if not clause.verb and clause.tail and _COMPARED.match(clause.tail[0]):
        return
    for asked in (*_of_subject(clause), *_of_tail(clause, subject)):
        plain = asked.question.replace("{}", "")
        said = plain.split(", ", 1)[-1] if clause.lead and plain.startswith(clause.lead) else plain
        if re.search(r",(?!\d)|\bboth\b", said.removesuffix(f"{clause.condition}?")) or _JOINED.search(said):
            continue
        if _SPLIT.search(said) or "(" in said or _LEFT.search(asked.question):
            continue
        inner = re.sub(r"\b(?:after|when|once|until|if|before) it (?:is|was|has)\b", "", plain)
        if not _POINTS.search(inner) and 4 <= len(asked.question.split()) <= 32:
            yield asked


def _of_tail(clause: Clause, subject: str) -> Iterator[Asked]:
    values = [_value(clause, piece) for piece in clause.tail]
    for place, value in enumerate(values):
        if any(_verbal(piece) for piece in clause.tail[:place]) or _COUNTED_SUBJECT.match(clause.subject):
            break  # what follows may belong to the other verb
        if value is None or _part_of_more(clause, value, place) or not _taken(clause, value):
            continue
        others = [
            piece
            for other, piece in enumerate(clause.tail)
            if other != place and _kept(clause, values[other], value, first=other == 0)
        ]
        if not clause.verb and not (others or value.tail):
            continue
        if value.kind == "often" and _CLOCK.search(" ".join(others)):
            continue  # hours of opening: nobody asks how often
        if _dangles(others) or (value.kind == "agent" and _unasked_agent(clause, others)):
            continue
        value = _agent(value, others)
        words = [clause.auxiliary, subject, clause.verb]
        object_first = [clause.tail[0]] if others and others[0] == clause.tail[0] and place else []
        rest = others[len(object_first) :]
        behind = [*object_first, value.tail if not value.at or value.kind in ("money", "share", "date") else "", *rest]
        if value.strand:
            behind = (
                [*object_first, *rest, value.strand, value.tail]
                if value.strand != "by"
                else [*object_first, *rest, "by"]
            )
        question = spelled(_joined(clause, [value.ask, *words, *behind]))
        if not is_asked(clause, value, question, others):
            continue
        said = [*clause.tail[:place], clause.tail[place].replace(value.words, "[]", 1), *clause.tail[place + 1 :]]
        said = [piece for other, piece in enumerate(said) if other == place or clause.tail[other] in others]
        statement = (
            _joined(clause, [clause.auxiliary.capitalize(), *words[1:], *said]) if "[]" in " ".join(said) else ""
        )
        if _dangles([statement.removesuffix("?")]):
            statement = ""
        attribute = " ".join([clause.verb, *others, clause.condition, clause.lead, value.tail])
        yield Asked(
            question=question,
            statement=statement,
            value=value.words,
            attribute=f"{attribute} {_own(subject)}",
            ask=value.ask,
        )


def _agent(value: Value, others: list[str]) -> Value:
    """A value as it is asked for: "By whom was it founded in 1961?", where "by" would stand far behind its "who"."""
    return replace(value, ask="By whom", strand="") if value.kind == "agent" and others else value


def _part_of_more(clause: Clause, value: Value, place: int) -> bool:
    """Whether a value is one of two that belong together, or of another verb: "10 to 30", "as requested by"."""
    before = clause.tail[place - 1].split()[-1] if place else ""
    starts = {piece.split()[0] for piece in clause.tail if re.search(r"\d", piece)}
    spanned = value.at in ("from", "to") and starts >= {"from", "to"}
    ranged = value.at == "to" and before[-1:].isdigit()
    borrowed = value.kind == "agent" and participle(before)
    return spanned or ranged or borrowed or _another(value, clause.tail, place)


def _taken(clause: Clause, value: Value) -> bool:
    """Whether a verb takes such a value: "Staff costs 46% of turnover" has none, "remains" takes no "how much"."""
    if value.at in SCOPE - {"after", "over"} or (clause.verb in _LINKING and not value.at):
        return False
    if clause.verb in ("", "be", "been") and value.kind == "number" and value.at:
        return False
    if value.kind == "number" and value.at == "by" and clause.passive:
        return False
    if value.kind == "date" and value.at == "in" and not clause.verb:
        return False
    if value.kind == "number" and clause.verb == "open":
        return False
    if value.kind == "money" and (value.at in SCOPE or (clause.passive and not value.at)):
        return False  # "for amounts over €15", "is refunded up to €90"
    if value.kind == "share" and value.at == "at":
        return False  # "At what percentage do prices include VAT?"
    charged = value.kind == "money" and value.at == "at"  # "How much is it charged at a day?"
    return not charged and not (value.kind == "share" and clause.verb == "cost")


def _another(value: Value, tail: tuple[str, ...], place: int) -> bool:
    """Whether a clause gives a second value of the sort, for another case: "39 hours for nurses and 42 for vets"."""
    rest = [value.tail, *(piece for other, piece in enumerate(tail) if other != place)]
    if value.kind == "date":
        return any(_YEAR.search(piece) for piece in rest)
    if value.kind in ("number", "money", "share"):
        return any(_QUANTITY.search(_DAY_OR_YEAR.sub("", piece)) for piece in rest)
    return False


def _unasked_agent(clause: Clause, others: list[str]) -> bool:
    """Whether "Who was ... by?" would be too long, or about just any thing: "a trial"."""
    customary = bool(others) and clause.auxiliary in ("is", "are")  # "updates are approved by the manager in future"
    return (
        customary
        or clause.verb.startswith("been ")  # "had F1 been gassed by Greylag": before what?
        or len(others) > MOST_OF_AGENT
        or (clause.subject.startswith(("A ", "An ")) and clause.auxiliary in BE)
    )


def _value(clause: Clause, piece: str) -> Value | None:
    value = value_of(piece, passive=clause.passive)
    if value is not None:
        return value
    placed = _PLACE.match(piece)
    if placed and clause.verb.split()[-1:] and clause.verb.split()[-1] in _LOCATED and clause.passive:
        return Value(words=placed["value"], ask="Where", at=placed["prep"], kind="place")
    return None


def _kept(clause: Clause, other: Value | None, asked: Value, *, first: bool) -> bool:
    """Whether a question for one value names another of its clause: an object, a year, a limit from which it holds."""
    if other is None or other.at in SCOPE or (first and not other.at):
        return True
    dated = other.kind == "date" and (other.at in ("in", "since", "by", "until") or not clause.passive)
    return dated or (other.kind == "often" and asked.kind != "date") or other.at == "within"


def _of_subject(clause: Clause) -> Iterator[Asked]:
    behind = " ".join([clause.finite, *clause.tail])
    if counted := _COUNT.match(clause.subject):
        noun = counted["noun"]
        plural = noun.split()[-1].endswith("s") or noun in ("people", "staff")
        general = re.match(r"(?:two|three)\b", counted["value"], re.IGNORECASE) and clause.auxiliary in _GENERAL
        if (
            plural
            and not general
            and len(behind.split()) >= 3
            and not counted["value"].casefold().startswith(("one ", "more", "less"))
        ):
            question = _joined(clause, [f"How many {noun}", behind])
            yield Asked(
                question=question,
                statement="",
                value=f"{counted['value']} {noun}",
                attribute=f"{noun} {behind} {clause.condition}",
                ask="How many",
            )
    settled = clause.condition or len(clause.tail) > 0
    if (thing := _THING.match(clause.subject)) and settled:
        question = _joined(clause, [f"What {thing['noun']}", behind])
        yield Asked(
            question=question,
            statement="",
            value=thing["value"],
            attribute=f"{thing['noun']} {behind} {clause.condition}",
            ask="What",
        )
    if (whose := _WHOSE.match(clause.subject)) and clause.passive and (clause.condition or clause.tail):
        question = _joined(clause, [f"Whose {whose['noun']}", behind])
        yield Asked(
            question=question,
            statement="",
            value=whose["value"],
            attribute=f"{whose['noun']} {behind} {clause.condition}",
            ask="Whose",
        )
    actor = _ACTOR.match(clause.subject)
    duty = (
        clause.auxiliary in ("must", "shall", "will", "may") and not clause.passive and not clause.verb.startswith("be")
    )
    if actor and duty and len(behind.split()) >= 4:
        question = _joined(clause, ["Who", behind])
        yield Asked(
            question=question,
            statement="",
            value=_small_article(actor["value"]),
            attribute=f"{behind} {clause.condition}",
            ask="Who",
        )


def _joined(clause: Clause, words: list[str]) -> str:
    said = " ".join(word for word in words if word)
    if clause.condition:
        said = f"{said} {clause.condition}"
    if clause.lead:
        said = f"{clause.lead}, {said[:1].lower() + said[1:]}"
    return f"{said}?"


def _verbal(piece: str) -> bool:
    """Whether a part is a verb of its own: "to direct", "by joining"."""
    match = _VERBAL.match(piece)
    return match is not None and (match["verb"] in (None, "be", "have") or infinitive(match["verb"]))


def _dangles(pieces: list[str]) -> bool:
    return any(piece.endswith((" of", " and", " or", " the", " a")) for piece in pieces)


def _own(subject: str) -> str:
    return subject.replace("{}", "").replace("the  of", "")


def _small_article(words: str) -> str:
    return re.sub(r"^(?:The|An?|Our) ", lambda match: match[0].lower(), words)


def property_of(clause: Clause) -> tuple[str, str] | None:
    """The property and the value of a clause with a plain "is": ("payload", "700 kg"); None where it is no such one.

    >>> from core.testset.corpus.reading.clauses.grammar import parsed
    >>> from core.testset.corpus.reading.clauses.splitting import Part
    >>> property_of(parsed(Part(words="The payload is 700 kg")))
    ('payload', '700 kg')
    """
    plain = (
        not clause.verb
        and clause.auxiliary in ("is", "are", "was", "were")
        and not clause.condition
        and not clause.lead
    )
    match = re.fullmatch(r"(?:The|Its|There|Their) ?(?P<noun>[a-z][\w'’ -]{0,60})?", clause.subject)
    words = " ".join(clause.tail)
    if match is None:
        return None
    if clause.subject == "There":
        thing = re.fullmatch(
            rf"(?:an?) (?P<noun>[a-z][\w'’ -]*?) of (?P<value>{MONEY}|{SHARE}|{NUMBER} [a-z]+)(?: (?:a|per) [a-z]+)?",
            words,
        )
        return (thing["noun"], words.split(" of ", 1)[1]) if thing and plain else None
    noun = match["noun"]
    if (
        not noun
        or not plain
        or is_plural(noun)
        or re.search(r"\b(?:this|that|same|other|first|second|next|last|following)\b", noun)
    ):
        return None
    figure = re.fullmatch(
        rf"(?:{MONEY}|{SHARE}|{NUMBER} [a-z][\w²]*)(?: (?:a|per|each|every) [\w ]+)?(?: (?:of|in) [a-z ]+)?", words
    )
    person = words.split(", ")[0]
    named = re.fullmatch(f"{NAME}|{ROLE}", person) and re.search(
        r"(?:manager|owner|officer|head|director|chair|driver|contact|lead|author|editor|maintainer|president|supplier|insurer|workshop|depot|auditor)$",
        noun,
    )
    return (noun, words if figure else person) if figure or named else None
