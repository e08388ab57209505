"""Commands on robustness: variants of a test set, and what became of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, Seed, emit, tell
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.encoders.protocols import SentenceEncoder
    from core.testset.variants.making import Variants

NO_ENCODER = "none"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("perturb")(perturb)


def perturb(
    testset: Annotated[Path, typer.Option(metavar="F", help="Test cases, JSONL or JSON.")],
    kinds: Annotated[str, typer.Option(metavar="A,B", help="Kinds of variant; 'all' for all but repeats.")],
    out: Annotated[Path, typer.Option(metavar="F.jsonl", help="The variants, a test set that evaluate takes.")],
    n: Annotated[int | None, typer.Option(min=1, help="The most cases of each kind, drawn; all by default.")] = None,
    rate: Annotated[float, typer.Option(help="Share of the words that get a spelling mistake.")] = 0.1,
    repeats: Annotated[int, typer.Option(min=1, help="How often a question is asked again, for the kind repeat.")] = 3,
    encoder: Annotated[
        str, typer.Option(metavar="SPEC", help="Checks that the meaning stays: minilm, a model, or none.")
    ] = "",
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Makes variants of test cases: misspelt, reworded, misleading, unclear, outside the collection, or repeated."""
    from core.domain.testset.variants import REPEAT
    from core.io.cases import read_cases, write_cases
    from core.testset.variants.making import Recipe, make_variants
    from core.testset.variants.registry import list_kinds

    if not testset.is_file():
        raise InvalidInput(f"There is no test set {testset}.", "Create one with instantiate or questions.")
    every = [spec.name for spec in list_kinds() if spec.name != REPEAT]
    named = every if kinds.strip() == "all" else [name.strip() for name in kinds.split(",") if name.strip()]
    recipe = Recipe(kinds=tuple(named), n=n, seed=seed, rate=rate, repeats=repeats)
    recipe.check()
    cases = read_cases(testset)
    variants = make_variants(cases, recipe, encoder=_encoder(encoder))
    if not variants.cases:
        tell(f"No case has a variant of these kinds; {out} is empty.")
    write_cases(out, variants.cases)
    emit(
        {
            "made": dict(variants.made),
            "skipped": {kind: dict(reasons) for kind, reasons in variants.skipped.items()},
            "cases": len(cases),
            "similarity": variants.similarity,
            "seed": seed,
            "out": str(out),
        },
        as_json=as_json,
        lines=_lines(variants, len(cases)),
        fail_under=fail_under,
    )


def _encoder(spec: str) -> SentenceEncoder | None:
    """The encoder of a spec; without one named, the usual where it is there."""
    from core.encoders.embedding import open_encoder

    if spec.strip() == NO_ENCODER:
        return None
    try:
        return open_encoder(spec)
    except InvalidInput as error:
        if spec.strip():
            raise
        tell(f"The likeness of meaning is not measured: {error.message}")
        return None


def _lines(variants: Variants, cases: int) -> list[str]:
    lines = [f"{sum(variants.made.values()):,} variants of {cases:,} cases; likeness of meaning {variants.similarity}"]
    for kind, count in variants.made.items():
        lines.append(f"{kind:<18} {count:,}")
        lines += [f"  skipped {number:,}: {reason}" for reason, number in variants.skipped[kind].items()]
    return lines
