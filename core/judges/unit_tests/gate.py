"""The gate: whether a judge's scores count in a project, and why not. The only definition of a trusted judge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.estimates import Proportion
from core.domain.results.judge_tests import Bar, JudgeTestRun, Part, Way
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.projects import Role
from core.judges.prompts import prompt_names
from core.judges.unit_tests import claim_tests
from core.judges.unit_tests.figures import JudgeTestFigures, figures
from core.judges.unit_tests.judges import metrics_of
from core.project.service import require
from core.store.database import Store
from core.store.results import judge_tests, scores

LEAST_TESTS: Final = 30
"""A judge that was put to fewer tests is as good as not tested."""

SHOWN: Final = 3
"""Shortfalls that a reason names; the rest is counted."""

MODEL_JUDGES: Final = ("llm", "grouse", *claim_tests.METRICS)
"""Kinds of judges that ask a model and that unit tests can be put to."""

_PROMPT: Final = re.compile(r"(\S+) (\S+ \([0-9a-f]+\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Whether a judge's scores count.

    Attributes:
        judge: Its spec.
        trusted: None where no model judges, so that there is nothing to test.
        reason: One sentence.
        test_run: The judge test it rests on; empty where there is none.
    """

    judge: str
    trusted: bool | None
    reason: str
    test_run: str = ""

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {"spec": self.judge, "trusted": self.trusted, "reason": self.reason, "test_run": self.test_run}


def trust_of(
    store: Store, project_id: str, judge: str, prompts: Mapping[str, str] | None = None, *, way: Way | None = None
) -> Trust:
    """Whether a judge may be trusted in a project.

    The newest finished judge test counts that has the same model at the same address, the same prompts and the same
    way, was not run on the training part alone, and had at least `LEAST_TESTS` tests.

    Args:
        store: Where the project is.
        project_id: The project.
        judge: ``grouse:MODEL@BASE_URL``, ``llm:MODEL@BASE_URL``, or one that asks no model.
        prompts: By id, version and digest of the prompts that made the scores, see :mod:`core.judges.prompts`; None
            where they are not known, and any version counts.
        way: Paired or single; None where that is not known.
    """
    kind = judge.partition(":")[0]
    if kind not in MODEL_JUDGES:
        if "@http" in judge:
            return Trust(judge=judge, trusted=False, reason=f"There are no judge tests for {kind or 'this judge'} yet.")
        return Trust(judge=judge, trusted=None, reason="No model judges.")
    with store.read() as connection:
        bar = judge_tests.bar(connection, project_id)
        tested = [run for run in judge_tests.all(connection, project_id, judge=judge) if run.finished_at]
    fitting = [run for run in tested if _same_prompts(run, prompts) and way in (None, run.way)]
    held_out = [run for run in fitting if run.part is not Part.TRAIN]
    if not held_out:
        return Trust(judge=judge, trusted=False, reason=_untested(tested, fitting))
    newest = held_out[0]
    missed = shortfalls(run_figures(store, newest.id), bar)
    where = f"{newest.suite}, {newest.part.value} part" if newest.part is not Part.ALL else newest.suite
    if missed:
        more = f", and {len(missed) - SHOWN} more" if len(missed) > SHOWN else ""
        reason = f"It failed its judge test ({where}): {'; '.join(missed[:SHOWN])}{more}."
        return Trust(judge=judge, trusted=False, reason=reason, test_run=newest.id)
    end = " with the lower end of its interval" if bar.lower else ""
    return Trust(
        judge=judge,
        trusted=True,
        reason=f"It reached {bar.least:g}{end} by every metric and failure mode of its judge test ({where}).",
        test_run=newest.id,
    )


def run_trust(
    store: Store, run: Run, metric: str = VERDICT_METRIC, *, tested_in: tuple[Store, str] | None = None
) -> Trust | None:
    """Whether the scores of a run by one metric count; None for a metric that no judge gives.

    Where several models judge, all of them must be trusted.

    Args:
        store: Where the run is.
        run: The run.
        metric: ``verdict`` for the run's own judge, or another metric of the run.
        tested_in: Store and project of the judge tests; the run's own by default.
    """
    where = tested_in or (store, run.project_id)
    if metric == VERDICT_METRIC:
        asks = run.judge.partition(":")[0] in MODEL_JUDGES
        return trust_of(*where, run.judge, _verdict_prompts(store, run.id) if asks else None)
    with store.read() as connection:
        stored = scores.run_metric(connection, run.id, metric)
    return None if stored is None else metric_trust(*where, metric, stored.options)


def metric_trust(store: Store, project_id: str, metric: str, options: Mapping[str, object]) -> Trust | None:
    """Whether scores count that a metric got with these options; None where no judge is among them.

    Args:
        store: Where the judge tests are.
        project_id: The project they are of.
        metric: Its name.
        options: What the scores were made with: ``judge`` and ``prompts``, as a run keeps them.
    """
    way = str(options.get("way", "") or "")
    found = [
        trust_of(store, project_id, judge, _named_prompts(options), way=Way(way) if way in list(Way) else None)
        for judge in _judges_of(metric, options)
    ]
    return next((trust for trust in found if trust.trusted is False), found[0] if found else None)


def score_trust(trusts: Mapping[str, Trust], metrics: Sequence[str]) -> Trust | None:
    """Whether a figure counts that rests on several metrics: one judge that is not trusted is enough to say no.

    Args:
        trusts: By metric, as `run_trusts` gives them.
        metrics: Those the figure is computed from.

    Returns:
        None where no model judged any of them.

    >>> no = Trust(judge="llm:m", trusted=False, reason="It was never tested.")
    >>> score_trust({"verdict": no}, ["rouge_l", "verdict"]).trusted, score_trust({"verdict": no}, ["rouge_l"])
    (False, None)
    """
    asked = [trusts[metric] for metric in metrics if metric in trusts and trusts[metric].trusted is not None]
    return next((trust for trust in asked if not trust.trusted), asked[0] if asked else None)


def run_trusts(store: Store, run: Run, *, tested_in: tuple[Store, str] | None = None) -> dict[str, Trust]:
    """By metric, the trust of every score of a run that a judge gave; the run's verdicts among them."""
    with store.read() as connection:
        metrics = sorted(scores.of_run(connection, run.id))
    names = dict.fromkeys((VERDICT_METRIC, *metrics))
    found = {metric: run_trust(store, run, metric, tested_in=tested_in) for metric in names}
    return {metric: trust for metric, trust in found.items() if trust is not None}


def trust_marks(trusts: Mapping[str, Trust]) -> dict[str, str]:
    """What an exported row says of the judges behind its scores; nothing where no model judged.

    >>> trust_marks({"verdict": Trust(judge="llm:m", trusted=False, reason="It was never tested.")})
    {'judge_trusted': 'no', 'judge_trust_reason': 'verdict: It was never tested.'}
    """
    asked = {metric: trust for metric, trust in trusts.items() if trust.trusted is not None}
    if not asked:
        return {}
    untrusted = [f"{metric}: {trust.reason}" for metric, trust in asked.items() if not trust.trusted]
    said = untrusted or [f"{metric}: {trust.reason}" for metric, trust in asked.items()]
    return {"judge_trusted": "no" if untrusted else "yes", "judge_trust_reason": " ".join(said)}


def run_figures(store: Store, test_run_id: str) -> JudgeTestFigures:
    """The figures of a judge test.

    Raises:
        NotFound: There is none of that id.
    """
    with store.read() as connection:
        run = judge_tests.get(connection, test_run_id)
        outcomes = judge_tests.outcomes(connection, test_run_id)
    said = [item for outcome in outcomes for item in outcome.judged]
    return figures(run.tests, outcomes, metrics_of(run.judge, said))


def shortfalls(found: JudgeTestFigures, bar: Bar) -> list[str]:
    """In what a judge stays below the bar, one clause each, the worst first; none where it reaches it."""
    missed: list[str] = []
    if found.reached < LEAST_TESTS:
        missed.append(f"it was put to {found.reached} tests, and fewer than {LEAST_TESTS} settle nothing")
    whole = found.reached - found.unjudged()
    if found.reached and whole < bar.judged * found.reached:
        missed.append(f"it came to a judgement in {whole} of {found.reached} tests, below {bar.judged:g}")
    shares = {name.replace("_", " "): share for name, share in found.by_metric.items()} | dict(found.by_failure_mode)
    reached = {name: share.low if bar.lower else share.value for name, share in shares.items()}
    low = {name: -1.0 if value is None else value for name, value in reached.items()}
    below = sorted((name for name in shares if low[name] < bar.least), key=lambda name: low[name])
    return missed + [_below(name, shares[name], bar) for name in below]


def set_bar(store: Store, project_id: str, bar: Bar, *, actor: str) -> None:
    """Sets what a judge must reach in a project.

    Raises:
        Forbidden: The actor is no validator of the project.
        InvalidInput: A share lies outside [0, 1].
    """
    require(store, project_id, actor, Role.VALIDATOR)
    for share in (bar.least, bar.judged):
        if not 0.0 <= share <= 1.0:
            raise InvalidInput(f"The bar is {share:g}.", "Give a share from 0 to 1.")
    detail = {"least": bar.least, "lower": bar.lower, "judged": bar.judged}
    with store.write(actor, "judge_test.bar", project_id=project_id, subject=project_id, detail=detail) as connection:
        judge_tests.set_bar(connection, project_id, bar)


def _below(name: str, share: Proportion, bar: Bar) -> str:
    if share.value is None:
        return f"{name} has no judgement"
    end = f", lower end {share.low:.2f}" if bar.lower and share.low is not None else ""
    return f"{name} {share.value:.2f} ({share.num}/{share.den}){end}, below {bar.least:g}"


def _untested(tested: Sequence[JudgeTestRun], fitting: Sequence[JudgeTestRun]) -> str:
    if fitting:
        return "It was tested on the training part only, which its prompts may be fitted to."
    if tested:
        return "It was tested with other prompts, or in another way, than these scores were made with."
    return "It was never put to judge tests in this project."


def _same_prompts(run: JudgeTestRun, prompts: Mapping[str, str] | None) -> bool:
    """Whether scores made with these prompts were made with prompts of a test; those of other metrics do not matter."""
    return prompts is None or all(run.prompts.get(name) == version for name, version in prompts.items())


def _judges_of(metric: str, options: Mapping[str, object]) -> list[str]:
    """The judges of a metric with their kind in front: the tests that a model is put to go by what it is asked."""
    named = options.get("judges") or options.get("judge") or ()
    texts = named.split(", ") if isinstance(named, str) else list(named) if isinstance(named, list | tuple) else []
    judges = []
    for text in filter(None, map(str, texts)):
        kind = text.partition(":")[0]
        bare = "@http" in text and kind not in (*MODEL_JUDGES, "recorded")
        judges.append(f"{_kind(metric)}:{text}" if bare else text)
    return judges


def _kind(metric: str) -> str:
    family = metric.partition("_")[0]
    return {"grouse": "grouse", "claim": claim_tests.CLAIMS}.get(family, metric)


def _named_prompts(options: Mapping[str, object]) -> dict[str, str] | None:
    """The prompts among the options of a metric, written as ``id version (digest)``."""
    found: dict[str, str] = {}
    for value in options.values():
        texts = value if isinstance(value, list | tuple) else value.values() if isinstance(value, Mapping) else [value]
        for text in (part for item in texts for part in str(item).split(", ")):
            if match := _PROMPT.fullmatch(text):
                found[match[1]] = match[2]
    return found or None


def _verdict_prompts(store: Store, run_id: str) -> dict[str, str] | None:
    """The prompts of a run's own verdicts; where one was changed on the way, one that no test has."""
    with store.read() as connection:
        refs = judge_tests.verdict_prompts(connection, run_id)
    if not refs:
        return None
    names = prompt_names(refs)
    return names if len(refs) == len(names) else dict.fromkeys(names, "several versions")
