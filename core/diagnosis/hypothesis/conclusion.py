"""The conclusion of a comparison and its limits, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.diagnosis.hypothesis.bootstrap import ModuleTest
from core.diagnosis.hypothesis.comparison import Sides, TestedModule

NAMES = {
    TestedModule.OVERALL: "overall accuracy",
    TestedModule.RETRIEVAL: "retrieval",
    TestedModule.LANGUAGE_MODEL: "the language model",
    TestedModule.RETRIEVAL_DB: "the retrieval database",
}


def conclude(attribute: str, a: str, b: str, tests: Sequence[ModuleTest]) -> str:
    """Two or three sentences: overall, then the modules with a difference, then those without.

    Args:
        attribute: What was compared.
        a: The first value; differences are `a` minus `b`.
        b: The second value.
        tests: Adjusted, overall first.
    """
    overall, modules = tests[0], tests[1:]
    sentences = [_overall(attribute, a, b, overall)]
    differing = [test for test in modules if test.shown]
    if differing:
        lead = "The difference lies in" if overall.shown else "There is a difference in"
        parts = [
            f"{NAMES[test.module]}, where {_worse(test, a, b)} is worse ({_figures(test, worse_first=True)})"
            for test in differing
        ]
        sentences.append(f"{lead} {' and in '.join(parts)}.")
    quiet = [NAMES[test.module] for test in modules if test.p_value is not None and not test.shown]
    if quiet:
        sentences.append(f"In {_listed(quiet)} no difference is shown.")
    untested = [NAMES[test.module] for test in modules if test.p_value is None]
    if untested:
        sentences.append(f"{_capital(_listed(untested))} could not be tested.")
    return " ".join(sentences)


def cannot_conclude(
    attribute: str,
    a: str,
    b: str,
    tests: Sequence[ModuleTest],
    sides: Mapping[TestedModule, Sides],
    *,
    paired: bool,
    corpus_known: bool,
) -> tuple[str, ...]:
    """The limits of the comparison, one sentence each; only those that apply."""
    return tuple(_open_points(attribute, a, b, tests, sides, paired=paired, corpus_known=corpus_known))


def _open_points(
    attribute: str,
    a: str,
    b: str,
    tests: Sequence[ModuleTest],
    sides: Mapping[TestedModule, Sides],
    *,
    paired: bool,
    corpus_known: bool,
) -> Iterator[str]:
    if any(test.p_value is not None and not test.shown for test in tests):
        yield "A difference that is not shown may still exist: the interval states how large it may be."
    overall = sides[TestedModule.OVERALL]
    if paired:
        alone = len(overall.a) + len(overall.b) - 2 * len(overall.shared)
        if alone:
            yield f"{alone} groups have only one of the two values and are left out."
        if not overall.even:
            yield (
                f"Groups have unequal numbers of questions with {a} and {b}: their refined accuracies select on the "
                "outcome and are not comparable; competence is compared at the smaller number."
            )
        else:
            yield (
                "Refined accuracies select on the outcome: compare them only over groups that are competent with "
                "either value."
            )
        yield (
            "Questions with either value ask for the same documents, so a difference in the retrieval database shows "
            "how often a group is answered at least once, not which documents are missing."
        )
    else:
        yield (
            f"The values of {attribute} were observed, not assigned: questions with {a} and with {b} ask for different "
            "things, which may cause the difference."
        )
        yield "Competence of groups of unequal size is compared at the size of the smallest group."
    by_module = {test.module: test for test in tests}
    if by_module[TestedModule.LANGUAGE_MODEL].p_value is not None:
        yield (
            "The language model is compared only where every gold document was retrieved; which questions these are "
            "depends on retrieval."
        )
    if by_module[TestedModule.RETRIEVAL].p_value is not None:
        if not corpus_known:
            yield "Without the ids of the corpus, a missing document counts as a retrieval miss on both sides."
        left_out = len(overall.a.keys() | overall.b.keys()) - len(
            sides[TestedModule.RETRIEVAL].a.keys() | sides[TestedModule.RETRIEVAL].b.keys()
        )
        if left_out > 0:
            yield f"Retrieval is not compared on {left_out} groups: gold documents unknown or not in the corpus."
    for test in tests:
        if test.reason:
            yield f"{_capital(NAMES[test.module])} is not tested: {test.reason}"


def _overall(attribute: str, a: str, b: str, test: ModuleTest) -> str:
    if test.p_value is None:
        return f"Overall accuracy of {attribute} {a} and {b} could not be compared."
    if not test.shown:
        return f"No difference is shown between questions with {attribute} {a} and {b} ({_figures(test)})."
    worse = _worse(test, a, b)
    better = b if worse == a else a
    figures = _figures(test, worse_first=True)
    return f"Questions with {attribute} {worse} are answered worse than those with {better} ({figures})."


def _worse(test: ModuleTest, a: str, b: str) -> str:
    return a if (test.difference.value or 0.0) < 0 else b


def _figures(test: ModuleTest, *, worse_first: bool = False) -> str:
    """Both shares, the difference, its interval; the shares in the order in which the sentence names the values."""
    difference = test.difference
    if (
        difference.value is None
        or difference.low is None
        or difference.high is None
        or test.a is None
        or test.b is None
    ):
        return "no figure"
    ends = (
        sorted((abs(difference.low), abs(difference.high)))
        if difference.low * difference.high > 0
        else [difference.low, difference.high]
    )
    size = abs(difference.value) if difference.low * difference.high > 0 else difference.value
    p_value = test.p_adjusted if test.p_adjusted is not None else 1.0
    p_text = f"adjusted p = {p_value:.3f}" if p_value >= 0.001 else "adjusted p < 0.001"
    first, second = (test.b, test.a) if worse_first and difference.value > 0 else (test.a, test.b)
    return (
        f"{first:.0%} against {second:.0%}, {100 * size:.1f} points, 95% {100 * ends[0]:.1f} to {100 * ends[1]:.1f}, "
        f"{test.groups} groups, {p_text}"
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
