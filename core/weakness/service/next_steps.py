"""What a weak part of a run says to look at next: the module that failed, the retrieval, three answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.diagnosis import Attribution
from core.domain.responses import Context
from core.domain.runs import VERDICT_METRIC
from core.evaluation.blame import Blame, blame_of, counted
from core.evaluation.metric_summary import spec_of
from core.evaluation.weakness_scores import score_column
from core.metrics import Family
from core.store import run_inputs, runs, scores
from core.store.database import Store
from core.weakness.table import Bools, Floats, ScoreColumn

EXAMPLES = 3
SHORT = 240
"""Characters of a passage that are shown beside an example."""

HAPPENED = {
    Attribution.RETRIEVAL: "the document that states the fact was not retrieved",
    Attribution.KNOWLEDGE_GAP: "no document states the fact, or the document states another value",
    Attribution.LANGUAGE_MODEL: "the document that states the fact was retrieved and the answer is wrong all the same",
    Attribution.UNRESOLVED_GAP: "it is open which module failed",
}
LOOK_AT = {
    Attribution.RETRIEVAL: "Look at the retrieval for these questions first.",
    Attribution.KNOWLEDGE_GAP: "Look at the documents first.",
    Attribution.LANGUAGE_MODEL: "Look at the language model and its prompt first.",
    Attribution.UNRESOLVED_GAP: "Say which document holds each fact, or connect the documents, to find out.",
}
NAMES = {
    Attribution.RETRIEVAL: "retrieval",
    Attribution.KNOWLEDGE_GAP: "knowledge gap",
    Attribution.LANGUAGE_MODEL: "language model",
    Attribution.UNRESOLVED_GAP: "unresolved",
}

RetrievalFigure = tuple[str, float, int, float, int]
"""A retrieval metric by its stored name: mean here, of how many, mean elsewhere, of how many; NaN for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One failing case.

    Attributes:
        score: Its value.
        reason: What the judge said of the answer, or empty.
        module: What it is put down to; None where nothing is known.
        because: Why that module, one sentence, or empty.
        contexts: The retrieved passages, best first, each by its document and how it begins.
    """

    case_id: str
    question: str
    reference: str
    answer: str | None
    score: float
    reason: str = ""
    module: Attribution | None = None
    because: str = ""
    contexts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatNext:
    """What to look at next.

    Attributes:
        sentence: Where to look first, in plain words.
        modules: Wrong answers among the cases by module, the most frequent first.
        judged: Cases with a verdict.
        of: Cases.
        retrieval: The retrieval metrics, here and elsewhere in the run.
        examples: Up to three failing cases, the worst first, of different filled queries as far as there are.
    """

    sentence: str
    modules: Mapping[Attribution, int]
    judged: int
    of: int
    retrieval: tuple[RetrievalFigure, ...]
    examples: tuple[Example, ...]


def what_next(
    store: Store,
    run_id: str,
    case_ids: Sequence[str],
    score_key: str,
    *,
    blame: Mapping[str, Blame] | None = None,
) -> WhatNext:
    """Looks into the cases of a weak part.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Cases of the part; those the run does not have, or that are excluded, are left out.
        score_key: Of the score the part is weak in.
        blame: What the cases are put down to, where that is known already (:func:`core.evaluation.blame.blamed`);
            else it is worked out for these cases.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The run has no such score.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        order, groups = run_inputs.groups(connection, run.test_set_id)
        verdicts = scores.columns(connection, run_id, [VERDICT_METRIC], order)[:, 0]
        metrics = sorted(name for name in scores.of_run(connection, run_id) if _is_retrieval(name))
        columns = scores.columns(connection, run_id, metrics, order)
    wanted = set(case_ids)
    here = np.array([case_id in wanted for case_id in order], dtype=bool)
    wrong = [order[place] for place in np.flatnonzero(here & (verdicts == 0.0)).tolist()]
    known = (blame_of(store, run_id, wrong) if wrong else {}) if blame is None else blame
    modules = counted(known, wrong)
    score = score_column(store, run_id, score_key, order)
    worst = _worst(score, here, order, groups, known, modules)
    judged = int((here & ~np.isnan(verdicts)).sum())
    return WhatNext(
        sentence=_sentence(modules, len(wrong), judged, int(here.sum())),
        modules=modules,
        judged=judged,
        of=int(here.sum()),
        retrieval=tuple(_figure(name, columns[:, place], here) for place, name in enumerate(metrics)),
        examples=_examples(store, run_id, [(order[place], float(score.values[place])) for place in worst], known),
    )


def _is_retrieval(name: str) -> bool:
    spec = spec_of(name)
    return spec is not None and spec.family is Family.RETRIEVAL


def _figure(name: str, values: Floats, here: Bools) -> RetrievalFigure:
    there = ~np.isnan(values)
    inside, outside = values[here & there], values[~here & there]
    return name, _mean(inside), inside.size, _mean(outside), outside.size


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")


def _worst(
    score: ScoreColumn,
    here: Bools,
    order: Sequence[str],
    groups: Sequence[str],
    known: Mapping[str, Blame],
    modules: Mapping[Attribution, int],
) -> list[int]:
    """Places of the worst cases; of equally bad ones those of the most frequent module, then in the set's order.

    A case with the best value there is has not failed, and one without a score is not known to have.
    """
    best = score.high if score.higher_is_better else score.low
    failing = here & ~np.isnan(score.values)
    if best is not None:
        failing &= score.values != best
    rank = {module: place for place, module in enumerate(modules)}

    def badness(place: int) -> tuple[float, int, int]:
        blame = known.get(order[place])
        module = len(rank) if blame is None else rank.get(blame.module, len(rank))
        return score.sign * float(score.values[place]), module, place

    ranked = sorted(np.flatnonzero(failing).tolist(), key=badness)
    first: dict[str, int] = {}
    for place in ranked:
        first.setdefault(groups[place], place)
    apart = list(first.values())
    others = [place for place in ranked if first[groups[place]] != place]
    return [*apart, *others][:EXAMPLES]


def _examples(
    store: Store, run_id: str, chosen: Sequence[tuple[str, float]], known: Mapping[str, Blame]
) -> tuple[Example, ...]:
    ids = [case_id for case_id, _ in chosen]
    values = dict(chosen)
    with store.read() as connection:
        pairs = list(run_inputs.pairs(connection, runs.get(connection, run_id), ids))
        said = scores.of_metric(connection, run_id, VERDICT_METRIC, ids)
    return tuple(
        Example(
            case_id=case.case_id,
            question=case.question,
            reference=" | ".join(case.reference_answers),
            answer=response.answer,
            score=values[case.case_id],
            reason=str(said[case.case_id].detail.get("reason") or "") if case.case_id in said else "",
            module=known[case.case_id].module if case.case_id in known else None,
            because=known[case.case_id].reason if case.case_id in known else "",
            contexts=tuple(_shown(context) for context in response.contexts),
        )
        for case, response in pairs
    )


def _shown(context: Context) -> str:
    """A passage by its document and how it begins."""
    text = " ".join(context.text.split())
    beginning = text if len(text) <= SHORT else f"{text[: SHORT - 3].rstrip()}..."
    return ": ".join(part for part in (context.document_id, beginning) if part)


def _sentence(modules: Mapping[Attribution, int], wrong: int, judged: int, cases: int) -> str:
    if not judged:
        return f"None of the {cases:,} cases has a verdict, so no module can be named. Judge the answers first."
    left = cases - judged
    unjudged = f" {left:,} of the {cases:,} cases {'has' if left == 1 else 'have'} no verdict." if left else ""
    if not wrong:
        said = "The one judged answer is" if judged == 1 else f"All {judged:,} judged answers are"
        return f"{said} correct, so no module failed. Look at the examples.{unjudged}"
    if not modules:
        return f"Nothing is known of the {wrong:,} wrong answers but that they are wrong. Diagnose the run.{unjudged}"
    (first, most), *others = modules.items()
    alone = not others or (most > others[0][1] and 2 * most >= wrong)
    if alone:
        share = f"All {wrong:,} wrong answers" if most == wrong else f"{most:,} of {wrong:,} wrong answers"
        said = "The one wrong answer" if wrong == 1 else share
        return f"{said}: {HAPPENED[first]}. {LOOK_AT[first]}{unjudged}"
    listed = ", ".join(f"{NAMES[module]} {count:,}" for module, count in modules.items())
    return f"No single module stands out among {wrong:,} wrong answers: {listed}. Look at the examples.{unjudged}"
