"""Which replies are worth another attempt and how long to wait for it; the same for models and for targets."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""HTTP statuses after which the same request may be answered.

- 408, 425: the service did not take the request in time, or not yet, and says that it may be sent again.
- 409: services that hold a lock for each conversation or key answer so while an earlier request still holds it. The
  lock goes by itself; a question changes nothing at the service, so to ask it again does no harm.
- 429: too much load.
- 500, 502, 503, 504: a fault or an overload that passes.
- 520 to 524, 529: the same, told by a proxy before the service.

Not retried: the other statuses of the 4xx, which say that the request itself is wrong, and 501, 505 and the like, which
no waiting cures.
"""

SERVER_ERROR = 500
"""From here on a status says that the service failed."""

OVERLOADED = 429
"""The status of a service that is asked too much at once."""

FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0
"""Seconds before the second attempt at most, and before any later one; each wait is drawn evenly from 0 to its most,
which doubles."""

LONGEST_PAUSE = 120.0
"""Seconds that a service may ask for in a Retry-After; nobody waits longer for the next attempt."""

MOST_SPREAD = 0.1
"""Seconds after what a Retry-After asks for in which requests come back, so that they do not all come at once."""

MOST_DOUBLINGS = 30
"""Beyond any wait; a call that is refused thousands of times would come to a figure no float holds."""


_ALONE = ("x-ratelimit-reset", "ratelimit-reset")
_RESETS = (
    *_ALONE,
    *(f"x-ratelimit-reset-{what}" for what in ("requests", "tokens")),
    *(f"anthropic-ratelimit-{what}-reset" for what in ("requests", "tokens", "input-tokens", "output-tokens")),
)
"""Headers that say when a limit begins anew; each has one beside it with what remains."""

_DURATION = re.compile(r"(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_UNITS = (3600.0, 60.0, 1.0, 0.001)
_MOMENT = 1e9


def lasts(status: int | None) -> bool:
    """Whether what a status says stays as it is until somebody corrects something; of no status it is not known.

    >>> lasts(401), lasts(429), lasts(503), lasts(None)
    (True, False, False, False)
    """
    return status is not None and status not in RETRIED and status < SERVER_ERROR


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds for which a service wants to be left alone, None where it does not say.

    Read from ``retry-after-ms``, or from ``retry-after`` as a number of seconds or as an HTTP date, which counts from
    now; without both from when a limit of which nothing remains begins anew (``x-ratelimit-reset-requests: 1m6s``).
    What cannot be read counts as not said.

    Args:
        headers: Of the response, names in lower case or found in any case.

    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after": "soon"})
    (2.0, None)
    """
    milliseconds, value = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if value is None:
            return _until_reset(headers)
        try:
            return max(0.0, float(value))
        except ValueError:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _until_reset(headers: Mapping[str, str]) -> float | None:
    """Seconds until the last of the limits that are used up begins anew; as OpenAI, Anthropic and GitHub name them."""
    waits = []
    for name in _RESETS:
        value, remaining = headers.get(name), headers.get(name.replace("reset", "remaining"))
        used_up = remaining == "0" or (remaining is None and name in _ALONE)
        if value is not None and used_up and (wait := _seconds(value.strip())) is not None:
            waits.append(wait)
    return max(waits, default=None)


def _seconds(value: str) -> float | None:
    """Seconds from now, of a duration such as ``1m6s``, a number of seconds, or a moment.

    >>> _seconds("20ms"), _seconds("1m6.5s"), _seconds("12"), _seconds("soon")
    (0.02, 66.5, 12.0, None)
    """
    if parts := _DURATION.fullmatch(value):
        return sum(float(count) * unit for count, unit in zip(parts.groups(), _UNITS, strict=True) if count)
    try:
        number = float(value)
    except ValueError:
        try:
            return max(0.0, datetime.fromisoformat(value).timestamp() - time.time())
        except ValueError:
            return None
    if number > _MOMENT:  # seconds, or thousandths, since 1970
        return max(0.0, (number if number < _MOMENT * 1000 else number / 1000) - time.time())
    return max(0.0, number)


def pause(failures: int, requested_pause: float | None) -> float:
    """Seconds before the next attempt: what the service asks for and a little, else exponential with full jitter.

    Args:
        failures: Attempts that failed so far, at least 1.
        requested_pause: The service's Retry-After; above `LONGEST_PAUSE` it is taken for that.
    """
    most = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(failures - 1, MOST_DOUBLINGS))
    least = 0.0 if requested_pause is None else min(requested_pause, LONGEST_PAUSE)
    spread = most if requested_pause is None else min(most, MOST_SPREAD)
    return least + random.uniform(0, spread)  # noqa: S311 - spreads requests in time, decides nothing
