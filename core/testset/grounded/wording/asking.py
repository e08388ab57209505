"""The question words for a kind of answer: who, when, where, how many, how high, whether, which, else what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.sources.schema import Column
from core.sources.database.words import split_words
from core.testset.grounded.words.dates import IN_A_YEAR, PARTICIPLES, shown_words
from core.testset.grounded.words.inflection import GONE, article, is_plural, plural
from core.testset.grounded.words.people import is_person
from core.testset.grounded.words.phrases import table_noun

PLACES = frozenset({"town", "city", "country", "state", "province", "county", "district", "village", "region"})
_AMOUNTS = """
allowance balance bonus budget charge commission cost deposit discount fare fee fine income limit margin pay penalty
premium price profit rate rent revenue salary surcharge tax turnover wage
"""
AMOUNTS = frozenset(_AMOUNTS.split())
"""What can be high or low; asked for with "how high"."""
BOOLEAN = ("BOOL", "BIT")
WHOLE_NUMBER = ("INT",)
FIGURES = ("NUM", "DEC", "REAL", "FLOA", "DOUB")
PIECES = frozenset({"shares", "units", "pieces", "points"})
"""What is counted though it may be parted."""
_HOLDERS = """
account airline area branch brand business category chain class club collection company continent country course
customer department district division faculty family farm firm genre group league line office order organisation
organization park plant portfolio project region school sector segment series site station subject team type unit ward
"""
HOLDERS = frozenset(_HOLDERS.split())
"""What people say that something belongs to."""
TO_HAVE = frozenset({"has", "have", "is", "was", "can", "does", "accepts", "allows", "offers", "requires"})
FLAG_ENDS = frozenset({"yn", "flag", "flg", "ind", "indicator", "bool"})
"""How the name of a flag ends, which nobody says."""
PARTICLES = frozenset({"to", "by", "for", "from"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event at a time.

    Attributes:
        past: What completes "when X ..." ("opened", "was installed").
        asked: "When did X ...?" or "When was X ...?" as the word before and the word after X.
    """

    past: str
    asked: tuple[str, str]


def _active(base: str, past: str) -> Event:
    return Event(past=past, asked=("did", base))


def _passive(participle: str) -> Event:
    return Event(past=f"was {participle}", asked=("was", participle))


_ACTIVE = {
    ("opening", "opened"): _active("open", "opened"),
    ("closing", "closed", "closure"): _active("close", "closed"),
    ("joining", "joined"): _active("join", "joined"),
    ("arrival", "arrived"): _active("arrive", "arrived"),
    ("departure", "departed"): _active("depart", "departed"),
    ("death", "died"): _active("die", "died"),
    ("graduation", "graduated"): _active("graduate", "graduated"),
    ("retirement", "retired"): _active("retire", "retired"),
    ("occurrence", "occurred"): _active("occur", "occurred"),
    ("expires", "expired"): Event(past="expires", asked=("does", "expire")),
}
_PASSIVE = {
    "installed": ("installation",),
    "launched": ("launch",),
    "released": ("release",),
    "created": ("creation",),
    "published": ("publication",),
    "issued": ("issue",),
    "registered": ("registration",),
    "signed": ("signing", "signature"),
    "approved": ("approval",),
    "founded": ("founding", "foundation"),
    "established": ("establishment",),
    "hired": ("hire", "hiring"),
    "born": ("birth", "dob"),
    "booked": ("booking",),
    "paid": ("payment",),
    "shipped": ("shipping", "shipment"),
    "delivered": ("delivery",),
    "built": ("construction",),
    "inspected": ("inspection",),
    "admitted": ("admission",),
    "purchased": ("purchase",),
    "bought": (),
    "acquired": ("acquisition",),
    "reported": ("report",),
    "sold": ("sale",),
    "received": ("receipt",),
    "returned": (),
    "cancelled": ("cancellation",),
    "completed": ("completion",),
    "repaired": (),
    "serviced": (),
    "discharged": ("discharge",),
    "appointed": ("appointment",),
    "elected": ("election",),
    "renewed": ("renewal",),
    "activated": ("activation",),
    "done": (),
    "raised": (),
    "placed": (),
    "dispensed": (),
    "discovered": ("discovery",),
    "commissioned": ("commissioning",),
    "planted": ("planting",),
    "collected": ("collection",),
    "disbursed": ("disbursement",),
    "held": (),
    "sent": (),
}
EVENTS = {word: event for words, event in _ACTIVE.items() for word in words} | {
    word: _passive(participle) for participle, nouns in _PASSIVE.items() for word in (participle, *nouns)
}
"""The word of a column's name that says what happened."""
ADVERBS = frozenset({"out", "up", "off", "down"})
SEPARABLE = frozenset({"laid", "put", "set", "paid", "drawn", "called", "shut", "broken", "built", "handed", "signed"})
"""Participles of verbs with an adverb: laid out, put up, signed off."""
TIME_WORDS = frozenset({"date", "day", "on", "at", "time", "of", "year"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answer in words.

    Attributes:
        answer: A noun phrase without an article ("opening date").
        clause: An embedded question in the answer's own words ("what the opening date of {X} is"); ``{X}`` is the
            subject.
        question: The same as a direct question; ``{x}`` is the subject, tersely ("What is the opening date of {x}?").
        free_clause: The same in words of its own ("when {X} opened"), or empty.
        free_question: The same as a direct question, or empty ("When did {x} open?").
    """

    answer: str
    clause: str
    question: str
    free_clause: str = ""
    free_question: str = ""


def what_is(answer: str, joined: str = "of", *, several: bool = False) -> Asked:
    """The way to ask that always works.

    Args:
        answer: The noun phrase.
        joined: How it is tied to the subject.
        several: Whether `answer` names several things that were put together.

    >>> what_is("languages").clause
    'what the languages of {X} are'
    """
    verb = "are" if several or is_plural(answer) else "is"
    return Asked(
        answer=answer,
        clause=f"what the {answer} {joined} {{X}} {verb}",
        question=f"What {verb} the {answer} {joined} {{x}}?",
    )


def of_row(answer: str, *, same_as_table: bool = False, person: bool = False) -> Asked:
    """A row that another one points to: "who the manager of X is", "which branch X belongs to".

    Args:
        answer: Its role for that other row.
        same_as_table: Whether `answer` is the noun of its table, rather than a role of its own.
        person: Whether its table is one of people, so that any role in it is somebody's.

    >>> of_row("artist").question, of_row("branch", same_as_table=True).free_clause
    ('Who is the artist of {x}?', 'which branch {X} belongs to')
    """
    if person or is_person(answer):
        return Asked(answer=answer, clause=f"who the {answer} of {{X}} is", question=f"Who is the {answer} of {{x}}?")
    if same_as_table and answer.split()[-1] in HOLDERS:
        return replace(
            what_is(answer),
            free_clause=f"which {answer} {{X}} belongs to",
            free_question=f"Which {answer} does {{x}} belong to?",
        )
    return what_is(answer)


def who_did(deed: str) -> Asked:
    """A row of people that is told by what they did.

    >>> who_did("found").question
    'Who found {x}?'
    """
    return Asked(answer="", clause=f"who {deed} {{X}}", question=f"Who {deed} {{x}}?")


def of_column(column: Column, answer: str, table: str, *, temporal: bool, of_person: bool) -> Asked:
    """A column of the subject's own.

    Args:
        column: The column.
        answer: Its noun phrase.
        table: Its table.
        temporal: Whether its values are dates or times.
        of_person: Whether the subject is a person.

    >>> column = Column(name="opened_on", type="DATE")
    >>> asked = of_column(column, "opening date", "branch", temporal=True, of_person=False)
    >>> asked.clause, asked.free_question
    ('what the opening date of {X} is', 'When did {x} open?')
    """
    words = _own_words(column.spoken, table)
    request = _count(words, column) or (
        _event(words, answer, temporal=temporal, years=column.years)
        or _flag(words, column)
        or _place(words, answer, of_person)
    )
    if request is None and is_person(answer) and not temporal:
        request = of_row(answer)
    done = answer.split()[-1].endswith("ed") or answer.split()[-1] in GONE  # the calories burned are not had
    whole = is_of_kind(column, WHOLE_NUMBER) or (answer in PIECES and is_of_kind(column, FIGURES))
    if request is None and is_plural(answer) and whole and not done:
        request = Asked(
            answer=f"number of {answer}",
            clause=f"how many {answer} {{X}} has",
            question=f"How many {answer} does {{x}} have?",
        )
    if request is None and answer.split()[-1] in AMOUNTS and answer == answer.split(" in ")[0]:
        request = Asked(
            answer=answer, clause=f"how high the {answer} of {{X}} is", question=f"How high is the {answer} of {{x}}?"
        )
    if request is None and len(words) == 2 and words[1] == "by" and words[0].endswith("ed"):
        # Who requested it, rather than the "requested-by entry".
        request = Asked(answer="", clause=f"who {words[0]} {{X}}", question=f"Who {words[0]} {{x}}?")
    if request is None and len(words) > 1 and words[-1] in PARTICLES and words[-2].endswith("ed"):
        verb = " ".join(words)
        request = Asked(answer=answer, clause=f"what {{X}} is {verb}", question=f"What is {{x}} {verb}?")
    return request or what_is(answer)


def _count(words: Sequence[str], column: Column) -> Asked | None:
    """How many of a thing there are, where a column is called its count: "how many intervals it has"."""
    if len(words) < 2 or words[-1] not in ("cnt", "count") or not is_of_kind(column, WHOLE_NUMBER):
        return None
    if words[-2].endswith(("ing", "ed", "ly", "s")) or words[-2] in {"head", "blood", "total", "sperm", "pollen"}:
        return None
    things = shown_words([*words[:-2], plural(words[-2])])
    return Asked(
        answer=f"number of {things}",
        clause=f"how many {things} {{X}} has",
        question=f"How many {things} does {{x}} have?",
    )


def _own_words(name: str, table: str) -> list[str]:
    """The words of a column without those that only repeat its table."""
    words, own = split_words(name), split_words(table_noun(table))
    return words[len(own) :] if len(words) > len(own) + 1 and words[: len(own)] == own else words


def _event(words: Sequence[str], answer: str, *, temporal: bool, years: bool = False) -> Asked | None:
    year = "year" in words or (years and words[0] in IN_A_YEAR)
    if (temporal or year) and len(words) == 2 and words[1] in ADVERBS and words[0] in PARTICIPLES | SEPARABLE:
        # "when the bed was laid out" rather than "what the laid out of the bed is"
        when, done = "in which year" if year else "when", " ".join(words)
        return Asked(
            answer=answer, clause=f"{when} {{X}} was {done}", question=f"{when.capitalize()} was {{x}} {done}?"
        )
    if not temporal and not year and not {"date", "since"} & set(words):
        return None
    if words[-1] == "since" and len(words) > 1 and answer.startswith("start date as "):
        noun = answer.removeprefix("start date as ")  # "the start date as a member of X" reads as if of another's
        return Asked(
            answer="", clause=f"since when {{X}} has been {noun}", question=f"Since when has {{x}} been {noun}?"
        )
    if words[-1] == "since" and len(words) > 1 and answer == "start date":
        noun = f"{article(shown_words(words[:-1]))} {shown_words(words[:-1])}"
        return replace(
            what_is(answer),
            free_clause=f"since when {{X}} has been {noun}",
            free_question=f"Since when has {{x}} been {noun}?",
        )
    if temporal and len(words) == 2 and words[0] in ("first", "last") and answer == f"date {shown_words(words)}":
        return Asked(
            answer=answer,
            clause=f"when {{X}} was {shown_words(words)}",
            question=f"When was {{x}} {shown_words(words)}?",
        )
    event_words = [word for word in words if word not in TIME_WORDS]
    if len(event_words) == 1 and answer == f"date {event_words[0]}":
        # No noun says it: "when the appeal was lodged" rather than "what the date lodged of the appeal is".
        past = f"was {event_words[0]}"
        return Asked(answer="", clause=f"when {{X}} {past}", question=f"When was {{x}} {event_words[0]}?")
    if len(event_words) == 1 and answer == f"year {event_words[0]}":
        # Nor does one of the year: "in which year the depot opened" rather than "what the year opened of it is".
        event = EVENTS.get(event_words[0]) or _passive(event_words[0])
        helping, base = event.asked
        return Asked(
            answer=answer, clause=f"in which year {{X}} {event.past}", question=f"In which year {helping} {{x}} {base}?"
        )
    if len(event_words) != 1 or event_words[0] not in EVENTS:
        return None
    event = EVENTS[event_words[0]]
    when = "in which year" if year else "when"
    helping, base = event.asked
    return replace(
        what_is(answer),
        free_clause=f"{when} {{X}} {event.past}",
        free_question=f"{when[0].upper()}{when[1:]} {helping} {{x}} {base}?",
    )


def _flag(words: Sequence[str], column: Column) -> Asked | None:
    sure = is_of_kind(column, BOOLEAN) or column.flag
    if not sure and not (len(words) > 1 and words[0] in ("is", "has")):
        return None
    if len(words) > 1 and words[-1] in FLAG_ENDS:
        words = words[:-1]
    verb, rest = (words[0], words[1:]) if len(words) > 1 and words[0] in TO_HAVE else ("is", words)
    noun = shown_words(rest)
    if rest == words and len(rest) > 1 and _is_done(rest[-1]) and not rest[0].endswith(("ed", "ly")):
        # "whether a rescue plan is required for it" rather than "whether it is rescue plan required"
        thing, done = shown_words(rest[:-1]), rest[-1]
        named = thing if is_plural(thing) or rest[-2].endswith("ing") else f"{article(thing)} {thing}"
        helping = "are" if is_plural(thing) else "is"
        return Asked(
            answer=noun,
            clause=f"whether {named} {helping} {done} for {{X}}",
            question=f"{helping.capitalize()} {named} {done} for {{x}}?",
        )
    if rest == words and (rest[-1].endswith("ing") or is_plural(noun)):
        verb = "has"  # "whether it has parking" rather than "whether it is parking"
    if verb in ("has", "have"):
        return Asked(answer=noun, clause=f"whether {{X}} has {noun}", question=f"Does {{x}} have {noun}?")
    if verb in ("is", "was", "can"):
        kind = f"{noun} status" if verb == "is" else noun
        return Asked(answer=kind, clause=f"whether {{X}} {verb} {noun}", question=f"{verb.capitalize()} {{x}} {noun}?")
    base = "do" if verb == "does" else verb.removesuffix("s")
    if base == "do":
        return None
    return Asked(answer=noun, clause=f"whether {{X}} {verb} {noun}", question=f"Does {{x}} {base} {noun}?")


def _is_done(word: str) -> bool:
    """Whether a word is a participle: what is required, paid or made."""
    return word.endswith("ed") or word in PARTICIPLES | {
        "paid",
        "sold",
        "kept",
        "built",
        "bought",
        "met",
        "set",
        "lost",
    }


def _place(words: Sequence[str], answer: str, of_person: bool) -> Asked | None:
    state = "based" if of_person else "located"
    if list(words) == ["location"]:
        clause_word, question_word = "where", "Where"
    elif len(words) == 1 and words[0] in PLACES:
        clause_word, question_word = f"in which {answer}", f"In which {answer}"
    else:
        return None
    return replace(
        what_is(answer),
        free_clause=f"{clause_word} {{X}} is {state}",
        free_question=f"{question_word} is {{x}} {state}?",
    )


def is_of_kind(column: Column, kinds: Sequence[str]) -> bool:
    """Whether a column's type is one of some kinds, such as `WHOLE_NUMBER`."""
    return any(kind in column.type.upper() for kind in kinds)
