"""What was retrieved against what should have been: the places of the hits, and metrics that are made of them alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from core.domain.sources.document_ids import bare_key, normalise_id
from core.domain.status import Status
from core.metrics.prepared import Prepared
from core.metrics.registry import metric_at_k
from core.metrics.samples.sample import Sample
from core.metrics.spec import Edge, Family, Measured, MetricSpec, Need, Outcome, Unscored

MISSED_SHOWN: Final = 20
"""Ids of gold documents that were not found, kept as evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Where the relevant ones stand among the retrieved ones.

    Attributes:
        hits: Ranks of the relevant ones, from 1, ascending; each relevant one once.
        retrieved: How many distinct ones were retrieved.
        relevant: How many distinct ones should have been.
        missed: The relevant ones that were not found, as the case names them.
        found: The relevant ones that were found, in the order of `hits`, as the case names them.
        cut: How many could have been retrieved at most; None without a cut-off.
    """

    hits: tuple[int, ...]
    retrieved: int
    relevant: int
    missed: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    cut: int | None = None

    def at(self, k: int | None) -> Ranking:
        """The ranking of the first k retrieved; all of them for None. What is relevant stays as it is.

        >>> first = Ranking(hits=(1, 3), retrieved=3, relevant=4).at(2)
        >>> first.hits, first.retrieved, first.relevant
        ((1,), 2, 4)
        """
        if k is None:
            return self
        hits = sum(rank <= k for rank in self.hits)
        return replace(
            self,
            hits=self.hits[:hits],
            retrieved=min(k, self.retrieved),
            missed=(*self.missed, *self.found[hits:]),
            found=self.found[:hits],
            cut=k,
        )

    def as_json(self) -> dict[str, object]:
        """The evidence of a score: ranks of the hits, the counts, and ids that were missed (the first 20)."""
        return {
            "hits": [*self.hits],
            "relevant": self.relevant,
            "retrieved": self.retrieved,
            "missed": [*self.missed[:MISSED_SHOWN]],
        }


def rank_hits(retrieved: Iterable[str], gold: Iterable[str], *, bare: bool = False) -> Ranking:
    """Finds the relevant ids among the retrieved ones.

    Ids that are spelled differently but are the same id (`core.domain.sources.document_ids`) count once, on either
    side, and a retrieved one keeps its first place. The relevant ones do not depend on a cut-off.

    Args:
        retrieved: Ids, best first.
        gold: Ids that should have been retrieved, at least one.
        bare: Whether a gold ``table:key`` also means the retrieved id ``key`` where the full id was not retrieved;
            true for documents, not for chunks, whose ids may be numbers within a document. A bare key stands for one
            gold id, the first that has no full match; others of the same key stay wanted.

    >>> rank_hits(["7", "9", "7.0"], ["client:7", "client:8"], bare=True).as_json()
    {'hits': [1], 'relevant': 2, 'retrieved': 2, 'missed': ['client:8']}
    >>> rank_hits(["7"], ["client:7", "account:7"], bare=True).as_json()
    {'hits': [1], 'relevant': 2, 'retrieved': 1, 'missed': ['account:7']}
    """
    ranks: dict[str, int] = {}
    for identity in retrieved:
        ranks.setdefault(normalise_id(identity), len(ranks) + 1)
    labels: dict[str, str] = {}
    for identity in gold:
        labels.setdefault(normalise_id(identity), identity)
    relevant = {full: label for full, label in labels.items() if full in ranks}
    for full, label in labels.items():
        key = bare_key(full) if bare and full not in ranks else full
        relevant.setdefault(key if key in ranks and key not in relevant else full, label)
    hits = sorted((ranks[key], label) for key, label in relevant.items() if key in ranks)
    return Ranking(
        hits=tuple(rank for rank, _ in hits),
        retrieved=len(ranks),
        relevant=len(relevant),
        missed=tuple(label for key, label in relevant.items() if key not in ranks),
        found=tuple(label for _, label in hits),
    )


def _documents(sample: Sample) -> Ranking:
    return rank_hits(sample.document_ids, sample.gold_document_ids or (), bare=True)


def _chunks(sample: Sample) -> Ranking:
    return rank_hits(sample.chunk_ids, sample.gold_chunk_ids or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    prefix: str
    noun: str
    needs: tuple[Need, ...]
    ranking: Callable[[Sample], Ranking]
    version: int


_UNITS: Final = (
    _Unit(prefix="", noun="document", needs=(Need.DOCUMENT_IDS, Need.GOLD_DOCUMENTS), ranking=_documents, version=2),
    _Unit(prefix="chunk_", noun="chunk", needs=(Need.CHUNK_IDS, Need.GOLD_CHUNKS), ranking=_chunks, version=1),
)

NOTHING_RETRIEVED: Final = "nothing retrieved"
COMMON_EDGES: Final[Mapping[Edge, str]] = {
    "empty answer": "The answer is not looked at.",
    "abstention": "The answer is not looked at.",
    "identical texts": "A {one} that is retrieved several times counts once, at its first place.",
    "other scripts": "Ids are compared as text in any script; letter case counts.",
}

Value = Callable[[Ranking], float | None]
"""The number of a ranking that has at least one relevant id; None where it is not defined."""


def ranking_metric(
    *, name: str, title: str, unit: str, question: str, equation: str, source: str, empty: str
) -> Callable[[Value], Value]:
    """Registers a number of a ranking twice: by document as ``name``, by chunk as ``chunk_name``.

    Texts may say ``{one}``, which becomes "document" or "chunk".

    Args:
        name: Of the metric by document.
        title: Of the metric by document.
        unit: What the number is.
        question: What it answers.
        equation: With hits H at ranks r, R relevant ones, n retrieved ones; all are those within the cut-off but R.
        source: Where it is from and how we differ.
        empty: The rule where nothing was retrieved.
    """

    def register(value: Value) -> Value:
        for unit_of in _UNITS:
            spec = MetricSpec(
                name=f"{unit_of.prefix}{name}",
                title=title if not unit_of.prefix else f"{title} by chunk",
                family=Family.RETRIEVAL,
                unit=unit.format(one=unit_of.noun),
                needs=unit_of.needs,
                question=question.format(one=unit_of.noun),
                equation=equation.format(one=unit_of.noun),
                source=source.format(one=unit_of.noun),
                edges={
                    edge: rule.format(one=unit_of.noun)
                    for edge, rule in {"empty contexts": empty, **COMMON_EDGES}.items()
                },
                version=unit_of.version,
                at_k=True,
            )
            metric_at_k(spec)(_measure(unit_of, value))
        return value

    return register


def _measure(unit: _Unit, value: Value) -> Callable[[Prepared, int | None], Outcome]:
    def measure(prepared: Prepared, k: int | None) -> Outcome:
        whole = cast(Ranking, prepared.keep(f"ranking by {unit.noun}", lambda: unit.ranking(prepared.sample)))
        ranking = whole.at(k)
        detail = ranking.as_json()
        if not ranking.retrieved:
            detail["rule"] = NOTHING_RETRIEVED
        score = value(ranking)
        if score is None:
            return Unscored(
                status=Status.NOT_APPLICABLE,
                reason=f"No {unit.noun} was retrieved, and a share of nothing is no value.",
                detail=detail,
            )
        return Measured(value=score, detail=detail)

    return measure
