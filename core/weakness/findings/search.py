"""What is weak in a run, in words: levels, cells, slices and places on the topic map, looked for at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.errors import InvalidInput
from core.domain.findings import FindingKind
from core.domain.runs import VERDICT_METRIC
from core.evaluation.weakness_attributes import RunAttributes, run_attributes
from core.evaluation.weakness_data import AttributeInfo, described, table_of
from core.evaluation.weakness_places import case_places, failure_clusters
from core.evaluation.weakness_scores import label_of_score, score_choices
from core.store.database import Store
from core.weakness.binning import Binning
from core.weakness.clusters.finder import ClusterOptions
from core.weakness.findings.drafted_clusters import cluster_drafts
from core.weakness.findings.drafted_holding import holding_drafts
from core.weakness.findings.drafting import Draft, LookedAt, draft_findings
from core.weakness.findings.explaining import stands_beside
from core.weakness.findings.facts import CHANCE, MEAN, Labels, ScoreWords, score_words
from core.weakness.options import WeaknessOptions
from core.weakness.slices.finder import SliceOptions, find_slices
from core.weakness.table import CaseTable

SYMPTOMS = ("retrieval_rank", "passages", "answer_length")
"""What the system did with a question, by name. A wrong answer makes them what they are as often as they make it wrong,
and they would explain away what is known of the question before it is asked; so they are looked at only where they are
named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSearch:
    """Where to look for findings.

    Attributes:
        attributes: Whose levels, None for all that tell cases apart, apart from `SYMPTOMS`.
        pairs: Whose cells, None for all pairs worth a map.
        bins: How numbers become levels, by attribute.
        threshold: From where on a case passes: findings are of the share that does. None for means.
        slices: Whether slices of up to three attributes are searched for.
        clusters: Whether failures that lie together on the topic map are; what a level, cell or slice explains of them
            is not told twice.
        holding: Whether it is asked if the score tells right from wrong inside the levels of attributes as well; of a
            verdict and with a threshold it is not.
        seed: Of the halves of the slice search.
    """

    attributes: tuple[str, ...] | None = None
    pairs: tuple[tuple[str, str], ...] | None = None
    bins: Mapping[str, Binning] = field(default_factory=dict)
    threshold: float | None = None
    slices: bool = True
    clusters: bool = True
    holding: bool = True
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Searched:
    """What a search found.

    Attributes:
        table: The cases it was found in, the threshold applied.
        words: How the score is spoken of.
        labels: What the attributes are called.
        drafts: The worst first.
        looked_at: Beside how much else.
        attributes: Names of all attributes that were asked about, those left out among them.
        clusters: Whether the topic map was looked at.
        holding: Whether the score was held against the verdict inside levels.
    """

    table: CaseTable
    words: ScoreWords
    labels: Labels
    drafts: tuple[Draft, ...]
    looked_at: LookedAt
    attributes: tuple[str, ...]
    clusters: bool
    holding: bool


def search_findings(
    store: Store,
    run_id: str,
    score_key: str,
    options: WeaknessOptions | None = None,
    search: FindingSearch | None = None,
) -> Searched:
    """Looks for what is weak in a run; nothing is stored.

    Args:
        store: Where the run is.
        run_id: The run.
        score_key: As in :func:`core.evaluation.weakness_scores.score_choices`.
        options: What counts as weak.
        search: Where to look.

    Raises:
        NotFound: There is no such run.
        InvalidInput: There is no such score or attribute, or a pair is twice the same.
    """
    options, search = options or WeaknessOptions(), search or FindingSearch()
    found = run_attributes(store, run_id)
    labels = Labels(of={attribute.name: attribute.label.lower() for attribute in found.attributes})
    asked = telling(described(found)) if search.attributes is None else search.attributes
    names = [*dict.fromkeys([*asked, *_paired(search)])]
    table = table_of(store, found, score_key, attributes=names, bins=search.bins)
    words = words_of(store, run_id, score_key, table, search.threshold)
    holds = search.holding and search.threshold is None and words.kind in (CHANCE, MEAN)
    held = _held(store, found, table, words, labels, asked) if holds else ()
    table = at_threshold(table, search.threshold)
    slices = None
    if search.slices:
        slices = find_slices(table, SliceOptions(q=options.q, min_effect=options.min_effect, seed=search.seed))
    drafts = draft_findings(
        table,
        words,
        options,
        labels=labels,
        attributes=asked,
        pairs=search.pairs,
        slices=slices,
    )
    clustered, on_map = _clusters(store, run_id, table, words, options) if search.clusters else ((), False)
    told = [draft.positions for draft in drafts.drafts if draft.kind is not FindingKind.UNSCORED]
    clustered = tuple(one for one in clustered if stands_beside(table, one.positions, told, options))
    return Searched(
        table=table,
        words=words,
        labels=labels,
        drafts=worst_first((*drafts.drafts, *clustered, *held)),
        looked_at=drafts.looked_at,
        attributes=tuple(names),
        clusters=on_map,
        holding=holds,
    )


def words_of(store: Store, run_id: str, score_key: str, table: CaseTable, threshold: float | None = None) -> ScoreWords:
    """How a score of a run is spoken of; `table` has it as it is, before a threshold."""
    choice = next((choice for choice in score_choices(store, run_id) if choice.key == score_key), None)
    label = choice.label if choice else label_of_score(score_key)
    kind = choice.kind if choice else VERDICT_METRIC if score_key == VERDICT_METRIC else "metric"
    return score_words(label, kind, table.score, threshold)


def at_threshold(table: CaseTable, threshold: float | None) -> CaseTable:
    """The cases with 1 where the score reaches a threshold and 0 where not; as they are without one."""
    if threshold is None:
        return table
    return CaseTable(
        case_ids=table.case_ids,
        clusters=table.clusters,
        score=table.score.passes(threshold),
        attributes=table.attributes,
    )


def worst_first(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Weak ones by severity and by what they explain, notes last."""
    return tuple(sorted(drafts, key=Draft.rank))


def _paired(search: FindingSearch) -> list[str]:
    for rows, columns in search.pairs or ():
        if rows == columns:
            raise InvalidInput(f"Both attributes are {rows}.", "Choose two different ones.")
    return [name for pair in search.pairs or () for name in pair]


def telling(infos: Sequence[AttributeInfo]) -> tuple[str, ...]:
    """The attributes of questions that can show a weakness, each division of the cases once; not what the run did."""
    outcomes = {info.name for info in infos if info.outcome}
    return tuple(
        info.name for info in infos if info.useful and not info.outcome and info.same_as in ("", *outcomes)
    )  # fmt: skip


def _held(
    store: Store, found: RunAttributes, table: CaseTable, words: ScoreWords, labels: Labels, names: Sequence[str]
) -> tuple[Draft, ...]:
    verdict = table_of(store, found, VERDICT_METRIC, attributes=()).score.values
    return holding_drafts(table, verdict, names, words, labels)


def _clusters(
    store: Store, run_id: str, table: CaseTable, words: ScoreWords, options: WeaknessOptions
) -> tuple[tuple[Draft, ...], bool]:
    places = case_places(store, run_id)
    if places.model is None or not places.placed:
        return (), False
    wanted = ClusterOptions(min_effect=options.min_effect)
    return cluster_drafts(table, words, failure_clusters(places, table, wanted)), True
