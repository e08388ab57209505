"""The trial of a diagnosis: faults planted in copies of a working set-up, and what it calls each wrong answer.

Each kind of fault, and each combination, has a copy of its own. A fault goes only into a fact that the documents state,
and only wordings that the target answered rightly are asked again: what is wrong afterwards is wrong because of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle

from core.diagnosis.computed.rows import RowsBehind
from core.diagnosis.service.facts.preparing import rivals_of
from core.domain.errors import InvalidInput, Stopped
from core.domain.identity import content_hash
from core.domain.sources.document_ids import GoldTables, KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.faults.kinds import FAULTS, TITLES, Combination, Fault, FaultKind, kinds_of, needs_documents
from core.faults.outcome import FaultyAnswer, Trial
from core.faults.planting import Assigned, SoundFact
from core.faults.soundness import LEAST_FACTS, facts_of, sound_facts
from core.faults.trying import NO_DONOR, NO_PAGE_LEFT, Ask, Judge, Setup, diagnosed, try_fault


def run_trial(
    cases: Sequence[TestCase],
    corpus: Corpus,
    ask: Ask,
    judge: Judge,
    *,
    kinds: Sequence[Fault] = tuple(FaultKind),
    share: float = 0.1,
    seed: int = 0,
    searches_documents: bool = True,
    behind: RowsBehind | None = None,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trial:
    """Plants each fault in a copy of its own and diagnoses what becomes wrong.

    Args:
        cases: The test set: questions with their statement's values and reference answers. Gold ids that people matched
            to other documents are replaced by these.
        corpus: The documents of the working set-up.
        ask: Asks the target.
        judge: Judges its answers.
        kinds: Which faults, and combinations of them.
        share: Of the sound facts, how many get a fault of each kind; at least one does.
        seed: Of the draw.
        searches_documents: Whether the target searches the documents it is given. One that has its own is given wrong
            contexts and answers of other questions in place of a search that fails.
        behind: Knows the rows that computed and joined answers come from, as in the diagnosis of a run; None where
            there is no database.
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
    setup = Setup(
        cases=groups,
        corpus=corpus,
        rivals=rivals_of((members[0].sql_template_id, members[0].sql_params) for members in groups.values()),
        responses=responses,
        ask=ask,
        judge=judge,
        gold_tables=_gold_tables(usable, corpus),
        behind=behind,
    )
    trial = Trial(cases=len(usable), facts=len(groups))
    verdicts = judge(usable, responses)
    trial.wrong_before.update(cause for _, cause, _ in diagnosed(setup, usable, responses, verdicts, corpus))
    sound, trial.unsound = sound_facts(groups, corpus, setup.rivals, verdicts, behind, setup.readings)
    trial.sound = len(sound)
    trial.wordings = sum(len(fact.case_ids) for fact in sound)
    trial.unused = sum(len(groups[fact.group_id]) for fact in sound) - trial.wordings
    if len(sound) < LEAST_FACTS:
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in trial.unsound.most_common(3))
        raise InvalidInput(
            f"Only {len(sound)} of {len(groups)} facts are stated by the documents and answered rightly in some "
            f"wording: too few to plant faults in. {reasons}.",
            "Take a test set and a target that work, or more cases.",
        )
    for place, kind in enumerate(kinds, start=1):
        if should_stop():
            raise Stopped("The trial was stopped.")
        progress(f"Planting: {TITLES[kind].lower()}", place, len(kinds) + 1)
        try_fault(setup, kind, _assigned(sound, kind, share, seed), trial, searches_documents=searches_documents)
    progress("Diagnosed", len(kinds) + 1, len(kinds) + 1)
    return trial


def _gold_tables(cases: Sequence[TestCase], corpus: Corpus) -> GoldTables:
    known = KnownDocuments(document.id for document in corpus.documents)
    return GoldTables.of((gold for case in cases for gold in case.gold_document_ids), known)


def check(kinds: Sequence[Fault], share: float, *, searches_documents: bool) -> None:
    """Refuses a trial that cannot be.

    Raises:
        InvalidInput: No kind, a share out of range, or a kind that needs documents which the target does not search.
    """
    if not kinds:
        raise InvalidInput("No kind of fault is chosen.", f"Choose some of: {', '.join(FAULTS)}.")
    if not 0 < share <= 1:
        raise InvalidInput(f"The share of facts is {share:g}.", "Give a number above 0 and at most 1, such as 0.1.")
    if not searches_documents and (unfit := [kind for kind in kinds if needs_documents(kind)]):
        fit = ", ".join(fault for fault in FAULTS if not needs_documents(fault))
        raise InvalidInput(
            f"The target has documents of its own, so that {', '.join(unfit)} cannot be planted in a copy of them.",
            f"Choose some of {fit}, or try a target that searches the documents here.",
        )


def drawn(facts: int, share: float) -> int:
    """How many of so many sound facts get a fault of each kind: one at least."""
    return max(1, round(share * facts))


def _assigned(sound: Sequence[SoundFact], fault: Fault, share: float, seed: int) -> list[Assigned]:
    """The facts that get a fault, in the order of a digest that the seed turns; a mix has a share for each kind."""
    order = sorted(sound, key=lambda fact: content_hash([f"{seed} {fault}", fact.group_id]))
    faults, kinds = drawn(len(sound), share), kinds_of(fault)
    if fault is Combination.MIXED:
        turns = cycle(kinds)
        return [(fact, (next(turns),)) for fact in order[: faults * len(kinds)]]
    return [(fact, kinds) for fact in order[:faults]]


__all__ = [
    "LEAST_FACTS",
    "NO_DONOR",
    "NO_PAGE_LEFT",
    "Ask",
    "FaultyAnswer",
    "Judge",
    "Trial",
    "check",
    "drawn",
    "facts_of",
    "run_trial",
]
