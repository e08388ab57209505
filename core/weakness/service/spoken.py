"""How attributes are spoken of: the name of each for people, and the words for questions with one of its levels.

An attribute that is not listed is called by its column, and its levels are "<column>: <level>".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
NUMBER: Final = re.compile(r"\d+")

YES: Final = frozenset({"yes", "true", "1", "answerable"})
NO: Final = frozenset({"no", "false", "0", "unanswerable"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The words for one attribute.

    Attributes:
        label: Its name for people, as the head of a column.
        phrase: What follows "Questions" where it has a level, ``{}`` standing for the level; "" where no phrase fits.
        levels: The whole phrase for levels that have one of their own, by level in lower case.
        yes, no: The whole phrase where the level says yes, or no, in any of the usual words.
        things: What whole numbers in a level count, one and many; the numbers are written as words.
        more: Added to each of these numbers before it is spoken.
        names: Whether levels are names in a database, which people read with blanks for underscores.
    """

    label: str
    phrase: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)
    yes: str = ""
    no: str = ""
    things: tuple[str, str] = ("", "")
    more: int = 0
    names: bool = False

    def of(self, level: str) -> str:
        """The phrase for a level; "" where there is none.

        >>> SPOKEN["joins"].of("1"), SPOKEN["joins"].of("2 to 3"), SPOKEN["answer_type"].of("address")
        ('that join two tables', 'that join three to four tables', 'whose answer is an address')
        >>> SPOKEN["table"].of("wallet_transactions")
        'about wallet transactions'
        """
        key = level.casefold()
        own = self.levels.get(key) or (self.yes if key in YES else self.no if key in NO else "")
        if own:
            return own
        if self.things != ("", ""):
            level = self._counted(level)
        if self.names:
            level = level.replace("_", " ")
        return self.phrase.format(level, article="an" if level[:1].casefold() in "aeiou" else "a")

    def _counted(self, level: str) -> str:
        numbers = [int(number) + self.more for number in NUMBER.findall(level)]
        if not numbers:
            return level
        text = NUMBER.sub(lambda found: _in_words(int(found[0]) + self.more), level)
        return f"{text} {self.things[0] if numbers == [1] else self.things[1]}"


def _in_words(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


SPOKEN: Final[Mapping[str, Spoken]] = {
    "topic": Spoken(label="Topic", phrase="about {}"),
    "type": Spoken(label="Type of question", phrase="of type {}"),
    "question_type": Spoken(label="Question type", phrase="of type {}"),
    "form": Spoken(label="Form", phrase="in {} form"),
    "table": Spoken(label="Table asked for", phrase="about {}", names=True),
    "tables": Spoken(label="Tables read", phrase="about {}", names=True),
    "asks_for": Spoken(label="Column asked for", phrase="that ask for {}"),
    "answer_type": Spoken(
        label="Type of answer",
        phrase="whose answer is {article} {}",
        levels={"yes/no": "whose answer is yes or no", "text": "whose answer is a text"},
    ),
    "answerable": Spoken(
        label="Answerable", phrase="answerable: {}", yes="that can be answered", no="that cannot be answered"
    ),
    "difficulty": Spoken(label="Difficulty", phrase="of difficulty {}"),
    "joins": Spoken(
        label="Joins",
        phrase="that join {}",
        levels={"0": "that read one table"},
        things=("table", "tables"),
        more=1,
    ),
    "placeholders": Spoken(label="Values given in the question", phrase="that give {}", things=("value", "values")),
    "answer_in_question": Spoken(
        label="Answer stands in the question",
        phrase="with the answer in the question: {}",
        yes="that contain their answer",
        no="that do not contain their answer",
    ),
    "sql_template": Spoken(label="SQL template", phrase="from the SQL template {}"),
    "text_template": Spoken(label="Wording", phrase='worded "{}"'),
    "document": Spoken(label="Document", phrase="about document {}"),
    "gold_document": Spoken(label="Document that holds the answer", phrase="about document {}"),
    "retrieval_rank": Spoken(
        label="Rank of the first right passage",
        phrase="whose first right passage has rank {}",
        levels={"not retrieved": "whose right passage was not retrieved"},
    ),
    "passages": Spoken(label="Retrieved passages", phrase="that got {}"),
    "question_length": Spoken(label="Length of the question", phrase="that have {}"),
    "answer_length": Spoken(label="Length of the answer", phrase="that were answered in {}"),
    "length": Spoken(label="Length of the question, in bands", phrase="of {}"),
    "variant": Spoken(label="Kind of variant", phrase="of the variant {}"),
    "expected": Spoken(label="Right behaviour", phrase="where {} is right"),
    "stratum": Spoken(label="Stratum", phrase="of the stratum {}"),
    "made_by": Spoken(label="Made by", phrase="made by {}"),
}
"""In the order in which they are offered; attributes of one's own come behind them."""


def label_of(name: str) -> str:
    """The name of an attribute for people.

    >>> label_of("answer_type"), label_of("cost_centre")
    ('Type of answer', 'Cost centre')
    """
    return SPOKEN[name].label if name in SPOKEN else name.replace("_", " ").strip().capitalize() or name


def spoken(name: str, level: str) -> str:
    """What follows "Questions" for those with a level of an attribute; "" where the attribute is a stranger's.

    >>> spoken("joins", "1"), spoken("placeholders", "0"), spoken("answerable", "no"), spoken("cost_centre", "A")
    ('that join two tables', 'that give no values', 'that cannot be answered', '')
    """
    return SPOKEN[name].of(level) if name in SPOKEN else ""
