"""The wording of questions made by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase

from core.judging.match.readers.dates import parse_date
from core.judging.match.readers.normalise import normalise_text
from core.testset.corpus.facts import Fact, FactRule

_ARTICLE = re.compile(r"(?:The|An?) (?=\S)")


def ask(fact: Fact, title: str) -> str:
    """The question that the fact's value answers.

    Args:
        fact: The fact asked for.
        title: Title of its document, named where the subject alone would be ambiguous.
    """
    return _opened(_question(fact), fact, title)


def ask_whether(fact: Fact, value: str, title: str) -> str:
    """The yes/no question whether the fact's value is the given one."""
    return _opened(_statement(fact, value), fact, title)


def subject_words(fact: Fact) -> str:
    """The subject as it stands inside a sentence."""
    return _ARTICLE.sub(lambda match: match[0].lower(), fact.subject, count=1)


def ask_both(first: str, second: str) -> str:
    """Two questions as one sentence."""
    return f"{first.removesuffix('?')}, and {_lowered(second)}"


def with_options(question: str, options: Sequence[str]) -> str:
    """A question with the answers it offers, one a line."""
    listed = "\n".join(f"{letter}) {option}" for letter, option in zip(ascii_uppercase, options, strict=False))
    return f"{question} Answer with the words of one option.\n{listed}"


def _opened(question: str, fact: Fact, title: str) -> str:
    """A question with its condition or its document in front, where it needs them."""
    if fact.condition:
        question = f"{fact.condition}, {_lowered(question)}"
    return question if fact.named else f'In "{title}", {_lowered(question)}'


def _question(fact: Fact) -> str:
    subject, attribute = subject_words(fact), fact.attribute
    match fact.rule:
        case FactRule.PROPERTY:
            return f"What is the {attribute} of {subject}?"
        case FactRule.DEFINITION:
            return f"How is {subject} described?"
        case FactRule.EVENT:
            return f"When was {subject} {attribute}?"
        case FactRule.COUNT:
            return f"How many {attribute} does {subject} have?"
        case FactRule.KEY_VALUE:
            return f'What is given for "{attribute}"?'
        case FactRule.TABLE:
            return f'What is given for "{attribute}"{_row(fact)}?'


def _statement(fact: Fact, value: str) -> str:
    subject, attribute = subject_words(fact), fact.attribute
    match fact.rule:
        case FactRule.PROPERTY:
            return f"Is the {attribute} of {subject} {value}?"
        case FactRule.DEFINITION:
            return f"Is {subject} {value}?"
        case FactRule.EVENT:
            return f"Was {subject} {attribute} {_preposition(value)} {value}?"
        case FactRule.COUNT:
            return f"Does {subject} have {value} {attribute}?"
        case FactRule.KEY_VALUE:
            return f'Is "{value}" given for "{attribute}"?'
        case FactRule.TABLE:
            return f'Is "{value}" given for "{attribute}"{_row(fact)}?'


def _row(fact: Fact) -> str:
    return f' of "{fact.subject}"' if fact.of_row else ""


def _preposition(value: str) -> str:
    date = parse_date(normalise_text(value))
    return "on" if date is not None and date.readings[0].day else "in"


def _lowered(question: str) -> str:
    return question[:1].lower() + question[1:]
