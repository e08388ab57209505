"""Models by name or folder: fetched from the hub through the gate, redirects to its stores included, and loaded."""

from __future__ import annotations

import json
import re
import threading
from functools import cache
from pathlib import Path
from typing import Any, Final

import httpx2

from core.domain.errors import DestinationRefused, InvalidInput
from core.net.gate import admit, destination_of
from core.net.gate.http import SyncGate
from core.settings import operator_proxy

HUB_SECONDS = 10.0
_lock = threading.Lock()
_NAME: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)?")
_FILES: Final = ("*.json", "*.txt", "*.model", "*.safetensors")
"""What a model needs; weights in other formats are not fetched."""


def model_folder(spec: str, *, what: str, remedy: str) -> tuple[str, Path]:
    """Title and folder of a transformers model.

    A name is looked for among the models fetched before; only when it is not there is it fetched, if that is allowed.

    Args:
        spec: A folder or a name.
        what: What it is to be, such as ``an NLI model``, for the message.
        remedy: What to do where there is none.

    Raises:
        InvalidInput: It is not here and cannot be fetched.
    """
    folder = Path(spec).expanduser()
    if spec and (folder / "config.json").is_file():
        return folder.resolve().name, folder.resolve()
    if not spec or folder.is_dir() or not _NAME.fullmatch(spec) or spec.startswith("."):
        raise InvalidInput(f"There is no folder {spec!r} with {what}.", remedy)
    try:
        return spec, _snapshot(spec, what, remedy, here=True)
    except InvalidInput:
        if not can_fetch(spec):
            raise
    return spec, _snapshot(spec, what, remedy, here=False)


def load_head(family: Any, title: str, folder: Path, *, what: str, kind: str, work: str) -> tuple[Any, Any]:
    """Tokenizer and model of a folder, in single precision and evaluation mode; no code of the model is run.

    Args:
        family: The class of transformers that picks the architecture.
        title: How a person names the model.
        folder: Where it is.
        what: What it is called in a message, such as ``NLI model``.
        kind: What its folder has to hold, such as ``token-classification``.
        work: What it is to do, for the message where its head is missing.

    Raises:
        InvalidInput: It brings code of its own, cannot be loaded, or has no trained head.
    """
    import torch
    from transformers import AutoTokenizer
    from transformers.utils import logging

    _refuse_code(title, folder)
    logging.disable_progress_bar()
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), **here)
        model, report = family.from_pretrained(str(folder), dtype=torch.float32, output_loading_info=True, **here)
    except Exception as error:  # a damaged model fails in the loader with whatever its files provoke
        raise InvalidInput(
            f"The {what} {title} cannot be loaded ({' '.join(str(error).split())[:200]}).",
            f"Check that its folder holds a whole {kind} model with its tokenizer.",
        ) from error
    finally:
        logging.set_verbosity(verbosity)
    if report["missing_keys"]:
        raise InvalidInput(
            f"The model {title} has no trained weights for {sorted(report['missing_keys'])[0]}: it does not {work}.",
            "Use a model that was saved with its classification head.",
        )
    return tokenizer, model.eval()


def _refuse_code(title: str, folder: Path) -> None:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except ValueError as error:
        raise InvalidInput(f"The config.json of the model {title} is not JSON: {error}.", "Save it again.") from error
    if isinstance(config, dict) and config.get("auto_map"):
        raise InvalidInput(
            f"The model {title} brings code of its own, and no code of a model is run.",
            "Use a model of an architecture that transformers knows.",
        )


def _snapshot(name: str, what: str, remedy: str, *, here: bool) -> Path:
    from huggingface_hub import constants, snapshot_download

    constants.HF_HUB_DISABLE_TELEMETRY = True
    try:
        return Path(snapshot_download(name, local_files_only=here, allow_patterns=[*_FILES]))
    except Exception as error:  # the hub's client has a class of its own for each way to fail
        if (refused := refusal_in(error)) is not None:
            raise refused from None
        kind = what.partition(" ")[2]
        raise InvalidInput(f"The {kind} {name!r} is not on this machine and could not be fetched.", remedy) from error


def can_fetch(name: str) -> bool:
    """Whether the hub may be called, answers, and has the model; asked once, where loading would try for a minute.

    Args:
        name: With the organisation's.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError

    if constants.is_offline_mode():
        return False
    try:
        admit(destination_of(constants.ENDPOINT))
        with _lock:
            _through_gate()
        HfApi().model_info(name, timeout=HUB_SECONDS)
    except (HfHubHTTPError, OSError, httpx2.HTTPError, DestinationRefused):
        return False
    return True


def refusal_in(error: BaseException | None) -> DestinationRefused | None:
    """The refused host that is behind a failure to fetch a model, None where another thing failed."""
    while error is not None and not isinstance(error, DestinationRefused):
        error = error.__cause__ or error.__context__
    return error


@cache
def _through_gate() -> None:
    """Makes the hub's client, which every fetch uses, open its connections by the gate; once in a process."""
    from huggingface_hub import constants, get_session, set_client_factory

    # Its other way to load a file is a program of its own that calls whom it likes.
    constants.HF_HUB_DISABLE_XET = True
    constants.HF_HUB_DISABLE_TELEMETRY = True
    hooks = get_session().event_hooks

    def client() -> httpx2.Client:
        gate = SyncGate(operator_proxy())
        return httpx2.Client(transport=gate, event_hooks=hooks, follow_redirects=True, timeout=None)

    set_client_factory(client)
