"""Which variant of the prompts a model is asked with: what somebody chose, else what suits the model."""

from __future__ import annotations

from core.domain.errors import InvalidInput
from core.domain.llm import PromptVariant
from core.llm.addresses import split_spec
from core.store.database import Store
from core.store.models import endpoints, profiles

AUTO = "auto"
CHOICES = (AUTO, *(variant.value for variant in PromptVariant))
"""What a person may choose; ``auto`` leaves it to what is known of the model."""


def asked_variant(choice: object) -> PromptVariant | None:
    """The variant a person chose, None where the choice is left to what is known of the model.

    Raises:
        InvalidInput: There is no such variant.

    >>> asked_variant("short"), asked_variant("auto"), asked_variant(None)
    (<PromptVariant.SHORT: 'short'>, None, None)
    """
    if choice is None or choice in ("", AUTO):
        return None
    try:
        return PromptVariant(str(choice))
    except ValueError:
        raise InvalidInput(
            f"There are no prompts of the kind {choice!r}.", f"Use one of {', '.join(CHOICES)}."
        ) from None


def variant_of(store: Store, project_id: str, spec: str, asked: PromptVariant | None = None) -> PromptVariant:
    """The variant of the prompts for a model.

    Args:
        store: Where the project is.
        project_id: The project; "" for work outside any.
        spec: ``MODEL@BASE_URL``.
        asked: What somebody chose for this work, which counts before everything else.
    """
    if asked is not None:
        return asked
    model, base_url = split_spec(spec)
    with store.read() as connection:
        endpoint = endpoints.at(connection, project_id, base_url) if project_id else None
        version = endpoint.api_version if endpoint else ""
        profile = profiles.of_model(connection, project_id, base_url, model, version)
    return profile.prompts if profile else PromptVariant.FULL
