"""The hub that models are fetched from by name: called through the gate, redirects to its stores included."""

from __future__ import annotations

import threading
from functools import cache

import httpx2

from core.domain.errors import DestinationRefused
from core.net.gate import admit, destination_of
from core.net.gate.http import SyncGate
from core.settings import operator_proxy

HUB_SECONDS = 10.0
_lock = threading.Lock()


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
