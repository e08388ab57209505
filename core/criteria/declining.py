"""Answers that decline a question of the test set, told apart by what the documents are known to state.

The table answerable x answered (:mod:`core.metrics.samples.answerability`) calls a question answerable where the test
set has an answer to it. A decline is a fault only where the documents have it too, and that the diagnosis of the run
knows: an error that is attributed to the retrieval or to the language model is one of a fact that the documents state,
a knowledge gap one of a fact that they do not state as the test set has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.diagnosis import Attribution
from core.diagnosis.service.blame import Blame
from core.domain.estimates import Proportion
from core.stats import clustered_proportion


class Declined(StrEnum):
    """What the documents are known to state of a question that was declined."""

    STATED = "declined_stated"
    """They state the answer, so that it should have been given."""
    NOT_STATED = "declined_not_stated"
    """They do not state the answer, so that to decline was honest."""
    NOT_KNOWN = "declined_not_known"
    """Nobody knows: the documents were not searched, words cannot tell, or the answer has no verdict."""


PARTS: Final[Mapping[Attribution, Declined]] = {
    Attribution.RETRIEVAL: Declined.STATED,
    Attribution.LANGUAGE_MODEL: Declined.STATED,
    Attribution.KNOWLEDGE_GAP: Declined.NOT_STATED,
}
"""What a module says of the documents; every other one says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclinedByDocuments:
    """The declined questions of the test set that count as answerable, by what the documents state.

    Attributes:
        cases: Ids of the cases of each part, in the order given.
        shares: What each part is of all of them, with a 95% interval that counts clusters.
        pending: Of those that are not known, how many have documents still to be searched.
    """

    cases: Mapping[Declined, tuple[str, ...]]
    shares: Mapping[Declined, Proportion]
    pending: int

    @property
    def known(self) -> int:
        """Of how many it is known whether the documents state the answer."""
        return len(self.cases[Declined.STATED]) + len(self.cases[Declined.NOT_STATED])

    @property
    def total(self) -> int:
        """All of them."""
        return sum(map(len, self.cases.values()))


def by_documents(
    case_ids: Sequence[str], clusters: Mapping[str, str], blames: Mapping[str, Blame]
) -> DeclinedByDocuments:
    """Tells declined questions apart by the module that their errors are attributed to.

    Args:
        case_ids: Cases that were declined and count as answerable.
        clusters: The filled SQL query of each case; a case without one is a cluster of its own.
        blames: The root cause of each; a case without one is not known.

    >>> table = by_documents(["a", "b"], {}, {"a": Blame(module=Attribution.KNOWLEDGE_GAP, reason="")})
    >>> [(part.value, share.num, share.den) for part, share in table.shares.items()]
    [('declined_stated', 0, 2), ('declined_not_stated', 1, 2), ('declined_not_known', 1, 2)]
    """
    parts = [_part(blames.get(case_id)) for case_id in case_ids]
    numbers = {name: place for place, name in enumerate(dict.fromkeys(clusters.get(id, id) for id in case_ids))}
    groups = [numbers[clusters.get(case_id, case_id)] for case_id in case_ids]
    return DeclinedByDocuments(
        cases={
            part: tuple(case_id for case_id, own in zip(case_ids, parts, strict=True) if own is part)
            for part in Declined
        },
        shares={part: clustered_proportion([own is part for own in parts], groups) for part in Declined},
        pending=sum(case_id in blames and blames[case_id].pending for case_id in case_ids),
    )


def _part(blame: Blame | None) -> Declined:
    if blame is None or blame.pending:
        return Declined.NOT_KNOWN
    return PARTS.get(blame.module, Declined.NOT_KNOWN)
