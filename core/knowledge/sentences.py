"""A record as plain sentences, by rules alone: nothing leaves the machine and equal rows give equal texts."""

from __future__ import annotations

from core.knowledge.records import Fact, Record
from core.testset.grounded.words.inflection import article, is_plural


def rule_text(record: Record) -> str:
    """The record's document: what it is, then one sentence for each fact, with its subject in every sentence.

    A sentence that names its subject can be found, quoted and checked alone, however a system cuts the text.

    >>> city = Fact(name="city", value="Arden", column="branch.city")
    >>> rule_text(Record(document_id="branch:1", table="branch", noun="branch", label="Arden Branch", facts=(city,)))
    'Arden Branch is a branch. The city of Arden Branch is Arden.'
    """
    return " ".join([_opening(record), *(fact_sentence(record, fact) for fact in record.facts)])


def fact_sentence(record: Record, fact: Fact) -> str:
    """One fact as a sentence.

    >>> since = Fact(name="date of first offer", value="2014-05-03", column="offer.since", about="Home Saver")
    >>> fact_sentence(Record(document_id="b:1", table="b", noun="branch", label="Arden Branch"), since)
    'For Arden Branch and Home Saver, the date of first offer is 2014-05-03.'

    A row without a name is described by the rows it points to as well, because that is how people ask for it:

    >>> who = Fact(name="customer", value="Ann Lee", column="", points=True)
    >>> fee = Fact(name="fee", value="2", column="")
    >>> account = Record(document_id="", table="", noun="account", label="account 7", named=False, facts=(who, fee))
    >>> fact_sentence(account, who), fact_sentence(account, fee)
    ('The customer of account 7 is Ann Lee.', 'The fee of account 7 of customer Ann Lee is 2.')
    """
    verb = "are" if is_plural(fact.name) else "is"
    if fact.about:
        return _ended(f"For {record.label} and {fact.about}, the {fact.name} {verb} {fact.value}")
    if fact.one_of:
        return _ended(f"{article(fact.name).capitalize()} {fact.name} of {record.label} is {fact.value}")
    return _ended(f"The {fact.name} of {record.label if fact.points else record.described} {verb} {fact.value}")


def _opening(record: Record) -> str:
    if not record.named:
        return _ended(f"This is {record.label}")
    return _ended(f"{record.label} is {article(record.noun)} {record.noun}")


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
