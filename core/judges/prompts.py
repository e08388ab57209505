"""Which prompts a judge is asked with: their names as they are stored, and versions picked for a trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.domain.errors import NotFound
from core.domain.llm import PromptRef, PromptVariant
from core.llm import Prompt, Prompts, load_prompt, parse_prompt
from core.llm.prompts.catalogue import built_in, variant_id
from core.store.database import Store
from core.store.models import prompt_versions

DIGITS = 8
"""Of a prompt's digest in its name."""


def prompt_name(prompt: PromptRef) -> str:
    """A version of a prompt with the first digits of its digest.

    >>> prompt_name(PromptRef(id="grouse_usefulness", version="1.2", hash="0123456789abcdef"))
    '1.2 (01234567)'
    """
    return f"{prompt.version} ({prompt.hash[:DIGITS]})"


def prompt_names(prompts: Iterable[PromptRef]) -> dict[str, str]:
    """Prompts by their id, with version and digest."""
    return {prompt.id: prompt_name(prompt) for prompt in prompts}


def picked_prompts(store: Store, project_id: str, picked: Mapping[str, str]) -> Prompts:
    """Finds the prompts of a project, some of them in another version than the one in use.

    Args:
        store: Where the project is.
        project_id: The project; "" for none, which has the built-in prompts.
        picked: By prompt id, the version to take, such as ``1.2``; the built-in one by its own version.

    Raises:
        NotFound: There is no such version.
    """
    texts: dict[str, Prompt] = {}
    for prompt_id, version in picked.items():
        texts[prompt_id] = _version(store, project_id, prompt_id, version)

    def find(prompt_id: str, *, variant: PromptVariant = PromptVariant.FULL) -> Prompt:
        chosen = texts.get(variant_id(prompt_id, variant))
        return chosen or load_prompt(prompt_id, variant=variant, store=store, project_id=project_id)

    return find


def _version(store: Store, project_id: str, prompt_id: str, version: str) -> Prompt:
    ours = built_in(prompt_id)
    if version == ours.version:
        return ours
    with store.read() as connection:
        edits = prompt_versions.all(connection, project_id, prompt_id) if project_id else []
    text = next((edit.text for edit in edits if edit.version == version), None)
    if text is None:
        raise NotFound(f"The prompt {prompt_id} has no version {version} here.", "Choose one of the Prompts part.")
    return parse_prompt(text, f"Version {version} of the prompt {prompt_id}")
