"""What an SQL template asks: the answer, and the row it belongs to, both as phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.sources.database.words import split_words
from core.testset.grounded.entities import NAMES, NUMBERS
from core.testset.grounded.wording.asking import Asked
from core.testset.grounded.words.inflection import is_plural
from core.testset.grounded.words.vocabulary import KEY_ENDS

ARTICLE = re.compile(r"\bthe (?=(?:[^']*'[^']*')*[^']*$)")
"""An article outside quotes."""
ONE_NAME = re.compile(r"(?P<before>the [^']+) (?P<name>'\[[^']*\.(?P<column>[^'.]+)\]')")
"""A subject that is identified by one value and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The row that is asked about.

    Attributes:
        phrase: With articles ("the manager of the branch 'X'").
        noun: What kind of thing it is ("manager"); empty for several things together.
        parts: The several things.
    """

    phrase: str
    noun: str = ""
    parts: tuple[Subject, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A template in words; placeholders stand in quotes.

    Attributes:
        answer: The property asked for ("opening date").
        plural: Whether `answer` takes "are".
        subject: The subject, with articles ("the branch '[branch.name]'").
        joined: How the two are joined ("of", "for").
        clause: As an embedded question ("what the opening date of the branch '[branch.name]' is").
        question: As a direct question.
        free_clause: As an embedded question in words of its own ("when the branch '[branch.name]' opened").
        free_question: As a direct question in words of its own; where there are none, `question`.
        several: Whether several answers are wanted, all of them.
        terse_question: `question` without the articles of its subject, where it would be too long with them.
    """

    answer: str
    plural: bool
    subject: str
    joined: str
    clause: str
    question: str
    free_clause: str
    free_question: str
    several: bool = False
    terse_question: str = ""

    @property
    def terse(self) -> str:
        """The subject without articles, for fragments."""
        return without_articles(self.subject)

    @property
    def named(self) -> str:
        """The subject with "called" before its name: "the branch called 'X'"; unchanged where it is not one name."""
        match = ONE_NAME.fullmatch(self.subject)
        if match is None or split_words(match["column"])[-1] not in NAMES:
            return self.subject
        return f"{match['before']} called {match['name']}"


def without_articles(phrase: str) -> str:
    """A phrase as in a fragment; what stands in quotes is left alone.

    >>> without_articles("the manager of the branch 'the [Branch.Name]'")
    "manager of branch 'the [Branch.Name]'"
    """
    return ARTICLE.sub("", phrase)


def meaning(request: Asked, subject: str, *, joined: str = "of", several: bool = False) -> Meaning:
    """Puts a subject into the ways to ask for an answer."""
    # What goes by a number needs no article in a question: "What is the freight of order '10248'?"
    terse = without_articles(subject) if _by_number(subject) else subject
    return Meaning(
        answer=request.answer,
        plural=several or is_plural(request.answer),
        subject=subject,
        joined=joined,
        clause=request.clause.replace("{X}", subject),
        question=request.question.replace("{x}", terse),
        free_clause=(request.free_clause or request.clause).replace("{X}", subject),
        free_question=(request.free_question or request.question).replace("{x}", terse),
        terse_question=request.question.replace("{x}", without_articles(subject)),
    )


def _by_number(subject: str) -> bool:
    """Whether a subject is identified by a number or a code and nothing else.

    >>> _by_number("the order '[Orders.OrderID]'"), _by_number("the glacier '[glaciers.name]'")
    (True, False)
    >>> _by_number("the customer of the order '[Orders.OrderID]'")
    False
    """
    match = ONE_NAME.fullmatch(subject)
    if match is None or any(joint in match["before"] for joint in (" of", " with", " by", " who ")):
        return False
    return split_words(match["column"])[-1] in NUMBERS | KEY_ENDS
