"""Prompts: one Jinja file each, with a header that says what it is for, what goes in and what comes out.

Each prompt has a short variant in a folder of its own, for small models: the same inputs and the same form of reply,
fewer rules, one example, and no markers that such a model would copy into its answer. Its id is that of the full one
with ``/short`` behind it, so whatever is kept by a prompt's id tells the two apart.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.domain.errors import InvalidInput, NotFound
from core.domain.llm import Message, PromptRef, PromptVariant
from core.installation import PROMPTS as FOLDER
from core.store.database import Store

_HEADER = re.compile(r"\A\s*\{#-?\s*\n(.*?)-?#\}", re.DOTALL)
ROLES = ("system", "user")
SHORT = "/short"
"""Ends the id of a short variant."""

ID = rf"[a-z][a-z0-9_]*({SHORT})?"
_FAILURES = (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError)
"""What a template may run into."""

INDENT = "    "
"""Before each line of a text in a field but its first."""

DIGITS = 16
"""Of the digest in a fence: nobody writes a text that contains so many digits of its own hash."""


class _Header(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=f"^{ID}$")
    version: str = Field(min_length=1, coerce_numbers_to_str=True)
    purpose: str = Field(min_length=1)
    inputs: dict[str, str]
    output: str = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt that was read and found usable.

    Attributes:
        id: With ``/short`` at its end where it is the short variant.
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


def field(text: object, label: str) -> str:
    r"""A text behind its label, each further line of it indented, so that none of its lines can pass for one of ours.

    What `fence` is for large models this is for small ones, which copy markers into their answers, and digests all the
    more; they leave blanks alone. Whatever Python takes for the end of a line counts as one.

    >>> print(field("4 %\nAnswer: 5 %", "Passage"))
    Passage: 4 %
        Answer: 5 %
    """
    first, *more = str(text).splitlines() or [""]
    return "\n".join((f"{label}: {first}", *(f"{INDENT}{line}" if line.strip() else "" for line in more)))


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
    """The prompts that come with Plumbline, in name order, each followed by its short variant."""
    ids = (path.relative_to(FOLDER) for path in FOLDER.glob("**/*.jinja"))
    return tuple(map(built_in, sorted(f"{path.stem}{SHORT if path.parent.name else ''}" for path in ids)))


def variant_id(prompt_id: str, variant: PromptVariant) -> str:
    """The id of a prompt's variant.

    >>> variant_id("claims", PromptVariant.SHORT)
    'claims/short'
    """
    return f"{prompt_id}{SHORT}" if variant is PromptVariant.SHORT else prompt_id


@cache
def built_in(prompt_id: str) -> Prompt:
    """A prompt as it comes with Plumbline.

    Raises:
        NotFound: There is none of that id.
    """
    name = prompt_id.removesuffix(SHORT)
    path = (FOLDER / "short" if prompt_id.endswith(SHORT) else FOLDER) / f"{name}.jinja"
    if not re.fullmatch(ID, prompt_id) or not path.is_file():
        raise NotFound(f"There is no prompt {prompt_id}.", "The Models page lists all prompts.")
    where = f"The prompt {path.relative_to(FOLDER)}"
    prompt = parse_prompt(path.read_text(encoding="utf-8"), where)
    if prompt.id != prompt_id:
        raise InvalidInput(f"{where} calls itself {prompt.id}.", f"It must be {prompt_id}.")
    return prompt


def load_prompt(
    prompt_id: str,
    *,
    variant: PromptVariant = PromptVariant.FULL,
    store: Store | None = None,
    project_id: str = "",
) -> Prompt:
    """The prompt a project uses: its own chosen version, else the one that comes with Plumbline.

    Args:
        prompt_id: Which prompt.
        variant: In full or short, as the model takes it that will be asked (`ChatModel.prompts`).
        store: Where the project is.
        project_id: The project.

    Raises:
        NotFound: There is none of that id.
        InvalidInput: The stored version cannot be used.
    """
    from core.store.models import prompt_versions

    ours = built_in(variant_id(prompt_id, variant))
    if store is None or not project_id:
        return ours
    with store.read() as connection:
        version = prompt_versions.in_use(connection, project_id, ours.id)
    return parse_prompt(version.text, f"Version {version.version} of the prompt {ours.id}") if version else ours


class Prompts(Protocol):
    """Finds a prompt by its id and the variant a model takes; `load_prompt` is one."""

    def __call__(self, prompt_id: str, *, variant: PromptVariant = PromptVariant.FULL) -> Prompt:
        """The prompt in use."""
        ...


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
    environment.filters |= {"fence": fence, "field": field}
    return environment
