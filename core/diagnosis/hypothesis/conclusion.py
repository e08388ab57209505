"""What a comparison found and what it cannot show, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.diagnosis.comparison import Sides, TestedModule
from core.diagnosis.testing import ModuleTest

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
            f"{NAMES[test.module]}, where {_worse(test, a, b)} does worse ({_figures(test, worse_first=True)})"
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
    """What the comparison leaves open, one sentence each; only what applies."""
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
        yield "No difference shown does not mean that there is none: the interval says how large it may still be."
    overall = sides[TestedModule.OVERALL]
    if paired:
        alone = len(overall.a) + len(overall.b) - 2 * len(overall.shared)
        if alone:
            yield f"{alone} groups hold only one of the two values and are left out."
        if not overall.even:
            yield (
                f"Groups have unequal numbers of questions with {a} and {b}: their refined accuracies select on the "
                "outcome and must not be compared; competence is compared at the smaller number."
            )
        else:
            yield (
                "Refined accuracies select on the outcome: compare them only over groups that are competent with "
                "either value."
            )
        yield (
            "Both values ask for the same documents, so a difference in the retrieval database says how often a group "
            "is answered at least once, not which documents are missing."
        )
    else:
        yield (
            f"The values of {attribute} were observed, not assigned: questions with {a} and with {b} ask for different "
            "things, and the difference may come from that."
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
            yield "Without the ids of the corpus, a document that is missing counts as a retrieval miss on both sides."
        left_out = len(overall.a.keys() | overall.b.keys()) - len(
            sides[TestedModule.RETRIEVAL].a.keys() | sides[TestedModule.RETRIEVAL].b.keys()
        )
        if left_out > 0:
            yield f"Retrieval is silent on {left_out} groups whose gold documents are unknown or not in the corpus."
    for test in tests:
        if test.reason:
            yield f"{_capital(NAMES[test.module])} is not tested: {test.reason}"


def _overall(attribute: str, a: str, b: str, test: ModuleTest) -> str:
    if test.p_value is None:
        return f"Overall accuracy of {attribute} {a} and {b} could not be compared."
    if not test.shown:
        return f"Questions with {attribute} {a} and {b} are not shown to be answered differently ({_figures(test)})."
    worse = _worse(test, a, b)
    better = b if worse == a else a
    figures = _figures(test, worse_first=True)
    return f"Questions with {attribute} {worse} are answered worse than those with {better} ({figures})."


def _worse(test: ModuleTest, a: str, b: str) -> str:
    return a if (test.difference.value or 0.0) < 0 else b


def _figures(test: ModuleTest, *, worse_first: bool = False) -> str:
    """Both shares, the difference, its interval; the shares in the order in which the sentence names the values."""
    found = test.difference
    if found.value is None or found.low is None or found.high is None or test.a is None or test.b is None:
        return "no figure"
    ends = sorted((abs(found.low), abs(found.high))) if found.low * found.high > 0 else [found.low, found.high]
    size = abs(found.value) if found.low * found.high > 0 else found.value
    p_value = test.p_adjusted if test.p_adjusted is not None else 1.0
    shown = f"adjusted p = {p_value:.3f}" if p_value >= 0.001 else "adjusted p < 0.001"
    one, other = (test.b, test.a) if worse_first and found.value > 0 else (test.a, test.b)
    return (
        f"{one:.0%} against {other:.0%}, {100 * size:.1f} points, 95% {100 * ends[0]:.1f} to {100 * ends[1]:.1f}, "
        f"{test.groups} groups, {shown}"
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
