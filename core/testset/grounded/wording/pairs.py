"""The ways to ask for what is known of two rows together: the days that an observer worked on a campaign."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.sources.schema import Column
from core.testset.grounded.wording.asking import FIGURES, PIECES, WHOLE_NUMBER, Asked, is_of_kind, what_is
from core.testset.grounded.wording.meaning import Subject
from core.testset.grounded.words.inflection import is_plural
from core.testset.grounded.words.people import is_person
from core.testset.grounded.words.vocabulary import TIMES

TEXTS = ("CHAR", "TEXT", "CLOB", "STRING", "ENUM")
_TAKEN_PART_IN = """
association band board campaign class club committee competition conference council course crew department event
expedition film game group league match meeting mission movie operation orchestra play production program programme
project race school season seminar session show society squad study survey team tournament trial workshop
"""
TAKEN_PART_IN = frozenset(_TAKEN_PART_IN.split())
"""What a person has a role, a grade or a task in."""


def people_first(subjects: Sequence[Subject]) -> list[Subject]:
    """Two rows in the order in which people say them: the observer and the campaign, rather than the other way round.

    >>> [subject.noun for subject in people_first([Subject(phrase="", noun="ship"), Subject(phrase="", noun="pilot")])]
    ['pilot', 'ship']
    """
    return sorted(subjects, key=lambda subject: not is_person(subject.noun)) if len(subjects) == 2 else list(subjects)


def of_pair(column: Column, answer: str, subjects: Sequence[Subject]) -> Asked:
    """A column of a row that ties others together.

    Args:
        column: The column.
        answer: Its noun phrase.
        subjects: What is tied, people first.

    >>> pilot, race = Subject(phrase="the pilot 'A'", noun="pilot"), Subject(phrase="the race 'B'", noun="race")
    >>> of_pair(Column(name="laps", type="INTEGER"), "laps", [pilot, race]).question
    'How many laps are recorded for {x}?'
    >>> of_pair(Column(name="role", type="TEXT"), "role", [pilot, race]).question
    "What role does the pilot 'A' have in the race 'B'?"
    >>> of_pair(Column(name="fee", type="REAL"), "fee", [pilot, race]).question
    'What is the fee for {x}?'
    """
    if _counts(column, answer):
        return Asked(
            answer=f"number of {answer}",
            clause=f"how many {answer} are recorded for {{X}}",
            question=f"How many {answer} are recorded for {{x}}?",
        )
    if is_person(answer):
        return Asked(answer=answer, clause=f"who the {answer} for {{X}} is", question=f"Who is the {answer} for {{x}}?")
    if column.temporal or column.dates or column.flag or not is_of_kind(column, TEXTS):
        return what_is(answer, "for")
    if len(subjects) == 2 and is_person(subjects[0].noun) and subjects[1].noun.split()[-1] in TAKEN_PART_IN:
        person, other = (subject.phrase for subject in subjects)
        return Asked(
            answer=answer,
            clause=f"what {answer} {person} has in {other}",
            question=f"What {answer} does {person} have in {other}?",
        )
    verb = "are" if is_plural(answer) else "is"
    return Asked(
        answer=answer,
        clause=f"what {answer} {verb} recorded for {{X}}",
        question=f"What {answer} {verb} recorded for {{x}}?",
    )


def _counts(column: Column, answer: str) -> bool:
    """Whether an answer is a number of things: nights, days worked; not an amount, nor a figure in a unit."""
    if not is_plural(answer) or " in " in answer:
        return False
    parted = bool({*answer.split()} & (PIECES | TIMES)) and is_of_kind(column, FIGURES)
    return is_of_kind(column, WHOLE_NUMBER) or parted
