"""The keys that audit entries are sealed with, where the operator gives one."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from hashlib import sha256

from core.domain.errors import Conflict
from core.settings import settings


@dataclass(frozen=True, slots=True)
class AuditKey:
    """A secret; its name is stored, it never is.

    Attributes:
        secret: What the operator gave.
    """

    secret: str = field(repr=False)

    @property
    def name(self) -> str:
        """Eight digits that tell one key from another and say nothing of it."""
        return hmac.new(self.secret.encode("utf-8"), b"plumbline audit key", sha256).hexdigest()[:8]

    def seal(self, text: str) -> str:
        """HMAC-SHA256 of a text, as 64 hexadecimal digits."""
        return hmac.new(self.secret.encode("utf-8"), text.encode("utf-8"), sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class AuditKeys:
    """The keys that a check has.

    Attributes:
        current: The one that the newest entry is sealed with, None for none.
        earlier: Those of before.
    """

    current: AuditKey | None = None
    earlier: tuple[AuditKey, ...] = ()

    def named(self, name: str) -> AuditKey | None:
        """The key of a name, None where it is not among them."""
        keys = (self.current, *self.earlier)
        return next((key for key in keys if key is not None and key.name == name), None)


def given() -> AuditKey | None:
    """The key of PLUMBLINE_AUDIT_KEY, None where it is not set."""
    secret = settings().audit_key
    return AuditKey(secret.get_secret_value()) if secret else None


def all_given() -> AuditKeys:
    """That key with those of PLUMBLINE_AUDIT_EARLIER_KEYS."""
    return AuditKeys(given(), tuple(AuditKey(key.get_secret_value()) for key in settings().audit_earlier_keys))


def require_same(newest: str, key: AuditKey | None) -> None:
    """Refuses to go on with a trail in another way than it was sealed so far.

    Args:
        newest: Name of the key of the newest entry, "" for none.
        key: The one that is given now.

    Raises:
        Conflict: The trail is keyed and the key is not given, or it is another one.
    """
    if newest and (key is None or key.name != newest):
        which = "another one is given" if key else "none is given"
        raise Conflict(
            f"The audit trail of this store is sealed with the key {newest}, and {which}.",
            "Set PLUMBLINE_AUDIT_KEY to that key; without it nothing is written. To change it, run: audit rekey.",
        )
