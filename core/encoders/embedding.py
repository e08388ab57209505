"""Sentence embeddings: how an encoder is opened.

Nothing heavy is imported before an encoder is opened.
"""

from __future__ import annotations

from core.domain.errors import InvalidInput
from core.encoders.opened import opened_once
from core.encoders.protocols import MINILM, SentenceEncoder, VectorCache
from core.settings import settings

PRECISIONS = ("float32", "bfloat16")


def open_encoder(spec: str = "", *, precision: str = "", cache: VectorCache | None = None) -> SentenceEncoder:
    """The encoder of a name; a model is loaded once in a process, and threads may share it.

    Args:
        spec: ``minilm`` for the model that comes with Plumbline, else a sentence-transformers model by folder or by
            name; empty takes the setting ``PLUMBLINE_ENCODER``, which is ``minilm`` unless set.
        precision: ``float32``, or ``bfloat16`` where the processor computes in it; empty takes ``PLUMBLINE_PRECISION``.
        cache: Where vectors are looked up before a text is encoded, and put afterwards.

    Raises:
        InvalidInput: There is no such model here and it cannot be fetched, it is no sentence-transformers model, it
            asks to run code of its own, its weights are not those it must have, or the precision cannot be used.
    """
    configured = settings()
    spec = spec.strip() or configured.encoder
    precision = precision.strip() or configured.precision
    if precision not in PRECISIONS:
        raise InvalidInput(f"There is no precision {precision!r}.", f"Use one of: {', '.join(PRECISIONS)}.")
    encoder = _load(spec, precision)
    if cache is None:
        return encoder
    from core.encoders.cache import CachedEncoder

    return CachedEncoder(encoder, cache)


def missing_encoder() -> str:
    """Why there is no usual encoder; empty where there is one, or another one is set.

    Whoever is asked for no encoder by name does without where this says why; a name that is wrong is an error.
    """
    from core.encoders.loading import NOT_INSTALLED, minilm_installed

    return NOT_INSTALLED if settings().encoder == MINILM and not minilm_installed() else ""


@opened_once
def _load(spec: str, precision: str) -> SentenceEncoder:
    from core.encoders.loading import load_model, minilm_folder
    from core.encoders.transformer import encoder_of

    if spec == MINILM:
        return encoder_of(load_model(str(minilm_folder()), precision), MINILM, precision)
    return encoder_of(load_model(spec, precision), spec, precision)
