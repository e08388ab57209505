"""Work that ran out of memory: how it is known, and what a person is told."""

from __future__ import annotations

import re

from core.domain.jobs import Progress

_SAID = re.compile(r"not enough memory|can(.?t|not) allocate memory|out of memory|bad_alloc", re.IGNORECASE)
"""How libraries say so that raise no MemoryError, PyTorch among them."""

HINT = "Resume it once there is more memory: what was done is kept. Fewer metrics at once or a smaller model need less."


def ran_out(error: BaseException) -> bool:
    """Whether an error, or what caused it, is a lack of memory.

    >>> ran_out(MemoryError()), ran_out(RuntimeError("DefaultCPUAllocator: not enough memory"))
    (True, True)
    >>> ran_out(ValueError("a row says: out of memory"))
    False
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError) or (isinstance(cause, (RuntimeError, OSError)) and _SAID.search(str(cause))):
            return True
        cause = cause.__cause__
    return False


def message(progress: Progress | None) -> str:
    """What happened, with the place where it did.

    >>> message(Progress(stage="Scoring", done=1200, total=5000))
    'The worker ran out of memory at Scoring, 1,200 of 5,000.'
    """
    place = f" at {progress.stage}, {progress.done:,} of {progress.total:,}" if progress and progress.stage else ""
    return f"The worker ran out of memory{place}."
