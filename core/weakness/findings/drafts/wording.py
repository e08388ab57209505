"""Findings in words: sentences by template, each with its figures, n, interval, p-value and the comparison.

No model writes them: the same figures give the same sentence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.domain.estimates import Estimate
from core.domain.results.findings import Conditions
from core.weakness.findings.drafts.facts import (
    REACHED,
    VERDICT,
    CompoundFacts,
    Labels,
    PartFacts,
    ScoreWords,
    SearchFacts,
)
from core.weakness.service.spoken import spoken

CLAUSES = ("that ", "whose ", "with ")
"""How phrases begin that stand behind all others and are joined by "and"."""

LONGEST_LEVEL = 80
HEAD, BEFORE = 20, 40
"""Characters that are kept of a longer template: of its begin, and before its first placeholder."""
"""Characters of a level in a sentence; the conditions of a finding have it whole."""


def part_text(
    words: ScoreWords,
    conditions: Conditions,
    facts: PartFacts,
    *,
    labels: Labels | None = None,
    compound: CompoundFacts | None = None,
) -> str:
    """A weak level or cell in words; a compound one with the mean that its two attributes explain."""
    sentence = f"{_beside_others(words, conditions, facts, labels)} {_difference_text(words, facts)}"
    if compound is None:
        return sentence
    return (
        f"{sentence} The two attributes by themselves explain {number(words, compound.explained)}: the combination is "
        f"worse than that ({p_text(compound.p_adjusted)})."
    )


def slice_text(
    words: ScoreWords, conditions: Conditions, facts: PartFacts, search: SearchFacts, *, labels: Labels | None = None
) -> str:
    """A weak slice in words: the figures are of the half on which it was not searched."""
    interval = interval_text(words, search.effect_low, search.effect_high, differences=True)
    return (
        f"On the {search.held_out:,} cases held out from the search, q"
        f"{_beside_others(words, conditions, facts, labels)[1:]} "
        f"The difference of {difference(words, facts.effect)}{interval and f' {interval}'} is shown "
        f"({p_text(facts.p_adjusted)} among {facts.tested:,} {facts.among}, chosen from {search.tried:,}); on the half "
        f"where it was found it was {difference(words, search.found_effect)} ({search.found_n:,} cases)."
    )


def unscored_text(conditions: Conditions, facts: PartFacts, *, labels: Labels | None = None) -> str:
    """A share without a score that differs by level; `facts` are of that share. A note, never a weakness."""
    missing, n_others = round(facts.mean * facts.scored), round(facts.rest * facts.rest_scored)
    return (
        f"Questions {where(conditions, labels)} have no score in {facts.mean:.2f} ({missing:,}/{facts.scored:,}), all "
        f"others in {facts.rest:.2f} ({n_others:,}/{facts.rest_scored:,}); {p_text(facts.p_adjusted)} among "
        f"{facts.tested:,} {facts.among}. This is not a weakness by itself: their mean covers only the questions that "
        "have a score, so find out why the others have none."
    )


def cluster_text(
    words: ScoreWords, facts: PartFacts, *, failing: int, topics: Sequence[str], terms: Sequence[str]
) -> str:
    """Failures that lie together on the topic map, with the terms their questions share.

    Args:
        words: The words for the score.
        facts: The figures of the place; its p-value is that of any such place on the whole map.
        failing: Its cases that fail.
        topics: The topics it lies in, the most cases first.
        terms: Terms that its failing questions contain more often than others.
    """
    lies = f" in {', '.join(topics)}" if topics else ""
    shared = f" Their questions share the terms {', '.join(terms)}." if terms else ""
    interval, elsewhere = interval_text(words, facts.low, facts.high), number(words, facts.rest)
    return (
        f"{failing:,} of {facts.scored:,} questions ({facts.clusters or 0:,} {words.clusters}) that lie together on "
        f"the topic map{lies} fail: {what_is_told(words)} is {number(words, facts.mean)}{interval and f' {interval}'} "
        f"there and {elsewhere} for the other {facts.rest_scored:,}. This is shown ({p_text(facts.p_adjusted)} for any "
        f"such place on the map).{shared}"
    )


def holding_text(
    label: str, attribute: str, *, pooled: Estimate, within: Estimate, right: int, wrong: int, most: bool
) -> str:
    """A score that separates correct from incorrect through differences between levels, not inside them.

    Args:
        label: Of the score.
        attribute: Its name for people.
        pooled: Chance of a correct answer to score above an incorrect one, over all pairs.
        within: The same over pairs of one level.
        right: Correct answers.
        wrong: Incorrect ones.
        most: Whether some discrimination is left inside the levels.
    """
    return (
        f"Over all questions {label} ranks a correct answer above an incorrect one in {_chance(pooled)} of all pairs "
        f"({right:,} correct, {wrong:,} incorrect); inside the levels of {attribute} in {_chance(within)}. "
        f"It {'mostly separates' if most else 'separates'} levels of {attribute}, not correct from incorrect answers."
    )


def where(conditions: Conditions, labels: Labels | None = None) -> str:
    """The common property of the questions of a part.

    >>> where((("table", "loan_product"), ("answer_type", "number")))
    'about loan product whose answer is a number'
    >>> where((("joins", "1"), ("form", "long"))), where((("product_line", "cards"), ("form", "long")))
    ('in long form that join two tables', 'in long form with product line: cards')
    """
    labels = labels or Labels()
    phrases = [_phrase(name, level, labels) for name, level in conditions]
    clauses = [phrase for phrase in phrases if phrase.startswith(CLAUSES)]
    return " ".join(filter(None, (*(phrase for phrase in phrases if phrase not in clauses), " and ".join(clauses))))


def what_is_told(words: ScoreWords) -> str:
    """The figure of a score in words.

    >>> what_is_told(ScoreWords(label="groundedness", kind="reached", threshold=0.7))
    'the share with groundedness of at least 0.7'
    """
    if words.kind == VERDICT:
        return "the share answered correctly"
    if words.kind == REACHED:
        return f"the share with {words.label} of at {_bound(words)}"
    return f"the average of {_score_label(words)}"


def p_text(value: float) -> str:
    """An adjusted p-value; one that would be shown as zero is never zero.

    >>> p_text(0.0312), p_text(0.00002)
    ('adjusted p 0.031', 'adjusted p < 0.001')
    """
    return f"adjusted p {value:.3f}" if value >= 0.001 else "adjusted p < 0.001"


def number(words: ScoreWords, value: float) -> str:
    """A mean: two decimals on a scale of one, else three significant digits."""
    if words.width is not None and words.width <= 1.0:
        return f"{value:.2f}"
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def difference(words: ScoreWords, value: float) -> str:
    """A difference: shares and probabilities in points of a hundred, anything else in its own unit."""
    if not words.points:
        return number(words, value)
    points = 100.0 * value
    figure = f"{points:.0f}" if abs(points) >= 1.0 or points == 0.0 else f"{points:.1f}"
    return f"{figure} point" if figure in ("1", "-1") else f"{figure} points"


def interval_text(words: ScoreWords, low: float | None, high: float | None, *, differences: bool = False) -> str:
    """An interval in brackets, empty where there is none."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    if differences and words.points:
        return f"[{100 * low:.0f}, {100 * high:.0f}]"
    return f"[{number(words, low)}, {number(words, high)}]"


def _beside_others(words: ScoreWords, conditions: Conditions, facts: PartFacts, labels: Labels | None) -> str:
    mean, rest_mean = number(words, facts.mean), number(words, facts.rest)
    interval = interval_text(words, facts.low, facts.high)
    part_mean = f"{mean}{interval and f' {interval}'}"
    n, n_rest = _n(words, facts), _n_of_rest(words, facts)
    questions = f"Questions {where(conditions, labels)}"
    if words.kind == VERDICT:
        return (
            f"{questions} are answered correctly in {part_mean} ({n}); all other questions in {rest_mean} ({n_rest})."
        )
    if words.kind == REACHED:
        condition = f"{words.label} of at {_bound(words)}"
        return f"{questions} have {condition} in {part_mean} ({n}); all other questions in {rest_mean} ({n_rest})."
    return (
        f"{questions} average {part_mean} in {_score_label(words)} ({n}); all other questions {rest_mean} ({n_rest})."
    )


def _difference_text(words: ScoreWords, facts: PartFacts) -> str:
    return (
        f"The difference of {difference(words, facts.effect)} is shown ({p_text(facts.p_adjusted)} among "
        f"{facts.tested:,} {facts.among})."
    )


def _n(words: ScoreWords, facts: PartFacts) -> str:
    scored = f"{round(facts.mean * facts.scored):,}/{facts.scored:,}" if words.share else f"{facts.scored:,} scored"
    show_groups = facts.clusters is not None and facts.clusters < facts.scored
    groups = f", {facts.clusters:,} {words.clusters}" if show_groups else ""
    unscored = f", {facts.n - facts.scored:,} more without a score" if facts.n > facts.scored else ""
    return f"{scored}{groups}{unscored}"


def _n_of_rest(words: ScoreWords, facts: PartFacts) -> str:
    if words.share:
        return f"{round(facts.rest * facts.rest_scored):,}/{facts.rest_scored:,}"
    return f"{facts.rest_scored:,} scored"


def _chance(area: Estimate) -> str:
    interval = f" [{area.low:.2f}, {area.high:.2f}]" if area.low is not None and area.high is not None else ""
    return f"{area.value:.2f}{interval}" if area.value is not None else "-"


def _bound(words: ScoreWords) -> str:
    return f"{'least' if words.higher_is_better else 'most'} {words.threshold:g}"


def _score_label(words: ScoreWords) -> str:
    return words.label if words.higher_is_better else f"{words.label}, where less is better"


def shortened(level: str) -> str:
    """A level as it stands in a sentence: of a long template its begin and what stands before its first placeholder.

    >>> shortened("cards")
    'cards'
    >>> shortened("Before I answer a letter, and I have to, tell me what the opening date of '[branch.name]' was")
    "Before I answer a … to, tell me what the opening date of '[branch.name]' …"
    """
    if len(level) <= LONGEST_LEVEL:
        return level
    begins, ends = level.find("["), level.find("]")
    if not HEAD < begins < ends < begins + LONGEST_LEVEL:
        return f"{level[: LONGEST_LEVEL - 1]}…"
    head = level[:HEAD].rsplit(" ", 1)[0]
    start = max(len(head), begins - BEFORE)
    start = level.find(" ", start, begins) + 1 or start
    end = ends + 1 + (level[ends + 1 : ends + 2] in ("'", '"'))
    middle = level[start:end].strip()
    return f"{head}{' … ' if start > len(head) + 1 else ' '}{middle}{' …' if end < len(level) else ''}"


def _phrase(name: str, level: str, labels: Labels) -> str:
    shown_level = shortened(level)
    return spoken(name, shown_level) or f"with {labels[name]}: {shown_level}"
