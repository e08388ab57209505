"""Facts of a test set, prepared for the search: what each asks, what else it could be about, which facts show how."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.subjects import Rivals
from core.sources.database.words import split_words
from core.text.words import stem

SIBLINGS = 12
"""Facts of a template that show how the documents word what it asks for."""

RivalsByParameter = Mapping[tuple[str, str], Rivals]
"""What each parameter of each SQL template was filled with, by the template's id and the parameter's name."""


def siblings_of(groups: Mapping[str, Sequence[TestCase]]) -> list[TestCase]:
    """The cases of the first `SIBLINGS` facts of each SQL template.

    Args:
        groups: The wordings of each fact, by filled SQL query.
    """
    counts: Counter[str] = Counter()
    siblings: list[TestCase] = []
    for group_id, members in groups.items():
        counts[members[0].sql_template_id] += 1
        if group_id and counts[members[0].sql_template_id] <= SIBLINGS:
            siblings.extend(members)
    return siblings


def fact_of(members: Sequence[TestCase], rivals: RivalsByParameter) -> Fact:
    """The fact that every wording of one filled query asks for.

    Args:
        members: The wordings; the same query, values and answers.
        rivals: Of the parameters of their template.
    """
    first = members[0]
    return Fact.of(
        first.reference_answers,
        list(first.sql_params.values()),
        [member.question for member in members],
        [rivals.get((first.sql_template_id, name)) for name in first.sql_params],
        _kinds(first),
        joined=len(first.gold_document_ids) > 1 or " join " in first.sql.casefold(),
    )


def _kinds(case: TestCase) -> frozenset[str]:
    """Word families of the table's name that are not the column's: what kind of thing the subject is.

    Only of a statement that reads one table; of several, another one may be what the question asks for.
    """
    if len(case.tables) != 1:
        return frozenset()
    column = case.attributes.get("asks_for", "").rpartition(".")[2]
    asked_for = {stem(word) for word in split_words(column)} if column else set()
    return frozenset(stem(word) for word in split_words(case.tables[0])) - asked_for


def rivals_of(parameters: Iterable[tuple[str, Mapping[str, object]]]) -> RivalsByParameter:
    """What else each parameter of each SQL template was filled with.

    Args:
        parameters: The SQL template's id and the bound values, of each filled query.
    """
    return {parameter: Rivals(names) for parameter, names in values_of(parameters).items()}


def values_of(parameters: Iterable[tuple[str, Mapping[str, object]]]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The values of each parameter, each once; a parameter with a single one tells nobody apart and is left out.

    Args:
        parameters: The SQL template's id and the bound values, of each filled query.
    """
    values: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for template_id, bound in parameters:
        for name, value in bound.items():
            values[template_id, name][str(value)] = None
    return {parameter: tuple(names) for parameter, names in values.items() if len(names) > 1}
