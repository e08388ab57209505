"""Making variants of cases: drawn, checked, counted; what cannot be made is skipped with the reason."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.domain.errors import InvalidInput, Stopped
from core.domain.identity import short_hash
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import REPEAT, Lineage
from core.encoders.protocols import SentenceEncoder
from core.testset.variants.meaning import LEAST_SIMILARITY, changed_meaning
from core.testset.variants.registry import VariantKind, find_kinds
from core.testset.variants.spans import values_of
from core.testset.variants.spec import Draft, Ground, Reword, Skip, sibling_key
from core.text.languages import language_of
from core.text.questions import QUOTED
from core.text.words import STOP_WORDS, fold, words

MOST_REPEATS = 20
LANGUAGE_CERTAIN = 0.9
"""How sure the language of a question must be to leave it out of English kinds."""
SHORT = 4
"""Words up to which the language of one question is too uncertain to go by; that of all questions counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How variants are made.

    Attributes:
        kinds: Names of the kinds.
        n: The most cases that get a variant of each kind, drawn; None for all.
        seed: Of every draw.
        rate: Share of the words that get a spelling mistake.
        repeats: How often a question is repeated, where repeats are among the kinds.
    """

    kinds: tuple[str, ...]
    n: int | None = None
    seed: int = 0
    rate: float = 0.1
    repeats: int = 3

    def check(self) -> tuple[VariantKind, ...]:
        """The kinds, once everything is in order.

        Raises:
            InvalidInput: A kind is unknown, or a number is out of range.
        """
        if self.n is not None and self.n < 1:
            raise InvalidInput(f"n is {self.n}.", "Give the cases of each kind, 1 or more.")
        if not 0 < self.rate <= 1:
            raise InvalidInput(f"The rate of spelling mistakes is {self.rate:g}.", "Give a number above 0 and up to 1.")
        if not 1 <= self.repeats <= MOST_REPEATS:
            raise InvalidInput(f"{self.repeats} is not a number of repeats.", f"Give 1 to {MOST_REPEATS}.")
        return find_kinds(self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """What was made.

    Attributes:
        cases: The variants, by kind, then in the order of their parents.
        made: How many of each kind.
        skipped: Cases without a variant, by kind and reason.
        similarity: How the likeness of meaning was measured, or why it was not.
    """

    cases: tuple[TestCase, ...]
    made: Mapping[str, int]
    skipped: Mapping[str, Mapping[str, int]]
    similarity: str = ""
    near: Mapping[str, float] = field(default_factory=dict)


def make_variants(
    cases: Sequence[TestCase],
    recipe: Recipe,
    *,
    encoder: SentenceEncoder | None = None,
    reword: Reword | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Variants:
    """Makes variants of each kind for up to n drawn cases, and says why others have none.

    The same cases, recipe and models give the same variants, byte for byte. A case that is itself a variant is no
    parent.

    Args:
        cases: The test set.
        recipe: Kinds, n, seed and rates.
        encoder: Compares each variant that keeps the meaning with its parent; None leaves that check out.
        reword: A model that paraphrases.
        should_stop: Asked before each kind.

    Raises:
        InvalidInput: The recipe is not in order, or there is no case to vary.
        Stopped: A stop was requested.
    """
    kinds = recipe.check()
    parents = [case for case in cases if not case.excluded and Lineage.of(case.attributes) is None]
    if not parents:
        raise InvalidInput("There is no case to vary: each is a variant already.", "Give the test set they come from.")
    ground = _ground(parents, recipe.rate, reword)
    foreign = _foreign(parents)
    made: list[TestCase] = []
    counts: dict[str, int] = {}
    skipped: dict[str, Mapping[str, int]] = {}
    for kind in kinds:
        if should_stop():
            raise Stopped("The making of variants was stopped.")
        variants, reasons = _of_kind(kind, parents, recipe, ground, foreign, encoder)
        made += variants
        counts[kind.spec.name] = len(variants)
        skipped[kind.spec.name] = dict(sorted(reasons.items()))
    told = f"compared by {encoder.name}, at least {LEAST_SIMILARITY:g}" if encoder else "not measured: no encoder"
    return Variants(cases=tuple(made), made=counts, skipped=skipped, similarity=told)


def _of_kind(
    kind: VariantKind,
    parents: Sequence[TestCase],
    recipe: Recipe,
    ground: Ground,
    foreign: Mapping[str, str],
    encoder: SentenceEncoder | None,
) -> tuple[list[TestCase], Counter[str]]:
    """The variants of one kind; cases are tried in a drawn order until n have one."""
    spec = kind.spec
    order = list(range(len(parents)))
    random.Random(f"{recipe.seed}:{spec.name}").shuffle(order)  # noqa: S311 - a sample
    wanted = len(parents) if recipe.n is None else recipe.n
    reasons: Counter[str] = Counter()
    kept: dict[int, tuple[Draft, ...]] = {}
    waiting = iter(order)
    while len(kept) < wanted:
        batch = [place for place, _ in zip(waiting, range(wanted - len(kept)), strict=False)]
        if not batch:
            break
        drafts: dict[int, Draft] = {}
        for place in batch:
            case = parents[place]
            outcome = _draft(kind, case, recipe, ground, foreign.get(case.case_id, ""))
            if isinstance(outcome, Skip):
                reasons[outcome.reason] += 1
            else:
                drafts[place] = outcome
        far = _too_far(parents, drafts, encoder) if spec.keeps_meaning and spec.similar else frozenset()
        reasons[f"less alike than {LEAST_SIMILARITY:g} to its parent"] += len(far)
        copies = recipe.repeats if spec.name == REPEAT else 1
        for place, draft in drafts.items():
            if place not in far:
                numbered = [replace(draft, draw=number) for number in range(1, copies + 1)] if draft.draw else [draft]
                kept[place] = tuple(numbered)
    cases = [_case(kind, parents[place], draft, recipe.seed) for place in sorted(kept) for draft in kept[place]]
    return cases, +reasons


def _draft(kind: VariantKind, case: TestCase, recipe: Recipe, ground: Ground, language: str) -> Draft | Skip:
    spec = kind.spec
    if language and not spec.any_language:
        return Skip(f"the question is not English ({language})")
    draw = random.Random(f"{recipe.seed}:{spec.name}:{spec.version}:{case.case_id}")  # noqa: S311 - no secret
    draft = kind.make(case, draw, ground)
    if isinstance(draft, Skip):
        return draft
    if spec.name != REPEAT and not draft.planted and draft.question == case.question:
        return Skip("nothing would change")
    if spec.keeps_meaning:
        changed = changed_meaning(case.question, draft.question, values_of(case.sql_params))
        if changed:
            return Skip(f"{changed}, so that the answer might too")
    return draft


def _too_far(
    parents: Sequence[TestCase], drafts: Mapping[int, Draft], encoder: SentenceEncoder | None
) -> frozenset[int]:
    if encoder is None or not drafts:
        return frozenset()
    places = list(drafts)
    before = encoder.encode([parents[place].question for place in places])
    after = encoder.encode([drafts[place].question for place in places])
    alike = np.sum(before * after, axis=1)
    return frozenset(place for place, value in zip(places, alike.tolist(), strict=True) if value < LEAST_SIMILARITY)


def _case(kind: VariantKind, parent: TestCase, draft: Draft, seed: int) -> TestCase:
    spec = kind.spec
    title, passage = draft.planted or ("", "")
    lineage = Lineage(
        variant=spec.name,
        parent=parent.case_id,
        expected=spec.expected.value,
        keeps_meaning="yes" if spec.keeps_meaning else "no",
        variant_seed=str(seed),
        variant_change=draft.change,
        parent_question=parent.question,
        misled_by=draft.misled_by,
        variant_subject=draft.subject,
        planted_title=title,
        planted_passage=passage,
        draw=str(draft.draw) if draft.draw else "",
    )
    unanswerable = spec.expected.value in _UNANSWERABLE
    return replace(
        parent,
        case_id="v_" + short_hash({"parent": parent.case_id, "question": draft.question, **lineage.as_attributes()}),
        question=draft.question,
        reference_answers=() if unanswerable else parent.reference_answers,
        group_id=parent.group_id or parent.case_id,
        sql="" if unanswerable else parent.sql,
        sql_params={} if unanswerable else parent.sql_params,
        gold_document_ids=() if unanswerable else parent.gold_document_ids,
        gold_chunk_ids=() if unanswerable else parent.gold_chunk_ids,
        attributes={**parent.attributes, **lineage.as_attributes()},
    )


_UNANSWERABLE = frozenset({"declined or closest", "asked back or reading stated"})
"""Where the answer of the parent is none of the variant."""


def _ground(parents: Sequence[TestCase], rate: float, reword: Reword | None) -> Ground:
    siblings: dict[str, list[TestCase]] = defaultdict(list)
    known: set[str] = set()
    for case in parents:
        if sibling_key(case):
            siblings[sibling_key(case)].append(case)
        known.update(words(case.question))
        for answer in case.reference_answers:
            known.update(fold(answer).split())
    return Ground(siblings=siblings, known=frozenset(known), rate=rate, reword=reword)


def _foreign(parents: Sequence[TestCase]) -> dict[str, str]:
    """The language of each question that is not English, by case.

    Values of the database say nothing about the language of a question; a few words go by the language of all.
    """
    texts = {case.case_id: QUOTED.sub(" ", case.question) for case in parents}
    sample = " ".join(list(texts.values())[:200])
    whole = language_of(sample)
    main = "" if whole.code == "en" else whole.code
    languages: dict[str, str] = {}
    for case_id, text in texts.items():
        if len(text.split()) <= SHORT or not _looks_foreign(text):
            code = main
        else:
            found = language_of(text)
            code = "" if found.code == "en" else found.code if found.probability >= LANGUAGE_CERTAIN else main
        if code:
            languages[case_id] = code
    return languages


def _looks_foreign(text: str) -> bool:
    """Whether a text lacks the small words of English, so that its language is worth working out."""
    return sum(word in STOP_WORDS for word in text.casefold().split()) < 2
