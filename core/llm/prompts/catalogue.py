"""Prompts: one Jinja file each, with a header that says what it is for, what goes in and what comes out."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache, lru_cache

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.domain.errors import InvalidInput, NotFound
from core.domain.llm import Message, PromptRef
from core.installation import PROMPTS as FOLDER
from core.store.database import Store

_HEADER = re.compile(r"\A\s*\{#-?\s*\n(.*?)-?#\}", re.DOTALL)
ROLES = ("system", "user")
_FAILURES = (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError)
"""What a template may run into."""

DIGITS = 16
"""Of the digest in a fence: nobody writes a text that contains so many digits of its own hash."""


class _Header(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: str = Field(min_length=1, coerce_numbers_to_str=True)
    purpose: str = Field(min_length=1)
    inputs: dict[str, str]
    output: str = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt that was read and found usable.

    Attributes:
        inputs: What it is rendered with: name to meaning.
        output: The form of the reply, in words.
        text: The whole file, header included.
    """

    id: str
    version: str
    purpose: str
    inputs: dict[str, str]
    output: str
    text: str

    @property
    def ref(self) -> PromptRef:
        """What a call made from it is stored with."""
        return PromptRef(id=self.id, version=self.version, hash=hashlib.sha256(self.text.encode()).hexdigest())

    def render(self, **inputs: object) -> tuple[Message, ...]:
        """The conversation, one message for each block that is not empty.

        Raises:
            InvalidInput: An input is missing or unknown, or the template fails on one.
        """
        if set(inputs) != set(self.inputs):
            wrong = ", ".join(sorted(set(inputs) ^ set(self.inputs)))
            raise InvalidInput(
                f"The prompt {self.id} does not fit its inputs: {wrong}.", f"It takes {', '.join(self.inputs)}."
            )
        try:
            template = _template(self.text)
            messages = [
                (role, "".join(template.blocks[role](template.new_context(inputs))).strip())
                for role in ROLES
                if role in template.blocks
            ]
        except _FAILURES as error:
            raise InvalidInput(
                f"The prompt {self.id} (version {self.version}) cannot be filled: {error}.",
                "Correct it on the Models page.",
            ) from error
        return tuple(Message(role, content) for role, content in messages if content)


def fence(text: object, name: str) -> str:
    """A text between two markers that hold its digest, so that nothing in it can close them.

    >>> print(fence("4 % </answer>", "answer"))
    <answer-8024f2883b5f4c6c>
    4 % </answer>
    </answer-8024f2883b5f4c6c>
    """
    content = str(text)
    mark = f"{name}-{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGITS]}"
    return f"<{mark}>\n{content}\n</{mark}>"


def parse_prompt(text: str, where: str) -> Prompt:
    """Reads a prompt and refuses one that could not be rendered.

    Args:
        text: The whole file.
        where: What it is, for messages.

    Raises:
        InvalidInput: The header, a block or an input is wrong; the message says which.
    """
    header = _header(text, where)
    try:
        tree = _environment().parse(text)
    except (TemplateError, RecursionError) as error:
        raise InvalidInput(f"{where} is not a Jinja template: {error}.", "Correct the line named.") from error
    try:
        _template(text)
    except (TemplateError, RecursionError, SyntaxError) as error:
        raise InvalidInput(f"{where} cannot be read: {error}", "Correct what is named.") from error
    blocks = {block.name for block in tree.find_all(nodes.Block)}
    if any(_says_something(part) for part in tree.body):
        raise InvalidInput(f"{where} has text outside its blocks.", "Only the text of a block is sent.")
    if "user" not in blocks or not blocks <= set(ROLES):
        raise InvalidInput(
            f"{where} has the blocks {', '.join(sorted(blocks)) or '(none)'}.",
            "It needs a block user and may have a block system.",
        )
    used, inputs = meta.find_undeclared_variables(tree), set(header.inputs)
    if used - inputs:
        raise InvalidInput(
            f"{where} uses {', '.join(sorted(used - inputs))}, which is not among its inputs.",
            f"It has {', '.join(header.inputs)}.",
        )
    if inputs - used:
        raise InvalidInput(f"{where} does not use {', '.join(sorted(inputs - used))}.", "Use every input.")
    return Prompt(
        id=header.id,
        version=header.version,
        purpose=header.purpose,
        inputs=header.inputs,
        output=header.output,
        text=text,
    )


def list_prompts() -> tuple[Prompt, ...]:
    """The prompts that come with Plumbline, in name order."""
    return tuple(built_in(path.stem) for path in sorted(FOLDER.glob("*.jinja")))


@cache
def built_in(prompt_id: str) -> Prompt:
    """A prompt as it comes with Plumbline.

    Raises:
        NotFound: There is none of that id.
    """
    path = FOLDER / f"{prompt_id}.jinja"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", prompt_id) or not path.is_file():
        raise NotFound(f"There is no prompt {prompt_id}.", "The Models page lists all prompts.")
    prompt = parse_prompt(path.read_text(encoding="utf-8"), f"The prompt {path.name}")
    if prompt.id != prompt_id:
        raise InvalidInput(f"The prompt {path.name} calls itself {prompt.id}.", "Give both the same name.")
    return prompt


def load_prompt(prompt_id: str, *, store: Store | None = None, project_id: str = "") -> Prompt:
    """The prompt a project uses: its own chosen version, else the one that comes with Plumbline.

    Raises:
        NotFound: There is none of that id.
        InvalidInput: The stored version cannot be used.
    """
    from core.store.models import prompt_versions

    ours = built_in(prompt_id)
    if store is None or not project_id:
        return ours
    with store.read() as connection:
        version = prompt_versions.in_use(connection, project_id, prompt_id)
    return parse_prompt(version.text, f"Version {version.version} of the prompt {prompt_id}") if version else ours


def _says_something(part: nodes.Node) -> bool:
    """Whether a part of a template outside its blocks is more than blanks between them."""
    if isinstance(part, nodes.Output):
        return any(not isinstance(piece, nodes.TemplateData) or piece.data.strip() for piece in part.nodes)
    return not isinstance(part, nodes.Block) or any(part.find_all(nodes.Block))


def _header(text: str, where: str) -> _Header:
    match = _HEADER.match(text)
    try:
        # Everything is taken as it is written: version 1.10 is not 1.1.
        document = yaml.load(match[1], Loader=yaml.BaseLoader) if match else None  # noqa: S506 - makes text only
    except yaml.YAMLError as error:
        raise InvalidInput(f"The header of {where} is not YAML: {error}.", "Correct the line named.") from error
    if not isinstance(document, dict):
        raise InvalidInput(f"{where} has no header.", "Begin with {# id, version, purpose, inputs, output #}.")
    try:
        return _Header.model_validate(document)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False)[0]
        raise InvalidInput(
            f"The header of {where} is wrong at {'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}.",
            "It needs id, version, purpose, inputs and output.",
        ) from error


@lru_cache(maxsize=128)
def _template(text: str) -> Template:
    """A prompt's template; compiling it takes longer than all else that a call costs here."""
    return _environment().from_string(text)


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    # Plain text for a model: nothing is escaped, since nothing of it is ever shown as HTML.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["fence"] = fence
    return environment
