"""Reads of the Label page; what a rater sees goes through `texts`, which has nothing of machines and other raters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.errors import NotFound
from core.domain.results.labels import Criterion, LabelRound, RoundOrigin
from core.labelling.criteria import list_criteria
from core.labelling.rating.tasks import RaterProgress, progress
from core.labelling.rounds import list_rounds
from core.store import sources
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import run_inputs
from pages.kit import cache
from pages.people.label import reading
from pages.people.label.reading import Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the project has of labelling.

    Attributes:
        criteria: All of them, retired ones too, by id.
        rounds: Newest first.
    """

    criteria: Mapping[str, Criterion]
    rounds: tuple[LabelRound, ...]

    def criteria_of(self, of: LabelRound) -> tuple[Criterion, ...]:
        """The criteria of a round in the order they are asked."""
        return tuple(self.criteria[criterion_id] for criterion_id in of.criteria if criterion_id in self.criteria)

    def open(self, rater: str | None = None) -> tuple[LabelRound, ...]:
        """The rounds that wait for people's labels, of one rater or of any."""
        return tuple(
            label_round
            for label_round in self.rounds
            if not label_round.closed
            and label_round.origin is RoundOrigin.PEOPLE
            and (rater is None or rater in label_round.raters)
        )


def situation(store: Store, project_id: str) -> Situation:
    """Criteria and rounds of a project."""
    criteria = {criterion.id: criterion for criterion in list_criteria(store, project_id, retired=True)}
    return Situation(criteria=criteria, rounds=list_rounds(store, project_id))


def texts(store: Store, of: LabelRound, case_id: str) -> tuple[Piece, ...]:
    """What a rater of a round reads of a case.

    Raises:
        NotFound: The run does not have it any more.
    """
    return texts_of(store, of.run_id, case_id, reference=of.show_reference)


def texts_of(store: Store, run_id: str, case_id: str, *, reference: bool) -> tuple[Piece, ...]:
    """What there is to read of a case: nothing that a machine or a person said of the answer.

    Raises:
        NotFound: The run does not have it any more.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        pair = next(iter(run_inputs.pairs(connection, run, [case_id])), None)
    if pair is None:
        raise NotFound(f"Case {case_id} is not in run {run_id} any more.", "Skip it, and tell who set up the round.")
    case, response = pair
    names = titles(store, run.corpus_id) if run.corpus_id and response.contexts else {}
    return reading.pieces(case, response, reference=reference, titles=names)


def questions(store: Store, run_id: str, case_ids: Sequence[str]) -> Mapping[str, str]:
    """The questions of some cases."""
    with store.read() as connection:
        run = runs.get(connection, run_id)
        pairs = run_inputs.pairs(connection, run, case_ids, contexts=False)
        return {case.case_id: case.question for case, _ in pairs}


@cache.constant(max_entries=16)
def titles(store: Store, corpus_id: str) -> Mapping[str, str]:
    """Titles of a corpus's documents by id; a stored corpus never changes."""
    with store.read() as connection:
        return sources.titles(connection, corpus_id)


def pace(store: Store, round_id: str, rater: str) -> RaterProgress | None:
    """How far a rater is; None for nobody of the round."""
    return next((progress_row for progress_row in progress(store, round_id) if progress_row.rater == rater), None)
