"""Changing the key that audit entries are sealed with."""

from __future__ import annotations

from core.domain.errors import Conflict, InvalidInput
from core.store.database import Store
from core.store.trail import audit, audit_key


def rekey(store: Store, *, actor: str) -> tuple[str, str]:
    """Goes on under the key of PLUMBLINE_AUDIT_KEY; the one of before, which must be among the earlier ones, says so.

    Returns:
        The names of the key of before, "" for none, and of the new one.

    Raises:
        InvalidInput: No key is given.
        Conflict: The trail is sealed with the given key already, or with one that is not given.
    """
    keys = audit_key.all_given()
    if keys.current is None:
        raise InvalidInput(
            "PLUMBLINE_AUDIT_KEY is not set.",
            "Set it to the new key, and PLUMBLINE_AUDIT_EARLIER_KEYS to the one so far.",
        )
    with store.pulse() as connection:
        head = audit.lock(connection)
        old = keys.named(head.key_name) if head.key_name else None
        if head.key_name == keys.current.name:
            raise Conflict(
                f"The audit trail is sealed with the key {head.key_name} of PLUMBLINE_AUDIT_KEY already.",
                "Set PLUMBLINE_AUDIT_KEY to the new key, and PLUMBLINE_AUDIT_EARLIER_KEYS to the one so far.",
            )
        if head.key_name and old is None:
            raise Conflict(
                f"The audit trail is sealed with the key {head.key_name}, which is not given.",
                "Add that key to PLUMBLINE_AUDIT_EARLIER_KEYS: only who has it can hand the trail on.",
            )
        audit.rekey(connection, head, actor, old, keys.current)
    return head.key_name, keys.current.name
