"""The trial of a diagnosis: faults planted in copies of a working set-up, and what it calls each wrong answer.

One kind of fault at a time. A fault goes only into a fact that the documents state and that the target answered rightly
in every wording, so that what is wrong afterwards is wrong because of the fault.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.diagnosis.diagnose import diagnose
from core.diagnosis.service.facts import RivalsByParameter, fact_of, rivals_of, search_facts
from core.diagnosis.service.rows import diagnosis_row
from core.domain.errors import InvalidInput, Stopped
from core.domain.identity import content_hash
from core.domain.results.diagnosis import Attribution
from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from core.faults.kinds import IN_DOCUMENTS, TITLES, Cause, FaultKind, diagnosed_cause
from core.faults.planting import PlantedFault, Planting, SoundFact, kind_of, other_value, plant
from core.judging.facts.index import FactIndex
from core.judging.facts.search import find_evidence

LEAST_FACTS = 5
"""Sound facts below which nothing is planted: the figures would say nothing."""

WRONG, UNJUDGED = "have a wording that is not answered rightly", "have a wording without an answer or a verdict"
NO_DONOR = "no other question of its template retrieved other pages"
NO_PAGE_LEFT = "no other page would be left to search"

MOST_LINKED = 20
"""Pages that name a subject, looked at as a home for a moved passage."""

Ask = Callable[[Corpus, Sequence[TestCase]], Mapping[str, Response]]
"""Asks the target, which searches these documents, each case."""
Judge = Callable[[Sequence[TestCase], Mapping[str, Response]], Mapping[str, Score]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultyAnswer:
    """One wrong answer of a faulty copy.

    Attributes:
        planted: What was planted.
        expected: What the diagnosis should call it.
        diagnosed: What it calls it.
        reason: Why, in its words.
        fault: What was done.
    """

    case_id: str
    group_id: str
    question: str
    answer: str
    planted: FaultKind
    expected: Cause
    diagnosed: Cause
    reason: str
    fault: PlantedFault


@dataclass(slots=True)
class Trial:
    """What a trial found.

    Attributes:
        cases: Test cases asked.
        facts: Facts of the test set.
        sound: Facts that the documents state and every wording was answered rightly: where faults can be planted.
        unsound: Why the others are not, by reason.
        wrong_before: Wrong answers before any fault, by what the diagnosis calls them.
        planted: Facts with a fault, by kind.
        skipped: Facts in which none could be planted, by kind and reason.
        still_right: Answers of faulty facts that are right all the same, by kind.
        not_judged: Answers of faulty facts without a verdict, by kind.
        answers: The wrong answers.
        changed: The pages that a kind of fault changed or added, as they are with all its faults, by kind.
        removed: Ids of the pages that a kind took away, by kind.
    """

    cases: int = 0
    facts: int = 0
    sound: int = 0
    unsound: Counter[str] = field(default_factory=Counter)
    wrong_before: Counter[Cause] = field(default_factory=Counter)
    planted: Counter[FaultKind] = field(default_factory=Counter)
    skipped: dict[FaultKind, Counter[str]] = field(default_factory=dict)
    still_right: Counter[FaultKind] = field(default_factory=Counter)
    not_judged: Counter[FaultKind] = field(default_factory=Counter)
    answers: list[FaultyAnswer] = field(default_factory=list)
    changed: dict[FaultKind, tuple[Document, ...]] = field(default_factory=dict)
    removed: dict[FaultKind, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setup:
    """What does not change between faults."""

    cases: Mapping[str, Sequence[TestCase]]
    corpus: Corpus
    rivals: RivalsByParameter
    responses: Mapping[str, Response]
    ask: Ask
    judge: Judge


def run_trial(
    cases: Sequence[TestCase],
    corpus: Corpus,
    ask: Ask,
    judge: Judge,
    *,
    kinds: Sequence[FaultKind] = tuple(FaultKind),
    share: float = 0.1,
    seed: int = 0,
    searches_documents: bool = True,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trial:
    """Plants faults of each kind, one kind at a time, and diagnoses what becomes wrong.

    Args:
        cases: The test set: questions with their statement's values and reference answers.
        corpus: The documents of the working set-up.
        ask: Asks the target.
        judge: Judges its answers.
        kinds: Which faults.
        share: Of the sound facts, how many get a fault of each kind; at least one does.
        seed: Of the draw.
        searches_documents: Whether the target searches the documents it is given. One that has its own is given wrong
            contexts and answers of other questions in place of a search that fails.
        progress: Told the stage, the kinds done and all of them.
        should_stop: Asked before each kind.

    Raises:
        InvalidInput: The share is out of range, a kind needs documents that the target does not search, no case has a
            filled query, or too few facts are sound.
        Stopped: A stop was requested.
    """
    check(kinds, share, searches_documents=searches_documents)
    kinds = tuple(dict.fromkeys(kinds))
    groups = facts_of(cases)
    usable = [case for members in groups.values() for case in members]
    progress("Asking the working set-up", 0, len(kinds) + 1)
    responses = ask(corpus, usable)
    setup = _Setup(
        cases=groups,
        corpus=corpus,
        rivals=rivals_of((members[0].sql_template_id, members[0].sql_params) for members in groups.values()),
        responses=responses,
        ask=ask,
        judge=judge,
    )
    trial = Trial(cases=len(usable), facts=len(groups))
    verdicts = judge(usable, responses)
    trial.wrong_before.update(cause for _, cause, _ in _diagnosed(setup, usable, responses, verdicts, corpus))
    sound = _sound_facts(setup, verdicts, trial)
    if len(sound) < LEAST_FACTS:
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in trial.unsound.most_common(3))
        raise InvalidInput(
            f"Only {len(sound)} of {len(groups)} facts are stated by the documents and answered rightly in every "
            f"wording: too few to plant faults in. {reasons}.",
            "Take a test set and a target that work, or more cases.",
        )
    for place, kind in enumerate(kinds, start=1):
        if should_stop():
            raise Stopped("The trial was stopped.")
        progress(f"Planting: {TITLES[kind].lower()}", place, len(kinds) + 1)
        chosen = _drawn(sound, share, f"{seed} {kind}")
        _try_kind(setup, kind, chosen, trial, searches_documents=searches_documents)
    progress("Diagnosed", len(kinds) + 1, len(kinds) + 1)
    return trial


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


def check(kinds: Sequence[FaultKind], share: float, *, searches_documents: bool) -> None:
    """Refuses a trial that cannot be.

    Raises:
        InvalidInput: No kind, a share out of range, or a kind that needs documents which the target does not search.
    """
    if not kinds:
        raise InvalidInput("No kind of fault is chosen.", f"Choose some of: {', '.join(FaultKind)}.")
    if not 0 < share <= 1:
        raise InvalidInput(f"The share of facts is {share:g}.", "Give a number above 0 and at most 1, such as 0.1.")
    if not searches_documents and (unfit := [kind for kind in kinds if kind in IN_DOCUMENTS]):
        raise InvalidInput(
            f"The target has documents of its own, so that {', '.join(unfit)} cannot be planted in a copy of them.",
            f"Plant {FaultKind.READER} and {FaultKind.RETRIEVAL}, or try a target that searches the documents here.",
        )


def drawn(facts: int, share: float) -> int:
    """How many of so many sound facts get a fault of each kind: one at least."""
    return max(1, round(share * facts))


def _drawn(sound: Sequence[SoundFact], share: float, seed: str) -> list[SoundFact]:
    """A share of the facts, one at least, in the order of a digest that the seed turns."""
    order = sorted(sound, key=lambda fact: content_hash([seed, fact.group_id]))
    return order[: drawn(len(sound), share)]


def _sound_facts(setup: _Setup, verdicts: Mapping[str, Score], trial: Trial) -> list[SoundFact]:
    index = FactIndex(setup.corpus.documents)
    by_id = {document.id: document for document in setup.corpus.documents}
    corpus_ids = KnownDocuments(by_id)
    others: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for members in setup.cases.values():
        value = members[0].reference_answers[:1]
        others[members[0].sql_template_id].update(dict.fromkeys(value))
        others[kind_of(value)].update(dict.fromkeys(value))
    sound = []
    for group_id, members in setup.cases.items():
        values = [score.value if (score := verdicts.get(case.case_id)) else None for case in members]
        if any(value != 1.0 for value in values):
            trial.unsound[UNJUDGED if None in values else WRONG] += 1
            continue
        first = members[0]
        gold, _ = corpus_ids.resolve(first.gold_document_ids)
        finding = find_evidence(fact_of(members, setup.rivals), [by_id[known] for known in gold], index)
        if finding.evidence is not FactEvidence.PRESENT:
            trial.unsound[f"are {finding.evidence} in the documents"] += 1
            continue
        subjects = tuple(str(value) for value in first.sql_params.values())
        stating = (finding.document_id, *(known for known in finding.document_ids if known != finding.document_id))
        linked = [document.id for document, _ in index.mentioning(subjects) if document.id not in stating]
        sound.append(
            SoundFact(
                group_id=group_id,
                subjects=subjects,
                answers=first.reference_answers,
                passage=finding.passage,
                stating=stating,
                others=tuple(others[first.sql_template_id] | others[kind_of(first.reference_answers)]),
                mentioning=tuple(linked[:MOST_LINKED]),
            )
        )
    trial.sound = len(sound)
    return sound


def _try_kind(
    setup: _Setup, kind: FaultKind, chosen: Sequence[SoundFact], trial: Trial, *, searches_documents: bool
) -> None:
    before = {document.id: document for document in setup.corpus.documents}
    planting = plant(kind, chosen, before)
    facts = {fact.group_id: fact for fact in chosen if fact.group_id in planting.faults}
    corpus = Corpus(documents=tuple(planting.documents.values()))
    hidden: set[str] = set()
    swapped: dict[str, Response] = {}
    if kind is FaultKind.RETRIEVAL:
        if searches_documents:
            hidden = {known for fact in facts.values() for known in fact.stating}
        else:
            swapped = _other_contexts(setup, [case for group_id in facts for case in setup.cases[group_id]])
            facts = _without(facts, planting, lambda case: case.case_id in swapped, setup, NO_DONOR)
    if facts and not any(document.id not in hidden for document in corpus.documents):
        facts = _without(facts, planting, lambda case: False, setup, NO_PAGE_LEFT)
    cases = [case for group_id in facts for case in setup.cases[group_id]]
    if not cases:
        responses: Mapping[str, Response] = {}
    elif kind is FaultKind.READER:
        responses = _misread(setup, facts, cases)
    elif kind is FaultKind.RETRIEVAL and not searches_documents:
        responses = swapped
    else:
        seen = tuple(document for document in corpus.documents if document.id not in hidden)
        responses = setup.ask(Corpus(documents=seen), cases)
    if kind in IN_DOCUMENTS and facts:
        trial.changed[kind] = tuple(
            document for document in corpus.documents if document is not before.get(document.id)
        )
        trial.removed[kind] = tuple(known for known in before if known not in planting.documents)
    verdicts = setup.judge(cases, responses)
    trial.planted[kind] = len(facts)
    trial.skipped[kind] = planting.skipped
    trial.still_right[kind] = trial.not_judged[kind] = 0
    for case in cases:
        score = verdicts.get(case.case_id)
        trial.still_right[kind] += score is not None and score.value == 1.0
        trial.not_judged[kind] += score is None or score.value is None
    known = KnownDocuments(planting.documents)
    for case, cause, reason in _diagnosed(setup, cases, responses, verdicts, corpus):
        fault = planting.faults[case.group_id]
        response = responses[case.case_id]
        trial.answers.append(
            FaultyAnswer(
                case_id=case.case_id,
                group_id=case.group_id,
                question=case.question,
                answer=response.answer or "",
                planted=kind,
                expected=_expected(kind, fault, response, known),
                diagnosed=cause,
                reason=reason,
                fault=fault,
            )
        )


def _without(
    facts: Mapping[str, SoundFact],
    planting: Planting,
    possible: Callable[[TestCase], bool],
    setup: _Setup,
    reason: str,
) -> dict[str, SoundFact]:
    """The facts of which every case is possible; the others are passed over with a reason."""
    left = {group_id: fact for group_id, fact in facts.items() if all(map(possible, setup.cases[group_id]))}
    planting.skipped[reason] += len(facts) - len(left)
    planting.skipped = +planting.skipped
    return left


def _expected(kind: FaultKind, fault: PlantedFault, response: Response, known: KnownDocuments) -> Cause:
    """What a wrong answer should be called: a fact that other pages state is no gap when its own page goes."""
    if kind is FaultKind.READER:
        return Cause.READER
    if kind is FaultKind.VALUE_CHANGED:
        return Cause.CONTRADICTION
    if kind is FaultKind.PAGE_DELETED and not fault.repeated:
        return Cause.KNOWLEDGE_GAP
    retrieved, _ = known.resolve(response.document_ids)
    return Cause.RETRIEVAL if set(fault.repeated).isdisjoint(retrieved) else Cause.READER


def _misread(setup: _Setup, facts: Mapping[str, SoundFact], cases: Iterable[TestCase]) -> dict[str, Response]:
    """The answers of a reader that has the right passages before it and says the value of another fact."""
    return {
        case.case_id: replace(
            setup.responses[case.case_id],
            answer=f"It is {other_value(facts[case.group_id]) or 'not known to me'}.",
            abstained=None,
        )
        for case in cases
    }


def _other_contexts(setup: _Setup, cases: Sequence[TestCase]) -> dict[str, Response]:
    """What another question of the same template retrieved and was answered, in place of each case's own.

    A case for which there is no such question is left out.
    """
    by_template: defaultdict[tuple[str, str], list[TestCase]] = defaultdict(list)
    for members in setup.cases.values():
        for case in members:
            by_template[case.sql_template_id, case.text_template_id].append(case)
    swapped = {}
    for case in cases:
        own = setup.responses[case.case_id]
        donors = by_template[case.sql_template_id, case.text_template_id]
        start = donors.index(case)
        for donor in [*donors[start + 1 :], *donors[:start]]:
            other = setup.responses[donor.case_id]
            if donor.group_id != case.group_id and set(other.document_ids).isdisjoint(own.document_ids):
                swapped[case.case_id] = replace(other, case_id=case.case_id)
                break
    return swapped


def _diagnosed(
    setup: _Setup,
    cases: Sequence[TestCase],
    responses: Mapping[str, Response],
    verdicts: Mapping[str, Score],
    corpus: Corpus,
) -> list[tuple[TestCase, Cause, str]]:
    """Every wrong answer with the cause that the diagnosis names."""
    evidences = search_facts(cases, responses, verdicts, corpus, setup.rivals)
    rows = [diagnosis_row(case, responses.get(case.case_id), verdicts.get(case.case_id), evidences) for case in cases]
    by_id = {case.case_id: case for case in cases}
    known_ids: frozenset[str] = frozenset(document.id for document in corpus.documents)
    retrieved = {known for response in setup.responses.values() for known in response.document_ids}
    diagnosis = diagnose(rows, known_ids=known_ids, also_retrieved=retrieved)
    return [
        (by_id[row.row.case_id], diagnosed_cause(row.attribution, row.row), row.reason)
        for group in diagnosis.groups
        for row in group.rows
        if row.verdict is Verdict.INCORRECT and row.attribution is not Attribution.CORRECT
    ]
