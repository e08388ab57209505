"""A run as a table for the search for weaknesses: one score, and the attributes of the cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.domain.errors import InvalidInput
from core.domain.identity import content_hash
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import case_columns
from core.store.testset import testsets, topics
from core.store.trail import audit
from core.weakness.binning import Binning
from core.weakness.service.attributes import CaseAttribute, RunAttributes, run_attributes
from core.weakness.service.scores import ScoreChoice, score_choices, score_column
from core.weakness.service.spoken import label_of
from core.weakness.table import NO_LEVEL, Attribute, Bools, CaseTable, Ints

__all__ = [
    "AttributeInfo",
    "Binning",
    "RunAttributes",
    "ScoreChoice",
    "attributes_key",
    "cases_together",
    "described",
    "label_of",
    "run_attributes",
    "score_choices",
    "table_of",
]

LISTED = 12
"""Levels listed in the hint of an error on an unknown level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeInfo:
    """An attribute of the cases of a run.

    Attributes:
        name: As it is asked for.
        label: For people.
        levels: Different levels; of a number after binning by quantile.
        covered: Cases that have it.
        of: Cases of the run.
        numeric: Whether it is a number, which can be binned.
        source: ``test set``, ``templates``, ``documents``, ``question``, ``retrieval`` or ``answer``.
        outcome: Whether it follows from what the run did, not from the question: it shows where a weakness appears, not
            why.
        useful: Whether it can show a weakness: more than one level, and levels of more than one case.
        same_as: The first attribute that divides the cases in the same way, empty where none does.
        note: A remark for a person who may choose it, one sentence, or empty.
    """

    name: str
    label: str
    levels: int
    covered: int
    of: int
    numeric: bool
    source: str
    outcome: bool = False
    useful: bool = True
    same_as: str = ""
    note: str = ""


def described(attributes_read: RunAttributes) -> tuple[AttributeInfo, ...]:
    """The attributes of the cases of a run, in the order in which they are offered."""
    first_by_partition: dict[bytes, CaseAttribute] = {}
    infos = []
    for attribute in attributes_read.attributes:
        binned = attribute.binned()
        first = first_by_partition.setdefault(_partition(binned.codes), attribute)
        infos.append(_info(attribute, binned, first))
    return tuple(infos)


def cases_together(attributes_read: RunAttributes, name: str) -> dict[str, int]:
    """How many cases have an attribute and each of the others, by name of the other; all of them for the same one.

    Raises:
        InvalidInput: The cases have no attribute of that name.
    """
    has = {attribute.name: attribute.binned().codes >= 0 for attribute in attributes_read.attributes}
    if name not in has:
        listed = ", ".join(has) or "nothing"
        raise InvalidInput(f"The cases have no attribute {name}.", f"Their attributes are: {listed}.")
    return {other: int((has[name] & covered).sum()) for other, covered in has.items()}


def attributes_key(store: Store, run_id: str) -> tuple[str | int, ...]:
    """A cache key that changes whenever :func:`run_attributes` of a run would, and not with other writes to the store.

    A frozen test set never changes, nor does a response; there may be more of them, topics may be found or edited, and
    people may choose anew which documents gold ids name.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        test_set = testsets.get(connection, run.test_set_id)
        answered_count, failed = case_columns.answered(connection, run_id)
        models = topics.all(connection, run.project_id)
        model = next(
            (candidate for candidate in models if candidate.source_id == run.corpus_id), models[0] if models else None
        )
        of_model = topics.topics(connection, model.id) if model else ()
        mapping = document_mappings.latest_id(connection, run.project_id)
        draft = 0 if test_set.frozen else audit.lock_free_head(connection)[0]
    topics_hash = content_hash([[topic.number, topic.label, topic.size] for topic in of_model]) if model else ""
    return (
        run_id,
        test_set.content_hash,
        draft,
        run.corpus_id,
        answered_count,
        failed,
        model.id if model else "",
        topics_hash,
        mapping,
    )


def table_of(
    store: Store,
    attributes_of_run: RunAttributes,
    score_key: str,
    *,
    attributes: Sequence[str] | None = None,
    bins: Mapping[str, Binning] | None = None,
    where: Mapping[str, str] | None = None,
) -> CaseTable:
    """The cases of a run with one score beside their attributes.

    Numbers become levels over all cases of the run, before any is left out, so that a filter changes no level.

    Args:
        store: Where the run is.
        attributes_of_run: Read by :func:`run_attributes`.
        score_key: As in :func:`score_choices`.
        attributes: Which attributes; all by default.
        bins: How numbers become levels, by attribute; by quantile where it does not say.
        where: Only cases that have these levels, by attribute.

    Raises:
        NotFound: There is no such run.
        InvalidInput: There is no such score, attribute or level, or bins for what is not a number.
    """
    by_name = {attribute.name: attribute for attribute in attributes_of_run.attributes}
    bins, where = bins or {}, where or {}
    names = list(by_name) if attributes is None else list(dict.fromkeys(attributes))
    for name in (*names, *bins, *where):
        if name not in by_name:
            listed = ", ".join(by_name) or "nothing"
            raise InvalidInput(f"The cases have no attribute {name}.", f"Their attributes are: {listed}.")
    for name in bins:
        if not by_name[name].numeric:
            raise InvalidInput(f"{by_name[name].label} is not a number and has no bins.", "Leave out its bins.")
    binned = {name: by_name[name].binned(bins.get(name)) for name in {**dict.fromkeys(names), **where}}
    score = score_column(store, attributes_of_run.run_id, score_key, attributes_of_run.case_ids)
    included = np.ones(len(attributes_of_run.case_ids), dtype=bool)
    for name, level in where.items():
        included &= _at_level(binned[name], level, by_name[name].label)
    table = CaseTable(
        case_ids=attributes_of_run.case_ids,
        clusters=attributes_of_run.clusters,
        score=score,
        attributes=tuple(binned[name] for name in names),
    )
    return table if included.all() else _subset(table, included)


def _at_level(attribute: Attribute, level: str, label: str) -> Bools:
    if level not in attribute.levels:
        listed = "; ".join(attribute.levels[:LISTED]) or "none"
        remainder = f"; and {len(attribute.levels) - LISTED} more" if len(attribute.levels) > LISTED else ""
        raise InvalidInput(f"{label} has no level {level!r}.", f"Its levels are: {listed}{remainder}.")
    return np.asarray(attribute.codes == attribute.levels.index(level), dtype=bool)


def _subset(table: CaseTable, included: Bools) -> CaseTable:
    """Some of the cases; levels that none of them has are left out, except those of numbers, which have an order."""
    return CaseTable(
        case_ids=tuple(table.case_ids[place] for place in np.flatnonzero(included).tolist()),
        clusters=np.unique(table.clusters[included], return_inverse=True)[1].astype(np.int64),
        score=replace(table.score, values=table.score.values[included]),
        attributes=tuple(_subset_attribute(attribute, included) for attribute in table.attributes),
    )


def _subset_attribute(attribute: Attribute, included: Bools) -> Attribute:
    codes = attribute.codes[included]
    if attribute.ordered:
        return replace(attribute, codes=codes)
    present = np.unique(codes[codes >= 0])
    places = np.full(len(attribute.levels) + 1, NO_LEVEL, dtype=np.int64)  # the last one is that of no level
    places[present] = np.arange(present.size)
    return replace(attribute, codes=places[codes], levels=tuple(attribute.levels[code] for code in present.tolist()))


def _partition(codes: Ints) -> bytes:
    """The same for two attributes exactly where they divide the cases alike, whatever their levels are called."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    same = first[place]
    return np.where(codes < 0, NO_LEVEL, same).astype(np.int64).tobytes()


def _info(attribute: CaseAttribute, binned: Attribute, first: CaseAttribute) -> AttributeInfo:
    covered = int((binned.codes >= 0).sum())
    levels = int(np.unique(binned.codes[binned.codes >= 0]).size)
    single = levels <= 1
    apart = not attribute.numeric and levels > 1 and levels > covered / 2
    twin_name = first.name if first.name != attribute.name and not single else ""
    notes = (
        (covered == 0, "No case has it."),
        (single, "Every case that has it has the same one, so there is nothing to compare."),
        (apart, "Nearly every case has one of its own, so its levels have too few cases to compare."),
        (bool(twin_name), f"It divides the cases in the same way as {first.label}."),
    )
    return AttributeInfo(
        name=attribute.name,
        label=attribute.label,
        levels=levels,
        covered=covered,
        of=int(binned.codes.size),
        numeric=attribute.numeric,
        source=attribute.source,
        outcome=attribute.outcome,
        useful=not single and not apart,
        same_as=twin_name,
        note=next((note for applies, note in notes if applies), ""),
    )
