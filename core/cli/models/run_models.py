"""The models of a run from the command line: which of its specs name one, and the endpoints they are called by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.cli.models.endpoints import Access, lent_to
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.store.database import Store

UNSAID = Access()

MODELS = ("openai", "llm", "grouse")
"""Kinds of targets and judges that call a model through Plumbline."""


def with_models(
    store: Store, project_id: str, access: Access, specs: tuple[str, ...], options: Mapping[str, object]
) -> tuple[str, ...]:
    """The specs of target and judge with whole addresses; the project keeps the endpoints the options say.

    Raises:
        InvalidInput: Endpoints are said and neither is a model of ours, or they cannot be used.
    """
    models = list(dict.fromkeys(spec for spec in specs if spec.partition(":")[0] in MODELS))
    if not models:
        if access != UNSAID:
            raise InvalidInput(
                "An endpoint is given, but neither target nor judge is a model.",
                f"Leave it out, or use one of {', '.join(f'{name}:MODEL@BASE_URL' for name in MODELS)}.",
            )
        return specs
    at_once = options.get("concurrency")
    located = lent_to(
        store,
        project_id,
        access,
        [spec.partition(":")[2] for spec in models],
        at_once=None if at_once is None else int(str(at_once)),
    )
    whole = {spec: f"{spec.partition(':')[0]}:{model}" for spec, model in zip(models, located, strict=True)}
    return tuple(whole.get(spec, spec) for spec in specs)
