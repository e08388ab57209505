"""Searches a run for weak levels, cells, slices and places on the topic map, and words them as findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.errors import InvalidInput
from core.domain.results.findings import FindingKind
from core.domain.results.runs import VERDICT_METRIC
from core.store.database import Store
from core.weakness.binning import Binning
from core.weakness.clusters.finder import ClusterOptions
from core.weakness.findings.drafts.clusters import cluster_drafts
from core.weakness.findings.drafts.drafting import Draft, LookedAt, draft_findings
from core.weakness.findings.drafts.explaining import stands_beside
from core.weakness.findings.drafts.facts import CHANCE, MEAN, Labels, ScoreWords, score_words
from core.weakness.findings.drafts.holding import holding_drafts
from core.weakness.options import WeaknessOptions
from core.weakness.service.attributes import RunAttributes, run_attributes
from core.weakness.service.data import AttributeInfo, described, table_of
from core.weakness.service.places import case_places, failure_clusters
from core.weakness.service.scores import label_of_score, score_choices
from core.weakness.slices.finder import SliceOptions, find_slices
from core.weakness.table import CaseTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSearch:
    """Where to look for findings.

    Attributes:
        attributes: Whose levels, None for all that divide the cases, except those of what the system did with a
            question. They are as often a result of a wrong answer as its cause, and would mask the attributes of the
            question itself; so they are examined only where they are named.
        pairs: Whose cells, None for all useful pairs.
        bins: How numbers become levels, by attribute.
        threshold: The lowest passing value: findings are of the share that passes. None for means.
        slices: Whether to search for slices of up to three attributes.
        clusters: Whether to search for failures that lie together on the topic map; those that a level, cell or slice
            explains are left out.
        holding: Whether to test if the score separates correct from incorrect inside the levels of attributes as well;
            not done for a verdict or with a threshold.
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
    """The result of a search.

    Attributes:
        table: The cases, with the threshold applied.
        words: The words for the score.
        labels: Names of the attributes for people.
        drafts: The worst first.
        looked_at: The extent of the search.
        attributes: Names of all requested attributes, including those left out.
        clusters: Whether the topic map was scanned.
        holding: Whether the score was compared with the verdict inside levels.
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
    """Searches a run for weaknesses; nothing is stored.

    Args:
        store: Where the run is.
        run_id: The run.
        score_key: As in :func:`core.weakness.service.scores.score_choices`.
        options: What counts as weak.
        search: Where to look.

    Raises:
        NotFound: There is no such run.
        InvalidInput: There is no such score or attribute, or a pair is twice the same.
    """
    options, search = options or WeaknessOptions(), search or FindingSearch()
    attributes = run_attributes(store, run_id)
    labels = Labels(of={attribute.name: attribute.label.lower() for attribute in attributes.attributes})
    searched_names = telling(described(attributes)) if search.attributes is None else search.attributes
    names = [*dict.fromkeys([*searched_names, *_paired(search)])]
    table = table_of(store, attributes, score_key, attributes=names, bins=search.bins)
    words = words_of(store, run_id, score_key, table, search.threshold)
    holds = search.holding and search.threshold is None and words.kind in (CHANCE, MEAN)
    holding = _holding_drafts(store, attributes, table, words, labels, searched_names) if holds else ()
    table = at_threshold(table, search.threshold)
    slices = None
    if search.slices:
        slices = find_slices(table, SliceOptions(q=options.q, min_effect=options.min_effect, seed=search.seed))
    drafts = draft_findings(
        table,
        words,
        options,
        labels=labels,
        attributes=searched_names,
        pairs=search.pairs,
        slices=slices,
    )
    clustered, on_map = _clusters(store, run_id, table, words, options) if search.clusters else ((), False)
    told_sets = [draft.positions for draft in drafts.drafts if draft.kind is not FindingKind.UNSCORED]
    clustered = tuple(draft for draft in clustered if stands_beside(table, draft.positions, told_sets, options))
    return Searched(
        table=table,
        words=words,
        labels=labels,
        drafts=worst_first((*drafts.drafts, *clustered, *holding)),
        looked_at=drafts.looked_at,
        attributes=tuple(names),
        clusters=on_map,
        holding=holds,
    )


def words_of(store: Store, run_id: str, score_key: str, table: CaseTable, threshold: float | None = None) -> ScoreWords:
    """The words for a score of a run; `table` has it before a threshold."""
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
    return tuple(info.name for info in infos if info.useful and not info.outcome and info.same_as in ("", *outcomes))


def _holding_drafts(
    store: Store, attributes: RunAttributes, table: CaseTable, words: ScoreWords, labels: Labels, names: Sequence[str]
) -> tuple[Draft, ...]:
    verdict = table_of(store, attributes, VERDICT_METRIC, attributes=()).score.values
    return holding_drafts(table, verdict, names, words, labels)


def _clusters(
    store: Store, run_id: str, table: CaseTable, words: ScoreWords, options: WeaknessOptions
) -> tuple[tuple[Draft, ...], bool]:
    places = case_places(store, run_id)
    if places.model is None or not places.placed:
        return (), False
    cluster_options = ClusterOptions(min_effect=options.min_effect)
    return cluster_drafts(table, words, failure_clusters(places, table, cluster_options)), True
