"""Which facts of a test set can take a fault: those that the documents state and the working set-up answers rightly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from core.diagnosis.computed.rows import RowsBehind, is_computed
from core.diagnosis.service.facts.preparing import RivalsByParameter, fact_of, siblings_of
from core.diagnosis.service.facts.reading_cache import Readings
from core.diagnosis.service.facts.search import FactSearch
from core.domain.errors import InvalidInput
from core.domain.results.responses import Score
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from core.faults.planting import SoundFact, kind_of
from core.judging.facts.index import FactIndex
from core.judging.facts.search import find_evidence

LEAST_FACTS = 5
"""Sound facts below which nothing is planted: the figures would say nothing."""

COMPUTED = "are computed from several rows, which no single passage states"
"""Why a fact is not sound where the database shows the rows of its answer."""

WRONG, UNJUDGED = "have no wording that is answered rightly", "have no wording with an answer and a verdict"

MOST_LINKED = 20
"""Pages that name a subject, looked at as a home for a moved passage."""


def facts_of(cases: Sequence[TestCase]) -> dict[str, list[TestCase]]:
    """The cases that faults can be planted for, by fact: those with a filled query and a reference answer.

    Raises:
        InvalidInput: There are too few to plant anything.
    """
    groups: defaultdict[str, list[TestCase]] = defaultdict(list)
    for case in cases:
        if case.group_id and case.sql_params and case.reference_answers:
            groups[case.group_id].append(case)
    if not groups:
        raise InvalidInput(
            "No case of the test set has a filled query and a reference answer.",
            "Take a test set that was built from SQL templates.",
        )
    if len(groups) < LEAST_FACTS:
        raise InvalidInput(
            f"The test set has {len(groups)} facts with a filled query: too few to plant faults in.",
            f"Take a test set with {LEAST_FACTS} facts or more.",
        )
    return dict(groups)


def sound_facts(
    facts: Mapping[str, Sequence[TestCase]],
    corpus: Corpus,
    rivals: RivalsByParameter,
    verdicts: Mapping[str, Score],
    behind: RowsBehind | None = None,
    readings: Readings | None = None,
) -> tuple[list[SoundFact], Counter[str]]:
    """The facts that the documents state and of which some wording was answered rightly, and why the others are not.

    Args:
        facts: The cases of each fact.
        corpus: The documents of the working set-up.
        rivals: Of the parameters of the cases' templates.
        verdicts: On the answers of the working set-up, by case.
        behind: Knows the rows that computed answers come from; None where nothing does.
        readings: What was read of the same facts in other copies of the documents.
    """
    index = FactIndex(corpus.documents)
    by_id = {document.id: document for document in corpus.documents}
    corpus_ids = KnownDocuments(by_id)
    search = None if behind is None else FactSearch(corpus.documents, rivals, siblings_of(facts), behind, readings)
    others: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for members in facts.values():
        value = members[0].reference_answers[:1]
        others[members[0].sql_template_id].update(dict.fromkeys(value))
        others[kind_of(value)].update(dict.fromkeys(value))
        named = members if search is None else search.named(members)
        # The last answer is what documents call it, where that is another one.
        others[named[0].sql_template_id].update(dict.fromkeys(named[0].reference_answers[-1:]))
    sound: list[SoundFact] = []
    unsound: Counter[str] = Counter()
    for group_id, members in facts.items():
        values = [score.value if (score := verdicts.get(case.case_id)) else None for case in members]
        if 1.0 not in values:
            unsound[UNJUDGED if set(values) == {None} else WRONG] += 1
            continue
        first = members[0]
        if is_computed(first) and behind is not None and behind.rows_of(first) is not None:
            unsound[COMPUTED] += 1
            continue
        gold, _ = corpus_ids.resolve(first.gold_document_ids)
        finding = find_evidence(fact_of(members, rivals), [by_id[known] for known in gold], index)
        if finding.evidence is not FactEvidence.PRESENT and search is not None:
            finding, called = search.stated(members)
            first = called[0]
        if finding.evidence is not FactEvidence.PRESENT:
            unsound[f"are {finding.evidence} in the documents"] += 1
            continue
        subjects = tuple(str(value) for value in first.sql_params.values())
        stating = (finding.document_id, *(known for known in finding.document_ids if known != finding.document_id))
        linked = [document.id for document, _ in index.mentioning(subjects) if document.id not in stating]
        sound.append(
            SoundFact(
                group_id=group_id,
                case_ids=tuple(case.case_id for case, value in zip(members, values, strict=True) if value == 1.0),
                subjects=subjects,
                answers=first.reference_answers,
                passage=finding.passage,
                stating=stating,
                gold=tuple(gold),
                others=tuple(others[first.sql_template_id] | others[kind_of(first.reference_answers)]),
                mentioning=tuple(linked[:MOST_LINKED]),
            )
        )
    return sound, unsound
