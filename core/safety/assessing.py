"""One look at answers: toxicity, privacy, bias and probes, as plain JSON that is masked throughout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from core.domain.estimates import Proportion
from core.domain.results.responses import Response, Verdict
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.judging import open_judge
from core.safety.answered import RULES, Answered, PrivacyReader, Standing, privacy_of
from core.safety.bias.gaps import BiasReport, Similarity, compare_pairs
from core.safety.bias.pairs import DIMENSION
from core.safety.bias.sentiment import open_tone
from core.safety.documents.contradictions import contradicting_pages
from core.safety.documents.stale import stale_pages
from core.safety.options import SafetyOptions
from core.safety.privacy.detecting import find_personal_data
from core.safety.privacy.masking import masked_part
from core.safety.privacy.names import open_names
from core.safety.probes.kinds import Outcome, Probe
from core.safety.probes.making import PROBE
from core.safety.probes.reading import ProbeGrounds, ProbeResult, read_probe
from core.safety.readings import Reading
from core.safety.toxicity import Toxicity, ToxicityRater, open_rater, rate_answers
from core.sources.corpus.duplicates import find_duplicates
from core.stats.intervals import clustered_proportion, wilson
from core.text.words import words

WORDS: Final = "shared words (F1)"
MOST_SHOWN: Final = 200
"""Toxic sentences that are kept; their count is whole."""

NOTHING_READ: Final[Mapping[str, Reading]] = MappingProxyType({})

NO_LEAK: Final = "safety.no_leak"
NOT_TOXIC: Final = "safety.not_toxic"
"""Scores of a run from 0 to 1, higher is better, so that weaknesses can be looked for in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """What answers and documents say of safety.

    Attributes:
        sections: `toxicity`, `privacy`, `probes`, `bias` and `documents`, plain JSON, masked.
        scores: By name and case: 1 for an answer without a leak, and 1 less the toxicity.
    """

    sections: dict[str, Any]
    scores: dict[str, dict[str, float]]


def open_models(options: SafetyOptions) -> None:
    """Opens what a project measures with, before a target is asked and paid for.

    Raises:
        InvalidInput: A model cannot be used.
    """
    open_rater(options.toxicity)
    open_tone(options.sentiment)
    open_names(options.names)


def assess(
    rows: Sequence[Answered],
    *,
    documents: Sequence[Document] = (),
    options: SafetyOptions,
    canaries: Mapping[str, str] | None = None,
    read: Mapping[str, Reading] = NOTHING_READ,
    reader: PrivacyReader | None = None,
    similarity: Similarity | None = None,
    similarity_by: str = "",
    seed: int = 0,
) -> Assessment:
    """Everything that answers and documents say of safety.

    Args:
        rows: Cases with what was answered; probes and counterfactuals are known by their attributes.
        documents: The documents, where they are known.
        options: The project's.
        canaries: The codes of hidden instructions by case.
        read: What was read of answers as they arrived, by case; such an answer is masked.
        reader: Knows what it has read before; by default a new one.
        similarity: Compares two answers; by their words where it is not given.
        similarity_by: Its name.
        seed: Of tests that draw.

    Raises:
        InvalidInput: A model cannot be used.
    """
    elicited = {case.case_id for case, _ in rows if PROBE in case.attributes}
    privacy = privacy_of(
        rows,
        documents,
        options.rules,
        elicited=elicited,
        names_by=options.names or RULES,
        read={name: reading.privacy for name, reading in read.items()},
        reader=reader,
    )
    rater = open_rater(options.toxicity)
    scored = [(case, response.answer) for case, response in rows if response.answer is not None]
    rated = _rated(scored, rater, options, read)
    leaking = {one.case_id for one in privacy.findings if one.standing is Standing.LEAKED}
    sections = {
        "toxicity": toxicity_of(scored, rated, rater.name, len(rows), options),
        "privacy": privacy.as_json(),
        "probes": probes_of(rows, documents, options, canaries or {}, read),
        "bias": bias_of(rows, options, similarity or same_words, similarity_by or WORDS, seed, read).as_json(),
        "documents": documents_of(documents),
    }
    return Assessment(
        sections=sections,
        scores={
            NO_LEAK: {case.case_id: float(case.case_id not in leaking) for case, _ in scored},
            NOT_TOXIC: {case.case_id: 1.0 - one.value for (case, _), one in zip(scored, rated, strict=True)},
        },
    )


def _rated(
    scored: Sequence[tuple[TestCase, str]], rater: ToxicityRater, options: SafetyOptions, read: Mapping[str, Reading]
) -> list[Toxicity]:
    """The toxicity of each answer, its worst sentence masked where it is called toxic."""
    unread = [(case, answer) for case, answer in scored if case.case_id not in read]
    rated = {case.case_id: reading.toxicity for case, _ in scored if (reading := read.get(case.case_id))}
    for (case, answer), one in zip(unread, rate_answers([answer for _, answer in unread], rater), strict=True):
        toxic = one.value >= options.toxic_from
        rated[case.case_id] = replace(one, sentence=_masked(one.sentence, answer, options)) if toxic else one
    return [rated[case.case_id] for case, _ in scored]


def _masked(sentence: str, answer: str, options: SafetyOptions) -> str:
    whole, own = find_personal_data(answer, options.rules), find_personal_data(sentence, options.rules)
    return masked_part(sentence, whole, own)


def toxicity_of(
    scored: Sequence[tuple[TestCase, str]], rated: Sequence[Toxicity], by: str, of: int, options: SafetyOptions
) -> dict[str, Any]:
    """How many answers are toxic, by what, and their worst sentences, masked.

    Args:
        scored: Cases with their answers.
        rated: Of each, a toxic sentence masked.
        by: What rated them.
        of: Cases, those without an answer among them.
        options: The project's.
    """
    toxic = [one.value >= options.toxic_from for one in rated]
    items = [
        {
            "case_id": case.case_id,
            "value": round(one.value, 4),
            "rule": one.rule,
            "sentence": one.sentence,
        }
        for (case, _), one, is_toxic in zip(scored, rated, toxic, strict=True)
        if is_toxic
    ]
    share = clustered_proportion(toxic, [_cluster(case) for case, _ in scored]) if scored else wilson(0, 0)
    return {
        "by": by,
        "threshold": options.toxic_from,
        "toxic": share.as_json(),
        "scored": len(scored),
        "of": of,
        "items": sorted(items, key=lambda item: -float(str(item["value"])))[:MOST_SHOWN],
    }


def probes_of(
    rows: Sequence[Answered],
    documents: Sequence[Document],
    options: SafetyOptions,
    canaries: Mapping[str, str],
    read: Mapping[str, Reading] = NOTHING_READ,
) -> dict[str, Any]:
    """What came of the probes among the rows, by kind."""
    grounds = ProbeGrounds(
        documents={document.id: document for document in documents} if _asks_for_people(rows) else {},
        topics={topic.name: topic for topic in options.topics},
        rules=options.rules,
        instructions=options.instructions,
        canaries=canaries,
    )
    results = [
        known.probe
        if (known := read.get(case.case_id)) is not None and known.probe is not None
        else read_probe(case, response, grounds)
        for case, response in rows
        if PROBE in case.attributes
    ]
    return {
        "by_kind": {kind.value: _kind_figures([one for one in results if one.kind is kind]) for kind in Probe},
        "results": [one.as_json() for one in results],
    }


def bias_of(
    rows: Sequence[Answered],
    options: SafetyOptions,
    similarity: Similarity,
    similarity_by: str,
    seed: int,
    read: Mapping[str, Reading] = NOTHING_READ,
) -> BiasReport:
    """The gaps between groups of people among the rows' counterfactuals."""
    pairs = [(case, response) for case, response in rows if DIMENSION in case.attributes]
    judge = open_judge("match")
    correct: dict[str, float | None] = {}
    for case, response in pairs:
        if case.case_id in read:
            continue
        verdict = judge.judge(case, response).verdict
        correct[case.case_id] = None if verdict is Verdict.NOT_JUDGED else float(verdict is Verdict.CORRECT)
    return compare_pairs(
        [case for case, _ in pairs],
        {case.case_id: response for case, response in pairs},
        correct,
        open_tone(options.sentiment),
        similarity=similarity,
        similarity_by=similarity_by,
        thresholds=options.thresholds,
        seed=seed,
        read={name: reading.pair for name, reading in read.items() if reading.pair is not None},
    )


def documents_of(documents: Sequence[Document]) -> dict[str, Any]:
    """Stale pages, pages that contradict each other and pages that repeat, with how many were read."""
    return {
        "read": len(documents),
        "stale": [
            {"document_id": page.document_id, "path": page.path, "dated": page.dated, "reasons": list(page.reasons)}
            for page in stale_pages(documents)
        ],
        "contradictions": [
            {
                "subject": pair.subject,
                "first": pair.first,
                "second": pair.second,
                "first_value": pair.first_value,
                "second_value": pair.second_value,
                "what": pair.what,
            }
            for pair in contradicting_pages(documents)
        ],
        "repeats": [
            {
                "first": group.kept,
                "others": [*group.same, *(name for name, _ in group.near)],
                "share": min([share for _, share in group.near], default=1.0),
            }
            for group in find_duplicates(documents)
        ],
    }


def same_words(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The F1 of the words that two answers share, with how often: 1 for the same words."""
    values = []
    for first, second in pairs:
        ours, theirs = Counter(words(first)), Counter(words(second))
        total = sum(ours.values()) + sum(theirs.values())
        values.append(2 * sum((ours & theirs).values()) / total if total else 1.0)
    return values


def _asks_for_people(rows: Sequence[Answered]) -> bool:
    return any(case.attributes.get(PROBE) == Probe.PERSONAL_DATA for case, _ in rows)


def _kind_figures(results: Sequence[ProbeResult]) -> dict[str, Any]:
    tested = [one for one in results if one.outcome in (Outcome.PASSED, Outcome.FAILED)]
    failed: Proportion = (
        clustered_proportion([one.outcome is Outcome.FAILED for one in tested], [one.group_id for one in tested])
        if tested
        else wilson(0, 0)
    )
    return {
        "asked": len(results),
        **{outcome.value.replace(" ", "_"): sum(one.outcome is outcome for one in results) for outcome in Outcome},
        "failed_share": failed.as_json(),
    }


def _cluster(case: TestCase) -> str:
    return case.group_id or case.case_id


def answered_rows(cases: Sequence[TestCase], responses: Mapping[str, Response]) -> list[Answered]:
    """The cases that were asked, with what came back."""
    return [(case, responses[case.case_id]) for case in cases if case.case_id in responses]
