"""A frozen test set of variants, made from a frozen test set of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestSet
from core.domain.testset.variants import PARENT_SET, VARIANTS
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.encoders.protocols import SentenceEncoder
from core.llm import Limits, load_prompt, open_chat
from core.project.service import require
from core.store.database import Store
from core.store.testset import testsets
from core.testset.service import freeze_test_set
from core.testset.variants.making import Recipe, Variants, make_variants
from core.testset.variants.rewording import PROMPT, rewording
from core.testset.variants.spec import Reword


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantPlan:
    """What variants a test set gets.

    Attributes:
        recipe: Kinds, n, seed and rates.
        encoder: Compares variants with their parents; ``none`` leaves that out, empty takes the usual one.
        model: Paraphrases, ``MODEL@BASE_URL``; empty for rules.
        limits: Of what the model may spend.
    """

    recipe: Recipe
    encoder: str = ""
    model: str = ""
    limits: Limits = field(default_factory=Limits)

    def as_params(self) -> dict[str, Any]:
        """The plan as plain JSON."""
        return {
            "recipe": {**asdict(self.recipe), "kinds": list(self.recipe.kinds)},
            "encoder": self.encoder,
            "model": self.model,
            "money": self.limits.money,
            "calls": self.limits.calls,
        }

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> VariantPlan:
        """The plan from plain JSON."""
        recipe = dict(params["recipe"])
        return cls(
            recipe=Recipe(**{**recipe, "kinds": tuple(recipe["kinds"])}),
            encoder=str(params.get("encoder", "")),
            model=str(params.get("model", "")),
            limits=Limits(money=params.get("money"), calls=params.get("calls")),
        )


NO_ENCODER = "none"


def usual_encoder(spec: str, cache: StoreCache | None = None) -> tuple[SentenceEncoder | None, str]:
    """The encoder that compares, and why there is none; one that was asked for by name has to be there.

    Raises:
        InvalidInput: An encoder was named and cannot be opened.
    """
    if spec.strip() == NO_ENCODER:
        return None, "not measured: no encoder was wanted"
    try:
        return open_encoder(spec, cache=cache), ""
    except InvalidInput as error:
        if spec.strip():
            raise
        return None, f"not measured: {error.message}"


def preview_variants(store: Store, test_set_id: str, recipe: Recipe) -> Variants:
    """Variants by rules alone, without an encoder and without a model, to look at; nothing is stored.

    Raises:
        NotFound: There is no such test set.
        InvalidInput: The recipe is not in order, or the set has only variants.
    """
    with store.read() as connection:
        testsets.get(connection, test_set_id)
        cases = testsets.cases(connection, test_set_id)
    return make_variants(cases, recipe)


def build_variants(
    store: Store,
    parent_id: str,
    plan: VariantPlan,
    *,
    actor: str,
    test_set_id: str = "",
    job_id: str = "",
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TestSet:
    """Makes, stores and freezes a test set of variants.

    Args:
        store: Where the project lives.
        parent_id: A frozen test set, whose cases are the parents.
        plan: What is wanted.
        actor: Who does it.
        test_set_id: The id it gets; one that is there is returned, frozen, so that nothing is made twice.
        job_id: The job whose spending counts towards the limits.
        progress: Called with stage, done and total.
        should_stop: Asked between kinds.

    Raises:
        NotFound: There is no such test set.
        Forbidden: The actor may not change the project.
        Conflict: The test set is not frozen.
        InvalidInput: The plan cannot be met, or no case has a variant of the chosen kinds.
        Stopped: A stop was requested; nothing is stored but a model's replies.
    """
    with store.read() as connection:
        parent = testsets.get(connection, parent_id)
        cases = testsets.cases(connection, parent_id)
        existing = next((one for one in testsets.all(connection, parent.project_id) if one.id == test_set_id), None)
    require(store, parent.project_id, actor, Role.VALIDATOR)
    if existing is not None:
        return existing if existing.frozen else freeze_test_set(store, existing.id, actor=actor)
    if not parent.frozen:
        raise Conflict(f"Test set {parent.name} is not frozen.", "Freeze it on the Test set page first.")
    plan.recipe.check()
    progress("Making variants", 0, len(cases))
    encoder, why_not = usual_encoder(plan.encoder, StoreCache(store, parent.project_id))
    variants = make_variants(
        cases,
        plan.recipe,
        encoder=encoder,
        reword=_reword(store, parent.project_id, plan, job_id),
        should_stop=should_stop,
    )
    if not variants.cases:
        reasons = {reason for kind in variants.skipped.values() for reason in kind}
        raise InvalidInput(
            f"No case has a variant of these kinds ({'; '.join(sorted(reasons)) or 'no case'}).", "Choose other kinds."
        )
    made: dict[str, object] = {
        PARENT_SET: parent.id,
        **plan.as_params(),
        "similarity": why_not or variants.similarity,
        "skipped": {kind: dict(reasons) for kind, reasons in variants.skipped.items()},
    }
    test_set = TestSet(
        id=test_set_id or new_id("ts"),
        project_id=parent.project_id,
        name=f"{parent.name}, variants",
        options={**{name: value for name, value in parent.options.items() if name == "source_id"}, VARIANTS: made},
        counts={"variants": dict(variants.made)},
        drops={
            f"{kind}: {reason}": number
            for kind, reasons in variants.skipped.items()
            for reason, number in reasons.items()
        },
    )
    with store.write(
        actor,
        "test_set.vary",
        project_id=parent.project_id,
        subject=test_set.id,
        detail={"parent": parent.id, "made": dict(variants.made)},
    ) as connection:
        versions = [one.version for one in testsets.all(connection, parent.project_id) if one.name == test_set.name]
        test_set = replace(test_set, version=max(versions, default=0) + 1)
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, variants.cases)
    progress("Making variants", len(cases), len(cases))
    return freeze_test_set(store, test_set.id, actor=actor)


def parent_of(test_set: TestSet) -> str:
    """Id of the test set whose variants a set holds; empty where it holds none."""
    made = test_set.options.get(VARIANTS)
    return str(made.get(PARENT_SET, "")) if isinstance(made, Mapping) else ""


def newest_original(newest_first: Sequence[TestSet]) -> TestSet | None:
    """The newest test set that holds no variants of another: what a project asks. None where there is none.

    Variants are made of a few of its cases, so that they say little of what the documents or the database hold.
    """
    return next((test_set for test_set in newest_first if not parent_of(test_set)), None)


def _reword(store: Store, project_id: str, plan: VariantPlan, job_id: str) -> Reword | None:
    if not plan.model.strip():
        return None
    budget = plan.limits.budget(store, job_id=job_id)
    chat = open_chat(store, project_id, plan.model, job_id=job_id, budget=budget)
    prompt = load_prompt(PROMPT, variant=chat.prompts, store=store, project_id=project_id)
    return rewording(chat, prompt)
