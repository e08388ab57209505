"""What a trial tries: test set, system, kinds of fault and share, and how many questions that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.results.runs import Run
from core.domain.sources.projects import Source
from core.domain.testset.cases import TestCase, TestSet
from core.faults.kinds import FAULTS, USUAL, Combination, Fault, FaultKind, kinds_named, kinds_of, needs_documents
from core.faults.trial import drawn, facts_of
from core.llm import Limits
from core.targets import list_targets
from core.targets.protocol import RETRIEVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlan:
    """What is to be tried.

    Attributes:
        test_set_id: A frozen test set.
        target: Target spec.
        judge: Judge spec.
        options: Of the target and the judge, as for a run.
        kinds: Which faults and combinations; none for the usual ones that fit the target.
        share: Of the sound facts, how many get a fault of each kind.
        seed: Of the draw.
        limits: What may be spent on models.
    """

    test_set_id: str
    target: str
    judge: str = "match"
    options: Mapping[str, object] = field(default_factory=dict)
    kinds: tuple[Fault, ...] = ()
    share: float = 0.1
    seed: int = 0
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, params: Mapping[str, object]) -> TrialPlan:
        """The plan that a job's parameters describe.

        Raises:
            InvalidInput: A kind of another name.
        """
        options, kinds = params.get("options"), params.get("kinds")
        return cls(
            test_set_id=str(params["test_set_id"]),
            target=str(params["target"]),
            judge=str(params.get("judge", "match")),
            options=dict(options) if isinstance(options, Mapping) else {},
            kinds=kinds_named(map(str, kinds)) if isinstance(kinds, list | tuple) else (),
            share=float(str(params.get("share", 0.1))),
            seed=int(str(params.get("seed", 0))),
            limits=Limits.of(params),
        )

    def as_params(self) -> dict[str, object]:
        """Plain JSON, for a job and for the record of its result."""
        return {
            "test_set_id": self.test_set_id,
            "target": self.target,
            "judge": self.judge,
            "options": dict(self.options),
            "kinds": [str(kind) for kind in self.kinds],
            "share": self.share,
            "seed": self.seed,
            **self.limits.as_params(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a trial works on, read and checked.

    Attributes:
        plan: The plan, with the kinds that fit where it names none.
        test_set: Frozen.
        cases: Those of it that are not excluded, with the documents of gold ids that people matched to others.
        source: The documents' source.
        searches: Whether the target searches the documents it is given.
        mapping_id: What was decided about gold ids that name no document; empty where nothing was.
    """

    plan: TrialPlan
    test_set: TestSet
    cases: Sequence[TestCase]
    source: Source
    searches: bool
    mapping_id: str = ""

    @property
    def run(self) -> Run:
        """The set-up as the run that is not stored."""
        return Run(
            id="",
            project_id=self.test_set.project_id,
            test_set_id=self.test_set.id,
            target=self.plan.target,
            judge=self.plan.judge,
            corpus_id=self.source.id,
            seed=self.plan.seed,
            options=self.plan.options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How many questions a trial asks the target.

    Attributes:
        first: Before any fault.
        most: After the faults, at most: where every fact is sound and can take its fault.
        facts: Facts with a filled query.
        faults: Facts that get a fault of each kind, at most.
    """

    first: int
    most: int
    facts: int
    faults: int


def searches_documents(target: str, options: Mapping[str, object]) -> bool:
    """Whether a target searches the documents of the project, so that faults in a copy of them reach it.

    One that does not exist counts as such; opening it tells.
    """
    own = {spec.name for spec in list_targets() if not spec.needs_corpus}
    return str(options.get("mode") or RETRIEVAL) == RETRIEVAL and target.partition(":")[0].strip() not in own


def fitting(target: str, options: Mapping[str, object]) -> tuple[Fault, ...]:
    """The faults that can be planted for a target."""
    searches = searches_documents(target, options)
    return tuple(fault for fault in FAULTS if searches or not needs_documents(fault))


def usual(target: str, options: Mapping[str, object]) -> tuple[Fault, ...]:
    """What is planted for a target where nobody chooses."""
    fit = fitting(target, options)
    return tuple(fault for fault in fit if fault in USUAL) if searches_documents(target, options) else fit


def asking(cases: Sequence[TestCase], kinds: Sequence[Fault], share: float, *, searches: bool) -> Asking:
    """How many questions a trial asks; a wrong reader is asked none, and neither is a target with its own documents.

    Raises:
        InvalidInput: Too few cases have a filled query.
    """
    groups = facts_of(cases)
    sizes = sorted((len(members) for members in groups.values()), reverse=True)
    faults = drawn(len(groups), share)
    asked = [kind for kind in kinds if searches and kind is not FaultKind.READER]
    most = sum(sum(sizes[: faults * len(kinds_of(kind)) if kind is Combination.MIXED else faults]) for kind in asked)
    return Asking(first=sum(sizes), most=most, facts=len(groups), faults=faults)
