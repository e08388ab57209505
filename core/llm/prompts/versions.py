"""Prompts as a project edits them: each edit is a new version that is checked first; old ones stay and can come back.

The header stays as it is built in, but for the version, which is the built-in one's with a number after it: the inputs
are what the code gives and the output is what it reads, so neither is a matter of wording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff

from jinja2 import TemplateError, meta, nodes
from jinja2.sandbox import SandboxedEnvironment

from core.domain.errors import Conflict, InvalidInput
from core.domain.llm import Message
from core.domain.sources.projects import Role
from core.llm.prompts.catalogue import Prompt, built_in, fence, field, list_prompts, parse_prompt
from core.llm.prompts.examples import examples
from core.project.service import require
from core.store.database import Store
from core.store.models import prompt_versions
from core.store.models.prompt_versions import PromptVersion, in_use

LONGEST = 50_000
LONGEST_NOTE = 1_000

_HEAD = re.compile(r"\A\s*\{#-?\s*\n.*?-?#\}[ \t]*\n?", re.DOTALL)
_VERSION = re.compile(r"^version:.*$", re.MULTILINE)

__all__ = ["Known", "check", "choose", "compose", "difference", "in_use", "of_project", "preview", "save", "wording"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One prompt as a project sees it.

    Attributes:
        built_in: As it comes with Plumbline.
        versions: The project's own, oldest first.
        chosen: Of them, the one in use; None for the built-in one.
    """

    built_in: Prompt
    versions: tuple[PromptVersion, ...]
    chosen: PromptVersion | None

    @property
    def text(self) -> str:
        """The whole text in use."""
        return self.chosen.text if self.chosen else self.built_in.text


def of_project(store: Store, project_id: str) -> list[Known]:
    """Every prompt with the versions the project made, in name order."""
    with store.read() as connection:
        edits = prompt_versions.all(connection, project_id)
    versions = []
    for prompt in list_prompts():
        ours = tuple(version for version in edits if version.prompt_id == prompt.id)
        chosen = next((version for version in ours if version.in_use), None)
        versions.append(Known(built_in=prompt, versions=ours, chosen=chosen))
    return versions


def wording(text: str) -> str:
    """A prompt's text without its header: what a person edits."""
    return _HEAD.sub("", text, count=1)


def compose(prompt_id: str, body: str, version: str = "") -> str:
    """A whole prompt from an edited wording: the built-in header, with this version in it."""
    head = _HEAD.match(built_in(prompt_id).text)
    header = head[0] if head else ""
    if version:
        # Quoted, since 1.10 would be read as the number 1.1.
        header = _VERSION.sub(f'version: "{version}"', header, count=1)
    return header + body.strip("\n") + "\n"


def check(prompt_id: str, text: str) -> Prompt:
    """Reads an edited prompt and refuses one that would not work as the built-in one does.

    Args:
        prompt_id: Which prompt.
        text: The whole text, header included.

    Raises:
        NotFound: There is no such prompt.
        InvalidInput: It cannot be used; the message names the first reason.
    """
    ours = built_in(prompt_id)
    if len(text) > LONGEST:
        raise InvalidInput(f"The prompt has {len(text):,} characters.", f"Keep it within {LONGEST:,}.")
    try:
        prompt = parse_prompt(text, f"The new version of {prompt_id}")
    except TemplateError as error:
        raise InvalidInput(f"The new version of {prompt_id} cannot be read: {error}.", "Correct that part.") from error
    for name in ("id", "purpose", "inputs", "output"):
        if getattr(prompt, name) != getattr(ours, name):
            raise InvalidInput(
                f"The new version of {prompt_id} changes {name} in the header.",
                "Leave the header as it is; only the wording below it can be edited.",
            )
    if others := sorted(meta.find_undeclared_variables(_bare().parse(text)) - set(ours.inputs)):
        raise InvalidInput(
            f"The new version of {prompt_id} uses {', '.join(others)}, which is not among its inputs.",
            f"It has {', '.join(ours.inputs)}.",
        )
    blocks, fences = _parts(text)
    own_blocks, fenced = _parts(ours.text)
    if missing := sorted(own_blocks - blocks):
        raise InvalidInput(
            f"The new version of {prompt_id} has no block {' and no block '.join(missing)}.",
            "Keep {% block system %} and {% block user %} as they are.",
        )
    if bare := sorted(set(fenced) - set(fences)):
        again = f'{fenced[bare[0]]}("{bare[0]}")'
        raise InvalidInput(
            f"The new version of {prompt_id} no longer fences {', '.join(bare)}.",
            f"Write it with | {again}, so that what stands in it cannot pass for an instruction.",
        )
    if len(preview(prompt)) < len(own_blocks):
        raise InvalidInput(f"A block of the new version of {prompt_id} is empty.", "Write instructions in both blocks.")
    return prompt


def preview(prompt: Prompt) -> tuple[Message, ...]:
    """The messages of a prompt filled with made-up inputs.

    Raises:
        InvalidInput: It cannot be filled.
    """
    return prompt.render(**examples(prompt.id, prompt.inputs))


def difference(old: str, new: str, *, names: tuple[str, str] = ("built-in", "yours")) -> str:
    """What changed between two wordings, as a unified diff; empty where nothing did."""
    lines = unified_diff(old.splitlines(), new.splitlines(), *names, lineterm="", n=2)
    return "\n".join(lines)


def save(
    store: Store, project_id: str, prompt_id: str, body: str, *, actor: str, note: str = "", use: bool = True
) -> PromptVersion:
    """Stores an edited wording as a new version of the project.

    Args:
        store: Where to.
        project_id: The project.
        prompt_id: The prompt.
        body: The wording without the header.
        actor: Who edited it.
        note: Why.
        use: Whether new calls are made from it at once.

    Raises:
        InvalidInput: The wording cannot be used, is the one of an older version, or the note is too long.
        Conflict: Somebody else saved a version at the same moment.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if len(note) > LONGEST_NOTE:
        raise InvalidInput(f"The note has {len(note):,} characters.", f"Keep it within {LONGEST_NOTE:,}.")
    ours = built_in(prompt_id)
    check(prompt_id, compose(prompt_id, body))
    with store.read() as connection:
        edits = prompt_versions.all(connection, project_id, prompt_id)
    _require_new(body, {"built-in": ours.text} | {version.version: version.text for version in edits}, prompt_id)
    number = f"{ours.version}.{len(edits) + 1}"
    prompt = check(prompt_id, compose(prompt_id, body, number))
    version = PromptVersion(
        project_id=project_id,
        prompt_id=prompt_id,
        version=prompt.version,
        text=prompt.text,
        hash=prompt.ref.hash,
        note=note.strip(),
        in_use=use,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    with store.write(
        actor, "prompt.save", project_id=project_id, subject=prompt_id, detail=_audit_detail(version)
    ) as connection:
        if len(prompt_versions.all(connection, project_id, prompt_id)) != len(edits):
            raise Conflict(f"Somebody else just saved a version of {prompt_id}.", "Look at it, then save again.")
        prompt_versions.add(connection, version)
    return version


def choose(store: Store, project_id: str, prompt_id: str, version: str, *, actor: str) -> None:
    """Chooses the version that new calls are made from; "" goes back to the built-in one.

    Raises:
        NotFound: There is no such prompt or version.
        InvalidInput: The built-in prompt has other inputs now than this version was written for.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    built_in(prompt_id)
    with store.read() as connection:
        texts = {edit.version: edit.text for edit in prompt_versions.all(connection, project_id, prompt_id)}
    if version in texts:
        check(prompt_id, texts[version])
    with store.write(
        actor, "prompt.choose", project_id=project_id, subject=prompt_id, detail={"version": version or "built-in"}
    ) as connection:
        prompt_versions.choose(connection, project_id, prompt_id, version)


def _audit_detail(version: PromptVersion) -> Mapping[str, object]:
    return {"version": version.version, "hash": version.hash, "in_use": version.in_use}


def _require_new(body: str, texts: Mapping[str, str], prompt_id: str) -> None:
    for name, text in texts.items():
        if wording(text).strip() == body.strip():
            raise InvalidInput(
                f"This is the wording of version {name} of {prompt_id}.", "Choose that version, or change something."
            )


def _bare() -> SandboxedEnvironment:
    """Jinja without its own functions: none is needed, and some can be made to run for hours."""
    environment = SandboxedEnvironment()
    environment.globals.clear()
    environment.filters |= {"fence": fence, "field": field}
    return environment


def _parts(text: str) -> tuple[set[str], dict[str, str]]:
    """The blocks of a prompt, and the names it fences texts by, each with its filter (``fence`` or ``field``)."""
    tree = _bare().parse(text)
    fences = {
        str(filtered.args[0].value): filtered.name
        for filtered in tree.find_all(nodes.Filter)
        if filtered.name in ("fence", "field") and filtered.args and isinstance(filtered.args[0], nodes.Const)
    }
    return {block.name for block in tree.find_all(nodes.Block)}, fences
