"""A trial as it is kept: what it was made from, its figures, and the wrong answers that a person looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.estimates import Proportion
from core.faults.confusion import Confusion, confusion_of, named_rightly
from core.faults.kinds import FAULTS, Cause, FaultKind, fault_named
from core.faults.outcome import FaultyAnswer, Trial
from core.faults.planting import PlantedFault

KEPT_ANSWERS = 1_000
"""Wrong answers kept one by one, those that are wrongly named first; the figures count all."""

LONGEST = 2_000
"""Characters kept of an answer or a passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResult:
    """A trial that was made.

    Attributes:
        made_from: Test set with its hash, corpus with its fingerprint, target, judge, options, kinds, share, seed.
        confusion: The figures.
        counts: Cases, facts and sound facts; faults planted, skipped, and what became of them.
        answers: Wrong answers, those that are wrongly named first.
        wrong: How many wrong answers there are.
        misnamed: How many of them are wrongly named.
        seconds: How long it took.
        at: When it ended; UTC, ISO 8601.
    """

    made_from: Mapping[str, object]
    confusion: Confusion
    counts: Mapping[str, Any]
    answers: tuple[FaultyAnswer, ...] = ()
    wrong: int = 0
    misnamed: int = 0
    seconds: float = 0.0
    at: str = field(default="")

    @classmethod
    def of(cls, trial: Trial, *, made_from: Mapping[str, object], seconds: float, at: str) -> TrialResult:
        """The result of a trial."""
        answers = sorted(trial.answers, key=named_rightly)  # False first; the order of the trial otherwise
        return cls(
            made_from=made_from,
            confusion=confusion_of(trial),
            counts=counts_of(trial),
            answers=tuple(answers[:KEPT_ANSWERS]),
            wrong=len(answers),
            misnamed=sum(not named_rightly(answer) for answer in answers),
            seconds=seconds,
            at=at,
        )

    def as_json(self) -> dict[str, object]:
        """The command line's form: figures and counts, without the answers."""
        return {**self.confusion.as_json(), **self.counts, "seconds": self.seconds}

    def as_detail(self) -> dict[str, object]:
        """Plain JSON, for the audit trail; `of_detail` reads it."""
        return {
            "made_from": dict(self.made_from),
            "result": self.as_json(),
            "answers": [answer_json(answer, longest=LONGEST) for answer in self.answers],
            "wrong": self.wrong,
            "misnamed": self.misnamed,
            "at": self.at,
        }

    @classmethod
    def of_detail(cls, detail: Mapping[str, Any]) -> TrialResult:
        """The result that was kept."""
        figures: Mapping[str, Any] = detail["result"]
        return cls(
            made_from=detail["made_from"],
            confusion=Confusion(
                planted=_in_order(figures["confusion"], FAULTS),
                expected=_in_order(figures["expected"], Cause),
                causes=_in_order(figures["causes"], FAULTS),
                either=_in_order(figures.get("either", {}), FAULTS),
                precision=_shares(figures["precision"], Cause),
                recall=_shares(figures["recall"], Cause),
                named=Proportion(**_known(figures["named"])),
                named_by_kind=_shares(figures.get("named_by_kind", {}), FAULTS),
                mixed=_in_order(figures.get("mixed", {}), FaultKind),
                mixed_named=_shares(figures.get("mixed_named", {}), FaultKind),
                undecided=Proportion(**_known(figures["undecided"])),
                false_gaps=Proportion(**_known(figures["false_knowledge_gaps"])),
            ),
            counts={name: figures[name] for name in COUNTS if name in figures}
            | {"planted": _in_order(figures["planted"], FAULTS)},
            answers=tuple(_answer(item) for item in detail["answers"]),
            wrong=int(detail["wrong"]),
            misnamed=int(detail["misnamed"]),
            seconds=float(figures["seconds"]),
            at=str(detail["at"]),
        )


COUNTS = (
    "cases",
    "facts",
    "sound",
    "wordings",
    "unused_wordings",
    "unsound",
    "wrong_before",
    "planted",
    "skipped",
    "still_right",
    "not_judged",
)


def counts_of(trial: Trial) -> dict[str, object]:
    """What was asked, where faults could be planted, and what became of them."""
    return {
        "cases": trial.cases,
        "facts": trial.facts,
        "sound": trial.sound,
        "wordings": trial.wordings,
        "unused_wordings": trial.unused,
        "unsound": dict(trial.unsound),
        "wrong_before": {str(cause): n for cause, n in trial.wrong_before.items()},
        "planted": {str(kind): n for kind, n in trial.planted.items()},
        "skipped": {str(kind): dict(reasons) for kind, reasons in trial.skipped.items()},
        "still_right": {str(kind): n for kind, n in trial.still_right.items()},
        "not_judged": {str(kind): n for kind, n in trial.not_judged.items()},
    }


def answer_json(answer: FaultyAnswer, *, longest: int | None = None) -> dict[str, object]:
    """A wrong answer with what was planted and what the diagnosis says.

    Args:
        answer: The answer.
        longest: Characters kept of its texts; None for all.
    """
    return {
        "case_id": answer.case_id,
        "group_id": answer.group_id,
        "question": answer.question,
        "answer": answer.answer[:longest],
        "planted": str(answer.planted),
        "faults": [str(kind) for kind in answer.fault.kinds],
        "expected": str(answer.expected),
        "either": [str(cause) for cause in answer.either],
        "diagnosed": str(answer.diagnosed),
        "reason": answer.reason,
        "document_ids": list(answer.fault.document_ids),
        "before": answer.fault.before[:longest],
        "after": answer.fault.after[:longest],
        "moved_to": answer.fault.home,
    }


def _answer(item: Mapping[str, Any]) -> FaultyAnswer:
    ids: Sequence[str] = item["document_ids"]
    kind, *also = (FaultKind(name) for name in item.get("faults", [item["planted"]]))
    return FaultyAnswer(
        case_id=item["case_id"],
        group_id=item["group_id"],
        question=item["question"],
        answer=item["answer"],
        planted=fault_named(item["planted"]),
        expected=Cause(item["expected"]),
        either=tuple(Cause(cause) for cause in item.get("either", ())),
        diagnosed=Cause(item["diagnosed"]),
        reason=item["reason"],
        fault=PlantedFault(
            kind=kind,
            also=tuple(also),
            group_id=item["group_id"],
            document_ids=tuple(ids),
            before=item["before"],
            after=item["after"],
            home=item["moved_to"],
        ),
    )


def _in_order(rows: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Rows as they are always shown; the trail keeps them by the alphabet."""
    return {str(name): rows[name] for name in names if name in rows}


def _shares(shares: Mapping[str, Mapping[str, Any]], names: Iterable[str]) -> dict[str, Proportion]:
    return {name: Proportion(**_known(share)) for name, share in _in_order(shares, names).items()}


def _known(share: Mapping[str, Any]) -> dict[str, Any]:
    """A proportion's own fields; its value follows from them."""
    return {name: value for name, value in share.items() if name != "value"}
