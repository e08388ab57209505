"""Comparing two stored runs."""

from __future__ import annotations

from collections.abc import Mapping

from core.comparison.pairs import CasePair
from core.comparison.result import Comparison, compared
from core.comparison.settings import differing, refuse, repeats, why_no_noise
from core.diagnosis import Attribution
from core.diagnosis.service.blame import blame_of
from core.domain.errors import InvalidInput
from core.domain.estimates import Proportion
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.testset.cases import TestCase
from core.robustness.pairs import Answered
from core.robustness.reading import answered_of
from core.runs.scores.edits import score_range
from core.stats import clustered_proportion
from core.store import sources
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets

MOST_REPEATS = 5
"""Repeated runs that are read for the noise."""
NOT_REPEATED = "no other finished run has all settings of A; run it once more with the same settings"


def compare_runs(
    store: Store,
    run_a: str,
    run_b: str,
    *,
    other: Store | None = None,
    accept: bool = False,
    seconds: float | None = None,
) -> Comparison:
    """Run B against run A.

    Args:
        store: Where run A is.
        run_a: The run before a change.
        run_b: The run after it.
        other: Where run B is, where that is another store.
        accept: Whether other questions or another judge are accepted; only cases with the same question and answers
            count then.
        seconds: The longest search for evidence of each run; a case whose documents are still to be searched then has
            no module. None waits for all of it.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The runs cannot be compared, see :func:`core.comparison.settings.refuse`, or share no case.
    """
    second_store = other or store
    with store.read() as connection:
        first = runs.get(connection, run_a)
        sets = {first.test_set_id: testsets.get(connection, first.test_set_id)}
        beside = runs.all(connection, first.project_id)
    with second_store.read() as connection:
        second = runs.get(connection, run_b)
        sets[second.test_set_id] = testsets.get(connection, second.test_set_id)
    settings = differing(first, second, sets, _documents(store, first), _documents(second_store, second))
    refuse(first, second, settings, accept=accept)
    before, after = _answered(store, first), _answered(second_store, second)
    both = [case_id for case_id in before if case_id in after and _same(before[case_id].case, after[case_id].case)]
    if not both:
        raise InvalidInput(
            f"Runs {first.id} and {second.id} have no case in common: no question stands in both with the same "
            "reference answers under the same id.",
            "Choose two runs of one test set, or of two versions of it.",
        )
    blame_before, blame_after = _modules(store, first, seconds), _modules(second_store, second, seconds)
    pairs = [
        CasePair(
            before=before[case_id],
            after=after[case_id],
            module_before=blame_before.get(case_id),
            module_after=blame_after.get(case_id),
        )
        for case_id in both
    ]
    known = sum(pair.module_before is not None and pair.module_after is not None for pair in pairs)
    noise, noise_runs = _noise(store, first, before, beside)
    return compared(
        pairs,
        settings=settings,
        without_module=len(pairs) - known,
        left_out=len(before.keys() | after.keys()) - len(both),
        ranges={name: score_range(name) for name in sorted({name for pair in pairs for name in pair.before.scores})},
        noise=noise,
        noise_runs=noise_runs,
        no_noise="" if noise is not None else why_no_noise(first) or NOT_REPEATED,
        seed=first.seed,
    )


def _answered(store: Store, run: Run) -> dict[str, Answered]:
    with store.read() as connection:
        return answered_of(connection, run.id)


def _same(one: TestCase, other: TestCase) -> bool:
    return one.question == other.question and set(one.reference_answers) == set(other.reference_answers)


def _modules(store: Store, run: Run, seconds: float | None) -> dict[str, Attribution]:
    blames = blame_of(store, run.id, seconds=seconds)
    return {case_id: blame.module for case_id, blame in blames.items() if not blame.pending}


def _documents(store: Store, run: Run) -> str:
    """The documents of a run by name and content: two stores give the same ones two ids."""
    if not run.corpus_id:
        return "-"
    with store.read() as connection:
        source = sources.get(connection, run.corpus_id)
    return f"{source.name} {source.fingerprint[:12]}"


def _noise(store: Store, run: Run, before: Mapping[str, Answered], beside: list[Run]) -> tuple[Proportion | None, int]:
    """Verdicts that differ between run A and runs with everything as in it."""
    again = repeats(run, beside)[:MOST_REPEATS]
    flips, clusters = [], []
    for one in again:
        with store.read() as connection:
            verdicts = scores.of_metric(connection, one.id, VERDICT_METRIC, list(before))
        for case_id, answered in before.items():
            score = verdicts.get(case_id)
            if score is not None and score.value is not None and answered.verdict is not None:
                flips.append(score.value != answered.verdict)
                clusters.append(answered.case.group_id or case_id)
    return (clustered_proportion(flips, clusters), len(again)) if flips else (None, 0)
