"""Facts that rules read in passages: of what, which property, when, in which unit, with which value."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.vocabulary.periods import Period
from core.text.words import stems


class FactRule(StrEnum):
    """The shape that a fact was read from."""

    CELL = "cell"
    TABLE = "table"
    LOOK_UP = "look_up"
    KEY_VALUE = "key_value"
    PROPERTY = "property"
    DEFINITION = "definition"
    EVENT = "event"
    AGENT = "agent"
    PLACE = "place"
    COUNT = "count"
    CAUSE = "cause"
    CLAUSE = "clause"
    SHORT_FORM = "short_form"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact that a chunk states.

    Attributes:
        chunk_id: The chunk.
        document_id: The chunk's document.
        rule: The shape it was read from.
        subject: What it is about, with the words by which a question names it.
        attribute: The property as a noun ("annual fee"), the participle of an event ("opened"), the counted things of a
            count, or what rose or fell for a cause.
        value: What the chunk gives, as a person writes it.
        kind: How the match judge reads the value: "number", "date", "range", "boolean", "list" or "text".
        period: The time a figure is for; None where its table or sentence names none.
        unit: How a question states the unit of a bare figure, such as "in millions of dollars"; empty where the value
            has its own.
        verb: Of an event or a count, the verb of the sentence.
        rest: What follows the participle of an event before its value ("in Yorkshire").
        condition: What the sentence puts before the fact ("On the whole balance"), or empty.
        spoken: The value inside a sentence, for a field of a form; empty where it reads as a form only.
        part: Of a cell, the group its row belongs to; empty where the row stands alone.
        asked: Of a clause or a look-up, its question with ``{}`` where the subject stands.
        stated: Of them, the yes/no question with ``{}`` and with ``[]`` where the value stands; empty for none.
        table: What the cells of one table share, to find those of the same type.
        start: Where the stating sentence or row begins in the chunk's text.
        end: Where it ends there, exclusive.
    """

    chunk_id: str
    document_id: str
    rule: FactRule
    subject: Subject
    attribute: str
    value: str
    kind: str
    period: Period | None = None
    unit: str = ""
    verb: str = ""
    rest: str = ""
    condition: str = ""
    spoken: str = ""
    part: str = ""
    asked: str = ""
    stated: str = ""
    table: str = ""
    start: int
    end: int
    family: frozenset[str] = field(init=False, compare=False)
    subject_key: str = field(init=False, compare=False)
    """What two spellings of its subject share."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "family", stems(f"{self.attribute} {self.rest}") | {f"rule {_sort(self.rule)}"})
        object.__setattr__(self, "subject_key", key(f"{self.subject.within} {self.subject.bare}"))

    @property
    def identity(self) -> tuple[object, ...]:
        """What two facts share that answer the same question."""
        when = self.period.identity if self.period else ()
        return self.subject_key, self.family, when, key(self.condition)


def _sort(rule: FactRule) -> str:
    """Properties are the same whatever shape states them."""
    same = (FactRule.CELL, FactRule.TABLE, FactRule.KEY_VALUE, FactRule.PROPERTY)
    return "property" if rule in same else rule.value
