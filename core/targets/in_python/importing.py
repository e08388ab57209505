"""Specs of a person's own code: ``module:name``, with what else must be said behind a question mark."""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from core.domain.errors import InvalidInput

SHOWN: Final = 500
OPTIONS: Final = ("input", "id")
_SPEC = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\?(.+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonSpec:
    """What a spec says.

    Attributes:
        module: What is imported.
        path: What is taken of it.
        input: Name of the question in the mapping that it takes, or empty.
        document_id: Name of the document's id in its passages, or empty.
    """

    module: str
    path: str
    input: str = ""
    document_id: str = ""


def parse_spec(spec: str) -> PythonSpec:
    """The parts of ``module:name?input=question&id=policy_no``.

    >>> parse_spec("my_rag.service:chain?id=policy_no").document_id
    'policy_no'

    Raises:
        InvalidInput: It is not of that form.
    """
    match = _SPEC.fullmatch(spec.strip())
    if match is None:
        raise InvalidInput(f"{spec!r} names no function.", "Write module:function, such as my_rag.service:answer.")
    options = dict(parse_qsl(match[3] or "", keep_blank_values=True))
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown or (match[3] and not options):
        raise InvalidInput(
            f"{spec!r} has the option {unknown[0] if unknown else match[3]!r}, and only input and id are known.",
            "Write for example my_rag.service:chain?input=question&id=policy_no.",
        )
    return PythonSpec(
        module=match[1],
        path=match[2],
        input=options.get("input", "").strip(),
        document_id=options.get("id", "").strip(),
    )


def import_thing(spec: PythonSpec) -> object:
    """What a spec names; the working directory can be imported from.

    Raises:
        InvalidInput: The module cannot be imported, or has nothing of that name.
    """
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    importlib.invalidate_caches()
    try:
        thing: object = importlib.import_module(spec.module)
    except (Exception, SystemExit) as error:  # a module runs what it likes when it is imported
        if isinstance(error, ModuleNotFoundError) and error.name and spec.module.startswith(error.name):
            raise InvalidInput(
                f"There is no module {error.name}.",
                f"Start Plumbline in the folder that has it (now {here}), or install it.",
            ) from None
        raise InvalidInput(
            f"The module {spec.module} cannot be imported: {type(error).__name__}: {str(error)[:SHOWN]}.", "Correct it."
        ) from error
    for part in spec.path.split("."):
        if not hasattr(thing, part):
            raise InvalidInput(f"The module {spec.module} has no {spec.path}.", "Check the name behind the colon.")
        thing = getattr(thing, part)
    return thing
