"""Commands on robustness: variants of a test set, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from core.cli.models.endpoints import Access, model_at, with_endpoint
from core.cli.output import AsJson, FailUnder, PromptKind, Seed, emit, shown, tell
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.testset.cases import TestCase
    from core.encoders.protocols import SentenceEncoder
    from core.robustness.result import Robustness
    from core.testset.variants.making import Recipe, Variants

PARAPHRASE: Final = "paraphrase"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("perturb")(perturb)
    app.command("robustness")(robustness)


@with_endpoint
def perturb(
    access: Access,
    testset: Annotated[Path, typer.Option(metavar="F", help="Test cases, JSONL or JSON.")],
    kinds: Annotated[str, typer.Option(metavar="A,B", help="Kinds of variant; 'all' for all but repeats.")],
    out: Annotated[Path, typer.Option(metavar="F.jsonl", help="The variants, a test set that evaluate takes.")],
    n: Annotated[int | None, typer.Option(min=1, help="The most cases of each kind, drawn; all by default.")] = None,
    rate: Annotated[float, typer.Option(help="Share of the words that get a spelling mistake.")] = 0.1,
    repeats: Annotated[int, typer.Option(min=1, help="How often a question is asked again, for the kind repeat.")] = 3,
    encoder: Annotated[
        str, typer.Option(metavar="SPEC", help="Checks that the meaning stays: minilm, a model, or none.")
    ] = "",
    model: Annotated[
        str, typer.Option(metavar="MODEL@BASE_URL", help="Model that paraphrases; it is sent no name, number or value.")
    ] = "",
    prompts: PromptKind = "auto",
    budget_calls: Annotated[int | None, typer.Option(min=0, help="Largest number of model calls.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Makes variants of test cases: misspelt, reworded, misleading, unclear, outside the collection, or repeated."""
    from core.domain.testset.variants import REPEAT
    from core.io.cases import read_cases, write_cases
    from core.testset.variants.making import Recipe, make_variants
    from core.testset.variants.registry import list_kinds
    from core.testset.variants.service import usual_encoder

    if not testset.is_file():
        raise InvalidInput(f"There is no test set {testset}.", "Create one with instantiate or questions.")
    every = [spec.name for spec in list_kinds() if spec.name != REPEAT]
    named = every if kinds.strip() == "all" else [name.strip() for name in kinds.split(",") if name.strip()]
    recipe = Recipe(kinds=tuple(named), n=n, seed=seed, rate=rate, repeats=repeats)
    recipe.check()
    if model and PARAPHRASE not in named:
        raise InvalidInput(f"A model is given and {PARAPHRASE} is not wanted.", f"Add {PARAPHRASE} to --kinds.")
    cases = read_cases(testset)
    compares, why_not = usual_encoder(encoder)
    if why_not and not encoder.strip():
        tell(f"The likeness of meaning is {why_not}")
    if model:
        variants = _by_model(cases, recipe, compares, model, access, prompts, budget_calls)
    else:
        variants = make_variants(cases, recipe, encoder=compares)
    if not variants.cases:
        tell(f"No case has a variant of these kinds; {out} is empty.")
    write_cases(out, variants.cases)
    emit(
        {
            "made": dict(variants.made),
            "skipped": {kind: dict(reasons) for kind, reasons in variants.skipped.items()},
            "cases": len(cases),
            "similarity": variants.similarity,
            "paraphrased_by": model or "rules",
            "seed": seed,
            "out": str(out),
        },
        as_json=as_json,
        lines=_lines(variants, len(cases)),
        fail_under=fail_under,
    )


def _by_model(
    cases: Sequence[TestCase],
    recipe: Recipe,
    encoder: SentenceEncoder | None,
    model: str,
    access: Access,
    prompts: str,
    budget_calls: int | None,
) -> Variants:
    """The variants, paraphrases by a model whose replies stay in the default store: a second time costs nothing."""
    from core.llm import Limits, load_prompt, open_chat
    from core.llm.variants import asked_variant
    from core.store.database import Store
    from core.testset.variants.making import make_variants
    from core.testset.variants.rewording import PROMPT, rewording

    with Store.open(settings().database_url) as store:
        named, endpoint = model_at(access, store, model)
        budget = Limits(calls=budget_calls).budget(store)
        chat = open_chat(store, "", named, budget=budget, endpoint=endpoint, prompts=asked_variant(prompts))
        reword = rewording(chat, load_prompt(PROMPT, variant=chat.prompts))
        return make_variants(cases, recipe, encoder=encoder, reword=reword)


def _lines(variants: Variants, cases: int) -> list[str]:
    lines = [f"{sum(variants.made.values()):,} variants of {cases:,} cases; likeness of meaning {variants.similarity}"]
    for kind, count in variants.made.items():
        lines.append(f"{kind:<18} {count:,}")
        lines += [f"  skipped {number:,}: {reason}" for reason, number in variants.skipped[kind].items()]
    return lines


def robustness(
    run: Annotated[str, typer.Option(metavar="RUN", help="The run on variants: its id, or its --out folder.")],
    parent: Annotated[str, typer.Option(metavar="RUN", help="The run on the cases they were made from.")] = "",
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Shows how often answers flip under each kind of variant, and whether the behaviour was right."""
    from core.cli import workspace
    from core.robustness.reading import answered_of
    from core.robustness.result import robustness_of
    from core.robustness.service import robustness as read

    with workspace.opened(run) as (store, variant_run):
        if not parent:
            result = read(store, variant_run.id)
        else:
            with store.read() as connection:
                variants = answered_of(connection, variant_run.id)
            wanted = {item.case.attributes.get("parent", "") for item in variants.values()} - {""}
            if not wanted:
                raise InvalidInput(f"Run {run} has no variants.", "Make some with perturb.")
            with workspace.opened(parent) as (other, parent_run), other.read() as connection:
                parents = answered_of(connection, parent_run.id, wanted)
            result = robustness_of(parents, list(variants.values()), seed=variant_run.seed)
    emit(result.as_json(), as_json=as_json, lines=_result_lines(result), fail_under=fail_under)


def _result_lines(result: Robustness) -> list[str]:
    lines = []
    for figures in result.kinds:
        change = figures.change
        ends = "" if change.low is None or change.high is None else f" [{change.low:+.3f}, {change.high:+.3f}]"
        moved = "no change measured" if change.value is None else f"change {change.value:+.3f}{ends} (n = {change.n:,})"
        least = "none" if figures.detectable is None else f"{figures.detectable:.3f}"
        lines.append(
            f"{figures.kind:<18} {moved}, detectable {least}; right to wrong {shown(figures.broke)}; "
            f"right behaviour {shown(figures.right)}{', WEAK' if figures.weak else ''}"
        )
    lines.append(f"{'by itself':<18} verdicts that change when asked again {shown(result.noise.flipped)}")
    return [*lines, *result.not_measured]
